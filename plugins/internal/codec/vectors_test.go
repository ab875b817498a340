package codec_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
)

var updateVectors = flag.Bool("vectors.update", false, "write plugins/vectors anew")

// vector is a frame as bytes and as what it means.
type vector struct {
	Name  string
	Frame string // hexadecimal
	Means any    // with the field names of game/vis and game/rules
}

// vectors are one frame of every kind, small and with nothing left at zero that tells
// one column from another.
func vectors() []vector {
	in := &vis.Input{}
	in.Reset(70000, 64)
	in.Seed = 0x0102030405060708
	for i := range 3 {
		f := float32(i)
		s := vis.Subject{
			ID: state.ID(i + 1), Kind: state.KindPlayer, Team: uint8(i), Alive: i != 2, Pos: vec.V3{X: 10 + f, Y: -f, Z: 0.5},
			Vel: vec.V3{X: 1.5}, Yaw: 90 * f, Pitch: -5, Lean: 0.25 * f, Ducked: i == 1, Aiming: i == 0, Weapon: uint8(i), Fired: i == 1, Teleports: 7,
		}
		s.Eye, s.Chest = s.Pos.Add(vec.V3{Z: 1.6}), s.Pos.Add(vec.V3{Z: 1.1})
		s.Box = vec.Box{Min: s.Pos.Add(vec.V3{X: -0.4, Y: -0.4}), Max: s.Pos.Add(vec.V3{X: 0.4, Y: 0.4, Z: 1.8})}
		in.Subjects = append(in.Subjects, s)
	}
	for i := range 2 {
		in.Viewers = append(in.Viewers, vis.Viewer{
			Subject: i, ID: state.ID(i + 1), RTTms: 40, JitterMS: 2, RenderMS: 47, BufferMS: 16, StillMS: 8, Loss: 0.02, SendTicks: 2,
		})
	}
	in.Doors = append(in.Doors, state.DoorState{Open: true, Start: 69000, From: 1234})
	vis.Candidates(in, 0)
	out := &vis.Answer{}
	out.Reset(in)
	out.Allow(0, 1, vis.EyeEye, 70012, 0)
	out.Allow(1, 0, vis.Held, 70003, 8)
	out.Rays = 5
	tick := &rules.TickIn{
		Tick: 70000,
		Players: []rules.PlayerRow{{
			ID: 1, Team: 2, Flags: state.OnGround, Pos: vec.V3{X: 1, Y: 2, Z: 3}, Vel: vec.V3{X: 4}, Yaw: 45, Health: 100, Armor: 25,
			Weapon: 1, Buttons: state.BtnFire, DeadFor: 0,
		}},
		Events: []state.Event{{Kind: state.EvKill, Actor: 1, Target: 2, Weapon: 1, Param: -3, Pos: vec.V3{X: 9}}},
		Joined: []rules.Member{{ID: 3, Team: 1, Bot: true, Name: "Ada"}},
		Left:   []state.ID{4},
		Chat:   []rules.Chat{{ID: 1, Text: "/team red"}},
	}
	ops := []rules.Op{
		{Kind: rules.OpSpawn, ID: 3, Pos: vec.V3{X: 1, Y: 2, Z: 3}, Yaw: 90, Value: 100, Value2: 50},
		{Kind: rules.OpAnnounce, Text: "Fight!"},
		rules.SetTable(tables.Value{Name: "movement.gravity", To: 12.5}, 70064),
		rules.ResetTables(70128, true),
	}
	plain := copyForJSON(in)
	stands := *in
	stands.Standing = []vis.Standing{
		{Viewer: 0, Subject: 1, Until: 70009, Reason: vis.EyeEye, Interval: 2},
		{Viewer: 1, Subject: 2, Until: 70003, Reason: vis.Fallback, Interval: vis.NoNews},
	}
	return []vector{
		{"input", hex.EncodeToString(codec.AppendInput(nil, in)), plain},
		{"standing", hex.EncodeToString(codec.AppendInput(nil, &stands)), copyForJSON(&stands)},
		{"answer", hex.EncodeToString(codec.AppendAnswer(nil, out)), map[string]any{
			"Tick": out.Tick, "Viewers": out.Viewers, "Subjects": out.Subjects, "Rays": out.Rays,
			"Permitted": []map[string]any{
				{"Viewer": 0, "Subject": 1, "Reason": int(vis.EyeEye), "Hold": 70012, "Interval": 0},
				{"Viewer": 1, "Subject": 0, "Reason": int(vis.Held), "Hold": 70003, "Interval": 8},
			},
		}},
		{"tick", hex.EncodeToString(codec.AppendTick(nil, tick)), tick},
		{"ops", hex.EncodeToString(codec.AppendOps(nil, 70000, ops)), map[string]any{"Tick": 70000, "Ops": ops}},
		{"save", hex.EncodeToString(codec.AppendSimple(nil, codec.KindSave, 70000)), map[string]any{"Tick": 70000}},
		{"state", hex.EncodeToString(codec.AppendState(nil, 70000, []byte("saved"))), map[string]any{"Tick": 70000, "State": "saved"}},
		{"bye", hex.EncodeToString(codec.AppendSimple(nil, codec.KindBye, 0)), map[string]any{"Tick": 0}},
	}
}

// copyForJSON is an Input with its exported parts alone.
func copyForJSON(in *vis.Input) any {
	m := map[string]any{
		"Tick": in.Tick, "TickRate": in.TickRate, "Seed": in.Seed, "Subjects": in.Subjects, "Viewers": in.Viewers,
		"Doors": in.Doors, "Asked": in.Asked, "Words": in.Words,
	}
	if len(in.Standing) > 0 {
		m["Standing"] = in.Standing
	}
	return m
}

// The vectors that people write plugins by are what the engine writes and reads.
func TestVectors(t *testing.T) {
	dir := filepath.Join("..", "..", "vectors")
	for _, v := range vectors() {
		text, err := json.MarshalIndent(v, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, '\n')
		file := filepath.Join(dir, v.Name+".json")
		if *updateVectors {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(have, text) {
			t.Errorf("%s is not what the engine writes (%v): go test ./plugins/internal/codec -run Vectors -vectors.update", file, err)
		}
		b, err := hex.DecodeString(v.Frame)
		if err != nil {
			t.Fatal(err)
		}
		if h, err := codec.ReadHeader(b); err != nil || int(h.Kind) == 0 {
			t.Errorf("%s: %v %v", v.Name, h, err)
		}
	}
}
