package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Config is what a match is made of. Nothing of it may change afterwards but the Set,
// by SetTables.
type Config struct {
	World       *trace.World
	Set         tables.Set
	TickRate    int
	Seed        uint64
	MaxPlayers  int     // 1..state.MaxPlayers
	MaxRewindMS float32 // cap of lag compensation
	// ProjectileMS and MeleeMS are how far back projectiles begin and blows are
	// tested at most; MaxRewindMS holds for them too.
	ProjectileMS, MeleeMS float32
	// RefuseUnshown lets no bullet hit whom the shooter's client did not show.
	RefuseUnshown bool
	First         state.Tick // that the world begins in
	Teams         Teams      // until OpTeams says otherwise
	Drops         bool       // the dead leave the weapon in their hand
	// VehiclesBackMS is how long after its end a vehicle is back at its place, ms; 0 as
	// its table says, below 0 never.
	VehiclesBackMS float32
}

// Sim is the world. Make one with New.
type Sim struct {
	cfg  Config
	lv   *level.Level
	move *tables.Movement
	tick state.Tick
	sets tables.Timeline           // the tables of recent ticks
	most [tables.NumWeapons]uint16 // rounds that any of the match's tables allowed

	bodies []body // by id; 0 is unused
	ids    []state.ID
	joins  uint64

	scene   trace.Scene // movers as in the present tick; poses is its memory
	poses   []level.Pose
	before  []level.Pose // and in the tick before
	near    trace.Near   // of the player whose turn it is
	doors   []state.DoorState
	swing   []swing
	trigger []trigger // of the doors, by where they begin along x
	widest  float32   // of them, along x
	pieces  pieces
	panes   []pane // of the bullet that is being traced

	past     *rewind.History
	pastView trace.Scene // movers as a shooter saw them
	pastOffs []level.Pose
	seen     *rewind.Seen
	recall   recall
	// 256ths of a tick.
	flightCap, meleeCap uint32

	rockets  []rocket
	grenades []grenade
	smokes   []state.Smoke
	holes    []state.Hole
	then     scenery.Smokes // scratch: as somebody saw them
	freed    []state.Tick   // per thing id: when it was last in use, plus 1
	nextID   int
	spots    []spot
	things   []Thing
	cars     cars

	teams      Teams
	drops      []drop
	objectives [rules.MaxObjectives]objective

	pulls  []pull
	shots  []ShotRecord
	events []state.Event
	queued []state.Event // of operations between ticks
	inStep bool
	bad    [numBad]uint64
	badOp  rules.Op // the last that was dropped, and why
	badWhy Bad
	hash   []byte // scratch
}

// body is one player's slot.
type body struct {
	p       state.Player
	cmd     state.Cmd
	rewind  uint32
	tracked bool
	had     state.Tick
	self    self
	starved bool
	present bool
	given   bool // a command came for this tick
	using   bool // the use key was down
	seed    uint64
	born    state.Tick // first tick of this life
	died    state.Tick // since when without a living body
	burnAt  state.Tick // when a liquid may hurt again
	hurtAt  state.Tick // when a volume may hurt again
	watches state.ID
	car     int  // that it sits in, while p.Vehicle is not 0
	used    bool // use was held in the last command
	rammed  state.Tick
}

// New makes an empty world in tick cfg.First.
func New(cfg Config) (*Sim, error) {
	if cfg.World == nil {
		return nil, fmt.Errorf("sim: no world")
	}
	if cfg.TickRate < 10 || cfg.TickRate > 1000 {
		return nil, fmt.Errorf("sim: tick rate %d is not within 10 to 1000", cfg.TickRate)
	}
	if cfg.MaxPlayers < 1 || cfg.MaxPlayers > state.MaxPlayers {
		return nil, fmt.Errorf("sim: %d players are not within 1 to %d", cfg.MaxPlayers, state.MaxPlayers)
	}
	if !(cfg.MaxRewindMS >= 0 && cfg.MaxRewindMS <= 1000) {
		return nil, fmt.Errorf("sim: longest rewind of %v ms is not within 0 to 1000", cfg.MaxRewindMS)
	}
	if !(cfg.ProjectileMS >= 0 && cfg.ProjectileMS <= 1000 && cfg.MeleeMS >= 0 && cfg.MeleeMS <= 1000) {
		return nil, fmt.Errorf("sim: rewinds of %v ms for projectiles and %v ms for blows are not within 0 to 1000", cfg.ProjectileMS, cfg.MeleeMS)
	}
	if err := cfg.Set.Validate(); err != nil {
		return nil, fmt.Errorf("sim: %w", err)
	}
	lv := cfg.World.Level()
	if len(lv.Pickups) > state.MaxThings/2 {
		return nil, fmt.Errorf("sim: level %s has %d pickups, more than %d", lv.Name, len(lv.Pickups), state.MaxThings/2)
	}
	n := max(len(lv.Models), 1)
	s := &Sim{
		cfg: cfg, lv: lv, tick: cfg.First,
		bodies: make([]body, cfg.MaxPlayers+1), ids: make([]state.ID, 0, cfg.MaxPlayers),
		poses: make([]level.Pose, n), before: make([]level.Pose, n), pastOffs: make([]level.Pose, n),
		past:     rewind.NewDeep(cfg.MaxPlayers, len(lv.Doors), cfg.TickRate, cfg.MaxRewindMS, cfg.TickRate/4),
		seen:     rewind.NewSeen(cfg.MaxPlayers, cfg.TickRate),
		grenades: make([]grenade, 0, maxGrenades), smokes: make([]state.Smoke, 0, scenery.MaxSmokes), holes: make([]state.Hole, 0, scenery.MaxHoles),
		rockets: make([]rocket, 0, maxRockets), freed: make([]state.Tick, state.MaxThings),
		spots: make([]spot, len(lv.Pickups)), things: make([]Thing, 0, len(lv.Pickups)+maxRockets),
		pulls: make([]pull, 0, cfg.MaxPlayers), shots: make([]ShotRecord, 0, cfg.MaxPlayers),
		events: make([]state.Event, 0, 1024), queued: make([]state.Event, 0, 256),
	}
	s.flightCap, s.meleeCap = rewind.Cap256(cfg.ProjectileMS, cfg.TickRate), rewind.Cap256(cfg.MeleeMS, cfg.TickRate)
	s.move = &s.cfg.Set.Movement
	s.begin(&cfg.Set)
	s.scene = trace.Scene{W: cfg.World, Poses: s.poses}
	s.pastView = trace.Scene{W: cfg.World, Poses: s.pastOffs}
	s.drops = make([]drop, 0, maxDrops)
	s.SetTeams(cfg.Teams)
	s.initSelves()
	s.initDoors()
	s.initCars()
	s.initPieces()
	scenery.Poses(lv, s.doors, s.tick, 0, cfg.TickRate, s.poses)
	copy(s.before, s.poses)
	s.list()
	return s, nil
}

// Join adds a player, who spectates until the rules spawn it, and returns the
// secret seed of its spread. Joining twice changes nothing; an id without a slot
// gives 0.
func (s *Sim) Join(id state.ID, team uint8) uint64 {
	if !s.slot(id) {
		return 0
	}
	b := &s.bodies[id]
	if b.present {
		return b.seed
	}
	seed := b.seed
	if seed == 0 {
		seed = s.draw(id)
	}
	*b = body{self: b.self, present: true, seed: seed, died: s.tick, born: s.tick + 1}
	b.p = state.Player{Flags: state.Spectating, Team: team, Ground: -1}
	if len(s.lv.Spawns) > 0 {
		b.p.Pos = s.lv.Spawns[0].Pos
	} else {
		b.p.Pos = s.lv.Bounds.Center()
	}
	i, _ := slices.BinarySearch(s.ids, id)
	s.ids = slices.Insert(s.ids, i, id)
	s.emit(state.Event{Kind: state.EvJoin, Actor: id})
	return b.seed
}

// Reserve draws the secret seed of a player's spread before it joins, so that its
// client can be told; Join then gives it that. Of a player who is present it
// returns the seed that it has.
func (s *Sim) Reserve(id state.ID) uint64 {
	if !s.slot(id) {
		return 0
	}
	b := &s.bodies[id]
	if !b.present {
		b.seed = s.draw(id)
	}
	return b.seed
}

// draw makes a new seed, never 0. Its player is told it, and must not find out the
// match's from it, which those of all others come from: vec.Rand can be run backwards.
func (s *Sim) draw(id state.ID) uint64 {
	s.joins++
	var b [24]byte
	binary.LittleEndian.PutUint64(b[:], s.cfg.Seed)
	binary.LittleEndian.PutUint64(b[8:], uint64(id))
	binary.LittleEndian.PutUint64(b[16:], s.joins)
	h := sha256.Sum256(b[:])
	return binary.LittleEndian.Uint64(h[:]) | 1
}

// Leave removes a player. Its rockets fly on.
func (s *Sim) Leave(id state.ID) {
	if !s.Present(id) {
		return
	}
	s.unseat(id)
	s.letGo(id)
	own := s.bodies[id].self
	clear(own.ring)
	s.bodies[id] = body{self: own}
	if i, ok := slices.BinarySearch(s.ids, id); ok {
		s.ids = slices.Delete(s.ids, i, i+1)
	}
	for i := range s.grenades {
		if s.grenades[i].owner == id {
			s.grenades[i].owner = 0
		}
	}
	for i := range s.rockets {
		if s.rockets[i].owner == id {
			s.rockets[i].owner = 0 // the slot may be another player's soon
		}
	}
	s.emit(state.Event{Kind: state.EvLeave, Actor: id})
}

func (s *Sim) slot(id state.ID) bool { return id >= 1 && int(id) < len(s.bodies) }

// Tick returns the present tick.
func (s *Sim) Tick() state.Tick { return s.tick }

// TickRate returns the ticks per second.
func (s *Sim) TickRate() int { return s.cfg.TickRate }

// Set returns the tables in force. What it points to is another after SetTables.
func (s *Sim) Set() *tables.Set { return &s.cfg.Set }

// Present reports whether a player has joined.
func (s *Sim) Present(id state.ID) bool { return s.slot(id) && s.bodies[id].present }

// IDs returns the players present, ascending.
func (s *Sim) IDs() []state.ID { return s.ids }

// Player returns a player's state, nil when it is not present.
func (s *Sim) Player(id state.ID) *state.Player {
	if !s.Present(id) {
		return nil
	}
	return &s.bodies[id].p
}

// SpreadSeed returns the secret that a player's client predicts spread with.
func (s *Sim) SpreadSeed(id state.ID) uint64 {
	if !s.Present(id) {
		return 0
	}
	return s.bodies[id].seed
}

// Watching returns whom a spectator watches; 0 nobody.
func (s *Sim) Watching(id state.ID) state.ID {
	if !s.Present(id) || s.bodies[id].p.Flags&state.Spectating == 0 {
		return 0
	}
	return s.bodies[id].watches
}

// Eye returns where a player sees from.
func (s *Sim) Eye(id state.ID) vec.V3 {
	if !s.Present(id) {
		return vec.V3{}
	}
	return pmove.Eye(&s.bodies[id].p, s.move)
}

// Scene returns the level with its movers as in the present tick.
func (s *Sim) Scene() trace.Scene { return s.scene }

// Doors returns the state of every door.
func (s *Sim) Doors() []state.DoorState { return s.doors }

// History returns the memory of lag compensation.
func (s *Sim) History() *rewind.History { return s.past }

// Seen returns the memory of what clients were sent, which the server fills between
// ticks: Step only reads it, for inputs that are Tracked.
func (s *Sim) Seen() *rewind.Seen { return s.seen }

// Events returns what happened in the present tick, and in what was applied
// before it.
func (s *Sim) Events() []state.Event { return s.events }

func (s *Sim) emit(e state.Event) {
	if s.inStep {
		s.events = append(s.events, e)
		return
	}
	if len(s.queued) < maxQueued {
		s.queued = append(s.queued, e)
	}
}

// maxQueued bounds what operations may say between two ticks.
const maxQueued = 8192

// ticks returns whole ticks nearest to ms.
func (s *Sim) ticks(ms float32) state.Tick {
	t := vec.Floor(float32(float32(vec.Clamp(ms, 0, 3600000)*float32(s.cfg.TickRate))/1000) + 0.5)
	return state.Tick(max(t, 0))
}

// reached reports whether tick t is now or past, whatever wraps.
func (s *Sim) reached(t state.Tick) bool { return int32(s.tick-t) >= 0 }

// living reports whether the id is a player with a living body.
func (s *Sim) living(id state.ID) bool { return s.Present(id) && s.bodies[id].p.Alive() }
