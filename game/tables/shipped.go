package tables

// The numbers below that Quake III published are marked with its units (32 to a
// metre); the others are judgement.

// Version is the version of the shipped sets.
const Version = 1

// Names returns the names of the shipped sets.
func Names() []string { return []string{"arena", "tactical"} }

// ByName returns a shipped set by the name of its movement.
func ByName(name string) (Set, bool) {
	switch name {
	case "arena":
		return Arena(), true
	case "tactical":
		return Tactical(), true
	}
	return Set{}, false
}

// Arena moves as Quake III does.
func Arena() Set {
	return Set{
		Version: Version,
		Movement: Movement{
			Name:     "arena",
			RunSpeed: 10, // 320 u/s
			// Quake III walks at 64/127 of a run, crouches at a quarter, swims at half.
			WalkSpeed: 5, CrouchSpeed: 2.5, SwimSpeed: 5, LadderSpeed: 5, AimSpeed: 6,
			Accelerate: 10, AirAccelerate: 1, WaterAccelerate: 4,
			Friction: 6, WaterFriction: 1, StopSpeed: 3.125, // 100 u/s
			MaxSpeed:      120,
			Gravity:       25,     // 800 u/s²
			JumpSpeed:     8.4375, // 270 u/s
			StepHeight:    0.5625, // 18 u
			MinWalkNormal: 0.7,
			Overclip:      1.001,
			HalfWidth:     0.46875,                  // 15 u
			StandHeight:   1.75, CrouchHeight: 1.25, // 56 and 40 u
			StandEye: 1.5625, CrouchEye: 1.125, // 26 and 12 u above an origin 24 u up
			ChestFrac:     0.65,
			DuckMS:        100,
			LeanOffset:    0.5,
			LeanMS:        150,
			KnockbackMS:   150,
			FallSafeSpeed: 19.75, // 632 u/s, where its falls begin to hurt
			// 5 points there and 10 from 775 u/s.
			FallDamagePerMS: 1.1,
		},
		Weapons:  arenaWeapons(),
		Optics:   optics(),
		Items:    arenaItems(),
		Sounds:   arenaSounds(),
		Vehicles: [NumVehicles]Vehicle{Buggy: buggy()},
	}
}

// Tactical is slower, with weight in the start and the stop, less in the air.
func Tactical() Set {
	s := Arena()
	m := &s.Movement
	m.Name = "tactical"
	m.RunSpeed, m.WalkSpeed, m.CrouchSpeed, m.SwimSpeed, m.LadderSpeed, m.AimSpeed = 6.25, 3.25, 2.1, 3.5, 3.5, 2.75
	m.Accelerate, m.AirAccelerate, m.Friction, m.StopSpeed = 6.5, 6, 5.5, 2.5
	m.AirSpeedCap = 0.9
	m.JumpSpeed = 7.5 // clears 1.125 m, a crate with the legs drawn up
	m.DuckMS, m.LeanMS = 180, 220
	m.FallSafeSpeed, m.FallDamagePerMS = 15, 4.5
	r := &s.Weapons[Rifle]
	r.Damage, r.HeadFactor, r.LimbFactor = 27, 3.5, 0.8
	r.SpreadDeg, r.SpreadMove, r.SpreadShot, r.SpreadMax, r.SpreadAim = 0.4, 4, 0.45, 5, 0.35
	s.Items.HealthMS, s.Items.ArmorMS = 45000, 45000
	s.Items.RespawnMS = 3000
	r.Earshot, r.Muffled = 400, 60
	r.Mag, r.ReloadMS = 30, 2100
	s.Weapons[Rocket].Earshot, s.Weapons[Rocket].Muffled = 300, 300
	s.Sounds.Step, s.Sounds.Explode, s.Sounds.Flash = 24, 300, 300
	return s
}

func arenaWeapons() [NumWeapons]Weapon {
	return [NumWeapons]Weapon{
		Rifle: {
			Name: "rifle", IntervalMS: 110, RaiseMS: 300,
			Damage: 12, HeadFactor: 2, LimbFactor: 0.9, Range: 1024, // as far as the strongest optic shows people
			SpreadDeg: 0.35, SpreadMove: 0.8, SpreadShot: 0.12, SpreadMax: 2.2, SpreadAim: 0.5, CoolMS: 120,
			AmmoMax: 200, AmmoSpawn: 100, AmmoPickup: 50, Automatic: true,
			Knockback: 0.15625,                           // 5 u/s a point
			Earshot:   60, Muffled: 16, GlassShare: 0.75, // judgement: a pane costs a quarter
			Optic: Iron, Mounts: true,
		},
		Rocket: {
			Name: "rocket", IntervalMS: 800, RaiseMS: 350,
			Damage: 100, HeadFactor: 1, LimbFactor: 1, SpreadAim: 1,
			AmmoMax: 50, AmmoSpawn: 5, AmmoPickup: 5, Automatic: true,
			Projectile: true, Speed: 28.125, LifeMS: 10000, // 900 u/s
			SplashRadius: 3.75, SplashDamage: 100, // 120 u
			Knockback: 0.15625, SelfFactor: 0.5,
			HoleRadius: 3.125, // 100 u, as published of bursts in smoke
			Earshot:    70, Muffled: 70,
		},
		Knife: {
			Name: "knife", IntervalMS: 450, RaiseMS: 200,
			Damage: 45, HeadFactor: 1.5, LimbFactor: 1, Range: 1.75, SpreadAim: 1,
			Automatic: true, Melee: true, SweepRadius: 0.2,
			Knockback: 0.1,
			Earshot:   8, Muffled: 8,
		},
		SmokeGrenade: {
			Name: "smoke", IntervalMS: 900, RaiseMS: 250,
			HeadFactor: 1, LimbFactor: 1, SpreadAim: 1,
			AmmoMax: 2, AmmoSpawn: 1, AmmoPickup: 1,
			Projectile: true, Speed: 16, LifeMS: 10000,
			Earshot: 8,
			Throws:  ThrowsSmoke, FuseMS: 1600, Bounce: 0.45,
			CloudRadius: 4.0625, // 130 u
		},
		FlashGrenade: {
			Name: "flash", IntervalMS: 900, RaiseMS: 250,
			HeadFactor: 1, LimbFactor: 1, SpreadAim: 1,
			AmmoMax: 2, AmmoSpawn: 1, AmmoPickup: 1,
			Projectile: true, Speed: 18, LifeMS: 10000,
			Earshot: 8, // of the throw; the bang is Sounds.Flash
			Throws:  ThrowsFlash, FuseMS: 1400, Bounce: 0.45,
			FlashRange: 32, FlashMS: 2200, FadeMS: 1600,
		},
	}
}

func arenaItems() Items {
	return Items{
		Health: 25, Mega: 100, Armor: 50, Shard: 5,
		HealthMax: 100, MegaMax: 200, ArmorMax: 200,
		HealthMS: 35000, MegaMS: 35000, ArmorMS: 25000, AmmoMS: 40000, WeaponMS: 5000,
		Radius: 1.125, Height: 1.125, // 36 u
		SpawnHealth: 100,
		RespawnMS:   1700,
	}
}

// arenaSounds are by judgement: steps carry as far as a room and a corridor, a door
// through the next room.
func arenaSounds() Sounds {
	return Sounds{
		Step: 18, Jump: 14, Land: 22, Pad: 24,
		Reload: 12, Switch: 8, DryFire: 10, Pickup: 16,
		Door: 24, Explode: 70,
		Bounce: 12, Smoke: 16, Flash: 70, Break: 40,
	}
}
