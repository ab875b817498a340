in vec3 vPos;
in vec3 vLocal;
in vec3 vNormal;
in vec3 vLocalNormal;
in vec2 vUV;
in vec3 vLightUV;
in vec4 vColor;

uniform sampler2D image;
uniform sampler2DArray lightmaps;
uniform int kind;      // scene.Kind; -1: the image
uniform vec3 tint;
uniform float glow;
uniform float cutout;  // 1: alpha below one half is a hole
uniform float blended; // 1: alpha counts

out vec4 oColor;

const int WALL = 0, FLOOR = 1, TRIM = 2, METAL = 3, CRATE = 4, GROUND = 5,
          GLASS = 6, WATER = 7, SLIME = 8, LAVA = 9, LAMP = 10, LADDER = 11;

// groove returns 1 on lines of the given half width at whole numbers of x,
// softened over a pixel and fading where lines would be finer than pixels.
float groove(float x, float halfWidth) {
	float w = fwidth(x);
	float d = abs(fract(x + 0.5) - 0.5);
	float line = 1.0 - smoothstep(halfWidth - w * 0.5, halfWidth + w, d);
	return line * clamp(2.0 * halfWidth / max(w, 1e-5), 0.0, 1.0) ;
}

// plates returns the value of a pattern of plates of the given size: grooves
// between, a light and a dark bevel beside them, a shade of their own.
float plates(vec2 q, vec2 size, float shift, float depth, float variety) {
	vec2 c = q / size;
	c.x += shift * floor(c.y);
	vec2 id = floor(c);
	float g = max(groove(c.x, 0.012 / size.x), groove(c.y, 0.012 / size.y));
	vec2 f = fract(c) * size;
	float lit = smoothstep(0.05, 0.015, f.y) - smoothstep(0.05, 0.015, size.y - f.y);
	float far = clamp(1.0 - fwidth(q.y) * 8.0, 0.0, 1.0);
	return (1.0 + (hash(id) - 0.5) * variety) * (1.0 - depth * g) * (1.0 - 0.10 * lit * far);
}

struct Look { vec3 color; float gloss; float alpha; float glow; };

Look generated(vec3 n, vec3 p) {
	// Two coordinates in metres on the surface, the second one upwards on walls.
	vec3 a = abs(n);
	vec2 q = a.z > 0.7 ? p.xy : (a.x > a.y ? p.yz : p.xz);
	float grain = fbm(q * 23.0);
	float worn = fbm(q * 0.7);
	float near = clamp(1.0 - fwidth(q.x) * 12.0 - fwidth(q.y) * 12.0, 0.0, 1.0);
	Look l = Look(tint, 0.1, 1.0, 0.0);
	if (kind == WALL) {
		float v = plates(q, vec2(2.0, 1.0), 0.5, 0.42, 0.07);
		l.color *= v * (0.92 + 0.10 * grain) * (0.88 + 0.22 * worn);
		// A darker foot, so that floor and wall part at any distance.
		l.gloss = 0.05;
	} else if (kind == FLOOR) {
		float v = plates(q, vec2(1.0, 1.0), 0.0, 0.38, 0.10);
		float four = max(groove(q.x / 4.0, 0.006), groove(q.y / 4.0, 0.006));
		l.color *= v * (0.90 + 0.12 * grain) * (0.84 + 0.28 * worn) * (1.0 - 0.35 * four);
		l.gloss = 0.25;
	} else if (kind == TRIM) {
		float v = plates(q, vec2(4.0, 4.0), 0.0, 0.3, 0.05);
		l.color *= v * (0.94 + 0.08 * grain) * (0.92 + 0.14 * worn);
		l.gloss = 0.35;
	} else if (kind == METAL) {
		float v = plates(q, vec2(1.0, 1.0), 0.0, 0.5, 0.12);
		float brushed = noise(vec2(q.x * 4.0, q.y * 90.0));
		vec2 r = abs(fract(q) - 0.5) - 0.40;
		float rivet = (1.0 - smoothstep(0.018, 0.026, length(r))) * near;
		l.color *= v * mix(1.0, 0.88 + 0.24 * brushed, near) * (1.0 + 0.5 * rivet) * (0.85 + 0.3 * worn);
		l.gloss = 0.6;
	} else if (kind == CRATE) {
		float v = plates(q, vec2(1.0, 0.25), 0.37, 0.45, 0.16);
		float fibre = noise(vec2(q.x * 3.0, q.y * 55.0));
		l.color *= v * mix(1.0, 0.82 + 0.36 * fibre, near) * (0.85 + 0.3 * worn);
		l.gloss = 0.05;
	} else if (kind == GROUND) {
		float steep = smoothstep(0.88, 0.68, n.z);
		float patchy = smoothstep(0.40, 0.62, fbm(p.xy * 0.13) + 0.12 * grain);
		vec3 grass = mix(vec3(0.16, 0.22, 0.075), vec3(0.24, 0.27, 0.10), grain);
		vec3 earth = vec3(0.33, 0.26, 0.18) * (0.85 + 0.3 * grain);
		vec3 rock = vec3(0.36, 0.35, 0.33) * (0.7 + 0.5 * fbm(vec2(p.x + p.y, p.z * 3.0)));
		vec3 c = mix(mix(grass, earth, patchy), rock, steep);
		// A ten metre grid, hardly there, by which distance can be judged.
		float ten = max(groove(p.x / 10.0, 0.004), groove(p.y / 10.0, 0.004));
		l.color = c * (tint * 2.5) * (0.85 + 0.3 * fbm(p.xy * 0.9)) * (1.0 - 0.18 * ten);
		l.gloss = 0.0;
	} else if (kind == GLASS) {
		vec3 v = normalize(eye.xyz - vPos);
		float rim = pow(1.0 - abs(dot(n, v)), 3.0);
		float streak = 0.04 * noise((q.xx + q.yy) * 0.8);
		l.color = tint + rim * 0.5;
		l.alpha = 0.14 + 0.5 * rim + streak;
		l.gloss = 1.0;
	} else if (kind == WATER || kind == SLIME) {
		float t = eye.w;
		float w = noise(q * 1.3 + vec2(t * 0.4, t * 0.23)) + noise(q * 2.9 - vec2(t * 0.5, -t * 0.31));
		vec3 v = normalize(eye.xyz - vPos);
		vec3 wn = normalize(n + vec3(w - 1.0, noise(q * 1.7 - t * 0.3) - 0.5, 0.0) * 0.16);
		float rim = pow(1.0 - abs(dot(wn, v)), 4.0);
		l.color = mix(tint * (0.8 + 0.25 * w), skyColor(reflect(-v, wn)), 0.25 + 0.6 * rim);
		l.alpha = kind == SLIME ? 0.9 : 0.62 + 0.3 * rim;
		l.gloss = 0.9;
	} else if (kind == LAVA) {
		float t = eye.w * 0.15;
		float f = fbm(q * 0.9 + t) + 0.5 * fbm(q * 2.3 - t);
		float hot = smoothstep(0.55, 0.95, f);
		l.color = mix(vec3(0.08, 0.03, 0.02), tint, hot);
		l.glow = 0.4 + 4.0 * hot;
	} else if (kind == LAMP) {
		vec2 r = abs(fract(q * 2.0) - 0.5);
		l.glow = 3.0 * (0.75 + 0.25 * smoothstep(0.5, 0.44, max(r.x, r.y)));
	} else if (kind == LADDER) {
		float rung = smoothstep(0.16, 0.12, abs(fract(p.z / 0.3) - 0.5));
		l.color *= mix(0.25, 1.0, rung) * (0.9 + 0.2 * grain);
		l.gloss = 0.4;
	}
	return l;
}

void main() {
	vec3 n = normalize(vNormal);
	if (!gl_FrontFacing) n = -n;
	Look l;
	if (kind < 0) {
		vec4 t = texture(image, vUV);
		if (cutout > 0.5 && t.a < 0.5) discard;
		l = Look(t.rgb * tint, 0.08, blended > 0.5 ? t.a : 1.0, 0.0);
	} else {
		// The look turns with what it is on.
		l = generated(gl_FrontFacing ? normalize(vLocalNormal) : -normalize(vLocalNormal), vLocal);
	}
	vec3 e;
	float sun = 0.0;
	if (counts.y > 0.5) {
		vec3 own = vLightUV.z >= 0.0 ? texture(lightmaps, vLightUV).rgb : vColor.rgb;
		e = own * counts.z;
		if (vLightUV.z >= 0.0) l.color *= vColor.rgb;
	} else {
		sun = sunShare(vPos, n);
		e = incoming(vPos, n, sun);
		l.color *= vColor.rgb;
	}
	e += moving(vPos, n);
	vec3 c = l.color * e + l.color * (l.glow + glow);
	if (l.gloss > 0.0 && sun > 0.0) {
		c += shine(vPos, n, l.gloss) * l.gloss * 0.35 * sun;
	}
	oColor = vec4(fogged(c, vPos), l.alpha * (blended > 0.5 ? vColor.a : 1.0));
}
