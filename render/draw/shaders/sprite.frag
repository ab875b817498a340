in vec2 vAt;
in vec3 vPos;
in vec4 vColor;
flat in vec4 vLook;

out vec4 oColor; // premultiplied: alpha 0 adds light

void main() {
	int kind = int(vLook.x + 0.5);
	float r = length(vAt), a = vColor.a, age = vLook.y, seed = vLook.z;
	float soft = max(1.0 - r, 0.0);
	vec3 c = vColor.rgb;
	float cover = 0.0; // how much is hidden behind it
	float d = distance(vPos, eye.xyz);
	a *= clamp(d * 2.0 - 0.3, 0.0, 1.0); // nothing bursts in the viewer's face
	if (kind == 0) {
		a *= soft * soft;
	} else if (kind == 1) {
		a *= (1.0 - abs(vAt.y)) * smoothstep(-1.0, 0.9, vAt.x) * smoothstep(1.0, 0.9, vAt.x);
	} else if (kind == 2) {
		float f = fbm(vAt * 2.2 + seed * 7.0 + vec2(0.0, -age * 1.5));
		float body = smoothstep(1.0, 0.35, r + (f - 0.45) * 0.9);
		float heat = clamp((1.15 - age * 1.35) * body + (f - 0.45), 0.0, 1.0);
		vec3 fire = mix(vec3(0.10, 0.07, 0.06), mix(vec3(1.7, 0.26, 0.03), vec3(3.4, 1.55, 0.42), heat), smoothstep(0.05, 0.6, heat));
		c *= fire;
		a *= body;
		cover = a * smoothstep(0.15, 0.75, age + 0.2);
	} else if (kind == 3) {
		a *= smoothstep(0.22, 0.0, abs(r - 0.78));
	} else if (kind == 4 || kind == 5) {
		float f = fbm(vAt * 1.8 + seed * 5.0 + age * 0.4);
		a *= smoothstep(1.0, 0.2, r + (f - 0.45) * 0.8);
		vec3 light = mix(horizon.rgb, zenith.rgb, 0.4) * 0.6 + ground.rgb * 0.3 + sunColor.rgb * (0.16 + 0.12 * vAt.y);
		c *= light * (0.75 + 0.5 * f);
		cover = a;
	} else if (kind == 6) {
		a *= smoothstep(1.0, 0.25, r);
		cover = a;
	} else if (kind == 7) {
		// A sliver with ragged ends, lighter along one edge, as split wood is.
		float end = 0.35 + 0.65 * fract(seed * 7.31);
		a *= step(abs(vAt.y), min((1.0 - vAt.x) * 3.0, (1.0 + vAt.x) * (0.8 + 3.0 * end)));
		vec3 light = mix(horizon.rgb, zenith.rgb, 0.4) * 0.7 + ground.rgb * 0.4 + sunColor.rgb * (0.22 + 0.16 * fract(seed * 3.7));
		c *= light * (0.8 + 0.35 * smoothstep(0.1, 0.5, vAt.y) - 0.3 * smoothstep(0.5, 0.9, -vAt.y));
		cover = a;
	} else if (kind == 8) {
		float w = 1.0 - abs(vAt.y);
		a *= w * w * mix(1.0, vAt.x * 0.5 + 0.5, vLook.w);
		c += vec3(0.6) * w * w * dot(c, vec3(0.33)); // a white core
	} else {
		cover = a;
	}
	float hid = 0.0;
	for (int i = 0; i < total; i++) hid += veil(i, (vPos - eye.xyz) / max(d, 1e-4), d);
	a *= max(1.0 - hid, 0.0);
	cover *= max(1.0 - hid, 0.0);
	float left = exp(-fog.w * d);
	if (cover > 0.0) c = mix(fog.rgb, c, left);
	oColor = vec4(c * a * (cover > 0.0 ? 1.0 : left), cover);
}
