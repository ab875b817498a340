package scenario

// looked puts what an Onlooker counted into the figures.
func (f *Figures) looked(c *Complete) {
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
	if n := len(c.Preload); n > 0 {
		ms := append([]float64(nil), c.Preload...)
		f.Preload = &Percentiles{P50: *part(ms, 0.5), P95: *part(ms, 0.95), P99: *part(ms, 0.99), Max: *part(ms, 1)}
		f.NeverShown = share(c.Never, n)
	}
}
