// What falls on a point: for surfaces that are lit, not for skies and screens.

uniform sampler2DShadow shadowMap;
uniform sampler3D volume; // x: share of the sky seen, y: how open it is nearby
uniform sampler3D lamps;  // light of fixed lamps, square root of a quarter

float sunShare(vec3 p, vec3 n) {
	if (dot(n, sunDir.xyz) <= 0.0) return 0.0;
	if (sunDir.w < 0.5) return 1.0;
	vec4 q = shadowMatrix * vec4(p + n * 0.05, 1.0);
	vec3 s = q.xyz * 0.5 + 0.5;
	if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
	float t = 1.0 / float(textureSize(shadowMap, 0).x);
	s.z -= 0.0004;
	float sum = 0.0;
	sum += texture(shadowMap, s + vec3(-0.7, -0.3, 0.0) * t);
	sum += texture(shadowMap, s + vec3( 0.3, -0.7, 0.0) * t);
	sum += texture(shadowMap, s + vec3( 0.7,  0.3, 0.0) * t);
	sum += texture(shadowMap, s + vec3(-0.3,  0.7, 0.0) * t);
	return sum * 0.25;
}

// incoming returns the light that falls on p from all sides.
vec3 incoming(vec3 p, vec3 n, float sun) {
	float sky = 1.0, open = 1.0;
	vec3 lamp = vec3(0.0);
	if (volumeLow.w > 0.0) {
		vec3 at = (p + n * volumeLow.w * 0.9 - volumeLow.xyz) * volumeScale.xyz;
		vec2 v = texture(volume, at).xy;
		vec3 edge = abs(at - 0.5);
		float inside = max(edge.x, max(edge.y, edge.z)) < 0.5 ? 1.0 : 0.0;
		sky = mix(1.0, v.x, inside);
		open = mix(1.0, v.y, inside);
		if (volumeScale.w > 0.5 && inside > 0.5) {
			vec3 l = texture(lamps, at).rgb;
			lamp = l * l * 4.0;
		}
	}
	vec3 above = mix(horizon.rgb, zenith.rgb, 0.45);
	float up = n.z * 0.5 + 0.5;
	vec3 e = mix(ground.rgb, above * 1.15, up) * sky;
	// What other surfaces hand on: little, warm, and less in corners.
	e += (ground.rgb * 0.42 + above * 0.10) * (0.45 + 0.55 * sky);
	// A faint light from beside, so that faces of a box in shadow differ.
	e *= 0.93 + 0.10 * n.x + 0.05 * n.y;
	e *= open;
	e += lamp;
	float d = dot(n, sunDir.xyz);
	if (d > 0.0) e += sunColor.rgb * d * sun;
	return e;
}

// moving returns the light of the frame's own lights.
vec3 moving(vec3 p, vec3 n) {
	vec3 e = vec3(0.0);
	int count = int(counts.x);
	for (int i = 0; i < count; i++) {
		vec3 d = lightPos[i].xyz - p;
		float r = lightPos[i].w;
		float q = dot(d, d) / (r * r);
		if (q < 1.0) {
			float f = (1.0 - q) * (1.0 - q) / (1.0 + 12.0 * q);
			e += lightColor[i].rgb * f * (0.25 + 0.75 * max(dot(n, normalize(d)), 0.0));
		}
	}
	return e;
}

// shine is the sun's mirror image on a surface.
vec3 shine(vec3 p, vec3 n, float gloss) {
	vec3 v = normalize(eye.xyz - p);
	vec3 h = normalize(v + sunDir.xyz);
	float s = pow(max(dot(n, h), 0.0), mix(8.0, 120.0, gloss)) * mix(0.2, 1.4, gloss);
	return sunColor.rgb * s * step(0.0, dot(n, sunDir.xyz));
}
