// One cloud of smoke. What the server takes for opaque is opaque here: a ball, less
// the lines through a hole; densities of clouds on a line add up.
#define MAX_CLOUDS 16
in vec3 vDir;
uniform int self;
uniform int total;
uniform vec4 clouds[MAX_CLOUDS]; // xyz, w: radius of the opaque ball
uniform vec4 looks[MAX_CLOUDS];  // x: density
uniform vec4 holes[MAX_CLOUDS];  // xyz, w: radius
uniform vec4 cuts[MAX_CLOUDS];   // x: the cloud, -1 none, y: how open
out vec4 oColor; // premultiplied

const float SHELL = 1.22; // of the radius: there it has faded to nothing

// cover is how much of a cloud a ray goes through, and where it meets it.
float cover(int i, vec3 d, out float t) {
	vec4 b = clouds[i];
	vec3 m = b.xyz - eye.xyz;
	float mid = max(dot(m, d), 0.0);
	float off = length(m - d * mid);
	t = mid;
	if (off > b.w * SHELL || b.w <= 0.0) return 0.0;
	float far = mid;
	float full = 1.0;
	if (off <= b.w) {
		float half_ = sqrt(b.w * b.w - off * off);
		t = max(dot(m, d) - half_, 0.0);
		far = dot(m, d) + half_;
	} else {
		// Lumps on the rim, which is none of what hides.
		vec3 e = normalize(m - d * mid);
		float lump = fbm(vec2(atan(e.y, e.x) * 3.1 + b.y, e.z * 4.3 + b.x) + eye.w * 0.04);
		float out_ = (off - b.w) / (b.w * (SHELL - 1.0));
		full = smoothstep(0.25 + 0.9 * lump, 0.0, out_);
	}
	for (int h = 0; h < MAX_CLOUDS; h++) {
		if (int(cuts[h].x) != i || cuts[h].y <= 0.0) continue;
		vec3 q = holes[h].xyz - eye.xyz;
		float near = length(q - d * clamp(dot(q, d), t, max(far, t)));
		full *= 1.0 - cuts[h].y * (1.0 - smoothstep(0.72, 1.0, near / holes[h].w));
	}
	return full * looks[i].x;
}

void main() {
	vec3 d = normalize(vDir);
	float t;
	float mine = cover(self, d, t);
	if (mine <= 0.004) discard;
	float before = 0.0;
	for (int i = 0; i < total; i++) {
		float other;
		if (i == self) continue;
		float c = cover(i, d, other);
		if (other < t || other == t && i < self) before += c;
	}
	if (before >= 1.0) discard;
	float a = (min(before + mine, 1.0) - before) / (1.0 - before);

	vec4 b = clouds[self];
	vec3 p = eye.xyz + d * t;
	vec3 n = normalize(p - b.xyz + vec3(0.0, 0.0, 0.001));
	bool inside = distance(eye.xyz, b.xyz) < b.w;
	n = normalize(mix(n, -d, 0.3));
	if (inside) n = -d * 0.6 + vec3(0.0, 0.0, 0.4);
	vec3 w = (p - b.xyz) / b.w;
	float drift = eye.w * 0.03;
	float swirl = fbm(w.xy * 2.1 + b.x + drift) + fbm(w.xz * 2.6 + b.y - drift) + fbm(w.yz * 2.6 + drift);
	swirl = swirl * 0.24 + fbm(w.xz * 7.0 + w.yy * 5.0 - drift * 2.0) * 0.28;
	vec3 sky = mix(ground.rgb, mix(horizon.rgb, zenith.rgb, 0.35), n.z * 0.5 + 0.5);
	float wrap = clamp(dot(n, sunDir.xyz) * 0.6 + 0.4, 0.0, 1.0);
	vec3 c = vec3(0.62, 0.63, 0.65) * (sky * 0.75 + sunColor.rgb * (0.05 + 0.24 * wrap));
	c *= 0.35 + 1.25 * swirl;
	if (inside) c *= 0.8;
	c = fogged(c, p);
	vec4 clip = viewProj * vec4(p, 1.0);
	gl_FragDepth = t <= 0.06 ? 0.0 : clamp(clip.z / clip.w * 0.5 + 0.5, 0.0, 1.0);
	oColor = vec4(c * a, a);
}
