package scenario

import "slices"

// Looked puts what an Onlooker counted into the figures.
func (f *Figures) Looked(c *Complete) {
	missing := c.Missing
	f.ExcessLate = &missing
	share := func(of, all int) *float64 {
		if all == 0 {
			return nil
		}
		v := float64(of) / float64(all)
		return &v
	}
	f.ExcessShare, f.HiddenKnown = share(c.Missing, c.Visible), share(c.Known, c.Hidden)
	f.LateCauses = map[string]int{}
	for w, n := range c.Causes {
		if n > 0 {
			f.LateCauses[Cause(w).String()] = n
		}
	}
	f.Delivery, f.Render = percentiles(slices.Clone(c.Delivery)), percentiles(slices.Clone(c.Render))
	if n := len(c.Preload); n > 0 {
		ms := append([]float64(nil), c.Preload...)
		f.Preload = percentiles(ms)
		f.NeverShown = share(c.Never, n)
	}
}
