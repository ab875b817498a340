// One cloud of smoke: an opaque core, and lumps around it that a ray is followed
// through as far as to what is solid.
in vec3 vDir;
uniform int self;
uniform sampler2D depths;   // of what is drawn already
uniform sampler3D billows;  // x: how far a lump stands out, yzw: which way that grows
out vec4 oColor; // premultiplied

const int SMALL = 8, LARGE = 4; // steps
const float FINE = 0.5; // of the radius: so far it is followed in small steps
const float THICK = 15.0; // what a radius of dense smoke takes, as an exponent

// lump is how the smoke bulges at a point in units of the radius, and its gradient.
vec4 lump(vec3 p) {
	vec3 at = clouds[self].yxz * 0.37 + vec3(0.0, 0.0, -eye.w * 0.012);
	vec4 a = textureLod(billows, p * 0.55 + at, 0.0);
	vec4 b = textureLod(billows, p.yzx * 1.35 + at * 1.7 + eye.w * 0.009, 0.0);
	return vec4(a.x * 0.7 + b.x * 0.3, (a.yzw - 0.5) * (0.7 * 0.55 * 16.0) + (b.wyz - 0.5) * (0.3 * 1.35 * 16.0));
}

void main() {
	vec3 d = normalize(vDir);
	float z = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).x * 2.0 - 1.0;
	float near = tanHalf.z, far = tanHalf.w;
	float solid = 2.0 * far * near / ((far + near - z * (far - near)) * max(dot(d, forward.xyz), 0.01));

	vec4 ball = clouds[self];
	vec3 e = (eye.xyz - ball.xyz) / ball.w;
	float mid = -dot(e, d), off = dot(e, e) - mid * mid;
	float reach = SHELL * SHELL - off;
	if (reach <= 0.0) discard;
	reach = sqrt(reach);
	float start = max(mid - reach, 0.0), stop = min(mid + reach, solid / ball.w);
	if (stop <= start) discard;
	float core = -1.0;
	if (off < 1.0 && mid + sqrt(1.0 - off) > 0.0) core = max(mid - sqrt(1.0 - off), 0.0);
	bool hidden = core >= 0.0 && core < stop;
	// Where it goes on does not depend on the core, which would show as a ring, nor on
	// what is behind it.
	if (hidden) stop = core > 0.0 ? mid + reach : 0.0;

	// What the ray meets on its way: how much, where in the mean, and which way it faces.
	float clear = 1.0, where = 0.0, high = 0.0;
	vec3 n = vec3(0.0);
	float turn = min(start + FINE, stop);
	for (int k = 0; k < SMALL + LARGE; k++) {
		bool first = k < SMALL;
		float pace = first ? (turn - start) / float(SMALL) : (stop - turn) / float(LARGE);
		float t = first ? start + (float(k) + 0.5) * pace : turn + (float(k - SMALL) + 0.5) * pace;
		vec3 p = e + d * t;
		float r = length(p);
		vec4 l = lump(p);
		float deep = SKIN + (SHELL - SKIN) * l.x - r;
		if (deep <= 0.0) continue;
		float a = clear * (1.0 - exp(-pace * THICK * min(deep * 7.0, 1.0) * (1.0 + 9.0 * smoothstep(SKIN, 1.0, r))));
		clear -= a;
		where += a * t;
		high += a * l.x;
		n += a * (p / r - l.yzw * (SHELL - SKIN));
		if (clear < 0.01) break;
	}
	if (hidden) {
		vec3 p = e + d * (core > 0.0 ? core : 0.6);
		vec4 l = lump(p);
		where += clear * core;
		high += clear * l.x;
		n += clear * ((core > 0.0 ? p : d) - l.yzw * (SHELL - SKIN));
		clear = 0.0;
	}
	float mine = 1.0 - clear;
	if (mine <= 0.004) discard;
	where /= mine;
	high /= mine;
	n = normalize(n + vec3(0.0, 0.0, 0.001));
	// Where it thins it goes in patches, and hides no less than what it counts for.
	float dense = looks[self].x;
	dense += dense * (1.0 - dense) * smoothstep(0.3, 0.75, high);
	mine *= dense * whole(self, d, mid, sqrt(max(off, 0.0)), solid / ball.w, 0.5 * high);

	float before = 0.0;
	for (int i = 0; i < total; i++) {
		float away = distance(clouds[i].xyz, eye.xyz) - distance(ball.xyz, eye.xyz);
		if (i != self && (away < 0.0 || away == 0.0 && i < self)) before += veil(i, d, solid);
	}
	if (before >= 1.0 || mine <= 0.004) discard;
	float a = (min(before + mine, 1.0) - before) / (1.0 - before);

	vec3 p = eye.xyz + d * (where * ball.w);
	vec3 round_ = normalize(p - ball.xyz + vec3(0.0, 0.0, 0.001));
	float lit = clamp(dot(n, sunDir.xyz) * 0.55 + 0.45, 0.0, 1.0) * clamp(dot(round_, sunDir.xyz) * 0.6 + 0.7, 0.0, 1.0);
	vec3 light = incoming(p, normalize(n + vec3(0.0, 0.0, 0.35)), 0.0);
	light += sunColor.rgb * (0.62 * lit * lit * sunShare(p, sunDir.xyz)) + moving(p, n);
	light *= 0.55 + 0.55 * smoothstep(0.1, 0.8, high);
	vec3 c = fogged(vec3(0.60, 0.61, 0.63) * light, p);
	oColor = vec4(c * a, a);
}
