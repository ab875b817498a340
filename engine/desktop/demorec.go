package desktop

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// tape records what the client is told: a demo with one viewer. The recorder writes
// on a goroutine of its own; a disk that is full or hangs ends the recording, never
// a frame.
type tape struct {
	file  *demo.File
	rec   *demo.Recorder
	frame demo.Frame
	heard []state.Event // since the last frame
	fresh bool          // the roster is as the client has it
	level [32]byte
	// version of the tables that the last frame is of: as of the beginning those of the header
	version int
}

// stopWait is how long the end of a recording waits for the disk.
const stopWait = 2 * time.Second

var (
	errAnotherLevel = errors.New("the level has changed")
	errConnection   = errors.New("the connection has ended")
	errTooSlow      = errors.New("the disk does not answer: the demo is not complete")
)

// recordCommands declares record and stop, where the program has a folder for demos.
func (g *game) recordCommands() {
	if g.cfg.DemoFolder == nil {
		return
	}
	g.reg.Command(console.Command{Name: "record", Usage: "NAME", Min: 1, Max: 1, Local: true, Run: g.record,
		Help: "Records what this client is told from now on into a file of the folder demo.folder."})
	g.reg.Command(console.Command{Name: "stop", Local: true, Run: g.stopRecording, Help: "Ends the recording."})
}

func (g *game) record(c *console.Call) error {
	switch {
	case g.show != nil:
		return errors.New("record: a demo is playing")
	case g.tape != nil:
		return fmt.Errorf("%s is being recorded already: stop it first", g.tape.file.Name())
	case g.client == nil || g.client.State() != client.Playing || g.client.TickRate() == 0:
		return errors.New("record: not in a match yet")
	}
	folder := g.cfg.DemoFolder()
	file, err := demo.Create(folder, c.Args[0])
	if err != nil {
		return fmt.Errorf("record: demo.folder %s: %w", folder, err)
	}
	l := g.client.Level().Level
	head := demo.Header{
		Level: l.Name, LevelHash: l.Hash, TablesHash: g.client.Tables().Hash(), TickRate: g.client.TickRate(),
		Server: g.client.Server(), Client: g.client.ID(),
	}
	rec, err := demo.NewRecorder(g.cfg.writer(file), head, demo.Options{})
	if err != nil {
		file.Close()
		return err
	}
	g.tape = &tape{file: file, rec: rec, level: l.Hash, version: g.client.Tables().Version}
	if _, ok := g.cfg.Tables(head.TablesHash); !ok {
		g.tape.version = 0 // nobody has them by their hash
	}
	c.Printf("recording %s\n", file.Name())
	return nil
}

func (g *game) stopRecording(c *console.Call) error {
	if g.tape == nil {
		return errors.New("nothing is being recorded")
	}
	g.tape.rec.Stop(nil)
	g.endTape(c.Out)
	return nil
}

// endTape waits a while for what was recorded to be written, closes the file and
// says what came of it.
func (g *game) endTape(out io.Writer) {
	t := g.tape
	if t == nil {
		return
	}
	timer := time.NewTimer(stopWait)
	defer timer.Stop()
	select {
	case <-t.rec.Done():
	case <-timer.C:
		g.tape = nil // its goroutine is left to the disk
		fmt.Fprintf(out, "%s: %v\n", t.file.Name(), errTooSlow)
		return
	}
	g.closeTape(out)
}

// mindTape notices that the recording has ended by itself, once a frame.
func (g *game) mindTape() {
	if g.tape == nil {
		return
	}
	if g.client.State() == client.Gone {
		g.tape.rec.Stop(errConnection)
	}
	select {
	case <-g.tape.rec.Done():
		g.closeTape(g.overlay)
	default:
	}
}

func (g *game) closeTape(out io.Writer) {
	t := g.tape
	g.tape = nil
	n, why := t.rec.Close()
	kept, err := t.file.Close()
	said := t.file.Name() + ": nothing was recorded, so there is no file"
	if kept {
		said = fmt.Sprintf("%s: %d snapshots recorded", t.file.Name(), n)
	}
	if why == nil {
		why = err
	}
	if why != nil {
		said += "; recording ended: " + why.Error()
		g.log.Warn("recording ended by itself", "demo", t.file.Name(), "reason", why)
		g.status.notice(said, demoAccent)
	}
	fmt.Fprintln(out, said)
}

// news takes what the server says beside snapshots.
func (t *tape) news(m wire.Message) {
	switch m := m.(type) {
	case *wire.Welcome:
		// The same level at a later tick: the client is back after an outage.
		t.fresh = false
		if m.LevelHash != t.level || int32(m.Tick-t.frame.Tick) < 0 || t.frame.Tick != 0 && m.ID != t.frame.Viewers[0].ID {
			t.rec.Stop(errAnotherLevel)
		}
	case *wire.Player, *wire.Gone, *wire.Scores:
		t.fresh = false
	}
}

// snapshot records what a client has been sent.
func (t *tape) snapshot(c *client.Client, s *snapshot.Snapshot) {
	for i := range s.Events {
		if len(t.heard) < demo.MaxEvents {
			t.heard = append(t.heard, s.Events[i].Event)
		}
	}
	f := &t.frame
	if s.Late || f.Tick != 0 && int32(s.Tick-f.Tick) <= 0 {
		return
	}
	f.Tick, f.Source = s.Tick, vis.Source(0)
	if set := c.TablesAt(s.Tick); set.Version != t.version {
		t.version = set.Version
		f.Tables = append(f.Tables[:0], wire.TablesBlob(set)...)
	}
	if !t.fresh {
		t.fresh = true
		t.roster(c)
	}
	if f.Viewers == nil {
		f.Viewers = make([]demo.Viewer, 1)
	}
	v := &f.Viewers[0]
	v.ID, v.Watching, v.Own = c.ID(), s.Own.Watching, demo.OwnOf(&s.Own.Player)
	f.Entities, v.Told = f.Entities[:0], v.Told[:0]
	if e := demo.EntityOf(c.ID(), &s.Own.Player); e.Kind != state.KindNone {
		f.Entities, v.Told = append(f.Entities, e), append(v.Told, demo.Told{})
	}
	for i := range s.Entities {
		it := &s.Entities[i]
		if len(f.Entities) == demo.MaxSubjects {
			break
		}
		told := demo.Told{Told: true}
		switch {
		case it.ID == s.Own.Watching:
			told.Reason = vis.Spectated
		case it.Team != 0 && it.Team == s.Own.Player.Team && it.Kind == state.KindPlayer:
			told.Reason = vis.Teammate
		}
		f.Entities, v.Told = append(f.Entities, asOf(it, s.Tick, c.TickRate())), append(v.Told, told)
	}
	f.Doors = append(f.Doors[:0], s.Doors[:min(len(s.Doors), demo.MaxDoors)]...)
	f.Pieces = append(f.Pieces[:0], s.Pieces[:min(len(s.Pieces), demo.MaxPieces)]...)
	v.Doors = v.Doors[:0]
	for i := range f.Doors {
		v.Doors = append(v.Doors, f.Doors[i] != state.DoorState{})
	}
	f.Events = append(f.Events[:0], t.heard...)
	v.Events = append(v.Events[:0], t.heard...)
	t.heard = t.heard[:0]
	t.rec.Put(f)
}

// asOf is a subject at the tick of a snapshot that may not have mentioned it: carried
// on as the client draws it.
func asOf(it *snapshot.Item, tick state.Tick, rate int) state.Entity {
	e := it.Entity
	if by := int32(tick - it.Tick); by > 0 && by < 1<<16 && e.Kind != state.KindPickup && e.Kind != state.KindCorpse {
		b := e.Body()
		e.Pos = state.Quant(state.Carry(&b, by*256, rate).Pos)
	}
	return e
}

// roster notes who is in the match, as far as the client knows.
func (t *tape) roster(c *client.Client) {
	rows := t.frame.Roster[:0]
	for id := state.ID(1); id <= state.MaxPlayers; id++ {
		if p, ok := c.Player(id); ok {
			rows = append(rows, state.Score{ID: id, Team: p.Team, Bot: p.Bot, Name: p.Name})
		}
	}
	for _, s := range c.Scores() {
		for i := range rows {
			if rows[i].ID == s.ID {
				rows[i] = s
			}
		}
	}
	t.frame.Roster = rows
}
