package input

// ToFramebuffer turns a place in window units, which is how cursors are
// reported, into pixels of the framebuffer, which is what is drawn on. The two
// differ on scaled displays. A window without size has no places: 0, 0.
func ToFramebuffer(x, y float64, windowW, windowH, framebufferW, framebufferH int) (px, py float64) {
	if windowW <= 0 || windowH <= 0 {
		return 0, 0
	}
	return x * float64(framebufferW) / float64(windowW), y * float64(framebufferH) / float64(windowH)
}
