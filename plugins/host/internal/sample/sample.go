// Package sample holds a policy and rules that depend on everything that they are
// given and on all that they have seen, so that the tests of plugins/host see any
// difference between a linked-in, an encoded and a separate run.
package sample

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// mix is a step of a hash (FNV-1a over words).
func mix(h, v uint64) uint64 { return (h ^ v) * 0x100000001b3 }

// PolicySpec names the policy.
func PolicySpec() vis.Spec {
	return vis.Spec{
		Name: "sample", Version: "1.2.3", Help: "A policy for tests.",
		Schema: vis.Schema{{Name: "share", Default: 3, Min: 1, Max: 10, Help: "One pair in so many is permitted."}},
		New: func(env vis.Env) (vis.Policy, error) {
			return &policy{share: uint64(env.Settings["share"]), seed: env.Seed}, nil
		},
	}
}

type policy struct {
	share, seed uint64
	history     uint64
}

func (p *policy) Decide(in *vis.Input, out *vis.Answer) {
	h := mix(p.history, uint64(in.Tick)+p.seed+in.Seed)
	for i := range in.Subjects {
		s := &in.Subjects[i]
		h = mix(h, uint64(s.ID)<<32|uint64(math.Float32bits(s.Pos.X)))
		h = mix(h, uint64(math.Float32bits(s.Box.Max.Z))<<8|uint64(s.Teleports))
	}
	for i := range in.Doors {
		h = mix(h, uint64(in.Doors[i].Start))
	}
	for i := range in.Pieces {
		h = mix(h, uint64(in.Pieces[i].At))
	}
	p.history = h
	for v := range in.Viewers {
		for s := range in.Subjects {
			if !in.IsAsked(v, s) {
				continue
			}
			out.Rays++
			g := mix(h, uint64(v)<<20|uint64(s))
			if (g>>20)%p.share == 0 {
				out.Allow(v, s, vis.Open+vis.Reason((g>>30)%8), in.Tick+uint32(g>>40)%5, uint8(g>>50)%4)
			}
		}
	}
}

// RulesSpec names the rules.
func RulesSpec() rules.Spec {
	return rules.Spec{Name: "sample", Version: "1.2.3", Help: "Rules for tests.", New: func() rules.Rules { return &game{} }}
}

type game struct {
	history uint64
	ticks   uint64
	hud     bool
	begins  []tables.Value
	retunes bool
}

func (g *game) Start(m *rules.Match) error {
	g.history = m.Seed ^ uint64(m.TickRate) ^ uint64(m.Tables.Movement.RunSpeed*1024)
	g.hud = m.Settings["hud"] == "1"
	g.begins = Values(m.Settings["begins"])
	g.retunes = m.Settings["retunes"] == "1"
	if m.Settings["refuse"] != "" {
		return errors.New(m.Settings["refuse"])
	}
	if len(m.Saved) == 16 {
		g.history, g.ticks = binary.LittleEndian.Uint64(m.Saved), binary.LittleEndian.Uint64(m.Saved[8:])
	}
	return nil
}

// Values reads "movement.gravity=12 sounds.step=3".
func Values(text string) (vs []tables.Value) {
	for _, f := range strings.Fields(text) {
		name, to, _ := strings.Cut(f, "=")
		x, _ := strconv.ParseFloat(to, 32)
		vs = append(vs, tables.Value{Name: name, To: float32(x)})
	}
	return vs
}

// Tables is what the setting "begins" says.
func (g *game) Tables() []tables.Value { return g.begins }

func (g *game) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	g.ticks++
	h := mix(g.history, uint64(in.Tick))
	for i := range in.Players {
		p := &in.Players[i]
		h = mix(h, uint64(p.ID)<<32|uint64(math.Float32bits(p.Pos.Y)))
		if p.Buttons&state.BtnFire != 0 {
			ops = append(ops, rules.Op{Kind: rules.OpSpawn, ID: p.ID, Pos: vec.V3{X: float32(h % 97)}, Yaw: float32(h % 360), Value: 100})
		}
	}
	for i := range in.Events {
		h = mix(h, uint64(in.Events[i].Param))
	}
	for _, m := range in.Joined {
		ops = append(ops, rules.Op{Kind: rules.OpAnnounce, Text: m.Name + " joined"})
	}
	if g.hud && g.ticks%8 == 0 {
		ops = append(ops, rules.Op{Kind: rules.OpHUD, Text: fmt.Sprintf("ticks=%d", g.ticks)})
	}
	if g.retunes && g.ticks%50 == 0 {
		from := in.Tick + 64 + uint32(h%40)
		if g.ticks%150 == 0 {
			ops = append(ops, rules.ResetTables(from, false))
		}
		ops = append(ops,
			rules.SetTable(tables.Value{Name: "movement.gravity", To: float32(h % 20)}, from),
			rules.SetTable(tables.Value{Name: "weapon.rifle.damage", To: float32(h % 50)}, from))
	}
	g.history = h
	return append(ops, rules.Op{Kind: rules.OpScore, ID: 1, Value: int32(h), Value2: int32(g.ticks)})
}

func (g *game) Save() []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, g.history), g.ticks)
}

// Input fills in with a tick of n players that differs from every other tick's.
func Input(in *vis.Input, tick state.Tick, n int) *vis.Input {
	in.Reset(tick, 64)
	in.Seed = 11
	for i := range n {
		s := vis.Subject{
			ID: state.ID(i + 1), Kind: state.KindPlayer, Alive: true,
			Pos: vec.V3{X: float32(i) + float32(tick)/16, Y: float32(i%7) * 3, Z: 1},
			Vel: vec.V3{X: 1}, Yaw: float32(i * 30),
		}
		s.Eye, s.Chest = s.Pos.Add(vec.V3{Z: 1.6}), s.Pos.Add(vec.V3{Z: 1.1})
		s.Box = vec.Box{Min: s.Pos.Add(vec.V3{X: -.4, Y: -.4}), Max: s.Pos.Add(vec.V3{X: .4, Y: .4, Z: 1.8})}
		in.Subjects = append(in.Subjects, s)
		in.Viewers = append(in.Viewers, vis.Viewer{Subject: i, ID: state.ID(i + 1), RTTms: 40, RenderMS: 50, BufferMS: 16, SendTicks: 1})
	}
	in.Doors = append(in.Doors, state.DoorState{Start: tick / 4})
	in.Pieces = append(in.Pieces, state.Piece{Broken: tick%2 == 0, At: tick / 8})
	in.SizeAsked()
	for v := range n {
		for s := range n {
			if v != s {
				in.Ask(v, s)
			}
		}
	}
	return in
}

// Tick fills in with a tick of n players.
func Tick(in *rules.TickIn, tick state.Tick, n int) *rules.TickIn {
	*in = rules.TickIn{Tick: tick, Players: in.Players[:0], Events: in.Events[:0], Joined: in.Joined[:0]}
	for i := range n {
		p := rules.PlayerRow{ID: state.ID(i + 1), Health: 100, Pos: vec.V3{Y: float32(tick) + float32(i)}}
		if (int(tick)+i)%13 == 0 {
			p.Buttons = state.BtnFire
		}
		in.Players = append(in.Players, p)
	}
	in.Events = append(in.Events, state.Event{Kind: state.EvHit, Param: int32(tick * 3)})
	if tick%20 == 1 {
		in.Joined = append(in.Joined, rules.Member{ID: state.ID(tick%100 + 1), Name: fmt.Sprintf("player %d", tick)})
	}
	return in
}
