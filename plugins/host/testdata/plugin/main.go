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
