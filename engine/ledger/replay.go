package ledger

import (
	"cmp"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Disclosure is one stretch of time in which a viewer may have known of a target.
type Disclosure struct {
	Viewer, Target         state.ID
	ViewerName, TargetName string // of players, as they were called when it began
	Subject                state.Kind

	Begin  state.Tick // permitted from here
	First  vis.Reason // with this reason
	Reason vis.Reason // the present one, or the last
	Since  state.Tick // of which
	Who    vis.Source // who decided when it began

	Sent    state.Tick // S: when the first packet with its state was made
	Seq     uint64     // that packet's number; 0: there was none
	Arrived state.Tick // when the server heard of its arrival; A is before that
	HasCome bool

	End     state.Tick // permitted no more from here; of one that is open, the end of what was read
	Cause   Cause
	LastSeq uint64 // of the last packet with its state
	Packets uint32

	// Held is for how many ticks each reason held.
	Held [vis.NumReasons]uint32
	// Loose says that ticks were lost around its beginning or end: what it says of them
	// is the latest that they can be.
	Loose bool
	// DrawnUS is the client's own word: how long after a packet's arrival it first drew
	// the target, microseconds; the preload. HasReport says whether there is one.
	DrawnUS   uint32
	HasReport bool
}

// Ticks returns how long it lasted.
func (d *Disclosure) Ticks() uint32 { return d.End - d.Begin }

// MaxOpen is how many disclosures a Replay holds open; of a file with more, which no
// server writes, the rest is passed over.
const MaxOpen = 1 << 17

// Replay follows the records of a ledger. The zero Replay is ready; the callbacks may
// be nil, and what they are handed is theirs to copy.
type Replay struct {
	Ended func(*Disclosure) // when a disclosure has ended
	Other func(*Record)     // every record that is not of a disclosure

	Tick state.Tick // of the last record
	Who  vis.Source
	Lost int // ticks that were not recorded

	open  map[uint32]*Disclosure
	names [state.MaxPlayers + 1]string
	gap   state.Tick
	gaps  bool
}

func key(viewer, target state.ID) uint32 { return uint32(viewer)<<16 | uint32(target) }

// Name returns what a player is called now, and "" for who is not there.
func (p *Replay) Name(id state.ID) string {
	if !id.IsPlayer() {
		return ""
	}
	return p.names[id]
}

// Players returns who is there now, ascending.
func (p *Replay) Players() (ids []state.ID) {
	for id, n := range p.names {
		if n != "" {
			ids = append(ids, state.ID(id))
		}
	}
	return ids
}

// Find returns the open disclosure of a target to a viewer, nil when there is none.
func (p *Replay) Find(viewer, target state.ID) *Disclosure { return p.open[key(viewer, target)] }

// Open returns what a viewer knows now, by ascending target; viewer 0 is everybody,
// by ascending viewer.
func (p *Replay) Open(viewer state.ID) []*Disclosure {
	var list []*Disclosure
	for _, d := range p.open {
		if viewer == 0 || d.Viewer == viewer {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b *Disclosure) int {
		return cmp.Compare(key(a.Viewer, a.Target), key(b.Viewer, b.Target))
	})
	return list
}

// Add takes the next record. Records that contradict what came before do no harm.
func (p *Replay) Add(r *Record) {
	p.Tick = r.Tick
	if p.open == nil {
		p.open = map[uint32]*Disclosure{}
	}
	d := p.open[key(r.Viewer, r.Target)]
	switch r.Kind {
	case Begin:
		if d != nil {
			p.end(d, r.Tick, StillOpen)
		}
		p.begin(&Disclosure{Begin: r.Tick, Who: p.Who}, r)
	case Carry:
		p.carry(d, r)
	case Change:
		if d != nil {
			p.hold(d, r.Tick)
			d.Reason, d.Since = r.Reason, r.Tick
		}
	case Sent:
		if d != nil && d.Seq == 0 {
			d.Sent, d.Seq = r.Tick, r.Seq
		}
	case Arrived:
		if d != nil && !d.HasCome {
			d.Arrived, d.HasCome = r.Tick, true
		}
	case End:
		if d != nil {
			d.LastSeq, d.Packets = r.Seq, r.Packets
			p.end(d, r.Tick, r.Cause)
		}
	case Report:
		if d != nil && !d.HasReport && d.Seq != 0 && r.Seq >= d.Seq {
			d.DrawnUS, d.HasReport = r.DrawnUS, true
		}
		p.other(r)
	case Source:
		p.Who = r.Who
		p.other(r)
	case Name:
		p.names[r.Viewer] = r.Text
		p.other(r)
	case Left:
		p.other(r)
		p.names[r.Viewer] = ""
	case Gap:
		p.gap, p.gaps = r.Tick, true
		p.Lost += int(r.Count)
		p.other(r)
	default:
		p.other(r)
	}
}

func (p *Replay) other(r *Record) {
	if p.Other != nil {
		p.Other(r)
	}
}

func (p *Replay) begin(d *Disclosure, r *Record) {
	if len(p.open) >= MaxOpen {
		return
	}
	d.Viewer, d.Target, d.Subject = r.Viewer, r.Target, r.Subject
	d.ViewerName, d.TargetName = p.Name(r.Viewer), p.Name(r.Target)
	d.First, d.Reason, d.Since = r.Reason, r.Reason, r.Tick
	d.Loose = p.gaps && p.gap == r.Tick
	p.open[key(r.Viewer, r.Target)] = d
}

// carry takes what was open when the part began: nothing new where the part before
// has been read.
func (p *Replay) carry(d *Disclosure, r *Record) {
	if d != nil && d.Begin == r.Since {
		return
	}
	if d != nil {
		p.end(d, r.Tick, StillOpen)
	}
	d = &Disclosure{Begin: r.Since, Who: p.Who, Seq: r.Seq, Sent: r.SentAt, HasCome: r.HasCome, Arrived: r.ArrivedAt, Packets: r.Packets}
	p.begin(d, r)
	d.Since = r.Since // when its reason began stands in a part that is not here
}

// hold counts the ticks of the present reason.
func (p *Replay) hold(d *Disclosure, until state.Tick) {
	if d.Reason < vis.NumReasons {
		d.Held[d.Reason] += until - d.Since
	}
}

func (p *Replay) end(d *Disclosure, at state.Tick, why Cause) {
	p.hold(d, at)
	d.End, d.Cause = at, why
	d.Loose = d.Loose || p.gaps && p.gap == at
	delete(p.open, key(d.Viewer, d.Target))
	if p.Ended != nil {
		p.Ended(d)
	}
}

// Finish hands out what is still open at the end, which is at the tick after last.
func (p *Replay) Finish(last state.Tick) {
	for _, d := range p.Open(0) {
		p.end(d, last+1, StillOpen)
	}
}
