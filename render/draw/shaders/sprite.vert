layout(location = 0) in vec4 iPos;   // w: radius in metres, or width in pixels of a line
layout(location = 1) in vec4 iAxis;  // direction or span; w: turn in radians
layout(location = 2) in vec4 iColor;
layout(location = 3) in vec4 iLook;  // x: kind, y: age, z: seed, w: taper

const float SPARK = 1.0, BLOB = 6.0, SPLINTER = 7.0, BEAM = 8.0, LINE = 9.0;

out vec2 vAt;
out vec3 vPos;
out vec4 vColor;
flat out vec4 vLook;

void main() {
	vec2 q = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
	vec3 p;
	vAt = q;
	if (iLook.x >= BEAM) {
		vec3 a = iPos.xyz + iAxis.xyz * (q.x * 0.5 + 0.5);
		vec3 side = cross(iAxis.xyz, eye.xyz - a);
		float l = length(side);
		side = l > 1e-6 ? side / l : up.xyz;
		float depth = max(dot(a - eye.xyz, forward.xyz), 0.02);
		// Never thinner than a pixel and a half, or it would flicker.
		float w = iLook.x == LINE ? iPos.w * right.w * depth : max(iPos.w, 1.5 * right.w * depth);
		p = a + side * q.y * w;
	} else if (iLook.x == BLOB) {
		vec3 n = normalize(iAxis.xyz);
		vec3 s = normalize(cross(n, abs(n.z) > 0.9 ? vec3(0, 1, 0) : vec3(0, 0, 1)));
		p = iPos.xyz + n * 0.02 + (s * q.x + cross(n, s) * q.y) * iPos.w;
	} else if (iLook.x == SPARK || iLook.x == SPLINTER) {
		vec3 a = iAxis.xyz;
		vec3 side = cross(a, eye.xyz - iPos.xyz);
		float l = length(side);
		side = l > 1e-6 ? side / l : up.xyz;
		p = iPos.xyz + a * q.x * 0.5 + side * q.y * iPos.w;
	} else {
		float c = cos(iAxis.w), s = sin(iAxis.w);
		vec2 r = vec2(q.x * c - q.y * s, q.x * s + q.y * c);
		p = iPos.xyz + (right.xyz * r.x + up.xyz * r.y) * iPos.w;
	}
	vPos = p;
	vColor = iColor;
	vLook = iLook;
	gl_Position = viewProj * vec4(p, 1.0);
}
