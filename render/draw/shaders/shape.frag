in vec3 vPos;
in vec3 vNormal;
in vec4 vColor;
in vec2 vLook;

uniform float rimLight; // how much an edge against the view lights up

out vec4 oColor;

void main() {
	vec3 n = normalize(vNormal);
	vec3 v = normalize(eye.xyz - vPos);
	float share = sunShare(vPos, n);
	vec3 e = incoming(vPos, n, share) + moving(vPos, n);
	// Never as dark as the wall behind: a figure has to be seen.
	e = max(e, vec3(0.22));
	vec3 c = vColor.rgb * e + vColor.rgb * vColor.w;
	float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);
	c += (vColor.rgb * 0.8 + 0.06) * rim * rimLight;
	c += shine(vPos, n, vLook.x) * vLook.x * 0.5 * share;
	c += skyColor(reflect(-v, n)) * vLook.x * (0.06 + 0.3 * rim);
	oColor = vec4(fogged(c, vPos), vLook.y);
}
