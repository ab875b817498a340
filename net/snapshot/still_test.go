package snapshot_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// Whoever is held out of sight (vis.NoNews) is told of no place newer than the last that
// was needed: not while packets are lost, not when the base is lost and everything is
// sent anew, and not when all packets were lost that held the needed place.
func TestTheHeldAreToldOfNoNewerPlace(t *testing.T) {
	t.Run("known", func(t *testing.T) {
		p := newPair(t, 6)
		p.deliver()
		s := p.deliver()
		was := map[state.ID]state.Q{}
		for i := range s.Entities {
			was[s.Entities[i].ID] = s.Entities[i].Pos
		}
		if len(was) != 6 {
			t.Fatalf("%d of 6 are told of", len(was))
		}
		p.w.every = vis.NoNews
		for n := range 120 {
			p.wander()
			switch {
			case n == 60: // the client has lost what it had
				p.enc.Reset()
				p.dec = snapshot.NewDecoder(64)
			case n%3 == 2: // lost on the way
				p.send()
				p.enc.Lost(p.seq)
				continue
			}
			s := p.deliver()
			if n < 60 && len(s.Entities) != 6 {
				t.Fatalf("tick %d: of 6 who are held the client has %d", n, len(s.Entities))
			}
			for i := range s.Entities {
				if e := &s.Entities[i]; e.Pos != was[e.ID] {
					t.Fatalf("tick %d: %d is told to be at %v, and was at %v when it was last needed", n, e.ID, e.Pos, was[e.ID])
				}
			}
			if n > 60 && s.Complete {
				t.Fatal("the snapshot says that nobody else is there")
			}
		}
		p.comeBack()
	})
	t.Run("never arrived", func(t *testing.T) {
		p := newPair(t, 6)
		p.w.every = vis.NoNews
		for i := range p.w.shown {
			p.w.shown[i] = false
		}
		p.deliver()
		for i := range p.w.shown {
			p.w.shown[i] = true
		}
		p.w.every = 0
		p.send() // the reveal
		p.enc.Lost(p.seq)
		p.w.every = vis.NoNews
		for n := range 120 {
			p.wander()
			if s := p.deliver(); len(s.Entities) != 0 {
				t.Fatalf("tick %d: %d are told of, by where they are now", n, len(s.Entities))
			}
		}
		p.comeBack()
	})
}

// wander moves everybody.
func (p *pair) wander() {
	for i := range p.w.ents {
		p.w.ents[i].Pos.Y += 77
	}
}

// comeBack wants everybody told of where they are, in the tick in which they are needed.
func (p *pair) comeBack() {
	p.t.Helper()
	p.w.every = 0
	p.wander()
	s := p.deliver()
	for i := range p.w.ents {
		if i >= len(s.Entities) || s.Entities[i].Pos != p.w.ents[i].Pos {
			p.t.Fatalf("who is needed again is not told of: %d of %d", len(s.Entities), len(p.w.ents))
		}
	}
}
