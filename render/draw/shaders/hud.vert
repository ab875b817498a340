layout(location = 0) in vec2 aPos; // pixels, y downwards
layout(location = 1) in vec2 aAt;  // pixels of the atlas, or from a box's middle
layout(location = 2) in vec4 aBox; // half size, radius, mode (0 box, 1 glyph)
layout(location = 3) in vec4 aColor;

uniform vec2 size; // of the target in pixels

out vec2 vAt;
flat out vec4 vBox;
out vec4 vColor;

void main() {
	vAt = aAt;
	vBox = aBox;
	vColor = aColor;
	gl_Position = vec4(aPos / size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
