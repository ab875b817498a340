// One box with round edges per instance. A corner is where the box's half size,
// less the radius, puts it, plus the radius along the normal.
layout(location = 0) in vec3 aCorner; // signs
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec4 iRow0;
layout(location = 3) in vec4 iRow1;
layout(location = 4) in vec4 iRow2;
layout(location = 5) in vec4 iHalf;  // w: radius
layout(location = 6) in vec4 iColor; // w: glow
layout(location = 7) in vec4 iLook;  // xy: size at the top, z: gloss, w: alpha

uniform mat4 viewProjShape;

out vec3 vPos;
out vec3 vNormal;
out vec4 vColor;
out vec2 vLook;

void main() {
	vec3 h = max(iHalf.xyz - iHalf.w, 0.0);
	vec3 r = min(vec3(iHalf.w), iHalf.xyz);
	vec3 p = aCorner * h + aNormal * r;
	float t = clamp(p.z / max(iHalf.z, 1e-4) * 0.5 + 0.5, 0.0, 1.0);
	vec2 s = mix(vec2(1.0), iLook.xy, t);
	p.xy *= s;
	vec3 n = aNormal / max(r / max(iHalf.w, 1e-4), vec3(1e-3));
	n.z += dot(n.xy, (1.0 - iLook.xy) * iHalf.xy) / max(2.0 * iHalf.z, 1e-4);
	vPos = vec3(dot(iRow0, vec4(p, 1.0)), dot(iRow1, vec4(p, 1.0)), dot(iRow2, vec4(p, 1.0)));
	vNormal = vec3(dot(iRow0.xyz, n), dot(iRow1.xyz, n), dot(iRow2.xyz, n));
	vColor = iColor;
	vLook = iLook.zw;
	gl_Position = viewProjShape * vec4(vPos, 1.0);
}
