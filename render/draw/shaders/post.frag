in vec2 vUV;
uniform sampler2D source;
uniform sampler2D bloom;
uniform float bloomShare;
uniform float exposure;
uniform vec4 wash; // sRGB, laid over the result
out vec4 oColor;

// Khronos' neutral curve: colours below 0.8 stay what they are, brighter ones
// roll off and pale.
vec3 neutral(vec3 c) {
	const float start = 0.76, desaturate = 0.15;
	float x = min(c.r, min(c.g, c.b));
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	c -= offset;
	float peak = max(c.r, max(c.g, c.b));
	if (peak < start) return c;
	float d = 1.0 - start;
	float p = 1.0 - d * d / (peak + d - start);
	c *= p / peak;
	float g = 1.0 - 1.0 / (desaturate * (peak - p) + 1.0);
	return mix(c, vec3(p), g);
}

vec3 encode(vec3 c) {
	c = clamp(c, 0.0, 1.0);
	return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

void main() {
	vec3 c = texture(source, vUV).rgb;
	c = c + texture(bloom, vUV).rgb * bloomShare;
	vec2 q = vUV - 0.5;
	c *= exposure * (1.0 - 0.32 * dot(q, q));
	c = encode(neutral(c));
	c = mix(c, wash.rgb, wash.a);
	// Half a step of noise hides the bands of eight bits in the sky.
	c += (hash(gl_FragCoord.xy) - 0.5) / 255.0;
	oColor = vec4(c, 1.0);
}
