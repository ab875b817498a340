package pmove_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
)

var update = flag.Bool("update", false, "write testdata/golden.txt")

// recorded reads testdata/commands.txt, one segment of held keys a line.
func recorded(t *testing.T) []state.Cmd {
	data, err := os.ReadFile("testdata/commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []state.Cmd
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		var n, f, r, u int
		var b uint16
		var yaw, turn, pitch float32
		if _, err := fmt.Sscan(s.Text(), &n, &f, &r, &u, &b, &yaw, &turn, &pitch); err != nil {
			t.Fatalf("%q: %v", s.Text(), err)
		}
		for i := range n {
			out = append(out, state.Cmd{Forward: int8(f), Right: int8(r), Up: int8(u), Buttons: state.Buttons(b),
				Yaw: state.AngleOf(yaw + float32(turn*float32(i))), Pitch: state.AngleOf(pitch)})
		}
	}
	return out
}

// maze has what the maps lack: slants, water, ladders, ice, a lift, a pad. Its
// numbers come from exact or rounded operations only.
func maze() *trace.World {
	r := vec.NewRand(2024)
	l := &level.Level{Solids: []level.Brush{
		block(-384, -384, -32, 384, 384, 0, level.Solid, 0), block(-384, -384, 256, 384, 384, 288, level.Solid, 0),
		block(-416, -384, 0, -384, 384, 256, level.Solid, 0), block(384, -384, 0, 416, 384, 256, level.Solid, 0),
		block(-384, -416, 0, 384, -384, 256, level.Solid, 0), block(-384, 384, 0, 384, 416, 256, level.Solid, 0),
	}}
	for range 40 {
		x, y, z := vec.Floor(float32(384*r.Signed())), vec.Floor(float32(384*r.Signed())), vec.Floor(float32(60*r.Float()))
		dx, dy, dz := 8+r.Intn(100), 8+r.Intn(100), 4+r.Intn(70)
		x1, y1, z1 := float32(x), float32(y), float32(z)
		x2, y2, z2 := x1+float32(dx), y1+float32(dy), z1+float32(dz)
		switch r.Intn(3) {
		case 0:
			l.Solids = append(l.Solids, wedge(x1, y1, z1, x2, y2, z2, r.Intn(2) == 0))
		case 1:
			b := block(x1, y1, z1, x2, y2, z2, level.Solid, 0)
			c := b.Bounds.Center()
			for range 4 {
				n := vec.V3{X: r.Signed(), Y: r.Signed(), Z: r.Signed()}.Unit()
				b.Sides = append(b.Sides, level.Side{Plane: level.Plane{N: n, D: n.Dot(c) + 0.1 + r.Float()}})
			}
			l.Solids = append(l.Solids, b)
		default:
			c := []level.Contents{level.Solid, level.Glass, level.Water, level.Ladder}[r.Intn(4)]
			l.Solids = append(l.Solids, block(x1, y1, z1, x2, y2, z2, c, level.Surf(r.Intn(2))*level.SurfSlick))
		}
	}
	n := len(l.Solids)
	l.Solids = append(l.Solids, block(-48, -48, -16, 48, 48, 1, level.Solid, 0))
	l.Models = []level.Model{{NumSolids: n}, {FirstSolid: n, NumSolids: 1}}
	l.Pads = []level.Pad{{Box: vec.Box{Min: vec.V3{X: -5, Y: 2}, Max: vec.V3{X: -4, Y: 4, Z: 0.5}}, Vel: vec.V3{X: 3, Y: -2, Z: 12}}}
	return trace.New(l)
}

// TestGolden plays the recorded commands and compares a hash of every state on
// the way. TestSameBitsOnOtherProcessors runs it elsewhere.
func TestGolden(t *testing.T) {
	cmds := recorded(t)
	var got strings.Builder
	for _, c := range []struct {
		name  string
		w     *trace.World
		at    vec.V3
		rates []int
	}{
		{"r3", fixture(t, "r3"), vec.V3{X: -2, Z: 1}, []int{64}},
		{"p1", fixture(t, "p1"), vec.V3{X: -4, Y: 0.5, Z: 1}, []int{64}},
		{"maze", maze(), vec.V3{X: -0.5, Z: 0.25}, []int{20, 64, 128}},
	} {
		for _, table := range tables.Names() {
			for _, rate := range c.rates {
				set, _ := tables.ByName(table)
				scene := c.w.Closed()
				scene.Poses = make([]level.Pose, 2)
				before := make([]level.Pose, 2)
				env := pmove.Env{World: &scene, Move: &set.Movement, TickRate: rate, Pads: c.w.Level().Pads,
					Poses: scene.Poses, Before: before}
				p := state.Player{Pos: c.at, Ground: -1}
				h := sha256.New()
				for i, cmd := range cmds {
					before[1] = scene.Poses[1]
					scene.Poses[1].Off.Z = float32(min(i%400, 400-i%400)) / 64
					out := pmove.Step(&p, cmd, env)
					for _, v := range []any{&p, &out, pmove.Eye(&p, env.Move)} {
						if err := binary.Write(h, binary.LittleEndian, v); err != nil {
							t.Fatal(err)
						}
					}
				}
				fmt.Fprintf(&got, "%s %s %d %s\n", c.name, table, rate, hex.EncodeToString(h.Sum(nil)[:12]))
			}
		}
	}
	driven(t, cmds, &got)
	const file = "testdata/golden.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Fatalf("on %s/%s the recorded commands end elsewhere. When movement was changed on purpose, run with -update.\n got:\n%swant:\n%s",
			runtime.GOOS, runtime.GOARCH, got.String(), want)
	}
}

// driven appends the sums of somebody who drives by the recorded commands.
func driven(t *testing.T, cmds []state.Cmd, got *strings.Builder) {
	scene := maze().Closed()
	set := tables.Arena()
	for _, rate := range []int{20, 64, 128} {
		env := pmove.Env{World: &scene, Vehicles: set.Vehicles[:], Move: &set.Movement, TickRate: rate}
		p := state.Player{Vehicle: tables.Buggy + 1, Ground: -1, Health: 100}
		r := vec.NewRand(7)
		for range 1000 {
			p.Car = state.Car{Pos: vec.CanonV(vec.V3{X: float32(10 * r.Signed()), Y: float32(10 * r.Signed()), Z: 0.25}), Yaw: state.Angle16(r.Uint64())}
			if vehicle.Fits(&p.Car, &set.Vehicles[tables.Buggy], &scene) {
				break
			}
		}
		h, from := sha256.New(), p.Car.Pos
		for _, cmd := range cmds {
			out := pmove.Step(&p, cmd, env)
			for _, v := range []any{&p, &out, pmove.Eye(&p, env.Move)} {
				if err := binary.Write(h, binary.LittleEndian, v); err != nil {
					t.Fatal(err)
				}
			}
		}
		if p.Car.Pos.Dist(from) < 1 {
			t.Errorf("at %d Hz nothing was driven from %v to %v", rate, from, p.Car.Pos)
		}
		fmt.Fprintf(got, "buggy arena %d %s\n", rate, hex.EncodeToString(h.Sum(nil)[:12]))
	}
}

// TestSameBitsOnOtherProcessors builds this test for processors whose compilers
// fuse products into sums, and runs TestGolden there: the same bits or it fails.
func TestSameBitsOnOtherProcessors(t *testing.T) {
	if testing.Short() {
		t.Skip("short: builds the test twice")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command on the PATH to build with")
	}
	for _, c := range []struct {
		name, arch, level, qemu string
		needs                   []string
	}{
		{"arm64 under qemu", "arm64", "", "qemu-aarch64", nil},
		{"amd64 v3", "amd64", "v3", "qemu-x86_64", []string{"avx2", "bmi2", "fma"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var run []string
			if runtime.GOARCH != c.arch || !cpuHas(c.needs) {
				q, err := exec.LookPath(c.qemu)
				if err != nil {
					t.Skipf("this processor is not %s, and %s is not installed (Debian: qemu-user)", c.name, c.qemu)
				}
				run = []string{q}
				if c.arch == "amd64" {
					run = append(run, "-cpu", "max")
				}
			}
			bin := filepath.Join(t.TempDir(), "pmove.test")
			build := exec.Command(goTool, "test", "-c", "-o", bin, ".")
			build.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOARCH="+c.arch, "GOAMD64="+c.level)
			if runtime.GOOS != "linux" {
				t.Skip("runs linux programs")
			}
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("build: %v\n%s", err, out)
			}
			run = append(run, bin, "-test.run=^TestGolden$", "-test.v")
			out, err := exec.Command(run[0], run[1:]...).CombinedOutput()
			if err != nil || !bytes.Contains(out, []byte("--- PASS: TestGolden")) {
				t.Fatalf("%v: %v\n%s", run, err, out)
			}
		})
	}
}

// cpuHas reports whether this Linux machine's processor has every feature.
func cpuHas(features []string) bool {
	if len(features) == 0 {
		return true
	}
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return false
	}
	have := map[string]bool{}
	for _, f := range strings.Fields(string(data)) {
		have[f] = true
	}
	for _, f := range features {
		if !have[f] {
			return false
		}
	}
	return true
}
