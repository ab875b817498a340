package bot

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Other is a subject on the bot's screen, at the time that is shown there.
type Other struct {
	ID      state.ID
	Kind    state.Kind
	Team    uint8
	Dead    bool
	Weapon  uint8 // for a pickup its level.PickupKind, for a vehicle its type
	Seat    uint8 // of a player: index of the seat that it sits in, plus 1; 0: on foot
	Pos     vec.V3
	Vel     vec.V3
	Yaw     float32
	Duck01  float32
	Firing  bool
	OwnedBy state.ID
}

// Senses is what a Brain may know when it makes one command.
type Senses struct {
	Tick   state.Tick
	Self   state.ID
	Own    *state.Player
	Eye    vec.V3
	Others []Other
	Hurt   bool // was hurt since the last command
	HurtBy vec.V3
	Scene  trace.Scene // the level with the doors as this client knows them
	Job    Job         // as the rules' words on the screen say
}

// Config is what a Brain is made with.
type Config struct {
	World    *trace.World
	Graph    *nav.Graph
	Tables   *tables.Set
	TickRate int
	Seed     uint64
	// Skill is 0 (a beginner) to 1 (a good player): reaction, tremor, turn speed.
	Skill float32
	// Patience is for how long a bot fights before it goes its way, seconds, for
	// wayFactor times as long; 0: it fights on. Where nobody dies, fights would never
	// end.
	Patience float32
	// Throws is in how many of its half minutes a bot throws a grenade, 0 to 1.
	Throws float32
	// Zone names the zones of the level to which a Job sends a bot.
	Zone string
}

// wayFactor is how many times its Patience a bot leaves others alone.
const wayFactor = 7

// Brain is one bot.
type Brain struct {
	cfg    Config
	rng    vec.Rand
	finder *nav.Finder

	path    []nav.Step
	at      int // next step of path
	goal    vec.V3
	repath  int     // ticks until another way is looked for
	rethink int     // ticks until a way may be looked for where there is none
	roam    float32 // where to wander meanwhile
	firm    vec.V3  // where it last stood
	spots   []int32 // nodes where the level has things to take: where others come by
	lastPos vec.V3
	stuck   int
	unstick int
	handle  int // ticks until a door may be used again
	side    float32
	strafe  int

	yaw, pitch float32
	aimX, aimY float32 // present tremor, degrees
	target     state.ID
	seenFor    int
	lostFor    int
	lastSeen   vec.V3
	burst      int
	rest       int
	glance     float32
	jumpHold   bool
	fought     int // ticks with an enemy in sight
	peace      int // ticks for which to leave others alone
	wasAlive   bool
	glass      int // ticks for which to look through the optic
	unglass    int // ticks for which not to
	teleports  uint8
	thrower    thrower
	worker     worker
	driver     driver
}

// New makes a bot.
func New(cfg Config) *Brain {
	b := &Brain{cfg: cfg, rng: vec.NewRand(cfg.Seed, 0xb07), side: 1}
	b.finder = nav.NewFinder(cfg.Graph)
	b.cfg.Skill = vec.Clamp(cfg.Skill, 0, 1)
	for _, k := range cfg.World.Level().Pickups {
		if n := cfg.Graph.Nearest(k.Pos); n >= 0 && cfg.Graph.Nodes[n].Pos.Dist(k.Pos) < 2 {
			b.spots = append(b.spots, n)
		}
	}
	b.worker.learn(&b.cfg)
	return b
}

func (b *Brain) ticks(ms float32) int { return int(ms * float32(b.cfg.TickRate) / 1000) }

// Think makes the command for one tick.
func (b *Brain) Think(s *Senses) state.Cmd {
	cmd := state.Cmd{Tick: s.Tick}
	p := s.Own
	if !p.Alive() {
		b.path, b.target, b.at, b.wasAlive = b.path[:0], 0, 0, false
		// A press of fire asks to come back: on and off.
		if s.Tick/8%2 == 0 {
			cmd.Buttons |= state.BtnFire
		}
		cmd.Yaw, cmd.Pitch = p.Yaw, p.Pitch
		return cmd
	}
	if p.Vehicle != 0 {
		return b.ride(s)
	}
	b.alight()
	if !b.wasAlive {
		b.wasAlive = true
		b.yaw, b.pitch = p.Yaw.Deg(), 0
		b.repath = 0
		b.lastPos = p.Pos
	}
	if p.Teleports != b.teleports {
		// A spawn or a teleport turns the body; a command that does not follow
		// would turn it back.
		b.teleports = p.Teleports
		b.yaw, b.pitch = p.Yaw.Deg(), 0
		b.repath = 0
	}
	enemy := b.look(s)
	b.attend(s)
	wish, jump, duck := b.move(s, enemy)
	boards := b.board(s, enemy, &wish)
	if boards {
		jump, duck = false, false
	}
	works := b.works(s, enemy)
	if works {
		wish, jump, duck = vec.V3{}, false, false
		cmd.Buttons |= state.BtnUse
	}
	looks := b.looks(s, enemy)
	fire := !b.driver.near && b.aim(s, enemy, wish)
	if looks {
		cmd.Buttons |= state.BtnAim
		fire = fire && (enemy == nil || p.Raise == 255)
	}
	if fire {
		cmd.Buttons |= state.BtnFire
	}
	// With nobody in sight half a magazine is worth changing.
	if enemy == nil && p.Reload == 0 && int(p.Weapon) < len(b.cfg.Tables.Weapons) && int(p.Mag[p.Weapon])*2 < int(b.cfg.Tables.Weapons[p.Weapon].Mag) {
		cmd.Buttons |= state.BtnReload
	}
	if jump && !b.jumpHold {
		cmd.Buttons |= state.BtnJump
	}
	b.jumpHold = jump && !b.jumpHold
	if duck {
		cmd.Buttons |= state.BtnCrouch
	}
	b.use(s, wish, &cmd)
	if b.driver.near {
		b.getIn(s, &cmd)
	}
	cmd.Yaw, cmd.Pitch = state.AngleOf(b.yaw), state.AngleOf(b.pitch)
	fwd, right, _ := vec.Axes(cmd.Yaw.Deg(), 0)
	cmd.Forward = axis(wish.Dot(fwd))
	cmd.Right = axis(wish.Dot(right))
	if p.Flags&state.Swimming != 0 || p.Flags&state.OnLadder != 0 {
		cmd.Up = axis(wish.Z)
	}
	cmd.Weapon = b.choose(s, enemy)
	b.throw(s, &cmd)
	return cmd
}

func axis(v float32) int8 { return int8(vec.Clamp(v, -1, 1) * 127) }

// look finds the enemy to fight: the nearest that the bot's own eye sees.
func (b *Brain) look(s *Senses) *Other {
	if b.peace > 0 {
		b.peace--
		return nil
	}
	var best *Other
	bestD := float32(1e9)
	for i := range s.Others {
		o := &s.Others[i]
		if o.Kind != state.KindPlayer || o.Dead || o.ID == s.Self || (o.Team != 0 && o.Team == s.Own.Team) {
			continue
		}
		to := b.chest(o).Sub(s.Eye)
		d := to.Len()
		yaw, _ := vec.Angles(to)
		// A field of view of 150 degrees, and hearing close by.
		if vec.Abs(vec.WrapDeg(yaw-b.yaw)) > 75 && d > 6 && o.ID != b.target && !s.Hurt {
			continue
		}
		if !b.sees(s, o) {
			continue
		}
		if o.ID == b.target {
			d *= 0.6 // stay with whom one fights
		}
		if d < bestD {
			best, bestD = o, d
		}
	}
	if best == nil {
		b.lostFor++
		if b.lostFor > b.ticks(1500) {
			b.target = 0
		}
		b.seenFor = 0
		return nil
	}
	if best.ID != b.target {
		b.target, b.seenFor = best.ID, 0
	}
	if b.fought++; b.cfg.Patience > 0 && b.fought > b.ticks(b.cfg.Patience*1000) {
		b.target, b.seenFor, b.fought = 0, 0, 0
		b.peace = b.ticks(b.cfg.Patience * 1000 * wayFactor * (0.75 + b.rng.Float()/2))
		b.repath = 0
		return nil
	}
	b.seenFor++
	b.lostFor = 0
	b.lastSeen = best.Pos
	return best
}

func (b *Brain) chest(o *Other) vec.V3 {
	m := &b.cfg.Tables.Movement
	h := vec.Lerp(m.StandHeight, m.CrouchHeight, o.Duck01)
	return o.Pos.Mad(h*0.62, vec.Up)
}

func (b *Brain) sees(s *Senses, o *Other) bool {
	m := &b.cfg.Tables.Movement
	head := o.Pos.Mad(vec.Lerp(m.StandEye, m.CrouchEye, o.Duck01), vec.Up)
	return !s.Scene.Blocked(s.Eye, b.chest(o), level.MaskSight) || !s.Scene.Blocked(s.Eye, head, level.MaskSight)
}

// aim turns towards the enemy, or along the way, and says whether to shoot.
func (b *Brain) aim(s *Senses, enemy *Other, wish vec.V3) bool {
	skill := b.cfg.Skill
	wantYaw, wantPitch := b.yaw, float32(0)
	if enemy != nil {
		to := b.chest(enemy)
		dist := to.Dist(s.Eye)
		if s.Own.Weapon == tables.Rocket {
			// Lead the target and shoot at the feet.
			t := dist / max(b.cfg.Tables.Weapons[tables.Rocket].Speed, 1)
			to = enemy.Pos.Mad(min(t, 1.2), enemy.Vel.Flat()).Mad(0.2, vec.Up)
			if s.Scene.Blocked(s.Eye, to, level.MaskShot) {
				to = b.chest(enemy).Mad(min(t, 1.2), enemy.Vel.Flat())
			}
		}
		wantYaw, wantPitch = vec.Angles(to.Sub(s.Eye))
		tremor := vec.Lerp(3.2, 0.7, skill)
		b.aimX += (b.rng.Signed()*tremor - b.aimX) * 0.08
		b.aimY += (b.rng.Signed()*tremor*0.6 - b.aimY) * 0.08
		wantYaw += b.aimX
		wantPitch += b.aimY
	} else {
		dir := wish
		if b.target != 0 && b.lostFor < b.ticks(1200) {
			dir = b.lastSeen.Sub(s.Own.Pos)
		} else if s.Hurt && s.HurtBy.LenSq() > 0 {
			dir = s.HurtBy
		}
		if dir.Len2() > 0.1 {
			// Look where one is going, and now and then around.
			if s.Tick%uint32(b.ticks(900)+1) == 0 {
				b.glance = b.rng.Signed() * 50
				if b.rng.Intn(3) > 0 {
					b.glance = 0
				}
			}
			wantYaw = vec.Atan2(dir.Y, dir.X) + b.glance
		}
	}
	rate := b.turnRate(s, vec.Lerp(220, 520, skill)) / float32(b.cfg.TickRate)
	dy, dp := vec.WrapDeg(wantYaw-b.yaw), wantPitch-b.pitch
	b.yaw = vec.WrapDeg(b.yaw + vec.Clamp(dy*0.35, -rate, rate))
	b.pitch = vec.Clamp(b.pitch+vec.Clamp(dp*0.35, -rate, rate), -85, 85)
	if enemy == nil || b.seenFor < b.ticks(vec.Lerp(380, 160, skill)) {
		b.burst = 0
		return false
	}
	if b.rest > 0 {
		b.rest--
		return false
	}
	d := max(enemy.Pos.Dist(s.Eye), 1)
	if tol := max(float32(70)/d, 2.2); vec.Abs(dy) > tol || vec.Abs(dp) > tol {
		return false
	}
	if s.Own.Weapon == tables.Rocket {
		// Not into the wall in front of one's own nose.
		r := s.Scene.Ray(s.Eye, s.Eye.Mad(3, vec.Forward(b.yaw, b.pitch)), level.MaskShot)
		if r.Frac < 1 && d > 3 {
			return false
		}
	}
	if b.burst++; b.burst > b.ticks(900) {
		b.burst, b.rest = 0, b.ticks(200+b.rng.Float()*300)
	}
	return true
}

// choose names the weapon to hold.
func (b *Brain) choose(s *Senses, enemy *Other) uint8 {
	p := s.Own
	has := func(w int) bool { return p.Owned&(1<<w) != 0 && p.Ammo[w] > 0 }
	if enemy != nil {
		d := enemy.Pos.Dist(p.Pos)
		if has(tables.Rocket) && d > 3 && d < 14 {
			return tables.Rocket
		}
	}
	if has(tables.Rifle) {
		return tables.Rifle
	}
	if has(tables.Rocket) {
		return tables.Rocket
	}
	return 0
}
