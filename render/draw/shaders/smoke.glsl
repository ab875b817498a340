// The clouds of a frame, for those shaders that draw them or what is among them.
// What the server takes for opaque is opaque here: a ball, less the lines through a
// hole; densities of clouds on a line add up.
#define MAX_CLOUDS 16
uniform int total;
uniform vec4 clouds[MAX_CLOUDS]; // xyz, w: radius of the opaque ball
uniform vec4 looks[MAX_CLOUDS];  // x: density
uniform vec4 holes[MAX_CLOUDS];  // xyz, w: radius
uniform vec4 cuts[MAX_CLOUDS];   // x: the cloud, -1 none, y: how open

const float SHELL = 1.36; // of the radius: there the last lump has ended
const float SKIN = 1.08;  // so far out a cloud is at least

// whole is what holes leave of a cloud on a ray that passes its middle at a distance
// of mid, off beside it, up to what is at a distance; all in units of its radius.
// A ragged hole is smaller by a share of its radius.
float whole(int i, vec3 d, float mid, float off, float at, float ragged) {
	float half_ = sqrt(max((off < 1.0 ? 1.0 : SHELL * SHELL) - off * off, 0.0));
	float from = max(mid - half_, 0.0) * clouds[i].w;
	float to = max(min(mid + half_, at) * clouds[i].w, from);
	float left = 1.0;
	for (int h = 0; h < MAX_CLOUDS; h++) {
		if (int(cuts[h].x) != i || cuts[h].y <= 0.0) continue;
		vec3 q = holes[h].xyz - eye.xyz;
		float near = length(q - d * clamp(dot(q, d), from, to)) / holes[h].w;
		left *= 1.0 - cuts[h].y * (1.0 - smoothstep(0.7, 1.0, near + ragged));
	}
	return left;
}

// veil is how much of what is at a distance on a ray one cloud hides.
float veil(int i, vec3 d, float at) {
	vec4 b = clouds[i];
	vec3 m = (b.xyz - eye.xyz) / b.w;
	float mid = dot(m, d), off = length(m - d * mid);
	at /= b.w;
	if (off >= SHELL) return 0.0;
	float reach = sqrt(SHELL * SHELL - off * off);
	if (mid + reach <= 0.0 || at <= mid - reach) return 0.0;
	float inner = off < 1.0 ? mid - sqrt(1.0 - off * off) : mid + reach;
	float full = smoothstep(SHELL, SKIN, off) * smoothstep(mid - reach, inner, at);
	return full * looks[i].x * whole(i, d, mid, off, at, 0.0);
}
