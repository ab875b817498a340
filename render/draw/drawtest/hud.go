package drawtest

import (
	"github.com/sightline-engine/sightline/render/hud"
	"github.com/sightline-engine/sightline/render/scene"
)

// HUD returns a model in which everything but the board and the console shows.
func HUD() *hud.Model {
	red, blue := scene.RGBA{R: 255, G: 96, B: 80, A: 255}, scene.RGBA{R: 96, G: 160, B: 255, A: 255}
	m := &hud.Model{
		Alive: true, Health: 72, Armour: 35, Ammo: 24, Reserve: 90, Weapon: "RIFLE",
		Weapons: []hud.Slot{{Key: "1", Held: true}, {Key: "2"}, {Key: "3", None: true}},
		Pickup:  "+25 health", PickupMs: 300,
		Cross: hud.Crosshair{Gap: 7, HitMs: 60},
		Hurt:  []hud.Hurt{{Yaw: 70, Ms: 200, Amount: 45}},
		Score: hud.Score{Own: 11, Best: 14, Limit: 25, Time: 187, Label: "FREE FOR ALL", Leader: "vesper leads"},
		Kills: []hud.Kill{
			{Killer: "vesper", Victim: "quill", With: "rifle", KillerColor: red, VictimColor: blue, Ms: 4000},
			{Killer: "okapi", Victim: "tern", With: "rocket", KillerColor: blue, VictimColor: red, Own: true, Ms: 900},
		},
		Notices: []hud.Notice{{Text: "marlin joined", Ms: 4000}, {Text: "okapi: nice shot", Ms: 800}},
	}
	g := &hud.NetGraph{PingMs: 48, JitterMs: 2.4, DelayMs: 62, LossShare: 0.021, InBps: 2210, OutBps: 1380,
		InHz: 32, OutHz: 64, Errors: 3, Known: 3, Withheld: 4}
	for i := range 120 {
		s := hud.Sample{Bytes: 120 + i*37%300, MarginMs: float32(18 + i*13%22)}
		switch {
		case i%41 == 17:
			s.Kind = hud.Lost
		case i%29 == 11:
			s.Kind, s.MarginMs = hud.Late, -12
		case i%53 == 30:
			s.Kind = hud.Choked
		}
		g.Samples = append(g.Samples, s)
	}
	m.Net = g
	m.Stats = []hud.Stat{{Name: "frame", Value: "6.9 ms"}, {Name: "policy", Value: "0.8 ms"}, {Name: "rules", Value: "0.3 ms"}}
	return m
}

// Board returns a table of eight players.
func Board() *hud.Board {
	b := &hud.Board{Title: "Foundry", Sub: "free for all, first to 25", Foot: "sightline"}
	for i, n := range []string{"vesper", "okapi", "you", "quill", "tern", "marlin", "sable", "wren"} {
		r := hud.Row{Name: n, Score: 14 - i, Deaths: 6 + i%4, Ping: 24 + 23*i, Own: i == 2, Dead: i == 5,
			Color: scene.RGBA{R: 255, G: 96, B: 80, A: 255}}
		if i%2 == 1 {
			r.Color = scene.RGBA{R: 96, G: 160, B: 255, A: 255}
		}
		if i > 5 {
			r.Ping = -1
		}
		b.Rows = append(b.Rows, r)
	}
	return b
}

// Console returns an open console in which something is being typed.
func Console() *hud.Console {
	c := &hud.Console{Open: 1, Selected: 1, Blink: true, Version: "sightline", Input: []rune("net_sim"), Cursor: 7}
	for _, s := range []string{"] connect 127.0.0.1:27960", "handshake: retry answered, keys agreed", "level foundry: 412 solids, 8 spawns",
		"joined as player 3, tick 64, interpolation 62 ms", "] net_graph 1"} {
		c.Lines = append(c.Lines, hud.Line{Text: s})
	}
	c.Lines = append(c.Lines, hud.Line{Text: "net_gruph: no such variable, did you mean net_graph?", Color: scene.RGBA{R: 255, G: 120, B: 104, A: 255}})
	c.Completions = []hud.Completion{
		{Name: "net_sim_duplicate", Value: "0", Help: "share of packets that arrive twice"},
		{Name: "net_sim_jitter", Value: "12", Help: "milliseconds by which arrivals differ"},
		{Name: "net_sim_latency", Value: "50", Help: "milliseconds added to each packet, one way"},
		{Name: "net_sim_loss", Value: "0.03", Help: "share of packets that are dropped"},
	}
	return c
}
