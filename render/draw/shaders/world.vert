layout(location = 0) in vec3 aPos;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec2 aUV;
layout(location = 3) in vec3 aLightUV; // z: layer, below 0 for none
layout(location = 4) in vec4 aColor;

uniform vec3 offset;

out vec3 vPos;
out vec3 vLocal;
out vec3 vNormal;
out vec2 vUV;
out vec3 vLightUV;
out vec4 vColor;

void main() {
	vLocal = aPos;
	vPos = aPos + offset;
	vNormal = aNormal;
	vUV = aUV;
	vLightUV = aLightUV;
	vColor = aColor;
	gl_Position = viewProj * vec4(vPos, 1.0);
}
