package scenario

import (
	"crypto/sha256"
	"fmt"
	"math"

	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// packet is one snapshot to one viewer.
type packet struct {
	at      float64 // the server's time
	arrives float64
	lost    bool
	known   []told
	kinds   [state.NumKinds]bool // that it holds anything of
	sum     [32]byte             // of its bits, when they are asked for
}

// told is one player in a packet.
type told struct {
	who    int
	reason vis.Reason
}

func (p *packet) tells(who int) (vis.Reason, bool) {
	for _, k := range p.known {
		if k.who == who {
			return k.reason, true
		}
	}
	return vis.Hidden, false
}

// play is one run of a scene.
type play struct {
	s      *Scene
	absent int // who is left out; -1 nobody
	encode bool
	// decided sees the answers, and says whether anything is sent. May be nil.
	decided func(*play, *vis.Answer) bool

	in     vis.Input
	frame  vis.Frame
	pol    vis.Decider
	sight  *vis.Sight
	set    tables.Set // of now: of it the earshots
	teams  bool
	aiming []bool
	scopes []vis.Scope
	watch  []int
	looks  []look

	lines    []line // by actor
	rays     int    // most in a tick
	untested int    // most pairs in a tick
	heard    []sound
}

// line is what goes to one viewer.
type line struct {
	view    vis.View
	enc     *snapshot.Encoder
	packets []packet
	last    map[state.ID]bool
	acked   int
}

// sound is an event that a viewer was told of.
type sound struct {
	viewer int
	kind   state.EventKind
	actor  state.ID
	at     float64
	source int     // whose it was; -1 when nobody's
	off    float64 // how far from where it was it is told to be, metres
}

// settings are those of the file for a policy.
func (s *Scene) settings(spec vis.Spec) (vis.Settings, error) {
	set := vis.Settings{}
	for k, v := range s.File.Settings[spec.Name] {
		set[k] = v
	}
	out, err := spec.Schema.Check(set)
	if err != nil {
		return nil, &Fault{s.Path, s.lines.of("settings", spec.Name), fmt.Sprintf("settings of %s: %v", spec.Name, err)}
	}
	return out, nil
}

// play runs the scene with a policy and without the absent.
func (s *Scene) play(spec vis.Spec, absent int, encode bool) (*play, error) {
	return s.playing(spec, absent, encode, nil)
}

// playing is play whose answers are shown to decided, which may be nil and says whether
// anything is to be sent after them.
func (s *Scene) playing(spec vis.Spec, absent int, encode bool, decided func(*play, *vis.Answer) bool) (*play, error) {
	set, err := s.settings(spec)
	if err != nil {
		return nil, err
	}
	pol, err := spec.New(vis.Env{World: s.world, TickRate: s.File.TickRate, Seed: s.File.Seed, Settings: set})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, err)
	}
	p := &play{
		s: s, absent: absent, encode: encode, decided: decided, pol: vis.Inline(pol), sight: vis.NewSight(s.world, s.File.TickRate), teams: true,
		aiming: make([]bool, len(s.actors)), scopes: make([]vis.Scope, len(s.actors)), watch: make([]int, len(s.actors)), looks: make([]look, len(s.actors)), lines: make([]line, len(s.actors)),
	}
	p.frame.Past = p.past
	p.set = s.set
	p.frame.Sounds = &hear.Rules{Set: &p.set, TickRate: s.File.TickRate, Seed: s.File.Seed}
	for i := range p.watch {
		p.watch[i], p.looks[i].of, p.looks[i].was.of = -1, -1, -1
		p.lines[i].enc, p.lines[i].last = snapshot.NewEncoder(s.File.TickRate), map[state.ID]bool{}
	}
	for k := -s.warmTicks(); k <= s.ticks(); k++ {
		p.step(k)
	}
	return p, nil
}

func idOf(actor int) state.ID { return state.ID(actor + 1) }

// step decides and sends one tick.
func (p *play) step(k int) {
	s := p.s
	t := s.seconds(k)
	fired := p.happen(k)
	tick := state.Tick(base + k)
	p.in.Reset(tick, s.File.TickRate)
	p.in.Seed = s.File.Seed
	events := append([]state.Event(nil), p.frame.Events...)
	p.frame.Reset(tick)
	p.frame.Events = append(p.frame.Events, events...)
	var rows []int
	for i := range s.actors {
		a := &s.actors[i]
		if i == p.absent || !a.there(t) {
			continue
		}
		p.body(i, t, fired)
		if a.client {
			rows = append(rows, i)
		}
	}
	p.addCars(t)
	doors := s.closed[k+s.warmTicks()]
	p.in.Doors = append(p.in.Doors, doors...)
	p.frame.Doors = append(p.frame.Doors, doors...)
	pieces := s.broken[k+s.warmTicks()]
	p.in.Pieces = append(p.in.Pieces, pieces...)
	p.frame.Pieces = append(p.frame.Pieces, pieces...)
	p.leftThings(t)
	p.addClouds(k)
	p.sight.Take(&p.in)
	p.frame.Sight, p.frame.EventRange = p.sight, float32(s.File.RangeM)
	vis.Candidates(&p.in, float32(s.File.RangeM))
	p.pol.Submit(&p.in)
	ans := p.pol.Collect()
	vis.Gate(&p.in, ans)
	p.rays = max(p.rays, ans.Rays)
	untested := 0
	for _, r := range ans.Reason {
		if r == vis.Untested {
			untested++
		}
	}
	p.untested = max(p.untested, untested)
	if p.decided != nil && !p.decided(p, ans) {
		p.frame.Events = p.frame.Events[:0]
		return
	}
	p.record(rows, t, ans)
	for row, i := range rows {
		p.send(row, i, k, ans)
	}
	p.frame.Events = p.frame.Events[:0]
}

// happen lets the events of a tick happen, and says who shot.
func (p *play) happen(k int) (fired map[int]bool) {
	s := p.s
	for i := range s.events {
		e := &s.events[i]
		if e.tick != k || e.who == p.absent && e.who >= 0 {
			continue
		}
		switch e.Kind {
		case "shot", "step", "jump", "land", "reload", "mark", "enter", "leave":
			if e.Kind == "shot" {
				if fired == nil {
					fired = map[int]bool{}
				}
				fired[e.who] = true
			}
			if ev, ok := s.noise(e, s.seconds(k)); ok {
				p.frame.Events = append(p.frame.Events, ev)
			}
		case "door":
			if ev, ok := s.doorNoise(e.Door); ok {
				p.frame.Events = append(p.frame.Events, ev)
			}
		case "aim":
			p.aiming[e.who] = e.On
		case "spectate":
			p.watch[e.who], p.looks[e.who].of = e.target, e.target
		case "camera":
			p.looks[e.who].camera, p.looks[e.who].at = e.On, e.at
		case "full":
			p.askFull(e.who, s.seconds(k))
		case "teams":
			p.teams = e.On
		case "table":
			p.set.Put(tables.Value{Name: e.Name, To: float32(e.To)}) // was checked
		}
	}
	return fired
}

// body adds an actor to the Input and the Frame, as the server does.
func (p *play) body(i int, t float64, fired map[int]bool) {
	s := p.s
	a := &s.actors[i]
	pl := s.player(a, t)
	if !p.teams {
		pl.Team = 0
	}
	sub := vis.Subject{
		ID: idOf(i), Kind: state.KindPlayer, Team: pl.Team, Alive: a.alive(t),
		Pos: pl.Pos, Eye: pmove.Eye(&pl, &s.moves), Chest: pmove.Chest(&pl, &s.moves), Box: s.box(a, t), Vel: pl.Vel,
		Yaw: a.yaw(t), Lean: float32(pl.Lean) / 127, Ducked: pl.Flags&state.Ducked != 0, Aiming: p.aiming[i], Weapon: pl.Weapon, Fired: fired[i], Teleports: pl.Teleports,
		Blind: s.blinded(i, t),
	}
	watching := state.ID(0)
	if w := p.watch[i]; w >= 0 && !sub.Alive {
		watching = idOf(w)
	}
	sub.Watching = watching
	ent := state.Entity{
		ID: sub.ID, Kind: sub.Kind, Team: sub.Team, Weapon: pl.Weapon, Pos: state.Quant(pl.Pos), Vel: state.Quant(pl.Vel),
		Yaw: pl.Yaw, Duck: pl.Duck, Lean: pl.Lean, Teleports: pl.Teleports, Health: uint8(pl.Health),
	}
	if pl.Vehicle != 0 {
		ent.Seat = pl.Seat + 1
	}
	at := len(p.in.Subjects)
	p.in.Subjects = append(p.in.Subjects, sub)
	p.frame.Entities = append(p.frame.Entities, ent)
	if !sub.Alive {
		c, e := sub, ent
		c.ID, c.Kind, c.Alive = state.CorpseOf(sub.ID), state.KindCorpse, true
		c.Eye = sub.Pos.Mad(0.3, vec.Up)
		c.Chest = c.Eye
		e.ID, e.Kind, e.Pose = c.ID, c.Kind, state.PoseDead
		p.in.Subjects = append(p.in.Subjects, c)
		p.frame.Entities = append(p.frame.Entities, e)
	}
	if !a.client {
		return
	}
	p.scopes[i].Ask(p.aiming[i] && a.alive(t), s.scope(a), p.in.Tick, s.File.TickRate)
	p.in.Viewers = append(p.in.Viewers, vis.Viewer{
		Subject: at, ID: sub.ID, RTTms: float32(a.rtt * 1000), JitterMS: float32(a.jitter * 1000), RenderMS: float32(a.interp * 1000),
		BufferMS: float32(s.File.BufferMS), StillMS: p.still(a, t), Loss: float32(a.loss), SendTicks: p.next(t), Spectating: watching,
		Scope: p.scopes[i],
	})
	p.frame.Own = append(p.frame.Own, vis.Own{
		ID: sub.ID, Watching: watching, Player: pl, LastCmd: p.in.Tick, Interp: uint16(min(a.interp*float64(s.File.TickRate)*256, 65535)),
	})
	p.looksAt(i, t, &p.in.Viewers[len(p.in.Viewers)-1], &p.frame.Own[len(p.frame.Own)-1])
}

// still is for how long the commands that are here leave a standing actor where it is.
func (p *play) still(a *actor, t float64) float32 {
	pl := p.s.player(a, t)
	if pl.Vel != (vec.V3{}) || pl.Lean != 0 {
		return 0
	}
	ticks := int(p.s.File.BufferMS / 1000 * float64(p.s.File.TickRate))
	for i := range ticks {
		if then := p.s.player(a, t+float64(i+1)/float64(p.s.File.TickRate)); then.Pos != pl.Pos {
			return float32(i) * 1000 / float32(p.s.File.TickRate)
		}
	}
	return float32(ticks) * 1000 / float32(p.s.File.TickRate)
}

// next returns in how many ticks the next packet can leave.
func (p *play) next(t float64) uint8 {
	hz, rate := p.s.File.SnapshotHz, p.s.File.TickRate
	if hz == 0 || p.s.File.AtOnce == nil || *p.s.File.AtOnce {
		return 1
	}
	k := int(math.Round(t * float64(rate)))
	n := 1
	for n < 255 && floorDiv((k+n)*hz, rate) == floorDiv((k+n-1)*hz, rate) {
		n++
	}
	return uint8(n)
}

// past is what lag compensation remembers.
func (p *play) past(id state.ID, tick state.Tick) (state.Body, bool) {
	i := int(id) - 1
	t := p.s.seconds(int(int32(tick - base)))
	if i < 0 || i >= len(p.s.actors) || !p.s.actors[i].there(t) {
		return state.Body{}, false
	}
	pl := p.s.player(&p.s.actors[i], t)
	return state.Body{Pos: state.Quant(pl.Pos), Vel: state.Quant(pl.Vel), Yaw: pl.Yaw, Duck: pl.Duck, Teleports: pl.Teleports, Alive: p.s.actors[i].alive(t)}, true
}

// send makes an actor's View of a tick, and its packet when one is due.
func (p *play) send(row, i, k int, ans *vis.Answer) {
	s, l, a := p.s, &p.lines[i], &p.s.actors[i]
	t := s.seconds(k)
	p.view(row, i, t, ans, &l.view)
	late, _ := p.late(i, t)
	for _, e := range l.view.Events() {
		h := sound{viewer: i, kind: e.Kind, actor: e.Actor, at: t}
		var at vec.V3
		if h.source, at = s.source(&e, k-int(late), p.absent); h.source >= 0 {
			h.off = float64(e.Pos.Dist(at))
		}
		p.heard = append(p.heard, h)
	}
	if p.encode {
		for l.acked < len(l.packets) && (l.packets[l.acked].lost || l.packets[l.acked].arrives+a.rtt/2 <= t) {
			if q := &l.packets[l.acked]; q.lost {
				l.enc.Lost(uint64(l.acked + 1))
			} else {
				l.enc.Acked(uint64(l.acked + 1))
			}
			l.acked++
		}
	}
	hz, rate := s.File.SnapshotHz, s.File.TickRate
	due := hz == 0 || floorDiv(k*hz, rate) != floorDiv((k-1)*hz, rate)
	if !due && (s.File.AtOnce == nil || *s.File.AtOnce) {
		for _, e := range l.view.Entities() {
			due = due || !l.last[e.ID]
		}
	}
	if !due {
		if p.encode {
			l.enc.Note(&l.view)
		}
		return
	}
	r := vec.NewRand(s.File.Seed, uint64(i), uint64(k+base))
	pk := packet{at: t, arrives: t + a.rtt/2 + a.jitter*float64(r.Float()), lost: float64(r.Float()) < a.loss}
	clear(l.last)
	for _, e := range l.view.Entities() {
		l.last[e.ID] = true
		if e.Kind < state.NumKinds {
			pk.kinds[e.Kind] = true
		}
		if who := s.subject(&e.Entity); who >= 0 {
			pk.known = append(pk.known, told{who, e.Reason})
		}
	}
	if p.encode {
		var w bits.Writer
		w.Reset(make([]byte, snapshot.MaxPayload))
		if err := l.enc.Encode(&w, &l.view, uint64(len(l.packets)+1)); err != nil {
			pk.sum = sha256.Sum256([]byte(err.Error()))
		} else {
			pk.sum = sha256.Sum256(w.Bytes())
		}
	}
	l.packets = append(l.packets, pk)
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
