// Joined in front of every shader: the frame's uniforms and the light.

#define MAX_LIGHTS 8

layout(std140) uniform Frame {
	mat4 viewProj;
	mat4 shadowMatrix;
	vec4 eye;        // xyz, w: seconds
	vec4 right;      // of the camera; w: pixels' width at a distance of 1
	vec4 up;
	vec4 forward;
	vec4 sunDir;     // w: 1 when there is a shadow map
	vec4 sunColor;
	vec4 zenith;
	vec4 horizon;
	vec4 ground;
	vec4 fog;        // w: density
	vec4 volumeLow;  // w: cell size, 0 when there is no volume
	vec4 volumeScale;// 1 / size; w: 1 when there are lamps
	vec4 lightPos[MAX_LIGHTS];   // w: radius
	vec4 lightColor[MAX_LIGHTS];
	vec4 counts;     // x: lights, y: 1 when the world has lightmaps, z: lightmap scale
	vec4 tanHalf;    // xy: tangents of half the view's angles; zw: depths of the near and the far plane
};

float hash(vec2 p) {
	vec3 q = fract(vec3(p.xyx) * vec3(0.1031, 0.1030, 0.0973));
	q += dot(q, q.yzx + 33.33);
	return fract((q.x + q.y) * q.z);
}

// Noise comes from a picture that repeats every 64 units: x one octave, y the sum
// of three. Computing it here costs a software renderer half of its frame.
uniform sampler2D noises;

float noise(vec2 p) { return texture(noises, p * (1.0 / 64.0)).x; }
float fbm(vec2 p) { return texture(noises, p * (1.0 / 64.0)).y; }

vec3 skyColor(vec3 d) {
	float h = clamp(d.z, 0.0, 1.0);
	vec3 c = mix(horizon.rgb, zenith.rgb, pow(h, 0.45));
	c = mix(c, horizon.rgb * 0.82 + ground.rgb * 0.1, smoothstep(0.0, -0.25, d.z));
	float s = max(dot(d, sunDir.xyz), 0.0);
	c += sunColor.rgb * (0.09 * pow(s, 24.0) + 0.05 * pow(s, 4.0));
	return c;
}

vec3 fogged(vec3 c, vec3 p) {
	vec3 d = p - eye.xyz;
	float l = length(d);
	float left = exp(-fog.w * l);
	float s = max(dot(d / max(l, 0.001), sunDir.xyz), 0.0);
	vec3 haze = fog.rgb + sunColor.rgb * 0.06 * pow(s, 8.0);
	return mix(haze, c, left);
}
