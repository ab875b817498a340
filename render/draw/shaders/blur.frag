in vec2 vUV;
uniform sampler2D source;
uniform vec2 stride;    // one step in texture coordinates
uniform float threshold; // only what is brighter is kept; 0: everything
out vec4 oColor;

vec3 take(vec2 uv) {
	vec3 c = min(texture(source, uv).rgb, vec3(12.0));
	float l = max(c.r, max(c.g, c.b));
	return threshold > 0.0 ? c * smoothstep(threshold, threshold * 2.0, l) : c;
}

void main() {
	vec3 c = take(vUV) * 0.2270;
	c += (take(vUV + stride * 1.385) + take(vUV - stride * 1.385)) * 0.3162;
	c += (take(vUV + stride * 3.231) + take(vUV - stride * 3.231)) * 0.0703;
	oColor = vec4(c, 1.0);
}
