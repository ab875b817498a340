package server

import (
	"time"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
)

// Ledger adds what a ledger is made of to hooks. of returns the ledger of the present
// level, nil for none; it is asked on the server's goroutine, often. A ledger is begun
// anew with each level, in h.Level, because ticks are.
//
// Of shots the ledger is told of those that hit a player, or one who had gone, and of
// all that are evidence.
func Ledger(h Hooks, of func() *ledger.Writer) Hooks {
	l := &ledgered{}
	was := h
	h.Level = func(m *Match) {
		if was.Level != nil {
			was.Level(m)
		}
		l.set = m.Tables
	}
	h.Tables = func(from state.Tick, set *tables.Set, changed []tables.Value) {
		if w := of(); w != nil {
			for _, v := range changed {
				w.Table(v.Name, v.To, set.Version)
			}
		}
		l.set = *set
		if was.Tables != nil {
			was.Tables(from, set, changed)
		}
	}
	h.Scores = func(rows []state.Score) {
		if w := of(); w != nil {
			for i := range rows {
				w.Name(rows[i].ID, rows[i].Name, rows[i].Bot)
			}
		}
		if was.Scores != nil {
			was.Scores(rows)
		}
	}
	h.Left = func(id state.ID, name, reason string) {
		if w := of(); w != nil {
			w.Left(id, reason)
		}
		if was.Left != nil {
			was.Left(id, name, reason)
		}
	}
	h.Shot = func(sh *Shot) {
		if w := of(); w != nil && (sh.Evidence() || sh.Result == sim.ShotPlayer || sh.Result == sim.ShotGone) {
			l.take(sh)
			w.Shot(sh.Shooter, &l.shot)
		}
		if was.Shot != nil {
			was.Shot(sh)
		}
	}
	h.Decided = func(in *vis.Input, ans *vis.Answer) {
		if w := of(); w != nil {
			w.Decided(in, ans)
		}
		if was.Decided != nil {
			was.Decided(in, ans)
		}
	}
	h.View = func(v *vis.View) {
		if w := of(); w != nil {
			w.Replayed(v)
		}
		if was.View != nil {
			was.View(v)
		}
	}
	h.Packet = func(viewer state.ID, seq uint64, ids []state.ID) {
		if w := of(); w != nil {
			w.Packet(viewer, seq, ids)
		}
		if was.Packet != nil {
			was.Packet(viewer, seq, ids)
		}
	}
	h.Acked = func(viewer state.ID, seq uint64, lost bool) {
		if w := of(); w != nil {
			w.Acked(viewer, seq, lost)
		}
		if was.Acked != nil {
			was.Acked(viewer, seq, lost)
		}
	}
	h.Reveal = func(viewer, target state.ID, seq uint64, sentAt state.Tick, m ledger.Claim) {
		if w := of(); w != nil {
			w.Report(viewer, target, seq, sentAt, m)
		}
		if was.Reveal != nil {
			was.Reveal(viewer, target, seq, sentAt, m)
		}
	}
	h.TickDone = func(tick state.Tick, took time.Duration) {
		if w := of(); w != nil {
			w.Done(tick)
		}
		if was.TickDone != nil {
			was.TickDone(tick, took)
		}
	}
	return h
}

// ledgered is the memory of the hooks.
type ledgered struct {
	set  tables.Set
	shot ledger.Shot
}

// take puts a shot into the ledger's words.
func (l *ledgered) take(sh *Shot) {
	l.shot = ledger.Shot{
		Target: sh.Target, Near: sh.Near, Refused: sh.Refused,
		Result: sh.Result.String(), Why: sh.Why.String(),
		Damage: sh.Damage, Killed: sh.Killed, Evidence: sh.Evidence(),
		Claimed256: sh.View256, Used256: sh.Used256, Limit256: sh.Limit256,
	}
	if int(sh.Weapon) < len(l.set.Weapons) {
		l.shot.Weapon = l.set.Weapons[sh.Weapon].Name
	}
	if sh.Near != 0 {
		l.shot.Shown = sh.Sight.String()
	}
}

// packed reports the packet just made, for whoever wants to know.
func (s *Server) packed(c *conn, seq uint64) {
	h := s.cfg.Hooks.Packet
	if h == nil {
		return
	}
	s.packOf = s.packOf[:0]
	for i := range c.view.Entities() {
		id := c.view.Entities()[i].ID
		if updated, _, _ := c.enc.Told(seq, id); updated {
			s.packOf = append(s.packOf, id)
		}
	}
	h(c.id, seq, s.packOf)
}
