package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// diffOptions says how much to ask.
type diffOptions struct {
	Rays, Sweeps, Worst int
	Seed                uint64
}

// diffReport is how two maps compare.
type diffReport struct {
	A       string     `json:"a"`
	B       string     `json:"b"`
	FormatA string     `json:"format_a"`
	FormatB string     `json:"format_b"`
	Seed    uint64     `json:"seed"`
	Starts  int        `json:"start_points"`
	Rays    diffTally  `json:"rays"`
	Sweeps  diffTally  `json:"sweeps"`
	Worst   []diffCase `json:"worst"`
}

type diffTally struct {
	Count    int     `json:"count"`
	Hits     int     `json:"hits"` // in A
	HitShare float64 `json:"hit_share"`
	Disagree int     `json:"disagree"`
	Share    float64 `json:"disagree_share"`
}

type diffCase struct {
	Kind string     `json:"kind"`
	Mask string     `json:"mask"`
	From [3]float32 `json:"from"`
	To   [3]float32 `json:"to"`
	A    string     `json:"answer_a"`
	B    string     `json:"answer_b"`
	Gap  float32    `json:"gap"` // metres between the two ends
}

// sameEnd is how far apart two ends may lie along a line: 1/4 map unit. A
// compiler rounds planes to a hundredth of one; at a grazing angle that is more.
const sameEnd = 0.25 / level.UnitsPerMetre

// reach bounds a ray, in metres.
const reach = 80

// differ compares two worlds.
type differ struct {
	a, b   *trace.World
	rng    *rand.Rand
	starts []vec.V3
}

// diffWorlds asks both maps the same random questions.
func diffWorlds(a, b *trace.World, opt diffOptions) (*diffReport, error) {
	if opt.Rays < 0 || opt.Sweeps < 0 || opt.Rays > 10_000_000 || opt.Sweeps > 10_000_000 {
		return nil, errors.New("rays and sweeps are from 0 to 10 million")
	}
	d := &differ{a: a, b: b, rng: rand.New(rand.NewPCG(opt.Seed, 0x5167))}
	d.findStarts()
	if len(d.starts) == 0 {
		return nil, errors.New("no playable space is found: neither map has a spawn or a thing in the open")
	}
	la, lb := a.Level(), b.Level()
	r := &diffReport{A: la.Source, B: lb.Source, FormatA: la.Format, FormatB: lb.Format, Seed: opt.Seed, Starts: len(d.starts), Worst: []diffCase{}}
	body := level.StandingBox.Size().Scale(0.5)
	r.Rays = d.run("ray", opt.Rays, vec.V3{}, [...]level.Mask{level.MaskSight, level.MaskMove, level.MaskShot}, &r.Worst)
	r.Sweeps = d.run("sweep", opt.Sweeps, body, [...]level.Mask{level.MaskMove, level.MaskMove, level.MaskMove}, &r.Worst)
	sort.SliceStable(r.Worst, func(i, j int) bool { return r.Worst[i].Gap > r.Worst[j].Gap })
	r.Worst = r.Worst[:min(len(r.Worst), max(opt.Worst, 0))]
	return r, nil
}

// findStarts collects points of playable space: from where players and things
// are, along clear random lines, half of them clear in A and half in B.
func (d *differ) findStarts() {
	const want, hops = 4096, 6
	var seeds []vec.V3
	for _, w := range []*trace.World{d.a, d.b} {
		l := w.Level()
		add := func(p vec.V3) {
			if w.Contents(p)&(level.MaskMove|level.MaskShot) == 0 {
				seeds = append(seeds, p)
			}
		}
		for i := range l.Spawns {
			add(l.Spawns[i].Pos.Add(vec.V3{Z: 1.5}))
		}
		for i := range l.Pickups {
			add(l.Pickups[i].Pos.Add(vec.V3{Z: 0.75}))
		}
		for i := range l.Teleports {
			add(l.Teleports[i].Dest.Add(vec.V3{Z: 1}))
		}
	}
	for i := 0; len(seeds) > 0 && len(d.starts) < want; i++ {
		w := d.a
		if i%2 == 1 {
			w = d.b
		}
		p := seeds[d.rng.IntN(len(seeds))]
		for range 1 + d.rng.IntN(hops) {
			q := p.Add(d.direction(0.35).Scale(reach / 2))
			r := w.Ray(p, q, level.MaskMove|level.MaskShot)
			if r.StartSolid {
				break
			}
			p = p.Lerp(r.End, float32(d.rng.Float64())*0.95)
		}
		d.starts = append(d.starts, p)
	}
}

// direction returns a random unit vector; flat < 1 presses it to the horizontal.
func (d *differ) direction(flat float32) vec.V3 {
	for {
		v := vec.V3{X: d.signed(), Y: d.signed(), Z: d.signed()}
		if l := v.LenSq(); l > 0.01 && l <= 1 {
			v.Z *= flat
			return v.Unit()
		}
	}
}

func (d *differ) signed() float32 { return float32(d.rng.Float64()*2 - 1) }

// run asks n questions of one kind.
func (d *differ) run(kind string, n int, half vec.V3, masks [3]level.Mask, worst *[]diffCase) diffTally {
	flat := float32(1)
	if kind == "sweep" {
		flat = 0.35
	}
	// Lengths are drawn from how far lines go until they hit, so that about half
	// of them do.
	free := make([]float32, 0, 512)
	for i := range cap(free) {
		q := d.question(half, flat, reach, masks[i%3])
		free = append(free, max(float32(ask(d.a, q).Frac*reach), 0.5))
	}
	t := diffTally{Count: n}
	for i := range n {
		length := free[d.rng.IntN(len(free))] * float32(0.7+0.6*d.rng.Float64())
		q := d.question(half, flat, length, masks[i%3])
		ra, rb := ask(d.a, q), ask(d.b, q)
		if ra.Frac < 1 || ra.StartSolid {
			t.Hits++
		}
		gap := vec.Abs(ra.Frac-rb.Frac) * length
		if ra.StartSolid != rb.StartSolid {
			gap = float32(math.Max(float64(gap), 1))
		}
		if gap <= sameEnd {
			continue
		}
		t.Disagree++
		*worst = append(*worst, diffCase{
			Kind: kind, Mask: maskName(q.mask), From: triple(q.from), To: triple(q.to), Gap: gap,
			A: d.words(d.a, ra), B: d.words(d.b, rb),
		})
	}
	if n > 0 {
		t.HitShare, t.Share = float64(t.Hits)/float64(n), float64(t.Disagree)/float64(n)
	}
	return t
}

// question makes a query from a random start; a box looks for one where it fits.
func (d *differ) question(half vec.V3, flat, length float32, mask level.Mask) mapQuery {
	q := mapQuery{half: half, mask: mask}
	w := d.a
	if d.rng.IntN(2) == 1 {
		w = d.b
	}
	for range 50 {
		q.from = d.starts[d.rng.IntN(len(d.starts))]
		if half == (vec.V3{}) || !w.Box(q.from, q.from, vec.Box{Min: half.Neg(), Max: half}, mask).StartSolid {
			break
		}
	}
	q.to = q.from.Add(d.direction(flat).Scale(length))
	return q
}

func (d *differ) words(w *trace.World, r trace.Result) string {
	tex := ""
	if t := w.Level().Textures; (r.Frac < 1 || r.StartSolid) && int(r.Texture) < len(t) {
		tex = " " + t[r.Texture]
	}
	if r.StartSolid {
		return fmt.Sprintf("starts inside%s", tex)
	}
	if r.Frac == 1 {
		return "clear"
	}
	return fmt.Sprintf("%.5f%s model %d", r.Frac, tex, r.Model)
}
