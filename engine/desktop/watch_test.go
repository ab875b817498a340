package desktop_test

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

// Who looks on sees out of another's eyes, late, and comes back.
func TestWhoLooksOnSeesThroughAnothersEyes(t *testing.T) {
	m := newMatch(t, "pit", 5)
	m.srv.SetSpectate(server.Spectate{DelayS: 1})
	cfg := m.config()
	cfg.Autoplay, cfg.Seconds = false, 10
	cfg.Screenshot = filepath.Join(t.TempDir(), "watch.png")
	if *keep != "" {
		cfg.Screenshot = filepath.Join(*keep, "watch.png")
		cfg.Width, cfg.Height = 1280, 720
	}
	var out bytes.Buffer
	say := func(line string) func() {
		return func() {
			fmt.Fprintf(&out, "> %s\n", line)
			cfg.Registry.Exec(line, &out)
		}
	}
	m.at[200] = say("watchnext")     // alive: refused
	m.at[204] = say("spectate Nobo") // likewise
	m.at[210] = say("lookon")
	m.at[300] = say("spectate Nobo") // there is nobody of that name
	m.at[310] = say("lookon perhaps")
	m.at[320] = say("watchnext")
	m.at[330] = say("ping")
	var sum desktop.Summary
	onMain(t, func() (err error) { sum, err = desktop.Run(cfg); return err })
	t.Log(out.String())
	for _, want := range []string{"watchnext: you are alive", "nobody is called", "lookon: \"perhaps\" is neither on nor off"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("nobody was told %q", want)
		}
	}
	if sum.WatchedFrames < 30 {
		t.Errorf("%d of %d frames through another's eyes", sum.WatchedFrames, sum.Frames)
	}
	if _, err := os.Stat(cfg.Screenshot); err != nil {
		t.Error(err)
	}
	if err := m.srv.Check(); err != nil {
		t.Error(err)
	}
}

// The line over the picture says whom it shows and how late.
func TestTheLineSaysWhomAndHowLate(t *testing.T) {
	for _, c := range []struct {
		late state.Tick
		want string
	}{{0, "Watching Ada \u00b7 live"}, {192, "Watching Ada \u00b7 3.0 s late"}, {16, "Watching Ada \u00b7 0.2 s late"}} {
		if got := desktop.WatchLine("Ada", c.late, 64); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// An objective is drawn where it lies, and on the back of who carries it, wherever its
// own place is; nobody sees what is on the own back. Marks stand for eight seconds and
// then fade, one of each player.
func TestObjectivesAndMarksAreDrawn(t *testing.T) {
	width, height := 320, 180
	if *keep != "" {
		width, height = 1280, 720
	}
	l := shipped(t, "pit")
	tw := trace.New(l)
	with(t, func(_ *window.Window, r *draw.Renderer) error {
		if err := r.UploadWorld(desktop.BuildWorld(l, desktop.Art{})); err != nil {
			return err
		}
		var st desktop.Stage
		var f scene.Frame
		st.Reset()
		v := view(l, tw, 0)
		mate := enemy(v, 3, 4, 14)
		mate.YawDeg, mate.Team = v.Yaw+20, 1
		lies := enemy(v, 0, 3, -12)
		bag := func(id state.ID, owner state.ID, at vec.V3, n uint8) client.Shown {
			return client.Shown{Entity: state.Entity{ID: id, Kind: state.KindObjective, Owner: owner, Weapon: n}, At: at, YawDeg: 40}
		}
		v.Others = append(v.Others, mate, bag(900, 3, vec.V3{}, 0), bag(901, 0, lies.At, 1), bag(902, 1, v.Own.Pos, 2), bag(903, 7, v.Own.Pos, 2))
		draw := func() (*image.NRGBA, error) {
			st.Build(&f, v)
			f.HUD.Resize(width, height)
			desktop.DrawMarks(&f, v, &st, width, height)
			return r.Screenshot(&f, width, height)
		}
		if _, err := draw(); err != nil {
			return err
		}
		bags, carried := 0, 0
		for _, it := range f.Items {
			if it.Kind != scene.SatchelItem {
				continue
			}
			bags++
			if it.Carried {
				carried++
				if d := it.Pos.Sub([3]float32{mate.At.X, mate.At.Y, mate.At.Z + 1.2}).Len(); d > 0.4 {
					t.Errorf("carried %v m off its carrier's back", d)
				}
			}
		}
		if bags != 2 || carried != 1 {
			t.Errorf("%d satchels, %d of them carried", bags, carried)
		}
		at := mate.At.Lerp(lies.At, 0.5)
		st.Event(&state.Event{Kind: state.EvPing, Actor: 3, Pos: vec.V3{}}, false)
		st.Event(&state.Event{Kind: state.EvPing, Actor: 3, Pos: at}, false)
		v.DT = 1
		lines := []int{}
		for range 10 {
			img, err := draw()
			if err != nil {
				return err
			}
			if len(lines) == 0 {
				look(t, "objectives", img)
			}
			lines = append(lines, len(f.Lines))
		}
		for i, n := range lines {
			if want := map[bool]int{true: 1}[i < 7]; n != want {
				t.Errorf("%d marks after %d s", n, i+1)
			}
		}
		return nil
	})
}
