package window

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/sightline-engine/sightline/render/window/input"
)

// ErrNoWindow is wrapped by every error of Open that says that this machine has
// no display, or no OpenGL 4.1.
var ErrNoWindow = errors.New("no window can be opened")

// queueLength bounds the functions that wait for the main thread. Nothing in
// the product queues more than a few in a frame.
const queueLength = 64

// Config is how a window begins.
type Config struct {
	Title         string
	Width, Height int // window units; 0 means 1280 x 720
	Fullscreen    bool
	Hidden        bool // no window is shown: for pictures and tests
	VSync         bool
	Debug         bool // ask the driver for a debugging context
}

// Window is one window with its context. All methods except Do and RequestClose
// belong to the thread that opened it.
type Window struct {
	w      *glfw.Window
	thread uint64

	filter  input.Filter
	events  []input.Event
	spare   []input.Event
	queue   chan func()
	closing atomic.Bool
	open    atomic.Bool

	captured     bool
	haveCursor   bool
	lastX, lastY float64
	windowed     [4]int // place and size to return to from fullscreen
}

// Lock ties the calling goroutine to its thread. Called from main.init or first
// in main, that is the main thread, which is the one window systems want.
func Lock() { runtime.LockOSThread() }

// Open opens a window and makes its context current on this thread. Its error
// is one sentence, with the window system's own words in it.
func Open(cfg Config) (_ *Window, err error) {
	if cfg.Width <= 0 || cfg.Height <= 0 {
		cfg.Width, cfg.Height = 1280, 720
	}
	said := listen()
	defer said.stop()
	defer func() {
		if p := recover(); p != nil {
			err = refusal(said.text(), fmt.Errorf("%v", p))
		}
	}()
	if err := glfw.Init(); err != nil {
		return nil, refusal(said.text(), err)
	}
	if text := said.text(); text != "" {
		return nil, refusal(text, nil)
	}
	hint(cfg)
	var monitor *glfw.Monitor
	width, height := cfg.Width, cfg.Height
	if cfg.Fullscreen {
		if monitor = glfw.GetPrimaryMonitor(); monitor != nil {
			mode := monitor.GetVideoMode()
			width, height = mode.Width, mode.Height
		}
	}
	gw, err := glfw.CreateWindow(width, height, cfg.Title, monitor, nil)
	if err != nil || gw == nil {
		text := said.text()
		glfw.Terminate()
		return nil, refusal(text, err)
	}
	gw.MakeContextCurrent()
	w := &Window{
		w: gw, thread: threadID(), queue: make(chan func(), queueLength),
		events: make([]input.Event, 0, 256), spare: make([]input.Event, 0, 256),
		windowed: [4]int{60, 60, cfg.Width, cfg.Height},
	}
	w.open.Store(true)
	w.SetVSync(cfg.VSync)
	w.listen()
	return w, nil
}

// hint asks for the one kind of context that every supported system gives:
// macOS refuses a core context above 4.1 or without forward compatibility.
func hint(cfg Config) {
	glfw.DefaultWindowHints()
	for _, h := range Hints() {
		glfw.WindowHint(h.Hint, h.Value)
	}
	if cfg.Hidden {
		glfw.WindowHint(glfw.Visible, glfw.False)
		glfw.WindowHint(glfw.Focused, glfw.False)
	}
	if cfg.Debug {
		glfw.WindowHint(glfw.OpenGLDebugContext, glfw.True)
	}
}

// Hint is one wish about the context.
type Hint struct {
	Hint  glfw.Hint
	Value int
}

// Hints returns what is asked of every context, on every system.
func Hints() []Hint {
	return []Hint{
		{glfw.ClientAPI, glfw.OpenGLAPI},
		{glfw.ContextVersionMajor, 4},
		{glfw.ContextVersionMinor, 1},
		{glfw.OpenGLProfile, glfw.OpenGLCoreProfile},
		{glfw.OpenGLForwardCompatible, glfw.True},
		// The scene is antialiased in its own framebuffer, and needs depth there.
		{glfw.DepthBits, 0},
		{glfw.StencilBits, 0},
		{glfw.Samples, 0},
		{glfw.SRGBCapable, glfw.False},
	}
}

// onThread is the assertion that every method begins with.
func (w *Window) onThread(call string) {
	if w.thread != 0 && threadID() != w.thread {
		panic("window: " + call + " was called from another thread than the one that opened the window; use Do")
	}
}

// Do queues a function to be run on the window's thread by the next Poll. It
// may be called from any goroutine, never blocks, and reports false when the
// window is gone or the queue is full.
func (w *Window) Do(f func()) bool {
	if f == nil || !w.open.Load() {
		return false
	}
	select {
	case w.queue <- f:
		return true
	default:
		return false
	}
}

// RequestClose asks for the window to be closed. It may be called from any
// goroutine, any number of times; the next Poll reports Close once.
func (w *Window) RequestClose() { w.closing.Store(true) }

// Poll runs what was queued and returns what happened since the last call.
func (w *Window) Poll() []input.Event {
	w.onThread("Poll")
	w.events, w.spare = w.spare[:0], w.events
	for range queueLength { // what is queued meanwhile waits for the next Poll
		select {
		case f := <-w.queue:
			f()
			continue
		default:
		}
		break
	}
	if !w.open.Load() { // one of them closed it
		return w.events
	}
	w.filter.Settle(stillDown)
	glfw.PollEvents()
	if w.closing.Swap(false) {
		w.events = append(w.events, input.Event{Kind: input.Close})
	}
	return w.events
}

// Swap shows what was drawn.
func (w *Window) Swap() {
	w.onThread("Swap")
	w.w.SwapBuffers()
}

// Framebuffer returns the size of what is drawn on, in pixels; 0 x 0 while
// minimised on some systems.
func (w *Window) Framebuffer() (width, height int) {
	w.onThread("Framebuffer")
	return w.w.GetFramebufferSize()
}

// Drawable returns the framebuffer's size and whether it has any pixels.
func (w *Window) Drawable() (width, height int, ok bool) {
	width, height = w.Framebuffer()
	return width, height, width > 0 && height > 0
}

// Size returns the window's size in its own units, in which the cursor moves.
func (w *Window) Size() (width, height int) {
	w.onThread("Size")
	return w.w.GetSize()
}

// Resize asks for another size in window units.
func (w *Window) Resize(width, height int) {
	w.onThread("Resize")
	w.w.SetSize(max(width, 1), max(height, 1))
}

// Iconify minimises the window, Restore brings it back.
func (w *Window) Iconify() { w.onThread("Iconify"); w.w.Iconify() }

// Restore undoes Iconify.
func (w *Window) Restore() { w.onThread("Restore"); w.w.Restore() }

// SetTitle changes the title.
func (w *Window) SetTitle(title string) {
	w.onThread("SetTitle")
	w.w.SetTitle(title)
}

// SetVSync says whether Swap waits for the display.
func (w *Window) SetVSync(on bool) {
	w.onThread("SetVSync")
	interval := 0
	if on {
		interval = 1
	}
	glfw.SwapInterval(interval)
}

// SetFullscreen changes between a window and the whole primary display.
func (w *Window) SetFullscreen(on bool) {
	w.onThread("SetFullscreen")
	if on == (w.w.GetMonitor() != nil) {
		return
	}
	if !on {
		p := w.windowed
		w.w.SetMonitor(nil, p[0], p[1], p[2], p[3], 0)
		return
	}
	m := glfw.GetPrimaryMonitor()
	if m == nil {
		return
	}
	x, y := w.w.GetPos()
	width, height := w.w.GetSize()
	w.windowed = [4]int{x, y, width, height}
	mode := m.GetVideoMode()
	w.w.SetMonitor(m, 0, 0, mode.Width, mode.Height, mode.RefreshRate)
}

// Capture hides the cursor and reports motion without end, raw where the system
// can; false frees it again.
func (w *Window) Capture(on bool) {
	w.onThread("Capture")
	if on == w.captured {
		return
	}
	w.captured, w.haveCursor = on, false
	if !on {
		w.w.SetInputMode(glfw.CursorMode, glfw.CursorNormal)
		return
	}
	w.w.SetInputMode(glfw.CursorMode, glfw.CursorDisabled)
	if glfw.RawMouseMotionSupported() {
		w.w.SetInputMode(glfw.RawMouseMotion, glfw.True)
	}
}

// Captured reports whether the mouse is captured.
func (w *Window) Captured() bool { return w.captured }

// Focused reports whether the keyboard is ours.
func (w *Window) Focused() bool {
	w.onThread("Focused")
	return w.w.GetAttrib(glfw.Focused) == glfw.True
}

// Clipboard returns the text on the clipboard, or "".
func (w *Window) Clipboard() string {
	w.onThread("Clipboard")
	said := listen() // an empty clipboard is no error worth a log line
	defer said.stop()
	return glfw.GetClipboardString()
}

// Close closes the window and ends the window system's connection. Queued
// functions are dropped.
func (w *Window) Close() {
	w.onThread("Close")
	if !w.open.Swap(false) {
		return
	}
	w.w.Destroy()
	glfw.Terminate()
}
