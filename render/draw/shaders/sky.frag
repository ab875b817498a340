in vec3 vDir;
out vec4 oColor;
void main() {
	vec3 d = normalize(vDir);
	vec3 c = skyColor(d);
	if (d.z > 0.01) {
		vec2 q = d.xy / (d.z + 0.12) * 1.6 + eye.w * 0.004;
		float cloud = smoothstep(0.48, 0.80, fbm(q) + 0.18 * fbm(q * 3.7));
		float s = max(dot(d, sunDir.xyz), 0.0);
		vec3 lit = mix(horizon.rgb * 1.05, sunColor.rgb * 0.42 + 0.1, 0.35 + 0.4 * pow(s, 6.0));
		c = mix(c, lit, cloud * 0.55 * smoothstep(0.01, 0.3, d.z));
	}
	float disk = smoothstep(0.99945, 0.99972, dot(d, sunDir.xyz));
	c += sunColor.rgb * disk * 6.0;
	oColor = vec4(c, 1.0);
}
