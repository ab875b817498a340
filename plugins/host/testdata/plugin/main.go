// Plugin is every plugin that the tests of plugins/host need, good and bad:
// SAMPLE says which.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

func init() {
	switch os.Getenv("SAMPLE") {
	case "hello":
		fmt.Println("hello")
	case "megabyte":
		fmt.Print(strings.Repeat("x", 1<<20))
	case "silent":
		time.Sleep(time.Hour)
	case "panic":
		fmt.Fprintln(os.Stderr, "about to give up")
		panic("no such thing as a free lunch")
	case "exit3":
		fmt.Fprintln(os.Stderr, "cannot find my table")
		os.Exit(3)
	}
}

func main() {
	switch os.Getenv("SAMPLE") {
	case "rules":
		sdk.ServeRules(sample.RulesSpec())
	case "ops":
		sdk.ServeRules(rules.Spec{Name: "ops", New: func() rules.Rules { return badOps{} }})
	case "nonsense":
		sdk.ServePolicy(specOf(func(in *vis.Input, out *vis.Answer) {
			out.Tick++
			for v := range in.Viewers {
				out.Allow(v, 0, vis.Open, in.Tick+1000, 0)
			}
		}))
	case "chatty":
		log := sdk.Logger()
		sdk.ServePolicy(specOf(func(in *vis.Input, _ *vis.Answer) {
			if in.Tick == 1 {
				fmt.Println("a print to stdout")
				fmt.Fprintln(os.Stderr, "a print to stderr")
				log.Warn("a warning", "tick", in.Tick)
				log.Info(strings.Repeat("long ", 10000))
			}
		}))
	case "slow": // holds for ever, answers too late from tick 10 on
		sdk.ServePolicy(specOf(func(in *vis.Input, out *vis.Answer) {
			if in.Tick >= 10 {
				time.Sleep(60 * time.Millisecond)
			}
			for v := range in.Viewers {
				out.Allow(v, 0, vis.Open, in.Tick+1000, 0)
			}
		}))
	case "everything", "nothing", "held", "lastmatch", "strangers", "garbage":
		sdk.ServePolicy(specOf(misbehave(os.Getenv("SAMPLE"))))
	case "dies":
		sdk.ServePolicy(specOf(func(in *vis.Input, _ *vis.Answer) {
			if in.Tick == 3 {
				panic("tick three")
			}
		}))
	default:
		sdk.ServePolicy(sample.PolicySpec())
	}
}

// misbehave is a policy that is good up to tick 10, which permits even pairs for ever,
// and from then on is bad in its way.
func misbehave(how string) decide {
	return func(in *vis.Input, out *vis.Answer) {
		good := in.Tick <= 10 || how == "held"
		switch {
		case good, how == "lastmatch", how == "strangers":
			for v := range in.Viewers {
				for s := range in.Subjects {
					if (v+s)%2 == 0 && in.IsAsked(v, s) {
						out.Allow(v, s, vis.EyeEye, in.Tick+1000, 0)
					}
				}
			}
		}
		switch {
		case good || how == "nothing":
		case how == "everything": // asked or not, dead or not, for ever
			for v := range in.Viewers {
				for s := range in.Subjects {
					out.Allow(v, s, vis.Teammate, in.Tick+1<<30, 0)
				}
			}
		case how == "lastmatch": // the tick of one that is over
			out.Tick = in.Tick - 100_000
		case how == "strangers": // somebody more than was asked about
			out.Subjects++
			out.Reason, out.Hold, out.Interval = make([]vis.Reason, out.Viewers*out.Subjects), make([]uint32, out.Viewers*out.Subjects), make([]uint8, out.Viewers*out.Subjects)
		case how == "garbage": // reasons that there are not, and less than no rays
			for v := range in.Viewers {
				for s := range in.Subjects {
					out.Allow(v, s, vis.Reason(200+s), in.Tick, 0)
				}
			}
			out.Rays = -1
		}
	}
}

type decide func(in *vis.Input, out *vis.Answer)

func (d decide) Decide(in *vis.Input, out *vis.Answer) { d(in, out) }

func specOf(d decide) vis.Spec {
	return vis.Spec{Name: "bad", New: func(vis.Env) (vis.Policy, error) { return d, nil }}
}

type badOps struct{}

func (badOps) Start(*rules.Match) error { return nil }
func (badOps) Save() []byte             { return nil }
func (badOps) Tick(_ *rules.TickIn, ops []rules.Op) []rules.Op {
	return append(ops, rules.Op{Kind: rules.OpScore, ID: 1}, rules.Op{Kind: 200}, rules.Op{Kind: rules.OpAnnounce, Text: strings.Repeat("x", 600)})
}
