package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// newDemo returns the demo subcommands.
func newDemo() *cobra.Command {
	c := &cobra.Command{Use: "demo", Short: "Look into a recorded match (.sldemo)"}
	c.AddCommand(newDemoInfo(), newDemoExport())
	return c
}

// openDemo opens a demo; done closes it.
func openDemo(name string) (r *demo.Reader, done func() error, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = errors.New("not a file")
	}
	if err == nil {
		r, err = demo.Open(f, st.Size())
	}
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, f.Close, nil
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
}

func newDemoInfo() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "Say what a demo is of, and whether it is whole",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, done, err := openDemo(args[0])
			if err != nil {
				return err
			}
			defer done()
			i := r.Info()
			d := demoInfo{
				i.Level, hex.EncodeToString(i.LevelHash[:]), hex.EncodeToString(i.TablesHash[:]), hex.EncodeToString(i.Schema[:]),
				i.Server, i.TickRate, i.Seed, i.First, i.Last, i.Frames, i.Keyframes, i.Seconds(), i.Truncated,
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), d)
			}
			d.print(cmd.OutOrStdout())
			return nil
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
	if d.Truncated {
		line("cut off", "the file has no index or is damaged after tick %d; it plays up to there", d.Last)
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
	c := &cobra.Command{
		Use:   "export FILE",
		Short: "Print a demo as JSON, one line per tick",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, done, err := openDemo(args[0])
			if err != nil {
				return err
			}
			defer done()
			if err := exportDemo(cmd.OutOrStdout(), r, from, to); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if i := r.Info(); i.Truncated {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: the file was cut off or is damaged after tick %d\n", args[0], i.Last)
			}
			return nil
		},
	}
	c.Flags().Uint32Var(&from, "from", 0, "first tick")
	c.Flags().Uint32Var(&to, "to", 1<<32-1, "last tick")
	return c
}

func exportDemo(out io.Writer, r *demo.Reader, from, to state.Tick) error {
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
		if err == nil {
			err = writeLine(w, tickOf(&f))
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
		e := &f.Entities[i]
		d.Entities = append(d.Entities, demoEntity{
			e.ID, uint8(e.Kind), e.Team, e.Weapon, e.Owner, triple(e.Pos.V3()), triple(e.Vel.V3()), e.Yaw.Deg(), e.Pitch.Deg(),
			uint8(e.Pose), e.Health, e.Teleports,
		})
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
