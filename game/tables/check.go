package tables

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
)

// Validate returns an error of one sentence that names the first field that is
// out of range: movement and weapons may then assume what the ranges say.
func (s *Set) Validate() error {
	if s.Version < 1 {
		return fmt.Errorf("table version %d is below 1", s.Version)
	}
	if err := checkRanges("movement", reflect.ValueOf(s.Movement)); err != nil {
		return err
	}
	for i := range s.Weapons {
		if i == NoWeapon {
			continue
		}
		name := fmt.Sprintf("weapon %q", s.Weapons[i].Name)
		if s.Weapons[i].Name == "" {
			return fmt.Errorf("weapon %d has no name", i)
		}
		if err := checkRanges(name, reflect.ValueOf(s.Weapons[i])); err != nil {
			return err
		}
		if w := &s.Weapons[i]; w.Melee && (w.Projectile || w.Range == 0) {
			return fmt.Errorf("%s strikes by hand, so it is no projectile and its Range must be above 0", name)
		}
		if w := &s.Weapons[i]; w.Muffled > w.Earshot {
			return fmt.Errorf("%s has a Muffled earshot of %v m, farther than its Earshot of %v m", name, w.Muffled, w.Earshot)
		}
		if w := &s.Weapons[i]; w.Projectile && (w.Speed == 0 || w.LifeMS == 0) {
			return fmt.Errorf("%s is a projectile, so its Speed and LifeMS must be above 0", name)
		}
		if err := checkThrow(name, &s.Weapons[i]); err != nil {
			return err
		}
	}
	for i := range s.Optics {
		o := &s.Optics[i]
		name := fmt.Sprintf("optic %q", o.Name)
		if o.Name == "" {
			return fmt.Errorf("optic %d has no name", i)
		}
		if err := checkRanges(name, reflect.ValueOf(*o)); err != nil {
			return err
		}
		if o.Magnification > 1 && o.RangeM > 0 && o.TurnDPS == 0 {
			return fmt.Errorf("%s magnifies, so its TurnDPS must be above 0", name)
		}
	}
	if err := checkRanges("items", reflect.ValueOf(s.Items)); err != nil {
		return err
	}
	if err := checkRanges("sounds", reflect.ValueOf(s.Sounds)); err != nil {
		return err
	}
	for i := range s.Vehicles {
		v := &s.Vehicles[i]
		if err := checkVehicle(v); err != nil {
			return err
		}
		name := fmt.Sprintf("vehicle %q", v.Name)
		if err := checkRanges(name, reflect.ValueOf(*v)); err != nil {
			return err
		}
		for k := range v.Seats {
			if err := checkRanges(fmt.Sprintf("%s seat %d", name, k), reflect.ValueOf(v.Seats[k])); err != nil {
				return err
			}
		}
		for k := range v.Exits {
			if err := checkRanges(fmt.Sprintf("%s exit %d", name, k), reflect.ValueOf(v.Exits[k])); err != nil {
				return err
			}
		}
	}
	m := &s.Movement
	switch {
	case m.Name == "":
		return fmt.Errorf("movement has no name")
	case m.CrouchHeight > m.StandHeight:
		return fmt.Errorf("movement CrouchHeight %v is above StandHeight %v", m.CrouchHeight, m.StandHeight)
	case m.StandEye > m.StandHeight:
		return fmt.Errorf("movement StandEye %v is above StandHeight %v", m.StandEye, m.StandHeight)
	case m.CrouchEye > m.CrouchHeight:
		return fmt.Errorf("movement CrouchEye %v is above CrouchHeight %v", m.CrouchEye, m.CrouchHeight)
	case m.StepHeight >= m.CrouchHeight:
		return fmt.Errorf("movement StepHeight %v is not below CrouchHeight %v", m.StepHeight, m.CrouchHeight)
	}
	return nil
}

// checkThrow returns what is wrong with a weapon that throws.
func checkThrow(name string, w *Weapon) error {
	switch {
	case w.Throws == ThrowsNothing:
	case !w.Projectile || w.AmmoMax == 0 || w.FuseMS == 0:
		return fmt.Errorf("%s throws, so it is a projectile, and its AmmoMax and FuseMS must be above 0", name)
	case w.Throws == ThrowsSmoke && w.CloudRadius == 0:
		return fmt.Errorf("%s throws smoke, so its CloudRadius must be above 0", name)
	case w.Throws == ThrowsFlash && (w.FlashRange == 0 || w.FlashMS == 0 || w.FadeMS == 0):
		return fmt.Errorf("%s throws flashes, so its FlashRange, FlashMS and FadeMS must be above 0", name)
	}
	return nil
}

type span struct{ lo, hi float64 }

// ranges holds the allowed range of every number of the tables, by field name.
// TestEveryNumberHasARange fails when one is forgotten.
var ranges = map[string]map[string]span{
	"Movement": {
		"RunSpeed": {0.5, 50}, "WalkSpeed": {0.5, 50}, "CrouchSpeed": {0.1, 50}, "SwimSpeed": {0.1, 50},
		"LadderSpeed": {0.1, 50}, "AimSpeed": {0.1, 50},
		"Accelerate": {0.1, 100}, "AirAccelerate": {0, 1000}, "WaterAccelerate": {0, 100},
		"Friction": {0, 100}, "WaterFriction": {0, 100}, "StopSpeed": {0, 50},
		"AirControl": {0, 10}, "AirSpeedCap": {0, 50}, "MaxSpeed": {1, 300},
		"Gravity": {0, 200}, "JumpSpeed": {0, 100}, "StepHeight": {0, 2},
		"MinWalkNormal": {0.1, 1}, "Overclip": {1, 1.1},
		"HalfWidth": {0.1, 2}, "StandHeight": {0.5, 4}, "CrouchHeight": {0.25, 4},
		"StandEye": {0.1, 4}, "CrouchEye": {0.1, 4}, "ChestFrac": {0.1, 1},
		"DuckMS": {0, 2000}, "LeanOffset": {0, 1.5}, "LeanMS": {0, 2000},
		"KnockbackMS": {0, 1000}, "FallSafeSpeed": {0, 300}, "FallDamagePerMS": {0, 1000},
	},
	"Weapon": {
		"IntervalMS": {10, 10000}, "RaiseMS": {0, 5000}, "Damage": {0, 10000}, "HeadFactor": {0, 100},
		"LimbFactor": {0, 100}, "Range": {0, 4096}, "SpreadDeg": {0, 45}, "SpreadMove": {0, 45},
		"SpreadShot": {0, 45}, "SpreadMax": {0, 45}, "SpreadAim": {0, 10}, "CoolMS": {0, 5000},
		"AmmoMax": {0, 65535}, "AmmoSpawn": {0, 65535}, "AmmoPickup": {0, 65535},
		"Speed": {0, 300}, "LifeMS": {0, 60000}, "SplashRadius": {0, 64}, "SplashDamage": {0, 10000},
		"Knockback": {0, 10}, "SelfFactor": {0, 10}, "Earshot": {0, 1000}, "SweepRadius": {0, 1}, "GlassShare": {0, 1}, "Muffled": {0, 1000}, "Mag": {0, 255}, "ReloadMS": {0, 10000}, "Optic": {0, NumOptics - 1},
		"Throws": {0, numThrows - 1}, "FuseMS": {0, 10000}, "Bounce": {0, 1}, "CloudRadius": {0, 16},
		"FlashRange": {0, 128}, "FlashMS": {0, 10000}, "FadeMS": {0, 10000}, "HoleRadius": {0, 16},
	},
	"Optic": {
		"Magnification": {1, 32}, "FovDeg": {2, 100}, "RangeM": {0, 4096}, "RaiseMS": {0, 2000}, "LowerMS": {0, 2000},
		"TurnDPS": {0, 2000}, "AimSpeed": {0.1, 1}, "Spread": {0, 2},
	},
	"Sounds": {
		"Step": {0, 1000}, "Jump": {0, 1000}, "Land": {0, 1000}, "Pad": {0, 1000}, "Reload": {0, 1000},
		"Switch": {0, 1000}, "DryFire": {0, 1000}, "Pickup": {0, 1000}, "Door": {0, 1000}, "Explode": {0, 1000},
		"Bounce": {0, 1000}, "Smoke": {0, 1000}, "Flash": {0, 1000}, "Break": {0, 1000},
	},
	"Items": {
		"Health": {0, 1000}, "Mega": {0, 1000}, "Armor": {0, 1000}, "Shard": {0, 1000},
		"HealthMax": {1, 10000}, "MegaMax": {1, 10000}, "ArmorMax": {0, 10000},
		"HealthMS": {0, 600000}, "MegaMS": {0, 600000}, "ArmorMS": {0, 600000}, "AmmoMS": {0, 600000},
		"WeaponMS": {0, 600000}, "Radius": {0, 16}, "Height": {0, 16},
		"SpawnHealth": {1, 10000}, "SpawnArmor": {0, 10000}, "RespawnMS": {0, 600000},
	},
	"Vehicle": {
		"TopSpeed": {0.5, 60}, "ReverseSpeed": {0.5, 60}, "Accel": {0.1, 100}, "Brake": {0.1, 100}, "Coast": {0, 100},
		"Grip": {0, 100}, "TurnDeg": {0, 360}, "TurnSpeed": {0.1, 60}, "StepHeight": {0, 2},
		"HalfLength": {0.3, 6}, "HalfWidth": {0.3, 3}, "Height": {0.3, 4}, "HullLow": {0, 4}, "HullHigh": {0, 4},
		"Health": {1, 100000}, "SafeSpeed": {0, 60}, "RunOver": {0, 1000}, "BurstRadius": {0, 64}, "BurstDamage": {0, 10000},
		"RiderDamage": {0, 10000}, "RespawnMS": {0, 600000}, "UseReach": {0, 8},
	},
	"Seat": {"X": {-6, 6}, "Y": {-6, 6}, "Z": {0, 6}},
	"Exit": {"X": {-9, 9}, "Y": {-9, 9}},
}

func checkRanges(table string, v reflect.Value) error {
	t := v.Type()
	for i := range t.NumField() {
		name := t.Field(i).Name
		x, isNumber := number(v.Field(i))
		if !isNumber {
			continue
		}
		r, ok := ranges[t.Name()][name]
		if !ok {
			return fmt.Errorf("%s %s has no allowed range", table, name)
		}
		if !(x >= r.lo && x <= r.hi) {
			return fmt.Errorf("%s %s = %v is outside %v to %v", table, name, x, r.lo, r.hi)
		}
	}
	return nil
}

func number(v reflect.Value) (float64, bool) {
	switch v.Kind() {
	case reflect.Float32:
		return v.Float(), true
	case reflect.Int:
		return float64(v.Int()), true
	case reflect.Uint16:
		return float64(v.Uint()), true
	}
	return 0, false
}

// Hash returns the SHA-256 of every field in order: what a client and a server
// compare before they predict with the same numbers. It is the same on every
// platform, and changes with any field, added ones included.
func (s *Set) Hash() [32]byte {
	return sha256.Sum256(appendValue(nil, reflect.ValueOf(*s)))
}

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			b = append(b, v.Type().Field(i).Name...)
			b = appendValue(b, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
	case reflect.String:
		b = binary.BigEndian.AppendUint32(b, uint32(v.Len()))
		b = append(b, v.String()...)
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Float32:
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(float32(v.Float())))
	case reflect.Int:
		b = binary.BigEndian.AppendUint64(b, uint64(v.Int()))
	case reflect.Uint16:
		b = binary.BigEndian.AppendUint16(b, uint16(v.Uint()))
	default:
		panic("tables: a field of kind " + v.Kind().String() + " cannot be hashed")
	}
	return b
}
