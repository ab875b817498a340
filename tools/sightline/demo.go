package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// newDemo returns the demo subcommands.
func newDemo() *cobra.Command {
	c := &cobra.Command{Use: "demo", Short: "Look into a recorded match (.sldemo), or play it"}
	c.AddCommand(newDemoInfo(), newDemoPlay(), newDemoExport())
	return c
}

// openDemo opens a demo; done closes it.
func openDemo(name string) (r *demo.Reader, done func() error, err error) {
	return demo.OpenFile(name)
}

// whole refuses a demo that was cut off, unless a part of it is wanted.
func whole(name string, r *demo.Reader, partial bool) error {
	i := r.Info()
	if err := i.Cut(); err != nil && !partial {
		return fmt.Errorf("%s: %w; --partial takes those", name, err)
	}
	return nil
}

// demoInfo is what demo info prints, in the form of its JSON.
type demoInfo struct {
	Level      string  `json:"level"`
	LevelHash  string  `json:"level_hash"`
	TablesHash string  `json:"tables_hash"`
	Schema     string  `json:"schema"`
	Server     string  `json:"server"`
	TickRate   int     `json:"tick_rate"`
	Seed       uint64  `json:"seed"`
	First      uint32  `json:"first_tick"`
	Last       uint32  `json:"last_tick"`
	Frames     int     `json:"frames"`
	Keyframes  int     `json:"keyframes"`
	Seconds    float64 `json:"seconds"`
	Truncated  bool    `json:"truncated"`
	Cut        string  `json:"cut,omitempty"`    // how it ends, when it is truncated
	Client     uint16  `json:"client,omitempty"` // whose recording it is; 0: the server's
	ClientName string  `json:"client_name,omitempty"`

	Players []demoScore `json:"players"`
}

func newDemoInfo() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "Say what a demo is of, and whether it is whole",
		Long: `Says what a demo is of. One that was cut off is described as far as it goes, and
the exit status is 1.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, done, err := openDemo(args[0])
			if err != nil {
				return err
			}
			defer done()
			i := r.Info()
			d := demoInfo{
				Level: i.Level, LevelHash: hex.EncodeToString(i.LevelHash[:]), TablesHash: hex.EncodeToString(i.TablesHash[:]),
				Schema: hex.EncodeToString(i.Schema[:]), Server: i.Server, TickRate: i.TickRate, Seed: i.Seed, First: i.First, Last: i.Last,
				Frames: i.Frames, Keyframes: i.Keyframes, Seconds: i.Seconds(), Truncated: i.Truncated, Client: uint16(i.Client),
			}
			cut := i.Cut()
			if cut != nil {
				d.Cut = cut.Error()
			}
			d.players(r)
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), d)
			} else {
				d.print(cmd.OutOrStdout())
			}
			if err == nil && cut != nil {
				err = fmt.Errorf("%s: %w", args[0], cut)
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (d *demoInfo) print(w io.Writer) {
	line := func(k, format string, args ...any) { fmt.Fprintf(w, "%-11s %s\n", k, fmt.Sprintf(format, args...)) }
	line("level", "%s, hash %s", d.Level, d.LevelHash)
	line("server", "%s, seed %d", d.Server, d.Seed)
	line("tables", "%s", d.TablesHash)
	line("schema", "%s", d.Schema)
	line("length", "%.1f s: %d ticks at %d Hz, from %d to %d, %d keyframes", d.Seconds, d.Frames, d.TickRate, d.First, d.Last, d.Keyframes)
	if d.Client != 0 {
		line("recorded by", "%s, player %d: what this client was told", d.ClientName, d.Client)
	} else {
		line("recorded by", "the server: everything, and who was told what")
	}
	for _, p := range d.Players {
		bot := ""
		if p.Bot {
			bot = ", bot"
		}
		line("player", "%d %s%s: %d points, %d kills, %d deaths", p.ID, p.Name, bot, p.Points, p.Kills, p.Deaths)
	}
	if d.Truncated {
		line("cut off", "%s", d.Cut)
	}
}

// players adds who is on the board at the end.
func (d *demoInfo) players(r *demo.Reader) {
	var f demo.Frame
	if r.At(d.Last, &f) != nil {
		return
	}
	for _, s := range f.Roster {
		d.Players = append(d.Players, demoScore{s.ID, s.Name, s.Bot, s.Team, s.Kills, s.Deaths, s.Points, s.Ping})
		if uint16(s.ID) == d.Client {
			d.ClientName = s.Name
		}
	}
}

// demoTick is one line of demo export.
type demoTick struct {
	Tick     state.Tick   `json:"tick"`
	Source   string       `json:"source"`
	Entities []demoEntity `json:"entities"`
	Doors    []demoDoor   `json:"doors"`
	Events   []demoEvent  `json:"events"`
	Viewers  []demoViewer `json:"viewers"`
	Roster   []demoScore  `json:"roster"`
}

type demoEntity struct {
	ID        state.ID   `json:"id"`
	Kind      uint8      `json:"kind"`
	Team      uint8      `json:"team"`
	Weapon    uint8      `json:"weapon"`
	Owner     state.ID   `json:"owner,omitempty"`
	Pos       [3]float32 `json:"pos"`
	Vel       [3]float32 `json:"vel"`
	Yaw       float32    `json:"yaw"`
	Pitch     float32    `json:"pitch"`
	Pose      uint8      `json:"pose"`
	Health    uint8      `json:"health"`
	Teleports uint8      `json:"teleports"`
}

type demoDoor struct {
	Open  bool       `json:"open"`
	Start state.Tick `json:"start"`
	From  uint16     `json:"from"`
}

type demoEvent struct {
	Kind   uint8      `json:"kind"`
	Actor  state.ID   `json:"actor,omitempty"`
	Target state.ID   `json:"target,omitempty"`
	Weapon uint8      `json:"weapon,omitempty"`
	Param  int32      `json:"param,omitempty"`
	Pos    [3]float32 `json:"pos"`
	Only   state.ID   `json:"only,omitempty"`
}

type demoViewer struct {
	ID       state.ID    `json:"id"`
	Watching state.ID    `json:"watching,omitempty"`
	Told     []demoTold  `json:"told"`
	Heard    []demoEvent `json:"heard"`
}

type demoTold struct {
	ID     state.ID `json:"id"`
	Reason string   `json:"reason"`
}

type demoScore struct {
	ID     state.ID `json:"id"`
	Name   string   `json:"name"`
	Bot    bool     `json:"bot"`
	Team   uint8    `json:"team"`
	Kills  int16    `json:"kills"`
	Deaths int16    `json:"deaths"`
	Points int16    `json:"points"`
	Ping   uint16   `json:"ping"`
}

func newDemoExport() *cobra.Command {
	var from, to uint32
	var partial bool
	var knew string
	c := &cobra.Command{
		Use:   "export FILE",
		Short: "Print a demo as JSON, one line per tick",
		Long: `Prints a demo as JSON, one line per tick. With --knew it is what one player was
told: only the subjects disclosed to it at that tick, as they were disclosed, the
doors in its reach, and what it heard; nothing else of the match is in it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, done, err := openDemo(args[0])
			if err != nil {
				return err
			}
			defer done()
			if err := whole(args[0], r, partial); err != nil {
				return err
			}
			if err := exportDemo(cmd.OutOrStdout(), r, from, to, knew); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			i := r.Info()
			if err := i.Cut(); err != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", args[0], err)
			}
			return nil
		},
	}
	c.Flags().Uint32Var(&from, "from", 0, "first tick")
	c.Flags().Uint32Var(&to, "to", 1<<32-1, "last tick")
	c.Flags().BoolVar(&partial, "partial", false, "print what is whole of a demo that was cut off")
	c.Flags().StringVar(&knew, "knew", "", "print only what this player (a name or an id) was told")
	return c
}

func exportDemo(out io.Writer, r *demo.Reader, from, to state.Tick, knew string) error {
	var who state.ID
	if knew != "" {
		var err error
		if who, err = r.Who(knew); err != nil {
			return err
		}
		if i := r.Info(); i.Client != 0 && i.Client != who {
			return fmt.Errorf("only player %d recorded this demo, and what others were told is not in it", i.Client)
		}
	}
	if from > r.Info().Last {
		return nil
	}
	if err := r.Seek(from); err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	var f demo.Frame
	for {
		err := r.Next(&f)
		if errors.Is(err, io.EOF) || err == nil && f.Tick > to {
			return w.Flush()
		}
		switch {
		case err != nil:
		case knew == "":
			err = writeLine(w, tickOf(&f))
		default:
			err = writeLine(w, knewOf(&f, who))
		}
		if err != nil {
			w.Flush()
			return err
		}
	}
}

func tickOf(f *demo.Frame) demoTick {
	d := demoTick{
		Tick: f.Tick, Source: f.Source.String(), Entities: []demoEntity{}, Doors: []demoDoor{}, Events: eventsOf(f.Events),
		Viewers: []demoViewer{}, Roster: []demoScore{},
	}
	for i := range f.Entities {
		d.Entities = append(d.Entities, entityOf(&f.Entities[i]))
	}
	for _, s := range f.Doors {
		d.Doors = append(d.Doors, demoDoor(s))
	}
	for i := range f.Viewers {
		v := &f.Viewers[i]
		x := demoViewer{ID: v.ID, Watching: v.Watching, Told: []demoTold{}, Heard: eventsOf(v.Events)}
		for k, t := range v.Told {
			if t.Told {
				x.Told = append(x.Told, demoTold{f.Entities[k].ID, t.Reason.String()})
			}
		}
		d.Viewers = append(d.Viewers, x)
	}
	for _, s := range f.Roster {
		d.Roster = append(d.Roster, demoScore{s.ID, s.Name, s.Bot, s.Team, s.Kills, s.Deaths, s.Points, s.Ping})
	}
	return d
}

func entityOf(e *state.Entity) demoEntity {
	return demoEntity{
		e.ID, uint8(e.Kind), e.Team, e.Weapon, e.Owner, triple(e.Pos.V3()), triple(e.Vel.V3()), e.Yaw.Deg(), e.Pitch.Deg(),
		uint8(e.Pose), e.Health, e.Teleports,
	}
}

// demoKnew is one line of demo export --knew: a tick as one client had it.
type demoKnew struct {
	Tick     state.Tick   `json:"tick"`
	ID       state.ID     `json:"id"`
	Present  bool         `json:"present"` // false: it was told nothing in this tick
	Watching state.ID     `json:"watching,omitempty"`
	Delay    uint16       `json:"delay_ticks,omitempty"` // how late it was told: entities are where they were then
	Own      *demoOwn     `json:"own,omitempty"`
	Entities []demoEntity `json:"entities"`
	Told     []demoTold   `json:"told"`
	Doors    []knownDoor  `json:"doors"`
	Heard    []demoEvent  `json:"heard"`
}

type demoOwn struct {
	Health int16                    `json:"health"`
	Armor  int16                    `json:"armor"`
	Ammo   [state.NumWeapons]uint16 `json:"ammo"`
}

type knownDoor struct {
	Index int `json:"index"`
	demoDoor
}

func knewOf(f *demo.Frame, who state.ID) demoKnew {
	d := demoKnew{Tick: f.Tick, ID: who, Entities: []demoEntity{}, Told: []demoTold{}, Doors: []knownDoor{}, Heard: []demoEvent{}}
	v := f.Viewer(who)
	if v == nil {
		return d
	}
	d.Present, d.Watching = true, v.Watching
	d.Own = &demoOwn{v.Own.Health, v.Own.Armor, v.Own.Ammo}
	known := f.Known(v, nil)
	for i := range known {
		d.Entities = append(d.Entities, entityOf(&known[i]))
	}
	d.Delay = v.Delay
	for i := range v.Late {
		if v.Watching != 0 {
			d.Told = append(d.Told, demoTold{v.Late[i].ID, vis.Spectated.String()})
		}
	}
	for k, t := range v.Told {
		if t.Told && (v.Delay == 0 || v.Watching == 0) {
			d.Told = append(d.Told, demoTold{f.Entities[k].ID, t.Reason.String()})
		}
	}
	for i, s := range f.Doors {
		if i < len(v.Doors) && v.Doors[i] {
			d.Doors = append(d.Doors, knownDoor{i, demoDoor(s)})
		}
	}
	d.Heard = eventsOf(v.Events)
	return d
}

func eventsOf(events []state.Event) []demoEvent {
	out := []demoEvent{}
	for i := range events {
		e := events[i]
		if !e.Pos.IsFinite() {
			e.Pos = vec.V3{}
		}
		out = append(out, demoEvent{uint8(e.Kind), e.Actor, e.Target, e.Weapon, e.Param, triple(e.Pos), e.Only})
	}
	return out
}
