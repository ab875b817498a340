in vec2 vAt;
flat in vec4 vBox;
in vec4 vColor;
uniform sampler2D atlas;
out vec4 oColor;

void main() {
	float a;
	if (vBox.w > 0.5) {
		a = texture(atlas, vAt / vec2(textureSize(atlas, 0))).r;
	} else {
		vec2 d = abs(vAt) - vBox.xy + vBox.z;
		float s = length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - vBox.z;
		a = clamp(0.5 - s, 0.0, 1.0);
	}
	oColor = vec4(vColor.rgb, vColor.a * a);
}
