package demo

import (
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

// Limits of one frame.
const (
	MaxSubjects = state.MaxPlayers + state.MaxThings
	MaxViewers  = state.MaxPlayers
	MaxDoors    = 4096
	MaxPieces   = 4096
	MaxEvents   = 4096
	MaxHeard    = 1 << 16 // events told to all viewers together
	MaxLate     = 1 << 14 // subjects told to all late spectators together
)

// Frame is the world at one tick and who was told what of it. Its memory is
// reused by the next call that fills it.
type Frame struct {
	Tick     state.Tick
	Source   vis.Source     // who decided what viewers were told
	Entities []state.Entity // everybody and everything
	Doors    []state.DoorState
	Pieces   []state.Piece // every viewer is told of all of them
	Events   []state.Event // rounded as on the wire, with Only
	Roster   []state.Score // who is in the match, and their scores
	Viewers  []Viewer
	// Tables are those of the tick, as wire.TablesBlob, where they are not those of the
	// Header's hash: rules, or who runs the server, had changed them.
	Tables []byte
}

// Viewer is what one client was told of a tick.
type Viewer struct {
	ID       state.ID
	Watching state.ID // whom it spectated; 0 nobody
	Own      Own
	Told     []Told // parallel to Frame.Entities; its own body is not in it
	// Delay is how late it was told, in ticks: 0 for who plays, a spectator's otherwise.
	// Late is then what it was told, as it was so many ticks ago.
	Delay  uint16
	Late   []state.Entity
	Doors  []bool // parallel to Frame.Doors
	Events []state.Event
}

// Own is what a client is told of itself that others are not.
type Own struct {
	Health, Armor int16
	Owned         uint8 // bit per weapon
	Ammo          [state.NumWeapons]uint16
	Blind         uint16 // ticks for which a flash is still on its eyes
}

// OwnOf returns the part of a player's state that a demo keeps for itself.
func OwnOf(p *state.Player) Own {
	return Own{Health: p.Health, Armor: p.Armor, Owned: p.Owned, Ammo: p.Ammo, Blind: p.Blind}
}

// Told says whether a viewer was told of a subject, why, and how often.
type Told struct {
	Told     bool
	Reason   vis.Reason
	Interval uint8
}

// Find returns the index of the entity with an id, −1 when there is none.
func (f *Frame) Find(id state.ID) int {
	return slices.IndexFunc(f.Entities, func(e state.Entity) bool { return e.ID == id })
}

// Viewer returns what the client with an id was told, nil when it was told
// nothing.
func (f *Frame) Viewer(id state.ID) *Viewer {
	for i := range f.Viewers {
		if f.Viewers[i].ID == id {
			return &f.Viewers[i]
		}
	}
	return nil
}

// Known appends to dst what the viewer was told of, as it was told it, and its own
// body.
func (f *Frame) Known(v *Viewer, dst []state.Entity) []state.Entity {
	if v.Delay != 0 {
		if k := f.Find(v.ID); k >= 0 {
			dst = append(dst, f.Entities[k])
		}
		return append(dst, v.Late...)
	}
	told := func(id state.ID) bool {
		k := f.Find(id)
		return id == v.ID || k >= 0 && k < len(v.Told) && v.Told[k].Told
	}
	for i := range f.Entities {
		e := f.Entities[i]
		if e.ID == v.ID {
			dst = append(dst, e)
			continue
		}
		if i >= len(v.Told) || !v.Told[i].Told {
			continue
		}
		if r := v.Told[i].Reason; r != vis.Teammate && r != vis.Spectated {
			e.Health = 0
		}
		if e.Owner != 0 && !told(e.Owner) {
			e.Owner = 0
		}
		dst = append(dst, e)
	}
	return dst
}

// copyFrom makes f a copy of g in f's own memory.
func (f *Frame) copyFrom(g *Frame) {
	f.Tick, f.Source = g.Tick, g.Source
	f.Entities = append(f.Entities[:0], g.Entities...)
	f.Doors = append(f.Doors[:0], g.Doors...)
	f.Pieces = append(f.Pieces[:0], g.Pieces...)
	f.Events = append(f.Events[:0], g.Events...)
	f.Roster = append(f.Roster[:0], g.Roster...)
	f.Tables = append(f.Tables[:0], g.Tables...)
	f.Viewers = grow(f.Viewers, len(g.Viewers))
	for i := range g.Viewers {
		v, w := &f.Viewers[i], &g.Viewers[i]
		v.ID, v.Watching, v.Own = w.ID, w.Watching, w.Own
		v.Told = append(v.Told[:0], w.Told...)
		v.Delay, v.Late = w.Delay, append(v.Late[:0], w.Late...)
		v.Doors = append(v.Doors[:0], w.Doors...)
		v.Events = append(v.Events[:0], w.Events...)
	}
}

// grow returns s with n elements, keeping the memory inside those it had.
func grow[T any](s []T, n int) []T {
	s = s[:cap(s)]
	for len(s) < n {
		var zero T
		s = append(s, zero)
	}
	return s[:n]
}

// begin fills the world's part of f.
func (f *Frame) begin(in *vis.Input, g *vis.Frame, ans *vis.Answer) {
	f.Tick, f.Source = g.Tick, ans.Source
	f.Entities = append(f.Entities[:0], g.Entities[:min(len(g.Entities), MaxSubjects)]...)
	for i := range f.Entities {
		f.Entities[i].ID, f.Entities[i].Kind = in.Subjects[i].ID, in.Subjects[i].Kind
	}
	f.Doors = append(f.Doors[:0], g.Doors[:min(len(g.Doors), MaxDoors)]...)
	f.Pieces = append(f.Pieces[:0], g.Pieces[:min(len(g.Pieces), MaxPieces)]...)
	f.Events = f.Events[:0]
	for i := range g.Events[:min(len(g.Events), MaxEvents)] {
		e := wire.Rounded(&g.Events[i])
		e.Only = g.Events[i].Only
		f.Events = append(f.Events, e)
	}
	f.Viewers = f.Viewers[:0]
}

// told adds what a View holds.
func (f *Frame) told(v *vis.View) {
	if len(f.Viewers) == MaxViewers {
		return
	}
	f.Viewers = grow(f.Viewers, len(f.Viewers)+1)
	w := &f.Viewers[len(f.Viewers)-1]
	w.ID, w.Watching, w.Own = v.Own().ID, v.Own().Watching, OwnOf(&v.Own().Player)
	w.Told = grow(w.Told, len(f.Entities))
	clear(w.Told)
	k := 0
	for _, e := range v.Entities() { // both are nearly in order
		for range f.Entities {
			if k = k % len(f.Entities); f.Entities[k].ID == e.ID {
				w.Told[k] = Told{true, e.Reason, e.Interval}
				break
			}
			k++
		}
	}
	w.Delay, w.Late = v.Own().Delay, w.Late[:0]
	if w.Delay != 0 {
		left := MaxLate
		for i := range f.Viewers[:len(f.Viewers)-1] {
			left -= len(f.Viewers[i].Late)
		}
		for i := range v.Entities()[:min(len(v.Entities()), left)] {
			w.Late = append(w.Late, v.Entities()[i].Entity)
		}
	}
	w.Doors = grow(w.Doors, len(f.Doors))
	clear(w.Doors)
	for _, d := range v.Doors() {
		if d.Index >= 0 && d.Index < len(w.Doors) {
			w.Doors[d.Index] = true
		}
	}
	w.Events = w.Events[:0]
	room := MaxHeard
	for i := range f.Viewers[:len(f.Viewers)-1] {
		room -= len(f.Viewers[i].Events)
	}
	for i := range v.Events()[:min(len(v.Events()), MaxEvents, room)] {
		w.Events = append(w.Events, wire.Rounded(&v.Events()[i]))
	}
}
