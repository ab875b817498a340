package mapfile_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

func read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func parse(t *testing.T, name, text string) *level.Level {
	t.Helper()
	l, err := mapfile.Parse(name, []byte(text), level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestFixturesAreRead(t *testing.T) {
	for _, row := range []struct {
		file                 string
		solids, tris, spawns int
	}{
		{"r1.map", 6, 0, 2},
		{"r2.map", 7, 0, 2},
		{"r3.map", 13, 0, 2},
		{"p1.map", 6, 2 * 4 * 8 * 2, 2},
		{"nospawn.map", 6, 0, 0},
		{"spawnwall.map", 6, 0, 1},
	} {
		t.Run(row.file, func(t *testing.T) {
			l := parse(t, row.file, read(t, row.file))
			if len(l.Solids) != row.solids || len(l.Tris) != row.tris || len(l.Spawns) != row.spawns {
				t.Errorf("%d solids, %d triangles, %d spawns; want %d, %d, %d",
					len(l.Solids), len(l.Tris), len(l.Spawns), row.solids, row.tris, row.spawns)
			}
			if len(l.Warnings) != 0 {
				t.Errorf("warnings: %v", l.Warnings)
			}
			for i, s := range l.Solids {
				if len(s.Sides) != 6 || s.Contents != level.Solid || !s.Bounds.Min.IsFinite() {
					t.Errorf("solid %d: %+v", i, s)
				}
			}
		})
	}
}

// sameAnswers compares a grid of rays and sweeps in two levels.
func sameAnswers(t *testing.T, a, b *level.Level) {
	t.Helper()
	wa, wb := trace.New(a), trace.New(b)
	for x := float32(-15); x <= 15; x += 3 {
		for y := float32(-7); y <= 7; y += 2 {
			from := vec.New(x, y, 3)
			for _, to := range []vec.V3{from.Add(vec.New(40, 1, 1)), from.Add(vec.New(-3, 40, -2)), from.Add(vec.New(0.5, 0.5, -9)), vec.New(0, 0, 5)} {
				if ra, rb := wa.Ray(from, to, level.MaskSight), wb.Ray(from, to, level.MaskSight); ra != rb {
					t.Fatalf("ray %v %v: %+v, %+v", from, to, ra, rb)
				}
				if ra, rb := wa.Box(from, to, level.StandingBox, level.MaskMove), wb.Box(from, to, level.StandingBox, level.MaskMove); ra != rb {
					t.Fatalf("box %v %v: %+v, %+v", from, to, ra, rb)
				}
			}
		}
	}
}

// Report O-02: editors and exporters write numbers, blanks and comments in many
// ways; all mean the same level.
func TestNumbersAsWritersEmitThem(t *testing.T) {
	text := read(t, "r1.map")
	odd := strings.Replace(text, "( -512 ", "( -5.12e2 ", 1)
	odd = strings.Replace(odd, " -256 -16 )", " -256 -1.6E+01 )", 2)
	odd = strings.Replace(odd, " 0 )", " -0 )", 1)
	odd = strings.Replace(odd, " 0 0 0 1 1\n", " 0 0 -0.0 1.0E+00 1.0E+00 // a face\n", 1)
	odd = strings.Replace(odd, " 0 0 0 1 1\n", " 0 0 0 1 1 134217728 0 0 //{\n", 1)
	odd = strings.ReplaceAll(odd, "\n", "\r\n")
	odd = strings.ReplaceAll(odd, ") (", ")\t(")
	odd = strings.Replace(odd, "( ", "(", 9)
	if strings.Count(odd, "e2")+strings.Count(odd, "E+0") < 4 || !strings.Contains(odd, "-0 )") {
		t.Fatal("the variant holds nothing odd")
	}
	a, b := parse(t, "a.map", text), parse(t, "b.map", "\xef\xbb\xbf// made by hand\r\n"+odd)
	if len(b.Warnings) != 0 || a.Hash != b.Hash {
		t.Errorf("other hash; warnings %v", b.Warnings)
	}
	sameAnswers(t, a, b)
}

// Report O-03: one bad brush costs one warning that says where it is.
func TestOneBadBrushCostsAWarning(t *testing.T) {
	box := func(pts string) string { return "( " + pts + " ) t 0 0 0 1 1\n" }
	good := []string{
		box("0 0 0 ) ( 0 1 0 ) ( 0 0 1"), box("0 0 0 ) ( 0 0 1 ) ( 1 0 0"), box("0 0 0 ) ( 1 0 0 ) ( 0 1 0"),
		box("8 8 8 ) ( 8 9 8 ) ( 9 8 8"), box("8 8 8 ) ( 9 8 8 ) ( 8 8 9"), box("8 8 8 ) ( 8 8 9 ) ( 8 9 8"),
	}
	join := func(faces ...string) string { return "{\n" + strings.Join(faces, "") + "}\n" }
	for _, row := range []struct{ name, brush, says string }{
		{"one point three times", join(append(good[:5:5], box("160 -264 -752 ) ( 160 -264 -752 ) ( 160 -264 -752"))...), "on one line"},
		{"three points on a line", join(append(good[:5:5], box("0 0 0 ) ( 8 8 8 ) ( 32 32 32"))...), "on one line"},
		{"three faces", join(good[:3]...), "fewer than 4"},
		{"encloses nothing", join(append(good[:6:6], box("-9 0 0 ) ( -9 0 1 ) ( -9 1 0"))...), "enclose nothing"},
		{"open", join(good[:5]...), "do not close"},
		{"not a number", join(append(good[:5:5], box("nan 0 0 ) ( 8 9 8 ) ( 9 8 8"))...), "not a number"},
		{"windows' not a number", join(append(good[:5:5], box("-1.#IND 0 0 ) ( 8 9 8 ) ( 9 8 8"))...), "not a number"},
		{"overflow", join(append(good[:5:5], box("1e999 0 0 ) ( 8 9 8 ) ( 9 8 8"))...), "not a number"},
		{"far away", join(append(good[:5:5], box("1e9 0 0 ) ( 8 9 8 ) ( 9 8 8"))...), "out of range"},
		{"too many faces", join(strings.Repeat(good[0], 400)), "more than 256"},
		{"flat patch", "{\npatchDef2\n{\nt\n( 3 3 0 0 0 )\n(\n" + strings.Repeat("( ( 0 0 0 0 0 ) ( 0 0 0 0 0 ) ( 0 0 0 0 0 ) )\n", 3) + ")\n}\n}\n", "no area"},
		{"even patch", "{\npatchDef2\n{\nt\n( 2 2 0 0 0 )\n(\n" + strings.Repeat("( ( 0 0 0 0 0 ) ( 0 8 0 0 0 ) )\n", 2) + ")\n}\n}\n", "odd numbers"},
		{"another dialect", "{\nbrushDef3\n{\n( 0 0 1 -8 ) ( ( 1 0 0 ) ( 0 1 0 ) ) \"t\" 0 0 0\n}\n}\n", "brushDef3"},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := read(t, "r1.map")
			at := strings.Index(text, "}\n{\n\"classname\" \"info") // the world's end
			l := parse(t, "bad.map", text[:at]+row.brush+text[at:])
			if len(l.Warnings) != 1 {
				t.Fatalf("%d warnings: %v", len(l.Warnings), l.Warnings)
			}
			w := l.Warnings[0]
			first := 1 + strings.Count(text[:at], "\n")
			if !strings.Contains(w.Text, row.says) || w.File != "bad.map" || w.Entity != 0 || w.Brush != 6 ||
				w.Line < first || w.Line > first+strings.Count(row.brush, "\n") {
				t.Errorf("%+v", w)
			}
			good := parse(t, "r1.map", text)
			if l.Hash != good.Hash || l.Bounds != good.Bounds || !l.Bounds.Min.IsFinite() {
				t.Errorf("the rest of the map is not as without the brush: %v", l.Bounds)
			}
			sameAnswers(t, l, good)
		})
	}
}

// Report S-01: values over lines, escaped quotes, everything on one line.
func TestEntityTextAsFound(t *testing.T) {
	text := `{ "classname" "worldspawn" "message" "he said \"hi\"
and left \"now\"
then" "path" "c:\maps\"
"b" "x//y" } { "classname" "light" "origin" "1 2 3" } {"classname""info_player_start""origin""0 0 24""angles" "0 90 0"}
// { "classname" "light" }`
	l := parse(t, "e.map", text)
	if len(l.Entities) != 3 {
		t.Fatalf("%d entities", len(l.Entities))
	}
	w := l.Entities[0]
	if w.Get("message") != "he said \"hi\"\nand left \"now\"\nthen" || w.Get("path") != `c:\maps\` || w.Get("b") != "x//y" {
		t.Errorf("%q", w.Keys)
	}
	if l.Entities[2].Line != 4 || len(l.Spawns) != 1 || l.Spawns[0].Yaw != 90 || l.Spawns[0].Pos != (vec.V3{}) {
		t.Errorf("%+v %+v", l.Entities[2], l.Spawns)
	}
}

func TestGarbageIsOneErrorWithItsLine(t *testing.T) {
	for _, row := range []struct {
		name, text string
		line       int
	}{
		{"nothing", "", 1},
		{"only a comment", "// x\n", 2},
		{"no brace", "hello\n", 1},
		{"key without value", "{\n\"a\"\n}\n", 2},
		{"string never closed", "{\n\"a\" \"b\n\n\n}", 2},
		{"ends in an entity", "{\n\"a\" \"b\"\n", 3},
		{"ends in a brush", "{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 1 0 0 ) t 0 0 0 1 1\n", 4},
		{"word for a number", "{\n{\n( 0 0 zero )", 3},
		{"too few numbers", "{\n{\n( 0 0 ) ( 0 1 0 )", 3},
		{"closed twice", "{\n}\n}\n", 3},
		{"Doom 3", "Version 2\n{\n}\n", 1},
		{"huge patch head", "{\n{\npatchDef2\n{\nt\n( 99999999999 3 0 0 0 )\n(", 6},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := mapfile.Parse("x.map", []byte(row.text), level.Options{})
			var e *mapfile.Error
			if !errors.As(err, &e) || e.Line != row.line || !strings.HasPrefix(err.Error(), fmt.Sprintf("x.map:%d: ", row.line)) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want line %d", err, row.line)
			}
		})
	}
	if _, err := mapfile.Parse("x.map", make([]byte, mapfile.MaxSize+1), level.Options{}); !errors.Is(err, mapfile.ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

// cube is a box of 64 units whose faces end in what tail gives for each normal.
func cube(tail func(axis int, sign int) string) string {
	var s strings.Builder
	s.WriteString("{\n")
	for axis := range 3 {
		for _, sign := range []int{-1, 1} {
			d := float64(32 * sign)
			p := [3][3]float64{}
			u, v := (axis+1)%3, (axis+2)%3
			for i := range p {
				p[i][axis] = d
			}
			// (p0-p1)×(p2-p1) is outward.
			p[0][u], p[2][v] = float64(sign), 1
			for _, q := range p {
				fmt.Fprintf(&s, "( %v %v %v ) ", q[0], q[1], q[2])
			}
			s.WriteString(tail(axis, sign) + "\n")
		}
	}
	return s.String() + "}\n"
}

func world(brush string) string { return "{\n\"classname\" \"worldspawn\"\n" + brush + "}\n" }

// The same texture placement in the three ways of writing it gives the same
// picture and the same solid.
func TestDialectsAgree(t *testing.T) {
	classic := parse(t, "c.map", world(cube(func(int, int) string { return "t 8 16 0 0.5 2" })))
	valve := parse(t, "v.map", world(cube(func(axis, _ int) string {
		u, v := "1 0 0", "0 0 -1"
		switch axis {
		case 0:
			u = "0 1 0"
		case 2:
			v = "0 -1 0"
		}
		return "t [ " + u + " 8 ] [ " + v + " 16 ] 0 0.5 2 0 0 0"
	})))
	if classic.Hash != valve.Hash || len(classic.Solids) != 1 {
		t.Error("other solids")
	}
	for i, s := range classic.Surfaces {
		for k, v := range s.Verts {
			if w := valve.Surfaces[i].Verts[k]; v != w {
				t.Errorf("surface %d vertex %d: %+v, %+v", i, k, v, w)
			}
		}
	}
	v := classic.Surfaces[5].Verts[0] // the top
	if v.Pos != vec.New(v.Pos.X, v.Pos.Y, 1) || v.U != v.Pos.X*32/0.5+8 || v.V != -v.Pos.Y*32/2+16 {
		t.Errorf("top: %+v", v)
	}

	text := strings.NewReplacer("{\n(", "{\nbrushDef\n{\n(", "\n}\n", "\n}\n}\n").Replace(
		cube(func(int, int) string { return "( ( 0.015625 0 0.5 ) ( 0 0.015625 0.25 ) ) common/stone 134217728 0 0" }))
	prim := parse(t, "p.map", world(strings.ReplaceAll(text, ") common", ") common")))
	if prim.Hash != classic.Hash || len(prim.Surfaces) != 6 || prim.Surfaces[0].UVTexels {
		t.Fatalf("brush primitives: %d solids, %d surfaces, %v", len(prim.Solids), len(prim.Surfaces), prim.Warnings)
	}
	for _, s := range prim.Surfaces {
		lo, hi := s.Verts[0], s.Verts[0]
		for _, v := range s.Verts {
			lo.U, hi.U, lo.V, hi.V = min(lo.U, v.U), max(hi.U, v.U), min(lo.V, v.V), max(hi.V, v.V)
		}
		if hi.U-lo.U != 1 || hi.V-lo.V != 1 || lo.U != 0 || lo.V != -0.25 {
			t.Errorf("64 units at 1/64: u %v to %v, v %v to %v", lo.U, hi.U, lo.V, hi.V)
		}
	}
}

// Report S-03: texture axes along the normal, or without length, get the default
// placement and one warning; the face is still drawn.
func TestTextureWithoutSenseIsStillDrawn(t *testing.T) {
	for name, tail := range map[string]string{
		"scale 0":           "t 0 0 0 0 0",
		"scale not finite":  "t 0 0 0 nan 1",
		"shift not finite":  "t inf 0 0 1 1",
		"axes along normal": "t [ 0 0 1 0 ] [ 0 0 1 0 ] 0 1 1",
		"axes of length 0":  "t [ 0 0 0 0 ] [ 0 0 0 0 ] 0 1 1",
	} {
		t.Run(name, func(t *testing.T) {
			l := parse(t, "x.map", world(cube(func(axis, sign int) string {
				if axis == 2 && sign == 1 {
					return tail
				}
				return "t 0 0 0 1 1"
			})))
			if len(l.Solids) != 1 || len(l.Surfaces) != 6 || len(l.Warnings) != 1 || l.Warnings[0].Line != 9 {
				t.Fatalf("%d solids, %d surfaces, %+v", len(l.Solids), len(l.Surfaces), l.Warnings)
			}
			for _, s := range l.Surfaces {
				for _, v := range s.Verts {
					if !vec.Finite(v.U) || !vec.Finite(v.V) {
						t.Errorf("%+v", v)
					}
				}
			}
		})
	}
}

func TestGroupsJoinTheWorldAndOthersMove(t *testing.T) {
	brush := cube(func(int, int) string { return "t 0 0 0 1 1" })
	text := world(brush)
	for _, class := range []string{"func_group", "func_detail", "func_door", "func_static", "trigger_multiple"} {
		text += "{\n" + brush + "\"classname\" \"" + class + "\"\n}\n" // the class may come last
	}
	l := parse(t, "g.map", text)
	if len(l.Models) != 4 || l.Models[0].NumSolids != 3 || len(l.Doors) != 1 || l.Doors[0].Model != 1 {
		t.Fatalf("%+v, doors %+v", l.Models, l.Doors)
	}
	if c := l.Solids[5].Contents; c != level.Trigger {
		t.Errorf("a trigger is %b", c)
	}
	for i, e := range l.Entities {
		if want := []int{0, 0, 0, 1, 2, 3}[i]; e.Model != want {
			t.Errorf("entity %d has model %d, want %d", i, e.Model, want)
		}
	}
}

func near(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-3 }

func TestEntitiesMeanWhatTheyMeanInQuake(t *testing.T) {
	brush := cube(func(int, int) string { return "t 0 0 0 1 1" }) // 2 m
	ent := func(body, kv string) string {
		f := strings.Fields(kv)
		s := "{\n" + body
		for i := 0; i+1 < len(f); i += 2 {
			s += fmt.Sprintf("%q %q\n", f[i], strings.ReplaceAll(f[i+1], ",", " "))
		}
		return s + "}\n"
	}
	l := parse(t, "m.map", world(brush)+
		ent(brush, "classname func_door angle 90 lip 16 speed 100 wait -1 team a")+
		ent(brush, "classname func_door angle -1 team a")+
		ent(brush, "classname func_door angle -2 spawnflags 1 targetname b")+
		ent(brush, "classname func_plat height 128")+
		ent(brush, "classname trigger_teleport target d")+
		ent("", "classname misc_teleporter_dest targetname d origin 320,0,24 angle 180")+
		ent(brush, "classname trigger_push target p")+
		ent(brush, "classname trigger_hurt dmg 40 spawnflags 16")+
		ent(brush, "classname trigger_hurt spawnflags 1")+
		ent(brush, "classname trigger_zone name bombsite")+
		ent("", "classname target_position targetname p origin 320,0,400")+
		ent("", "classname item_health_mega origin 0,0,15 wait 60")+
		ent("", "classname weapon_rocketlauncher origin 0,0,15 notfree 1")+
		ent("", "classname weapon_railgun origin 0,0,15")+
		ent("", "classname team_CTF_bluespawn origin 0,0,24 angle 270")+
		ent(brush, "classname trigger_teleport target nowhere"))
	if len(l.Doors) != 4 || len(l.Teleports) != 1 || len(l.Pads) != 1 || len(l.Pickups) != 2 || len(l.Spawns) != 1 {
		t.Fatalf("%d doors, %d teleports, %d pads, %d pickups, %d spawns", len(l.Doors), len(l.Teleports), len(l.Pads), len(l.Pickups), len(l.Spawns))
	}
	if len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0].Text, "leads nowhere") {
		t.Errorf("%v", l.Warnings)
	}
	d := l.Doors[0]
	if !near(d.Move.Y, 1.5) || !near(d.Move.X, 0) || d.Speed != 100.0/32 || d.Wait != -1 || d.Group != 0 || d.Lift {
		t.Errorf("door %+v", d)
	}
	if l.Doors[1].Group != 0 || !near(l.Doors[1].Move.Z, 1.75) || l.Doors[1].Trigger != d.Trigger || !near(d.Trigger.Max.X, 1+120.0/32) {
		t.Errorf("its partner %+v", l.Doors[1])
	}
	// Rests 1.75 m below where it is drawn, and moves up into it.
	if d := l.Doors[2]; !near(d.Move.Z, 1.75) || !near(l.Models[d.Model].Bounds.Max.Z, -0.75) || d.Group != 2 {
		t.Errorf("a door that starts open %+v, %v", d, l.Models[d.Model].Bounds)
	}
	if p := l.Doors[3]; !p.Lift || !near(p.Move.Z, 4) || !near(l.Models[p.Model].Bounds.Max.Z, -3) || !near(p.Trigger.Max.Z, -2.75) {
		t.Errorf("lift %+v", p)
	}
	if tp := l.Teleports[0]; !near(tp.Dest.X, 10) || !near(tp.Dest.Z, 1.0/32) || math.Abs(float64(tp.Yaw)) != 180 {
		t.Errorf("teleport %+v", tp)
	}
	if len(l.Zones) != 1 || l.Zones[0].Name != "bombsite" || l.Zones[0].Box.IsEmpty() {
		t.Errorf("zones %+v", l.Zones)
	}
	// Thrown at 20 m/s², it comes to rest in height at its target.
	v := l.Pads[0].Vel
	if time := v.Z / 25; !near(v.Z*v.Z/50, 12.5) || !near(v.X*time, 10) {
		t.Errorf("pad %+v", v)
	}
	if len(l.Hurts) != 1 || l.Hurts[0].Damage != 40 || !l.Hurts[0].Slow {
		t.Errorf("hurts %+v", l.Hurts)
	}
	if p := l.Pickups[0]; p.Kind != level.PickMega || p.Delay != 60 || p.Value != 100 || p.Pos.Z != 0 {
		t.Errorf("pickup %+v", p)
	}
	if p := l.Pickups[1]; p.Kind != level.PickRifle {
		t.Errorf("pickup %+v", p)
	}
	if s := l.Spawns[0]; s.Team != 2 || s.Yaw != -90 || s.Pos.Z != 0 {
		t.Errorf("spawn %+v", s)
	}
}

// Report O-04: a map in which nobody can enter says so when it is loaded.
func TestNoUsableSpawnIsSaidAtLoad(t *testing.T) {
	for file, usable := range map[string]int{"r1.map": 2, "nospawn.map": 0, "spawnwall.map": 0} {
		l := parse(t, file, read(t, file))
		w := trace.New(l)
		got, note := level.CheckSpawns(l, func(feet vec.V3) bool {
			return !w.Box(feet, feet, level.StandingBox, level.MaskMove).StartSolid
		})
		if len(got) != usable || (usable == 0) != strings.Contains(note, "cannot be played") {
			t.Errorf("%s: %d, %q", file, len(got), note)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"r1.map", "p1.map", "r3.map"} {
		f.Add([]byte(read(f, name)))
	}
	f.Add([]byte(world(cube(func(int, int) string { return "t [ 1 0 0 0 ] [ 0 1 0 0 ] 0 1 1" }))))
	f.Add([]byte(world("{\nbrushDef\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) ( ( 1 0 0 ) ( 0 1 0 ) ) t 0 0 0\n}\n}\n")))
	f.Add([]byte("{\"classname\" \"func_plat\"{( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) {t 0 0 0 1 1 -1.#IND}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := mapfile.Parse("fuzz.map", data, level.Options{})
		if err != nil {
			return
		}
		checkLevel(t, l)
	})
}

// checkLevel fails when a level holds what its users rely on never to meet.
func checkLevel(t *testing.T, l *level.Level) {
	t.Helper()
	if !l.Bounds.Min.IsFinite() || !l.Bounds.Max.IsFinite() {
		t.Fatalf("bounds %v", l.Bounds)
	}
	for i := range l.Solids {
		s := &l.Solids[i]
		if len(s.Sides) < 6 || !s.Bounds.Min.IsFinite() || s.Bounds.IsEmpty() {
			t.Fatalf("solid %d: %+v", i, s)
		}
		for _, d := range s.Sides {
			if !d.N.IsFinite() || !vec.Finite(d.D) || int(d.Texture) >= len(l.Textures) {
				t.Fatalf("solid %d: side %+v", i, d)
			}
		}
	}
	for i := range l.Tris {
		if tr := &l.Tris[i]; !tr.N.IsFinite() || !tr.A.IsFinite() || !tr.B.IsFinite() || !tr.C.IsFinite() {
			t.Fatalf("triangle %d: %+v", i, tr)
		}
	}
	for i := range l.Surfaces {
		s := &l.Surfaces[i]
		for _, k := range s.Indices {
			if int(k) >= len(s.Verts) {
				t.Fatalf("surface %d: index %d of %d", i, k, len(s.Verts))
			}
		}
		for _, v := range s.Verts {
			if !v.Pos.IsFinite() || !v.Normal.IsFinite() || !vec.Finite(v.U) || !vec.Finite(v.V) {
				t.Fatalf("surface %d: %+v", i, v)
			}
		}
	}
	for i := range l.Doors {
		if d := &l.Doors[i]; d.Model <= 0 || d.Model >= len(l.Models) || !d.Move.IsFinite() || !(d.Speed > 0) {
			t.Fatalf("door %d: %+v", i, d)
		}
	}
}

// Curves and planes have the same bits on every platform.
func TestFixtureHashesAreStable(t *testing.T) {
	for file, want := range map[string]string{"r3.map": "3384bb38cb6ed2ae", "p1.map": "ea0be25811736f58"} {
		if got := fmt.Sprintf("%x", parse(t, file, read(t, file)).Hash[:8]); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}
