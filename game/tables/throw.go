package tables

// FlashFade returns how long the white of a flash fades, ms: the longest of the weapons.
func (s *Set) FlashFade() float32 {
	ms := float32(0)
	for i := range s.Weapons {
		ms = max(ms, s.Weapons[i].FadeMS)
	}
	return ms
}
