// A quad around a ball, across the line from the eye; or all of the picture.
uniform vec4 ball;   // xyz, w: half the quad's side, 0 covers the picture
out vec3 vDir;
void main() {
	vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1);
	if (ball.w > 0.0) {
		p = p * 2.0 - 1.0;
		vec3 at = ball.xyz + (right.xyz * p.x + up.xyz * p.y) * ball.w;
		vDir = at - eye.xyz;
		gl_Position = viewProj * vec4(at, 1.0);
		return;
	}
	p = p * 4.0 - 1.0;
	vDir = forward.xyz + right.xyz * p.x * tanHalf.x + up.xyz * p.y * tanHalf.y;
	gl_Position = vec4(p, 0.0, 1.0);
}
