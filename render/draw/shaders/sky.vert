out vec3 vDir;
void main() {
	vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
	vDir = forward.xyz + right.xyz * p.x * tanHalf.x + up.xyz * p.y * tanHalf.y;
	gl_Position = vec4(p, 1.0, 1.0);
}
