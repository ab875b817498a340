package ledger

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

var errRecord = errors.New("a record cannot be read")

// code walks records in the order of the file and writes or reads them, so that the
// two cannot disagree.
type code struct {
	write bool
	buf   []byte // written to, or left to read
	err   error
}

type whole interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// num codes a number of at most most.
func num[T whole](c *code, v *T, most uint64) {
	if c.write {
		c.buf = binary.AppendUvarint(c.buf, uint64(*v))
		return
	}
	u, n := binary.Uvarint(c.buf)
	if n <= 0 || u > most {
		c.err, c.buf = errRecord, nil
		*v = 0
		return
	}
	*v, c.buf = T(u), c.buf[n:]
}

// signed codes a number that may be below zero.
func signed[T ~int32 | ~int64](c *code, v *T) {
	u := uint64(*v)<<1 ^ uint64(int64(*v)>>63)
	num(c, &u, 1<<64-1)
	*v = T(int64(u>>1) ^ -int64(u&1))
}

// flags codes eight facts at most.
func flags(c *code, fs ...*bool) {
	var u uint8
	for i, f := range fs {
		if *f {
			u |= 1 << i
		}
	}
	num(c, &u, 1<<len(fs)-1)
	for i, f := range fs {
		*f = u>>i&1 != 0
	}
}

func (c *code) text(s *string, most int) {
	n := uint32(min(len(*s), most))
	num(c, &n, uint64(most))
	if c.write {
		c.buf = append(c.buf, (*s)[:n]...)
		return
	}
	if int(n) > len(c.buf) {
		c.err, c.buf = errRecord, nil
		*s = ""
		return
	}
	*s, c.buf = wire.Clean(string(c.buf[:n]), most), c.buf[n:]
}

func (c *code) raw(p []byte) {
	if c.write {
		c.buf = append(c.buf, p...)
		return
	}
	if len(c.buf) < len(p) {
		c.err, c.buf = errRecord, nil
		clear(p)
		return
	}
	copy(p, c.buf)
	c.buf = c.buf[len(p):]
}

// player codes the id of a viewer.
func (c *code) player(id *state.ID) { num(c, id, state.MaxPlayers) }

func (c *code) target(id *state.ID) { num(c, id, uint64(idSpace-1)) }

func (c *code) reason(r *vis.Reason) { num(c, r, uint64(vis.NumReasons-1)) }

const any32 = 1<<32 - 1

// record codes r, whose tick counts from prev.
func (c *code) record(r *Record, prev state.Tick) {
	num(c, &r.Kind, uint64(numKinds-1))
	since := r.Tick - prev
	num(c, &since, any32)
	r.Tick = prev + since
	switch r.Kind {
	case Begin:
		c.pair(r)
		num(c, &r.Subject, 255)
		c.reason(&r.Reason)
	case Change:
		c.pair(r)
		c.reason(&r.Reason)
	case End:
		c.pair(r)
		num(c, &r.Cause, uint64(NumCauses-1))
		num(c, &r.Seq, 1<<64-1)
		num(c, &r.Packets, any32)
	case Sent, Arrived:
		c.pair(r)
		num(c, &r.Seq, 1<<64-1)
	case Source:
		num(c, &r.Who, uint64(vis.FromFallback))
	case Name:
		c.player(&r.Viewer)
		flags(c, &r.Bot)
		c.text(&r.Text, MaxText)
	case Left:
		c.player(&r.Viewer)
		c.text(&r.Text, MaxText)
	case Gap:
		num(c, &r.Count, any32)
		num(c, &r.Items, any32)
	case Carry:
		c.carry(r)
	case Fired:
		c.player(&r.Viewer)
		c.shot(&r.Shot)
	case Sample:
		c.pair(r)
		c.reason(&r.Reason)
		num(c, &r.Distance, any32)
		num(c, &r.Aim, 180)
	case Report:
		c.pair(r)
		num(c, &r.Seq, 1<<64-1)
		ago := r.Tick - r.SentAt
		num(c, &ago, any32)
		r.SentAt = r.Tick - ago
		c.claim(&r.Claim)
	case Plugin:
		num(c, &r.Count, any32)
		c.text(&r.Text, MaxText)
	case Table:
		num(c, &r.Count, any32)
		to := math.Float32bits(r.To)
		num(c, &to, any32)
		if r.To = math.Float32frombits(to); !c.write && r.To-r.To != 0 { // no number
			c.err, c.buf = errRecord, nil
		}
		c.text(&r.Text, MaxText)
	default:
		c.err, c.buf = errRecord, nil
	}
}

func (c *code) claim(m *Claim) {
	num(c, &m.CameUS, any32)
	num(c, &m.LeastUS, any32)
	num(c, &m.MostUS, any32)
	flags(c, &m.Drawn, &m.Clamped)
	if m.Drawn {
		num(c, &m.DrawnUS, any32)
		num(c, &m.LookUS, any32)
	}
}

func (c *code) pair(r *Record) {
	c.player(&r.Viewer)
	c.target(&r.Target)
}

func (c *code) carry(r *Record) {
	c.pair(r)
	num(c, &r.Subject, 255)
	c.reason(&r.Reason)
	since := func(t *state.Tick) {
		ago := r.Tick - *t
		num(c, &ago, any32)
		*t = r.Tick - ago
	}
	since(&r.Since)
	num(c, &r.Packets, any32)
	if num(c, &r.Seq, 1<<64-1); r.Seq != 0 {
		since(&r.SentAt)
	}
	if flags(c, &r.HasCome); r.HasCome {
		since(&r.ArrivedAt)
	}
}

func (c *code) shot(s *Shot) {
	for _, id := range [...]*state.ID{&s.Target, &s.Near, &s.Refused} {
		c.target(id)
	}
	for _, t := range [...]*string{&s.Weapon, &s.Result, &s.Why, &s.Shown} {
		c.text(t, MaxText)
	}
	signed(c, &s.Damage)
	flags(c, &s.Killed, &s.Evidence)
	signed(c, &s.Claimed256)
	num(c, &s.Used256, any32)
	num(c, &s.Limit256, any32)
}
