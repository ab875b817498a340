layout(location = 0) in vec3 aPos;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec2 aUV;
layout(location = 3) in vec3 aLightUV; // z: layer, below 0 for none
layout(location = 4) in vec4 aColor;

uniform vec3 offset;
uniform vec4 turn; // hinge, sine and cosine; both 0 for no turn

out vec3 vPos;
out vec3 vLocal;
out vec3 vNormal;
out vec3 vLocalNormal;
out vec2 vUV;
out vec3 vLightUV;
out vec4 vColor;

void main() {
	vLocal = aPos;
	vPos = aPos;
	vNormal = aNormal;
	vLocalNormal = aNormal;
	if (turn.z != 0.0 || turn.w != 0.0) {
		mat2 m = mat2(turn.w, turn.z, -turn.z, turn.w);
		vPos.xy = turn.xy + m * (aPos.xy - turn.xy);
		vNormal.xy = m * aNormal.xy;
	}
	vPos += offset;
	vUV = aUV;
	vLightUV = aLightUV;
	vColor = aColor;
	gl_Position = viewProj * vec4(vPos, 1.0);
}
