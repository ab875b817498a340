package scenario

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
)

// SoakConfig is what a soak is run with.
type SoakConfig struct {
	Config         // Seconds is how long, after everybody has joined
	Every  float64 // seconds between samples (0: 60)
	// Resident is the memory of the process in MiB, 0 when that is not known. May be
	// nil.
	Resident func() float64
	// Wait waits until a time of the match, in nanoseconds since it began, has come;
	// nil: the match runs as fast as it can.
	Wait func(at int64)
	// Note is told of each sample. May be nil.
	Note func(s Sample)
}

// Sample is one look at a soak.
type Sample struct {
	Seconds    float64 `json:"seconds"`
	RSSMiB     float64 `json:"rss_mib"`
	HeapMiB    float64 `json:"heap_mib"` // live after a collection
	Goroutines int     `json:"goroutines"`
	// Behind is how many ticks the clients' pictures lie behind the server, mean.
	Behind  float64 `json:"behind_ticks"`
	Playing int     `json:"playing"`
	Errors  int     `json:"prediction_errors"`
	Starved int     `json:"starved_commands"`
}

// SoakReport is how a soak went. The three claims are of the last third of the
// samples against the first.
type SoakReport struct {
	Players int      `json:"players"`
	Samples []Sample `json:"samples"`
	Flat    bool     `json:"memory_flat"`
	Steady  bool     `json:"no_drift"`
	NoLeak  bool     `json:"no_goroutine_leak"`
	Verdict string   `json:"verdict"`
}

// Good reports whether nothing grew, drifted, or went wrong.
func (r *SoakReport) Good() bool {
	last := r.Samples[len(r.Samples)-1]
	return r.Flat && r.Steady && r.NoLeak && last.Playing == r.Players && last.Errors == 0
}

// Soak runs a match for long and looks for what grows.
func Soak(cfg SoakConfig) (SoakReport, error) {
	if cfg.Every == 0 {
		cfg.Every = 60
	}
	every := int(cfg.Every * float64(cfg.TickRate))
	ticks := int(cfg.Seconds * float64(cfg.TickRate))
	if cfg.Bots < 1 || every < 1 || ticks < 3*every {
		return SoakReport{}, errors.New("scenario: a soak needs players, and time for three samples")
	}
	m, err := New(cfg.Config)
	if err != nil {
		return SoakReport{}, err
	}
	defer m.Close()
	const joinSeconds = 60
	step := func() {
		if cfg.Wait != nil {
			cfg.Wait(m.Now)
		}
		m.Step()
	}
	for n := 0; m.playing() < cfg.Bots; n++ {
		if n > joinSeconds*cfg.TickRate {
			return SoakReport{}, fmt.Errorf("scenario: %d of %d bots have joined after %d s", m.playing(), cfg.Bots, joinSeconds)
		}
		step()
	}
	r := SoakReport{Players: cfg.Bots}
	for n := range ticks {
		step()
		if (n+1)%every == 0 {
			r.Samples = append(r.Samples, m.sample(&cfg, float64(n+1)/float64(cfg.TickRate)))
			if cfg.Note != nil {
				cfg.Note(r.Samples[len(r.Samples)-1])
			}
		}
	}
	r.Judge()
	return r, nil
}

func (m *Match) sample(cfg *SoakConfig, at float64) Sample {
	// What is free goes back to the system first: when a level begins anew the old and
	// the new one are there for a moment, and that peak is no growth.
	debug.FreeOSMemory()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	s := Sample{Seconds: at, HeapMiB: float64(mem.HeapAlloc) / (1 << 20), Goroutines: runtime.NumGoroutine(), Playing: m.playing()}
	if cfg.Resident != nil {
		s.RSSMiB = cfg.Resident()
	}
	now := m.Server.Tick()
	for _, b := range m.Crew.Bots() {
		tick, frac := b.Shown()
		s.Behind += (float64(int32(now-tick)) - float64(frac)/256) / float64(cfg.Bots)
	}
	t, _ := TotalsOf(m.Crew)
	s.Errors, s.Starved = t.Errors, m.Server.Stats().Starved
	return s
}

// What counts as growth: this share and this much, or a tick. Between two samples
// memory goes up and down by about half of it.
const (
	soakShare = 0.05
	soakMiB   = 8
	soakTicks = 1.0
)

// Judge fills in the claims: it compares the last third of the samples with the
// one before, by their medians. The first third is warming up: rings are filled
// round by round, and pages that were there from the start become resident.
func (r *SoakReport) Judge() {
	k := max(len(r.Samples)/3, 1)
	median := func(f func(*Sample) float64) (first, last float64) {
		v := make([]float64, len(r.Samples))
		for i := range r.Samples {
			v[i] = f(&r.Samples[i])
		}
		from := min(k, len(v)-k)
		a, b := slices.Clone(v[from:from+k]), slices.Clone(v[len(v)-k:])
		return *part(a, 0.5), *part(b, 0.5)
	}
	grown := func(first, last float64) bool { return last-first > max(first*soakShare, soakMiB) }
	rss, rssLast := median(func(s *Sample) float64 { return s.RSSMiB })
	heap, heapLast := median(func(s *Sample) float64 { return s.HeapMiB })
	back, backLast := median(func(s *Sample) float64 { return s.Behind })
	gos, gosLast := median(func(s *Sample) float64 { return float64(s.Goroutines) })
	r.Flat = !grown(rss, rssLast) && !grown(heap, heapLast)
	r.Steady = backLast-back < soakTicks && back-backLast < soakTicks
	r.NoLeak = gosLast <= gos
	r.Verdict = fmt.Sprintf("resident %.1f to %.1f MiB, heap %.1f to %.1f MiB: %s; pictures %.2f to %.2f ticks behind: %s; %.0f to %.0f goroutines: %s",
		rss, rssLast, heap, heapLast, word(r.Flat, "flat", "growing"), back, backLast, word(r.Steady, "no drift", "drifting"),
		gos, gosLast, word(r.NoLeak, "no leak", "a leak"))
}

func word(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}
