package server

import (
	"fmt"
	"strconv"

	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
)

// Shot is the record of one shot: what the simulation decided and what the server
// had measured of the shooter's line. Times are in 256ths of a tick.
type Shot struct {
	sim.ShotRecord
	View256   int64 // what the command claimed, future below 0
	Limit256  uint32
	RTT256    uint32
	Buffer256 uint32
	Interp256 uint32
	Late256   uint32 // of Near, beside Interp256
	Starved   bool   // the command was made up
	Cheated   bool   // the claimed time cannot be
}

// Clamped reports whether the claim was more than the line explains.
func (s *Shot) Clamped() bool { return s.View256 > int64(s.Limit256) }

// Evidence reports whether the shot hit somebody whom its shooter's client did not
// show, or was kept from it.
func (s *Shot) Evidence() bool { return s.Why == sim.WhyUnshown || s.Refused != 0 }

const (
	shotsKept    = 4096
	evidenceKept = 512
	// evidenceEveryNS bounds what is logged of it.
	evidenceEveryNS = 200_000_000
)

// shotRing keeps the newest records, as many as its memory holds.
type shotRing struct {
	ring []Shot
	n    int
}

func (r *shotRing) put(s *Shot) {
	r.ring[r.n%len(r.ring)] = *s
	r.n++
}

// each calls f from old to new.
func (r *shotRing) each(f func(*Shot)) {
	for i := max(r.n-len(r.ring), 0); i < r.n; i++ {
		f(&r.ring[i%len(r.ring)])
	}
}

// record files the shots of the tick.
func (s *Server) record() {
	shots := s.match.sim.LastShots()
	for i := range shots {
		sh := &s.shot // not on the stack: it is handed on
		*sh = Shot{ShotRecord: shots[i]}
		if c := s.byID(sh.Shooter); c != nil {
			l := &c.lag
			sh.View256, sh.Limit256 = l.claimed, uint32(l.limit)
			sh.RTT256 = uint32(float64(c.rttNS) / s.tickNS * 256)
			sh.Buffer256, sh.Interp256 = uint32(l.buffer*256), uint32(l.shownI)
			sh.Late256 = s.match.sim.Seen().Delay(sh.Shooter, sh.Near, sh.View.Tick)
			sh.Starved, sh.Cheated = c.cmds.missed > 0, c.badView(s.tickNS)
		}
		s.shotLog.put(sh)
		if h := s.cfg.Hooks.Shot; h != nil {
			h(sh)
		}
		if sh.Evidence() {
			s.evidence.put(sh)
			if s.lastNow-s.evidenceAt >= evidenceEveryNS || s.evidenceAt == 0 {
				s.evidenceAt = s.lastNow
				s.log.Info("shot at somebody not shown", "text", s.Explain(sh))
			}
		}
	}
}

// Shots appends the newest records to dst, oldest first: of shots by, at or close
// past one player, or, with 0, of all. At most most of them.
func (s *Server) Shots(dst []Shot, of state.ID, most int) []Shot {
	return s.shotLog.last(dst, of, most)
}

// Evidence appends the newest records of shots at players whom the shooter's client
// did not show.
func (s *Server) Evidence(dst []Shot, of state.ID, most int) []Shot {
	return s.evidence.last(dst, of, most)
}

func (r *shotRing) last(dst []Shot, of state.ID, most int) []Shot {
	from := len(dst)
	r.each(func(sh *Shot) {
		if of == 0 || sh.Shooter == of || sh.Target == of || sh.Refused == of {
			dst = append(dst, *sh)
		}
	})
	if n := len(dst) - from - max(most, 0); n > 0 {
		dst = append(dst[:from], dst[from+n:]...)
	}
	return dst
}

// ByName returns the player with a name.
func (s *Server) ByName(name string) (state.ID, bool) {
	for _, c := range s.conns {
		if c != nil && c.joined && c.name == name {
			return c.id, true
		}
	}
	return 0, false
}

// Name returns a player's name, or its number when it has left.
func (s *Server) Name(id state.ID) string {
	if c := s.byID(id); c != nil && c.joined {
		return c.name
	}
	return fmt.Sprintf("player %d", id)
}

// ms is a time of 256ths of a tick in words.
func (s *Server) ms(v256 int64) string {
	return strconv.FormatFloat(float64(v256)/256*s.tickNS/1e6, 'f', 0, 64)
}

// Explain says what became of a shot, in a sentence or two.
func (s *Server) Explain(sh *Shot) string {
	set := &s.match.Tables
	b := fmt.Appendf(nil, "tick %d: %s", sh.Tick, s.Name(sh.Shooter))
	if int(sh.Weapon) < len(set.Weapons) {
		b = fmt.Appendf(b, " (%s)", set.Weapons[sh.Weapon].Name)
	}
	switch sh.Result {
	case sim.ShotPlayer:
		b = fmt.Appendf(b, " hit %s", s.Name(sh.Target))
		if sh.Part != hitbox.None {
			b = fmt.Appendf(b, ", %s, for %d", sh.Part, sh.Damage)
		}
		if sh.Killed {
			b = fmt.Append(b, ", who died of it")
		}
		if sh.Why == sim.WhyDead || sh.Why == sim.WhyInvulnerable {
			b = fmt.Appendf(b, ", who %s", sh.Why)
		}
	case sim.ShotGone:
		b = fmt.Appendf(b, " hit %s, who %s", s.Name(sh.Target), sh.Why)
	case sim.ShotFlies:
		b = fmt.Append(b, " fired a projectile")
	default:
		b = fmt.Append(b, " missed")
		switch {
		case sh.Why == sim.WhyRefused:
			b = fmt.Appendf(b, ": a hit on %s was refused", s.Name(sh.Refused))
		case sh.Near != 0 && sh.Why == sim.WhyBlocked:
			b = fmt.Appendf(b, ": the level stood before %s", s.Name(sh.Near))
		case sh.Near != 0:
			b = fmt.Appendf(b, ": %.2f m from the middle of %s", sh.NearGap, s.Name(sh.Near))
		default:
			b = fmt.Appendf(b, ": %s", sh.Why)
		}
	}
	b = fmt.Appendf(b, ". Tested %s ms ago", s.ms(int64(sh.Used256)))
	switch {
	case sh.View256 < 0:
		b = fmt.Append(b, " although it claims to have seen the future")
	case sh.Clamped():
		b = fmt.Appendf(b, " though it claims %s ms: the line explains %s", s.ms(sh.View256), s.ms(int64(sh.Limit256)))
	case sh.Capped:
		b = fmt.Appendf(b, " though it saw %s ms ago: that is the cap", s.ms(int64(sh.Claimed256)))
	}
	b = fmt.Appendf(b, " (round trip %s, buffer %s, interpolation %s", s.ms(int64(sh.RTT256)), s.ms(int64(sh.Buffer256)), s.ms(int64(sh.Interp256)))
	if sh.Late256 != 0 {
		b = fmt.Appendf(b, " and %s for one sent rarely", s.ms(int64(sh.Late256)))
	}
	b = append(b, ')')
	if sh.Near != 0 {
		b = fmt.Appendf(b, "; on its screen %s was %s", s.Name(sh.Near), sh.Sight)
		if sh.Short {
			b = fmt.Append(b, ", longer ago than the cap allows")
		}
	}
	if sh.Smoked {
		b = fmt.Append(b, "; it was fired through smoke")
	}
	if sh.Replayed {
		b = fmt.Append(b, "; its shooter had been thrown and did not know it yet")
	}
	if sh.Starved {
		b = fmt.Append(b, "; the command was made up")
	}
	return string(append(b, '.'))
}

// AppendJSON appends a record as one line of JSON, without names.
func (sh *Shot) AppendJSON(b []byte) []byte {
	num := func(key string, v int64) {
		b = append(append(append(b, ',', '"'), key...), '"', ':')
		b = strconv.AppendInt(b, v, 10)
	}
	text := func(key, v string) {
		b = append(append(append(b, ',', '"'), key...), '"', ':', '"')
		b = append(append(b, v...), '"')
	}
	flag := func(key string, v bool) {
		if v {
			b = append(append(append(b, ',', '"'), key...), `":true`...)
		}
	}
	float := func(key string, v float32) {
		b = append(append(append(b, ',', '"'), key...), '"', ':')
		b = strconv.AppendFloat(b, float64(v), 'f', 3, 32)
	}
	b = append(b, `{"tick":`...)
	b = strconv.AppendUint(b, uint64(sh.Tick), 10)
	num("shooter", int64(sh.Shooter))
	num("weapon", int64(sh.Weapon))
	num("seq", int64(sh.Seq))
	text("result", sh.Result.String())
	text("why", sh.Why.String())
	if sh.Target != 0 {
		num("target", int64(sh.Target))
		text("part", sh.Part.String())
		num("damage", int64(sh.Damage))
	}
	flag("killed", sh.Killed)
	if sh.Near != 0 {
		num("near", int64(sh.Near))
		float("near_gap_m", sh.NearGap)
		text("near_shown", sh.Sight.String())
	}
	if sh.Refused != 0 {
		num("refused", int64(sh.Refused))
	}
	num("claimed_256", sh.View256)
	num("limit_256", int64(sh.Limit256))
	num("used_256", int64(sh.Used256))
	num("rtt_256", int64(sh.RTT256))
	num("buffer_256", int64(sh.Buffer256))
	num("interp_256", int64(sh.Interp256))
	num("late_256", int64(sh.Late256))
	flag("capped", sh.Capped)
	flag("short", sh.Short)
	flag("starved", sh.Starved)
	flag("replayed", sh.Replayed)
	flag("smoked", sh.Smoked)
	flag("impossible", sh.Cheated)
	flag("evidence", sh.Evidence())
	return append(b, '}', '\n')
}
