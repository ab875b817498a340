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
	// Claim is the client's own word on packet ClaimSeq, of the tick ClaimAt, the first
	// that brought it the target. HasClaim says whether there is one.
	Claim    Claim
	ClaimSeq uint64
	ClaimAt  state.Tick
	HasClaim bool

	before *Disclosure // of the same pair, that waits for a claim too
	handed bool
}

// Ticks returns how long it lasted.
func (d *Disclosure) Ticks() uint32 { return d.End - d.Begin }

// Delay returns D_A, from S to A, in microseconds: as estimated, the least and the most
// that it can be. It counts from the first packet that told of the target, which may
// not be the one that got there. It is false without a Claim.
func (d *Disclosure) Delay(tickRate int) (us, least, most uint64, ok bool) {
	if !d.HasClaim || tickRate <= 0 {
		return 0, 0, 0, false
	}
	from := uint64(d.ClaimAt-d.Sent) * 1_000_000 / uint64(tickRate)
	m := &d.Claim
	return from + uint64(m.CameUS), from + uint64(m.LeastUS), from + uint64(m.MostUS), true
}

// MaxOpen is how many disclosures a Replay holds open; of a file with more, which no
// server writes, the rest is passed over.
const MaxOpen = 1 << 17

// Replay follows the records of a ledger. The zero Replay is ready; the callbacks may
// be nil, and what they are handed is theirs to copy.
type Replay struct {
	Ended func(*Disclosure) // when a disclosure has ended
	Other func(*Record)     // every record that is not of a disclosure
	// Await is for how many ticks a disclosure that has ended waits for its client's word
	// before it is handed out; 0: it does not.
	Await state.Tick

	Tick state.Tick // of the last record
	Who  vis.Source
	Lost int // ticks that were not recorded

	open  map[uint32]*Disclosure
	names [state.MaxPlayers + 1]string
	gap   state.Tick
	gaps  bool

	late  []*Disclosure          // ended, and waiting, by End
	newer map[uint32]*Disclosure // the last of each pair of them
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
	p.expire()
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
		p.claim(d, r)
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
	k := key(d.Viewer, d.Target)
	delete(p.open, k)
	if p.Await == 0 || d.Seq == 0 || d.HasClaim || len(p.late) >= MaxOpen {
		p.hand(d)
		return
	}
	if p.newer == nil {
		p.newer = map[uint32]*Disclosure{}
	}
	d.before = p.newer[k]
	p.newer[k] = d
	p.late = append(p.late, d)
}

// hand gives out a disclosure that has ended.
func (p *Replay) hand(d *Disclosure) {
	d.handed = true
	if p.Ended != nil {
		p.Ended(d)
	}
}

// expire hands out those that have waited long enough for a claim.
func (p *Replay) expire() {
	n := 0
	for ; n < len(p.late) && p.Tick-p.late[n].End > p.Await && int32(p.Tick-p.late[n].End) > 0; n++ {
		p.release(p.late[n])
	}
	p.late = p.late[n:]
}

func (p *Replay) release(d *Disclosure) {
	if k := key(d.Viewer, d.Target); p.newer[k] == d {
		delete(p.newer, k)
	}
	d.before = nil
	p.hand(d)
}

// claimDeep is how many disclosures of one pair are looked at for a claim.
const claimDeep = 8

// claim joins a client's word with the disclosure that its packet told of: the last
// that began no later than it.
func (p *Replay) claim(d *Disclosure, r *Record) {
	if d == nil || d.Seq == 0 || r.Seq < d.Seq {
		d = p.newer[key(r.Viewer, r.Target)]
	}
	for n := 0; d != nil && n < claimDeep; n++ {
		if d.handed {
			return
		}
		if d.Seq != 0 && r.Seq >= d.Seq {
			if !d.HasClaim && (d.LastSeq == 0 || r.Seq <= d.LastSeq) {
				d.Claim, d.ClaimSeq, d.ClaimAt, d.HasClaim = r.Claim, r.Seq, r.SentAt, true
			}
			return
		}
		d = d.before
	}
}

// Finish hands out what is still open, or waits, at the end, which is at the tick after last.
func (p *Replay) Finish(last state.Tick) {
	for _, d := range p.Open(0) {
		p.end(d, last+1, StillOpen)
	}
	for _, d := range p.late {
		p.release(d)
	}
	p.late = nil
}
