package wire

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/rangecode"
)

// model is something that is coded in a snapshot, with chances of its own in each
// of its contexts.
type model uint8

const (
	mPlain model = iota
	mBased
	mTick
	mLastCmd
	mMargin
	mTerms
	mTerm
	mAsPredicted
	mOwnHas
	mOwnNum
	mOwnFloat
	mDoor
	mDoorNum
	mMore
	mGap
	mEventNum
	mEventAge
	mEventKind
	mEventHas
	mEventVal
	mEventWho
	mEventX
	mNormal
	mAgain
	mFull
	mAge
	mWhole
	mKind
	mDetail
	mPose
	mDuck
	mLean
	mRare
	mRareHas
	mRareNum
	mBody
	mShots
	mStride
	mStrideBy
	mX
	mY
	mZ
	mVX
	mVZ
	mYaw
	mPitch
	mFarX
	mFarZ
	mFirst
	mPath
	mPathV
	numModels
)

// shape is how many contexts a model has and how many symbols.
type shape struct {
	name           string
	contexts, syms int
}

// classes is how many symbols a number has: see classOf.
const classes = 64

// Sizes of contexts.
const (
	ages    = 6 // ageOf
	gaits   = 4 // gaitOf
	sizes   = 4 // sizeOf
	sizes5  = 5 // sizeOf, with none apart
	details = 3
	turns   = 6  // turnOf
	fields  = 24 // of the own state
	kinds   = 16 // of subjects: room for those to come
)

var shapes = [numModels]shape{
	mPlain: {"bit packed", 1, 2},
	mBased: {"base", 1, 64},
	mTick:  {"tick", 1, classes}, mLastCmd: {"last command", 1, classes}, mMargin: {"margin", 1, classes}, mTerms: {"terms", 2, 2}, mTerm: {"term", 2, classes},
	mAsPredicted: {"as predicted", 1, 2}, mOwnHas: {"own has", fields, 2}, mOwnNum: {"own number", fields, classes}, mOwnFloat: {"own float", 6, classes},
	mDoor: {"door", 4, 2}, mDoorNum: {"door number", 2, classes},
	mMore: {"more", 5, 2}, mGap: {"gap", 3, classes},
	mEventNum: {"event number", 2, classes}, mEventAge: {"event age", 1, classes}, mEventKind: {"event kind", 1, 32},
	mEventHas: {"event has", 32 * 8, 2}, mEventVal: {"event value", 32 * 2, classes}, mEventWho: {"event who", 2, classes}, mEventX: {"event place", 2, classes}, mNormal: {"normal", 1, 28},
	mAgain: {"again", gaits * sizes, 3}, mFull: {"full", 2, 2}, mAge: {"age", 2, 64}, mWhole: {"whole", 2, 2},
	mKind: {"kind", 1, kinds}, mDetail: {"detail", kinds, 4},
	mPose: {"pose", gaits, 128}, mDuck: {"duck", 2, state.DuckLevels}, mLean: {"lean", 1, state.LeanLevels},
	mRare: {"rare", 1, 2}, mRareHas: {"rare has", 10, 2}, mRareNum: {"rare number", 8, classes},
	mBody: {"body", gaits, 2}, mShots: {"shots", 4, classes}, mStride: {"stride", gaits, 2}, mStrideBy: {"stride by", 1, classes},
	mX: {"x", details * ages * gaits * sizes, classes}, mY: {"y", details * ages * gaits * sizes * sizes, classes}, mZ: {"z", details * gaits * sizes * 2, classes},
	mVX: {"velocity", details * ages * sizes5, classes}, mVZ: {"velocity up", details * gaits * sizes5, classes},
	mYaw: {"yaw", details * ages * turns, classes}, mPitch: {"pitch", details * turns * turns, classes},
	mFarX: {"far", details * 2, classes}, mFarZ: {"far up", details, classes}, mFirst: {"first", 16, classes},
	mPath: {"path", details * 2, classes}, mPathV: {"path velocity", details * 2, classes},
}

// starts is where the contexts of a model begin among all.
var starts = func() (at [numModels + 1]int) {
	for m, s := range shapes {
		at[m+1] = at[m] + s.contexts
	}
	return at
}()

// chances are the tables, by context; only read.
var chances = parseChances(trained)

// parseChances reads lines of counts: what is missing at the end of a line is 0, and a
// line that is missing is of even chances.
func parseChances(text string) []rangecode.Table {
	lines := strings.Split(text, "\n")
	out := make([]rangecode.Table, starts[numModels])
	i := 0
	for m, s := range shapes {
		for range s.contexts {
			counts := make([]uint64, s.syms)
			if i < len(lines) {
				for k, f := range strings.Fields(lines[i]) {
					if k < len(counts) {
						counts[k], _ = strconv.ParseUint(f, 10, 32)
					}
				}
			}
			out[i] = rangecode.Shares(counts)
			i++
		}
		_ = m
	}
	return out
}

// Counts are how often each symbol occurred in each context: what tables are
// trained from.
type Counts struct{ n [][]uint64 }

// NewCounts returns Counts of nothing.
func NewCounts() *Counts {
	c := &Counts{n: make([][]uint64, starts[numModels])}
	i := 0
	for _, s := range shapes {
		for range s.contexts {
			c.n[i] = make([]uint64, s.syms)
			i++
		}
	}
	return c
}

// Report returns, by model, how often it was coded and how many bits that took by
// the present tables.
func (c *Counts) Report() string {
	var b strings.Builder
	i, all := 0, 0.0
	for _, s := range shapes {
		n, cost := uint64(0), 0.0
		for range s.contexts {
			for sym, k := range c.n[i] {
				n += k
				cost += float64(k) * bitsOf(chances[i], sym)
			}
			i++
		}
		if n > 0 {
			fmt.Fprintf(&b, "%-16s %10d %12.0f bits %7.3f each\n", s.name, n, cost, cost/float64(n))
		}
		all += cost
	}
	fmt.Fprintf(&b, "%-16s %23.0f bits, those that are not modelled excepted\n", "all", all)
	return b.String()
}

// bitsOf is what a symbol costs; for reports only.
func bitsOf(t rangecode.Table, sym int) float64 {
	share := float64(t[sym+1]-t[sym]) / rangecode.Total
	return -math.Log2(share)
}

// Tables returns the counts as the text that the tables are made of. A context in
// which little was seen leans on what its model saw in all: as many symbols of that
// are added as prior says.
func (c *Counts) Tables(prior float64) string {
	var b strings.Builder
	i := 0
	for _, s := range shapes {
		sum := make([]float64, s.syms)
		total := 0.0
		for k := range s.contexts {
			for sym, n := range c.n[i+k] {
				sum[sym] += float64(n)
				total += float64(n)
			}
		}
		for range s.contexts {
			own := 0.0
			for _, n := range c.n[i] {
				own += float64(n)
			}
			line := make([]float64, s.syms)
			most := 0.0
			for sym, n := range c.n[i] {
				line[sym] = float64(n)
				if total > 0 {
					line[sym] += prior * sum[sym] / total
				}
				most += line[sym]
			}
			last := 0
			text := make([]string, s.syms)
			for sym, v := range line {
				n := 0
				if most > 0 {
					n = int(v/most*(1<<15) + 0.5)
				}
				if text[sym] = strconv.Itoa(n); n > 0 {
					last = sym + 1
				}
			}
			b.WriteString(strings.Join(text[:last], " "))
			b.WriteByte('\n')
			i++
		}
	}
	return b.String()
}

func (c *Coder) put(m model, ctx, sym int) {
	at := starts[m] + ctx
	if c.n != nil {
		c.n.n[at][sym]++
	}
	c.e.Sym(chances[at], sym)
}

func (c *Coder) get(m model, ctx int) int { return c.d.Get(chances[starts[m]+ctx]) }

// how describes a model.
func (m model) how(kind string) string {
	s := &shapes[m]
	return fmt.Sprintf("%s, model %q of %d symbols in %d contexts", kind, s.name, s.syms, s.contexts)
}

// bit is one yes or no.
func (c *Coder) bit(m model, ctx int, name string, is bool) bool {
	switch {
	case c.e != nil:
		sym := 0
		if is {
			sym = 1
		}
		c.put(m, ctx, sym)
	case c.d != nil:
		is = c.get(m, ctx) == 1
	case c.w != nil:
		c.w.Bool(is)
	case c.r != nil:
		is = c.r.Bool()
	default:
		c.note(name, m.how("bit"))
	}
	return is
}

// when is a bit that says whether what follows in the braces is there. The caller
// ends the braces with done.
func (c *Coder) when(m model, ctx int, name string, is bool) bool {
	if c.text != nil {
		c.note(name, m.how("bit, if set:"))
		c.deep++
		return true
	}
	return c.bit(m, ctx, name, is)
}

// pick is one of the model's symbols, packed in as few whole bits as they need.
func (c *Coder) pick(m model, ctx int, name string, v int) int {
	syms := shapes[m].syms
	switch {
	case c.e != nil:
		c.put(m, ctx, v)
	case c.d != nil:
		v = c.get(m, ctx)
	case c.w != nil:
		c.w.Bits(uint64(v), bits.Len(uint(syms-1)))
	case c.r != nil:
		if v = int(c.r.Bits(bits.Len(uint(syms - 1)))); v >= syms {
			c.r.Fail(ErrRange)
			v = 0
		}
	default:
		c.note(name, m.how(fmt.Sprintf("one of %d, packed u%d", syms, bits.Len(uint(syms-1)))))
	}
	return v
}

// num is a number, packed in a Golomb code of order k. Its class is a symbol; what
// the class leaves open is in raw bits.
func (c *Coder) num(m model, ctx int, name string, v uint32, k int) uint32 {
	switch {
	case c.e != nil:
		sym, open := classOf(v)
		c.put(m, ctx, sym)
		if open > 0 {
			c.e.Raw(uint64(v), open)
		}
	case c.d != nil:
		sym := c.get(m, ctx)
		low, open := classAt(sym)
		v = low
		if open > 0 {
			v += uint32(c.d.Raw(open))
		}
	case c.w != nil:
		c.w.Golomb(v, k)
	case c.r != nil:
		v = c.r.Golomb(k)
	default:
		c.note(name, m.how(fmt.Sprintf("number, packed golomb%d", k)))
	}
	return v
}

// off is a number with a sign, folded.
func (c *Coder) off(m model, ctx int, name string, v int32, k int) int32 {
	return unfold(c.num(m, ctx, name, fold(v), k))
}

// classOf returns the class of a number and how many of its low bits that leaves
// open: numbers below 4 have one each, of those above there are two in each octave.
func classOf(v uint32) (class, open int) {
	if v < 4 {
		return int(v), 0
	}
	n := bits.Len32(v) - 1
	return 2*n + int(v>>(n-1)&1), n - 1
}

// classAt is classOf turned round: the least number of a class.
func classAt(class int) (low uint32, open int) {
	if class < 4 {
		return uint32(class), 0
	}
	n := class / 2
	return (2 + uint32(class&1)) << (n - 1), n - 1
}

// raw is n bits of even chances.
func (c *Coder) raw(name string, v uint64, n int) uint64 {
	switch {
	case c.e != nil:
		c.e.Raw(v, n)
	case c.d != nil:
		v = c.d.Raw(n)
	case c.w != nil:
		c.w.Bits(v, n)
	case c.r != nil:
		v = c.r.Bits(n)
	default:
		c.note(name, fmt.Sprintf("u%d", n))
	}
	return v
}
