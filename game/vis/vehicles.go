package vis

// Vehicles are told of less often the farther they are: from these distances on, in
// metres, every so many 32nds of a second. The bands are those of players in deaddrop.
const (
	vehicleMid, vehicleMidEvery = 60, 3
	vehicleFar, vehicleFarEvery = 150, 8
)

// vehicles permits a viewer with a living body every vehicle within the range, and
// nothing else of their kind: what hides them does not count, and no policy is asked.
// Who sits in one is decided as on foot.
func vehicles(in *Input, ans *Answer, v int) {
	me := in.body(v)
	for _, k := range ans.gate.vehicles {
		s := int(k)
		d := float32(0)
		if me != nil {
			d = me.Pos.Dist(in.Subjects[s].Pos)
		}
		if me == nil || in.VehicleRange > 0 && !(d <= in.VehicleRange) {
			if ans.Permitted(v, s) {
				ans.Deny(v, s)
			}
			continue
		}
		every := uint8(0)
		switch {
		case d > vehicleFar:
			every = vehicleFarEvery
		case d > vehicleMid:
			every = vehicleMidEvery
		}
		ans.Allow(v, s, Distance, in.Tick, every)
	}
}
