package hud_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/render/draw/drawtest"
	"github.com/sightline-engine/sightline/render/hud"
	"github.com/sightline-engine/sightline/render/scene"
)

func everything() *hud.Model {
	m := drawtest.HUD()
	m.Board = drawtest.Board()
	m.Console = drawtest.Console()
	m.Centre = hud.Message{Text: "Fragged by vesper", Sub: "fire to respawn"}
	m.Spectate = "watching okapi"
	return m
}

func TestEveryMarkIsFiniteAtEverySize(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 400}, {4000, 2}, {0, 0}, {320, 200}, {640, 480}, {1280, 720}, {3840, 2160}, {720, 1280}} {
		var h scene.HUD
		h.Resize(size[0], size[1])
		hud.Draw(&h, everything())
		if len(h.Marks) == 0 {
			t.Errorf("%v: nothing is drawn", size)
		}
		if len(h.Marks) > 3000 {
			t.Errorf("%v: %d marks", size, len(h.Marks))
		}
		for i, m := range h.Marks {
			for _, v := range []float32{m.X, m.Y, m.W, m.H, m.Size, m.Radius} {
				if v != v || math.IsInf(float64(v), 0) {
					t.Fatalf("%v: mark %d: %+v", size, i, m)
				}
			}
			if m.Kind == scene.RectMark && (m.W <= 0 || m.H <= 0 || m.Radius < 0) {
				t.Errorf("%v: mark %d has no area: %+v", size, i, m)
			}
		}
	}
}

func TestRectanglesStayOnTheScreen(t *testing.T) {
	for _, size := range [][2]int{{1280, 720}, {1024, 768}, {2560, 1080}, {1920, 1200}} {
		var h scene.HUD
		h.Resize(size[0], size[1])
		hud.Draw(&h, everything())
		for i, m := range h.Marks {
			if m.Kind != scene.RectMark {
				continue
			}
			if m.X < -1 || m.Y < -1 || m.X+m.W > h.Width+1 || m.Y+m.H > h.Height+1 {
				t.Errorf("%v: mark %d sticks out: %+v of %g x %g", size, i, m, h.Width, h.Height)
			}
		}
	}
}

func TestNonsenseModelIsDrawn(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	m := everything()
	m.Health, m.Armour, m.Ammo = -40, 1<<40, -1
	m.Cross = hud.Crosshair{Gap: nan, HitMs: nan, Cool: inf}
	m.Hurt = append(m.Hurt, hud.Hurt{Ms: nan}, hud.Hurt{Ms: -1}, hud.Hurt{Yaw: nan, Amount: inf})
	m.Net.PingMs, m.Net.InBps, m.Net.LossShare = nan, inf, -inf
	m.Net.Samples = append(m.Net.Samples, hud.Sample{MarginMs: nan, Bytes: -5}, hud.Sample{MarginMs: -inf, Bytes: 1 << 40})
	m.Console.Scroll, m.Console.Cursor, m.Console.Selected = 1<<40, -9, 1<<20
	m.Console.Lines = append(m.Console.Lines, hud.Line{Text: strings.Repeat("\xff\x00", 500)})
	for _, open := range []float32{0, 0.01, 0.5, 1, 2, nan} {
		m.Console.Open = open
		var h scene.HUD
		h.Resize(1280, 720)
		hud.Draw(&h, m)
		for i, mark := range h.Marks[:min(len(h.Marks), 2000)] {
			if mark.X != mark.X || mark.Y != mark.Y || mark.W != mark.W || mark.H != mark.H {
				t.Errorf("open %g: mark %d: %+v", open, i, mark)
			}
		}
	}
	hud.Draw(&scene.HUD{}, &hud.Model{})
}

func TestSameModelDoesNotAllocate(t *testing.T) {
	m := everything()
	var h scene.HUD
	h.Resize(1280, 720)
	frame := func() {
		h.Reset()
		hud.Draw(&h, m)
	}
	frame()
	if n := testing.AllocsPerRun(100, frame); n != 0 {
		t.Errorf("%g allocations a frame", n)
	}
}

// texts returns what is written, one line each.
func texts(h *scene.HUD) string {
	var b strings.Builder
	for _, m := range h.Marks {
		if m.Kind == scene.TextMark {
			b.Write(h.Bytes[m.From:m.To])
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestWhatIsShown(t *testing.T) {
	draw := func(m *hud.Model) string {
		var h scene.HUD
		h.Resize(1280, 720)
		hud.Draw(&h, m)
		return texts(&h)
	}
	all := draw(everything())
	for _, want := range []string{"72\n", "35\n", "24\n", "90\n", "RIFLE", "3:07", "to 25", "vesper", "marlin joined", "ping 48 ms",
		"lost 2.1%", "known 3 / withheld 4", "Fragged by vesper", "net_sim_loss", "share of packets that are dropped", "bot"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not shown in:\n%s", want, all)
		}
	}
	dead := everything()
	dead.Alive = false
	if s := draw(dead); strings.Contains(s, "RIFLE") || strings.Contains(s, "72\n") {
		t.Error("the dead are shown health or weapon")
	}
	hidden := everything()
	hidden.Hide = true
	if s := draw(hidden); strings.Contains(s, "RIFLE") || strings.Contains(s, "Foundry") || !strings.Contains(s, "net_sim_loss") {
		t.Error("a hidden HUD shows more than console and net graph")
	}
	old := everything()
	for i := range old.Kills {
		old.Kills[i].Ms = 60000
	}
	old.Board = nil
	if s := draw(old); strings.Contains(s, "quill") {
		t.Error("an old kill is still shown")
	}
}

func TestConsoleScrollsAndKeepsTheCursorInSight(t *testing.T) {
	var h scene.HUD
	h.Resize(1280, 720)
	c := &hud.Console{Open: 1}
	for i := range 200 {
		c.Lines = append(c.Lines, hud.Line{Text: strings.Repeat("x", i%7+1) + " line"})
	}
	c.Lines[199].Text, c.Lines[99].Text, c.Lines[0].Text = "the newest", "the hundredth", "the oldest"
	shown := func() string {
		h.Reset()
		hud.Draw(&h, &hud.Model{Hide: true, Console: c})
		return texts(&h)
	}
	if s := shown(); !strings.Contains(s, "the newest") || strings.Contains(s, "the hundredth") {
		t.Error("without scrolling the newest line is shown")
	}
	c.Scroll = 100
	if s := shown(); strings.Contains(s, "the newest") || !strings.Contains(s, "the hundredth") {
		t.Error("scrolled by 100 lines")
	}
	c.Scroll = 1 << 30
	if s := shown(); !strings.Contains(s, "the oldest") {
		t.Error("scrolling ends at the oldest line")
	}
	if n := hud.ConsoleRows(&h); strings.Count(shown(), "\n") > n+3 {
		t.Errorf("more than %d rows", n)
	}
	c.Input = []rune(strings.Repeat("a", 400) + "END")
	c.Cursor = len(c.Input)
	if s := shown(); !strings.Contains(s, "END") {
		t.Error("the end of a long input is out of sight")
	}
}
