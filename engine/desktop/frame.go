package desktop

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
	"github.com/sightline-engine/sightline/render/scene"
)

// View is what one frame is made from: all of it is what a client knows, so a test
// can make one up.
type View struct {
	Time       float64 // seconds
	DT         float32 // seconds since the frame before
	Eye        vec.V3
	Yaw, Pitch float32
	FOV        float32
	TickMS     float32 // length of a tick
	ID         state.ID
	Own        *state.Player
	Alive      bool
	Others     []client.Shown
	Clouds     client.Clouds // the smoke among them
	Scene      trace.Scene   // with the doors where they are drawn; W may be nil
	Tables     *tables.Set
	Bob        bool
	Weapon     bool // show the own weapon
	Ride       Ride
}

// body is what is remembered of a player between frames: only how things fade.
type body struct {
	air, firing, pain, dead float32
	seen                    uint32 // frame in which it was drawn last
	team                    uint8
}

// rocket remembers where the last puff of a trail was left.
type rocket struct {
	id   state.ID
	last mgl32.Vec3
	seen uint32
}

const maxRockets = 64

// Stage turns what a client shows into frames, and events into effects. Its memory
// is fixed.
type Stage struct {
	fx      effects
	bodies  [state.MaxPlayers + 1]body
	rockets [maxRockets]rocket
	frame   uint32

	// The own weapon.
	recoil, flash, raise, aim, walk float32
	zoom                            zoom
	bob, sway                       mgl32.Vec2
	stride                          float32
	lastYaw, lastPitch              float32
	weapon                          uint8

	// The own body.
	roll, dead   float32
	behind       float32 // how far the eye has gone behind the own vehicle, 0 to 1
	hurt         float32 // red of the screen, falling
	shake        float32
	Hurts        [maxHurts]Hurt
	nextHurt     int
	HitAge       float32 // seconds since the last own hit
	HitKill      bool    // and whether it killed
	deathYaw     float32
	id           state.ID
	scene        trace.Scene
	tab          *tables.Set
	eye          vec.V3
	viewRight    mgl32.Vec3
	viewForward  mgl32.Vec3
	viewUp       mgl32.Vec3
	pieces       shatter
	enemy        float32
	enemyVisible bool
	marks        pings
}

// Hurt is one harm and the direction it came from.
type Hurt struct {
	Dir    vec.V3 // from the victim to where it came from, level
	Age    float32
	Amount float32
	On     bool
}

const maxHurts = 4

// Reset forgets everything short-lived: a new level, a new life.
func (s *Stage) Reset() { *s = Stage{HitAge: 10} }

// playerColors are the hues of a free-for-all: all warm, so that everybody reads as
// an enemy against concrete and blue sky, and different enough to be told apart.
var playerColors = [...]mgl32.Vec3{
	{0.72, 0.035, 0.015}, {0.80, 0.17, 0.01}, {0.62, 0.015, 0.07}, {0.78, 0.30, 0.015},
	{0.66, 0.02, 0.16}, {0.74, 0.09, 0.03}, {0.84, 0.22, 0.06}, {0.50, 0.012, 0.02},
}

// teamColors are those of teams 1 and 2.
var teamColors = [...]mgl32.Vec3{{0.78, 0.10, 0.015}, {0.03, 0.18, 0.80}}

// PlayerColor returns the colour that a player is drawn in.
func PlayerColor(id state.ID, team uint8) mgl32.Vec3 {
	if team >= 1 && int(team) <= len(teamColors) {
		return teamColors[team-1]
	}
	return playerColors[int(id)%len(playerColors)]
}

// Event shows something that happened.
func (s *Stage) Event(e *state.Event, predicted bool) { s.Predicted(e, client.Key{}) }

// Cancel takes back what a predicted event showed that has turned out not to happen.
func (s *Stage) Cancel(k client.Key) { s.fx.cancel(k) }

// Predicted is Event for what may be cancelled by its key.
func (s *Stage) Predicted(e *state.Event, k client.Key) {
	s.fx.of = k
	defer func() { s.fx.of = client.Key{} }()
	own := e.Actor == s.id && s.id != 0
	switch e.Kind {
	case state.EvFire:
		s.shot(e, own)
	case state.EvImpact:
		s.fx.on = s.struck(e.Pos, e.Dir)
		s.fx.impact(gl(e.Pos), gl(e.Dir))
		s.fx.on = 0
	case state.EvExplode:
		s.fx.on = s.struck(e.Pos, e.Dir)
		s.fx.burst(gl(e.Pos), gl(e.Dir))
		s.fx.on = 0
		s.shake = max(s.shake, vec.Clamp(1-e.Pos.Dist(s.eye)/9, 0, 1))
	case state.EvSmoke:
		s.fx.puff(gl(e.Pos), mgl32.Vec3{0.7, 0.7, 0.72}, 14)
	case state.EvFlash:
		s.fx.flash(gl(e.Pos), mgl32.Vec3{9, 9, 9}, 14, 0.25)
	case state.EvHit:
		s.HitAge, s.HitKill = 0, false
		if e.Pos == (vec.V3{}) {
			break // nobody that we may know of
		}
		s.fx.puff(gl(e.Pos), PlayerColor(e.Target, s.teamOf(e.Target)), 5)
		if b := s.body(e.Target); b != nil {
			b.pain = 1
		}
	case state.EvHurt:
		s.hurt = min(s.hurt+0.25+float32(e.Param)/80, 1)
		s.Hurts[s.nextHurt] = Hurt{Dir: e.Dir.Flat(), Amount: float32(e.Param), On: true}
		s.nextHurt = (s.nextHurt + 1) % len(s.Hurts)
	case state.EvDeath:
		p := gl(e.Pos)
		p[2] += 1
		s.fx.puff(p, PlayerColor(e.Target, s.teamOf(e.Target)), 14)
	case state.EvKill:
		if own && e.Target != s.id {
			s.HitAge, s.HitKill = 0, true
		}
	case state.EvSpawn, state.EvTeleport:
		if !own {
			s.fx.sparkle(gl(e.Pos), PlayerColor(e.Actor, s.teamOf(e.Actor)))
		}
	case state.EvPickup:
		if !own {
			p := gl(e.Pos)
			p[2] += 0.4
			s.fx.bit(bit{kind: scene.GlowSprite, pos: p, life: 0.25, size: 0.4, color: mgl32.Vec3{1, 1.2, 1.1}, alpha: 0.6})
		}
	case state.EvSwitch:
		if own {
			s.raise = 1
		}
	case state.EvPing:
		s.marks.add(e.Actor, e.Pos)
	case state.EvLand:
		if own {
			s.bob[1] = -min(float32(e.Param)/8*0.5, 5)
		}
	}
}

// teamOf returns the team in which a player was drawn last, 0 when it never was.
func (s *Stage) teamOf(id state.ID) uint8 {
	if b := s.body(id); b != nil {
		return b.team
	}
	return 0
}

func (s *Stage) body(id state.ID) *body {
	if id == 0 || int(id) >= len(s.bodies) {
		return nil
	}
	return &s.bodies[id]
}

// shot shows a shot leaving: flash, light and tracer.
func (s *Stage) shot(e *state.Event, own bool) {
	projectile := s.tab != nil && int(e.Weapon) < len(s.tab.Weapons) && s.tab.Weapons[e.Weapon].Projectile
	if s.tab != nil && int(e.Weapon) < len(s.tab.Weapons) && (s.tab.Weapons[e.Weapon].Melee || s.tab.Weapons[e.Weapon].Throws != tables.ThrowsNothing) {
		if own {
			s.recoil = 1
		} else if b := s.body(e.Actor); b != nil {
			b.firing = 1
		}
		return // a blow and a throw have neither flash nor tracer
	}
	dir := direction(e.Yaw.Deg(), e.Pitch.Deg())
	if e.Dir != (vec.V3{}) {
		dir = gl(e.Dir)
	}
	eye := gl(e.Pos)
	right := mgl32.Vec3{dir[1], -dir[0], 0}
	if n := right.Len(); n > 1e-3 {
		right = right.Mul(1 / n)
	}
	muzzle := eye.Add(dir.Mul(0.75)).Add(right.Mul(0.16)).Add(mgl32.Vec3{0, 0, -0.2})
	if own {
		s.recoil, s.flash = 1, 1
		muzzle = eye.Add(dir.Mul(1.0)).Add(right.Mul(0.13)).Add(mgl32.Vec3{0, 0, -0.12})
		s.fx.flash(muzzle, mgl32.Vec3{3.5, 2.3, 1.1}, 5, 0.07)
	} else {
		b := s.body(e.Actor)
		if b == nil || b.seen == 0 || b.seen+2 < s.frame {
			return // heard only: where from is told too roughly to draw anything
		}
		s.fx.muzzle(muzzle, dir, projectile)
		b.firing = 1
	}
	if projectile || s.scene.W == nil {
		return
	}
	far := e.Pos.Add(vec.V3{X: dir[0], Y: dir[1], Z: dir[2]}.Scale(200))
	end := far
	if r := s.scene.Ray(e.Pos, far, level.MaskShot); !r.StartSolid {
		end = r.End
	}
	c := mgl32.Vec3{4.0, 2.5, 0.9}
	if !own {
		c = mgl32.Vec3{5, 1.9, 0.7}
	}
	s.fx.tracer(muzzle, gl(end), c)
}

// Build fills a frame. f is reset first; its HUD is left empty for the caller.
func (s *Stage) Build(f *scene.Frame, v *View) {
	w, h, k := f.HUD.Width, f.HUD.Height, f.HUD.Scale
	f.Reset()
	f.HUD.Width, f.HUD.Height, f.HUD.Scale = w, h, k
	s.frame++
	s.id, s.scene, s.tab, s.eye = v.ID, v.Scene, v.Tables, v.Eye
	s.fx.poses = v.Scene.Poses
	f.Time = v.Time
	s.camera(f, v)
	for i := range v.Scene.Poses {
		if i >= cap(f.Models) && i == 0 {
			f.Models = make([]scene.Place, 0, len(v.Scene.Poses))
		}
		o := &v.Scene.Poses[i]
		f.Models = append(f.Models, scene.Place{Offset: gl(o.Off), Hinge: mgl32.Vec2{o.X, o.Y}, Sin: o.Sin, Cos: o.Cos})
	}
	s.breaks(v)
	s.enemy, s.enemyVisible = 0, false
	clouds(f, v)
	for i := range v.Others {
		s.other(f, v, &v.Others[i])
	}
	s.hands(f, v)
	s.ownBody(f, v)
	s.driver(f, v)
	s.fx.step(f, v.DT)
	s.marks.step(f, v.DT)
	s.tint(f, v)
}

// Enemy reports whether a living enemy is in the last frame, not hidden by the
// level, and how high it stands in it as a share of the view's height.
func (s *Stage) Enemy() (size float32, visible bool) { return s.enemy, s.enemyVisible }

func (s *Stage) camera(f *scene.Frame, v *View) {
	eye, yaw, pitch := v.Eye, v.Yaw, v.Pitch
	goal, dead := float32(0), float32(0)
	if v.Own != nil {
		goal = float32(v.Own.Lean) / 127 * 6
		if !v.Alive && v.Own.Flags&state.Spectating == 0 {
			dead = 1
		}
	}
	s.roll = towards(s.roll, goal, 0.05, v.DT)
	if dead == 0 {
		s.dead = 0
	} else {
		s.dead = towards(s.dead, 1, 0.35, v.DT)
	}
	if s.dead > 0 && v.Own != nil {
		// The dead look down at where they lie, from as far as walls allow.
		at := v.Own.Pos
		at.Z += 0.6
		p := vec.Clamp(pitch, -60, -12)
		d := direction(yaw, p)
		back := vec.V3{X: -d[0], Y: -d[1], Z: -d[2]}
		to := at.Mad(3.2, back)
		if v.Scene.W != nil {
			if r := v.Scene.Box(at, to, vec.Box{Min: vec.V3{X: -.15, Y: -.15, Z: -.15}, Max: vec.V3{X: .15, Y: .15, Z: .15}}, level.MaskMove); !r.StartSolid {
				to = r.End
			}
		}
		eye = eye.Lerp(to, s.dead)
		pitch = vec.Lerp(pitch, p, s.dead)
	}
	eye, pitch = s.chase(v, eye, yaw, pitch)
	s.shake = max(s.shake-v.DT*2.2, 0)
	j := s.shake * s.shake
	t := v.Time * 40
	fov := v.FOV
	if fov == 0 {
		fov = 90
	}
	s.zoom.look(v.Own, v.Tables, v.Alive, fov, v.DT)
	s.aim = s.zoom.raise
	j *= s.zoom.narrow // the picture shakes as much as without
	f.Camera = scene.Camera{
		Pos: gl(eye), Yaw: yaw + j*1.2*sin(t), Pitch: pitch + j*1.2*sin(t*1.3+1), Roll: s.roll + j*1.5*sin(t*0.9+2),
		FovX: s.zoom.fovX,
	}
	s.viewForward = direction(yaw, pitch)
	s.viewRight = direction(yaw-90, 0)
	s.viewUp = s.viewRight.Cross(s.viewForward)
}

// other adds one subject.
func (s *Stage) other(f *scene.Frame, v *View, o *client.Shown) {
	switch o.Kind {
	case state.KindPlayer:
		s.player(f, v, o)
	case state.KindCorpse:
		f.Figures = append(f.Figures, scene.Figure{
			Pos: gl(o.At), Yaw: o.YawDeg, Dead: 1, Color: PlayerColor(o.Owner, o.Team), Seed: uint32(o.ID),
		})
	case state.KindRocket:
		s.rocket(f, o)
	case state.KindGrenade:
		grenade(f, o, v.Time)
	case state.KindVehicle:
		f.Vehicles = append(f.Vehicles, buggy(o))
		s.shade(f, v, o)
	case state.KindObjective:
		satchel(f, v, o)
	case state.KindPickup:
		f.Items = append(f.Items, item(o, v.Time))
	}
}

func (s *Stage) player(f *scene.Frame, v *View, o *client.Shown) {
	b := s.body(o.ID)
	if b == nil || o.ID == v.ID {
		return
	}
	dead := o.Pose&state.PoseDead != 0
	if b.seen == 0 || b.seen+1 != s.frame {
		*b = body{pain: b.pain, firing: b.firing, dead: flag01(dead)}
	}
	b.seen, b.team = s.frame, o.Team
	b.air = towards(b.air, flag01(o.Pose&(state.PoseOnGround|state.PoseSwimming) == 0 && !dead), 0.08, v.DT)
	b.firing = max(b.firing-v.DT*9, 0)
	b.pain = max(b.pain-v.DT*5, 0)
	b.dead = towards(b.dead, flag01(dead), 0.16, v.DT)
	if !dead {
		b.dead = 0
	}
	c := PlayerColor(o.ID, o.Team)
	seated, speed := flag01(o.Seat != 0), gl(o.Velocity)
	arms := weaponModel(o.Weapon, o.Suppressed)
	if o.Seat != 0 {
		b.air, speed = 0, mgl32.Vec3{}
	}
	if o.Seat == 1 {
		arms = scene.NoWeapon // the hands are at the wheel
	}
	f.Figures = append(f.Figures, scene.Figure{
		Pos: gl(o.At), Yaw: o.YawDeg, Pitch: o.PitchDeg, Crouch: o.Duck01, Lean: o.Lean11, Seated: seated,
		Velocity: speed, Stride: o.StrideM / strideMetres, Air: b.air,
		Color: c, Weapon: arms, Firing: b.firing, Pain: b.pain, Dead: b.dead, Seed: uint32(o.ID),
	})
	if !dead {
		if o.Seat == 0 {
			f.Sprites = append(f.Sprites, s.shadow(v, o.At))
		}
		s.look(v, o)
	}
}

// strideMetres is the ground that one full walk cycle covers. It divides 1024, at
// which the distance walked wraps, so that the legs do not skip there.
const strideMetres = 2

// shadow is a soft dark disc under a figure, which ties it to the ground where no
// sun shines.
func (s *Stage) shadow(v *View, at vec.V3) scene.Sprite {
	p, n := at, vec.Up
	alpha := float32(0.5)
	if v.Scene.W != nil {
		from, to := at, at
		from.Z += 0.2
		to.Z -= 4
		r := v.Scene.Ray(from, to, level.MaskMove)
		if r.StartSolid || r.Frac >= 1 {
			alpha = 0
		} else {
			p, n = r.End, r.Normal
			alpha *= 1 - vec.Clamp((at.Z-p.Z)/4, 0, 1)
		}
	}
	return scene.Sprite{Kind: scene.BlobSprite, Pos: gl(p).Add(gl(n).Mul(0.02)), Vel: gl(n), Size: 0.5, Alpha: alpha, Seed: 1}
}

// look measures an enemy on the screen.
func (s *Stage) look(v *View, o *client.Shown) {
	if v.Own != nil && o.Team != 0 && o.Team == v.Own.Team {
		return
	}
	chest := o.At
	chest.Z += 1.1
	d := gl(chest.Sub(v.Eye))
	ahead := d.Dot(s.viewForward)
	if ahead < 0.5 {
		return
	}
	half := float32(math.Tan(float64(max(v.FOV, 60)) / 2 * math.Pi / 180))
	if abs(d.Dot(s.viewRight)) > ahead*half || abs(d.Dot(s.viewUp)) > ahead*half*0.72 {
		return
	}
	if v.Scene.W != nil && v.Scene.Blocked(v.Eye, chest, level.MaskSight) {
		return
	}
	s.enemyVisible = true
	s.enemy = max(s.enemy, 1.75/(2*ahead*half*0.75))
}

func (s *Stage) rocket(f *scene.Frame, o *client.Shown) {
	p := gl(o.At)
	if o.Owner == s.id && o.At.Dist(s.eye) < 1.6 {
		return // leaving the own barrel: it would fill the view
	}
	d := gl(o.Velocity)
	if n := d.Len(); n > 0.01 {
		d = d.Mul(1 / n)
	} else {
		d = direction(o.YawDeg, o.PitchDeg)
	}
	f.Projectiles = append(f.Projectiles, scene.Projectile{Pos: p, Dir: d, Color: mgl32.Vec3{1, 0.45, 0.12}, Trail: 1.8})
	f.Lights = append(f.Lights, scene.PointLight{Pos: p.Sub(d.Mul(0.4)), Radius: 5, Color: mgl32.Vec3{2.4, 1.2, 0.4}})
	var r *rocket
	for i := range s.rockets {
		if s.rockets[i].id == o.ID && s.rockets[i].seen+2 >= s.frame {
			r = &s.rockets[i]
			break
		}
		if r == nil || s.rockets[i].seen < r.seen {
			r = &s.rockets[i]
		}
	}
	if r.id != o.ID || r.seen+2 < s.frame {
		*r = rocket{id: o.ID, last: p}
	}
	r.seen = s.frame
	const apart = 0.45
	for n := 0; n < 12 && p.Sub(r.last).Len() > apart; n++ {
		r.last = r.last.Add(p.Sub(r.last).Normalize().Mul(apart))
		s.fx.smoke(r.last)
	}
}

func item(o *client.Shown, time float64) scene.Item {
	it := scene.Item{Pos: gl(o.At), Spin: float32(math.Mod(time*70+float64(o.ID)*37, 360))}
	switch level.PickupKind(o.Weapon) {
	case level.PickHealth:
		it.Kind = scene.HealthItem
	case level.PickMega:
		it.Kind, it.Color = scene.HealthItem, mgl32.Vec3{0.1, 0.4, 1.0}
	case level.PickArmor:
		it.Kind = scene.ArmourItem
	case level.PickShard:
		it.Kind, it.Color = scene.ArmourItem, mgl32.Vec3{0.15, 0.8, 0.3}
	case level.PickAmmo:
		it.Kind = scene.AmmoItem
	case level.PickRocketAmmo:
		it.Kind, it.Color = scene.AmmoItem, mgl32.Vec3{1.0, 0.25, 0.05}
	case level.PickRifle:
		it.Kind = scene.RifleItem
	case level.PickRocket:
		it.Kind = scene.RocketItem
	}
	return it
}

// hands is the weapon in the viewer's own hands.
func (s *Stage) hands(f *scene.Frame, v *View) {
	dYaw := vec.WrapDeg(v.Yaw - s.lastYaw)
	dPitch := v.Pitch - s.lastPitch
	s.lastYaw, s.lastPitch = v.Yaw, v.Pitch
	s.sway = mgl32.Vec2{
		vec.Clamp(towards(s.sway[0]-dYaw*0.25, 0, 0.08, v.DT), -3, 3),
		vec.Clamp(towards(s.sway[1]-dPitch*0.25, 0, 0.08, v.DT), -3, 3),
	}
	s.recoil = max(s.recoil-v.DT*8, 0)
	s.flash = max(s.flash-v.DT*18, 0)
	s.bob[1] = towards(s.bob[1], 0, 0.1, v.DT)
	if v.Own == nil || !v.Alive || !v.Weapon || v.Ride.Drives {
		s.raise = 1
		return
	}
	p := v.Own
	if p.Weapon != s.weapon {
		s.weapon, s.raise = p.Weapon, 1
	}
	s.raise = towards(s.raise, flag01(p.Next != 0), 0.09, v.DT)
	speed := p.Vel.Len2()
	run := float32(8)
	if v.Tables != nil && v.Tables.Movement.RunSpeed > 0 {
		run = v.Tables.Movement.RunSpeed
	}
	walking := vec.Clamp(speed/run, 0, 1) * flag01(p.Flags&state.OnGround != 0 && v.Bob)
	s.walk = towards(s.walk, walking, 0.12, v.DT)
	// The stride of the newest tick, followed smoothly over the wrap.
	goal := float32(p.Stride) / 64
	d := goal - s.stride
	if d < -512 {
		s.stride -= 1024
		d += 1024
	}
	if d > 4 || d < -4 {
		s.stride = goal
	} else {
		s.stride += d * vec.Clamp(v.DT*25, 0, 1)
	}
	if s.zoom.round > 0.2 {
		return // it is before the eye, and the round picture covers it
	}
	f.View = scene.ViewWeapon{
		Weapon: weaponModel(p.Weapon, v.Tables != nil && weapon.Suppressed(p, p.Weapon, v.Tables)), Color: heldColor(p.Weapon),
		Bob: s.stride / strideMetres, Walk: s.walk, Recoil: s.recoil, Flash: s.flash,
		Raise: vec.Clamp(s.raise, 0, 1), Aim: s.aim, Sway: mgl32.Vec2{s.sway[0], s.sway[1] + s.bob[1]},
	}
}

// ownBody shows the viewer to itself once it is dead.
func (s *Stage) ownBody(f *scene.Frame, v *View) {
	if v.Own == nil || v.Alive || v.ID == 0 || v.Own.Flags&state.Spectating != 0 {
		return
	}
	if s.dead < 0.05 {
		s.deathYaw = v.Yaw
	}
	f.Figures = append(f.Figures, scene.Figure{
		Pos: gl(v.Own.Pos), Yaw: s.deathYaw, Dead: min(1, s.dead*1.6), Color: ownColor(v.Own.Team), Seed: uint32(v.ID),
	})
}

// ownColor is the viewer's own: not a hue that means enemy.
func ownColor(team uint8) mgl32.Vec3 {
	if team != 0 {
		return PlayerColor(0, team)
	}
	return mgl32.Vec3{0.1, 0.5, 0.9}
}

// tint colours the whole picture: hurt, dead, under water.
func (s *Stage) tint(f *scene.Frame, v *View) {
	s.hurt = max(s.hurt-v.DT*1.4, 0)
	s.HitAge += v.DT
	for i := range s.Hurts {
		if s.Hurts[i].Age += v.DT; s.Hurts[i].Age > 1.6 {
			s.Hurts[i].On = false
		}
	}
	if v.Own != nil && v.Own.Blind > 0 && v.Tables != nil && v.TickMS > 0 {
		white := scenery.White(v.Own.Blind, v.Tables.FlashFade(), int(1000/v.TickMS+0.5))
		f.Tint = scene.RGBA{R: 255, G: 255, B: 255, A: uint8(255 * white)}
		return
	}
	switch {
	case s.dead > 0:
		f.Tint = scene.RGBA{R: 70, G: 6, B: 4, A: uint8(70 * s.dead)}
	case v.Own != nil && v.Own.WaterLevel >= 3:
		f.Tint = scene.RGBA{R: 10, G: 60, B: 80, A: 110}
	case s.hurt > 0.01:
		f.Tint = scene.RGBA{R: 190, G: 12, B: 6, A: uint8(30 * s.hurt)}
	}
}

func weaponModel(w uint8, suppressed bool) scene.Weapon {
	switch w {
	case tables.Rifle:
		if suppressed {
			return scene.QuietRifle
		}
		return scene.Rifle
	case tables.Rocket:
		return scene.RocketLauncher
	case tables.SmokeGrenade, tables.FlashGrenade:
		return scene.Canister
	}
	return scene.NoWeapon
}

// heldColor is the colour on a weapon in the own hands: of canisters that of what is
// thrown, which says which it is.
func heldColor(w uint8) mgl32.Vec3 {
	switch w {
	case tables.SmokeGrenade:
		return smokeColor
	case tables.FlashGrenade:
		return flashColor
	}
	return mgl32.Vec3{0.012, 0.09, 0.17}
}

// direction is the unit vector that yaw and pitch look along.
func direction(yaw, pitch float32) mgl32.Vec3 {
	sy, cy := math.Sincos(float64(yaw) * math.Pi / 180)
	sp, cp := math.Sincos(float64(pitch) * math.Pi / 180)
	return mgl32.Vec3{float32(cy * cp), float32(sy * cp), float32(sp)}
}

func flag01(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func abs(x float32) float32 { return max(x, -x) }

func sin(x float64) float32 { return float32(math.Sin(x)) }
