package desktop_test

import (
	"image"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

// shotAt makes the records of a shot at the second of some others: as it was seen,
// and as a server tested it, aside by so much.
func shotAt(h *desktop.Hitboxes, v *desktop.View, seq uint8, aside vec.V3, hit bool) {
	at := v.Others[len(v.Others)-2].At
	dir := at.Add(vec.V3{Z: 1.2}).Sub(v.Eye).Unit()
	h.Shot(&state.Event{Kind: state.EvFire, Actor: 1, Param: int32(seq), Pos: v.Eye}, dir, v.Others)
	r := server.Shot{ShotRecord: sim.ShotRecord{
		Shooter: 1, Seq: seq, Near: 4, Result: sim.ShotWorld, Why: sim.WhyMissed, NearGap: 0.5, Used256: 9 * 256,
		Origin: v.Eye, Dir: dir, HitPos: v.Eye.Mad(40, dir),
		Pose: hitbox.Pose{Pos: at.Add(aside), Yaw: state.AngleOf(v.Others[len(v.Others)-2].YawDeg)},
	}, View256: 11 * 256}
	if hit {
		r.Result, r.Why, r.Target, r.Part, r.Damage, r.HitPos = sim.ShotPlayer, sim.WhyHit, 4, hitbox.Chest, 12, v.Eye.Mad(9, dir)
	}
	h.Tested(&r)
}

func texts(f *scene.Frame) string {
	var b strings.Builder
	for _, m := range f.HUD.Marks {
		if m.Kind == scene.TextMark {
			b.Write(f.HUD.Bytes[m.From:m.To])
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// What was seen and what was tested of a shot are drawn beside each other and said in
// words, for a while; without the server's record that is said.
func TestHitboxesAreDrawnForAWhile(t *testing.T) {
	l := shipped(t, "pit")
	v := view(l, trace.New(l), 0)
	v.Others = append(v.Others, enemy(v, 3, 9, 12), enemy(v, 4, 12, -6), enemy(v, 9, 22, 40))
	set := tables.Arena()
	var h desktop.Hitboxes
	var f scene.Frame
	f.HUD.Resize(1280, 720)
	if h.Draw(&f, &set, 16, 0.1); len(f.Lines) != 0 || len(f.HUD.Marks) != 0 {
		t.Fatal("something is drawn before a shot")
	}
	dir := v.Others[len(v.Others)-2].At.Sub(v.Eye).Unit()
	h.Shot(&state.Event{Kind: state.EvFire, Param: 7, Pos: v.Eye}, dir, v.Others)
	h.Draw(&f, &set, 16, 0.1)
	one := len(f.Lines)
	if !strings.Contains(texts(&f), "shot 7: the server's record is not here") || one < 60 {
		t.Fatalf("%d lines\n%s", one, texts(&f))
	}
	shotAt(&h, v, 8, vec.New(0, 0.4, 0), false)
	shotAt(&h, v, 9, vec.V3{}, true)
	f.Reset()
	h.Draw(&f, &set, 15.625, 0.1)
	said := texts(&f)
	for _, want := range []string{
		"shot 8: struck the level, passed beside; tested 141 ms ago, seen 172 ms ago; 40.0 cm apart",
		"shot 9: hit, chest for 12; tested 141 ms ago, seen 172 ms ago; 0.0 cm apart", "as this client showed it",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%s\nhas not: %s", said, want)
		}
	}
	if len(f.Lines) < 3*one {
		t.Errorf("%d lines, one body takes %d", len(f.Lines), one)
	}
	if n := testing.AllocsPerRun(20, func() { f.Reset(); h.Draw(&f, &set, 16, 0) }); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
	for range 50 {
		f.Reset()
		h.Draw(&f, &set, 16, 0.1)
	}
	if len(f.Lines) != 0 || texts(&f) != "" {
		t.Error("shots stay for ever")
	}
}

// Both halves can be told apart in the picture.
func TestHitboxesAreLegible(t *testing.T) {
	l := shipped(t, "pit")
	tw := trace.New(l)
	w := desktop.BuildWorld(l, desktop.Art{})
	width, height, least := 640, 360, 80
	if *keep != "" {
		width, height = 1280, 720
	}
	with(t, func(_ *window.Window, r *draw.Renderer) error {
		if err := r.UploadWorld(w); err != nil {
			return err
		}
		var st desktop.Stage
		var f scene.Frame
		st.Reset()
		v := view(l, tw, 0)
		v.Others = append(v.Others, enemy(v, 3, 7, 14), enemy(v, 4, 6, -8), enemy(v, 9, 20, 2))
		f.HUD.Resize(width, height)
		for range 20 {
			st.Build(&f, v)
		}
		plain, err := r.Screenshot(&f, width, height)
		if err != nil {
			return err
		}
		set := tables.Arena()
		for _, c := range []struct {
			name  string
			aside vec.V3
			hit   bool
		}{{"hitboxes-hit", vec.New(0.05, 0.1, 0), true}, {"hitboxes-miss", vec.New(0.3, 0.6, 0), false}} {
			var h desktop.Hitboxes
			shotAt(&h, v, 31, c.aside, c.hit)
			st.Build(&f, v)
			h.Draw(&f, &set, 15.625, 0.01)
			img, err := r.Screenshot(&f, width, height)
			if err != nil {
				return err
			}
			look(t, c.name, img)
			blue := count(img, plain, func(r, g, b int) bool { return b > 150 && b > r+60 && b > g+20 })
			green := count(img, plain, func(r, g, b int) bool { return g > 150 && g > r+60 && g > b+60 })
			red := count(img, plain, func(r, g, b int) bool { return r > 150 && r > g+60 && r > b+60 })
			t.Logf("%s: %d blue, %d green, %d red pixels", c.name, blue, green, red)
			if blue < least || c.hit && green < least || !c.hit && red < least {
				t.Errorf("%s: %d blue, %d green, %d red pixels", c.name, blue, green, red)
			}
		}
		return nil
	})
}

// count counts pixels that are new in a picture and of a colour.
func count(img, plain image.Image, is func(r, g, b int) bool) (n int) {
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			a, b := img.At(x, y), plain.At(x, y)
			if a == b {
				continue
			}
			r, g, bl, _ := a.RGBA()
			if is(int(r>>8), int(g>>8), int(bl>>8)) {
				n++
			}
		}
	}
	return n
}
