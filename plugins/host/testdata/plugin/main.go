// Plugin is every plugin that the tests of plugins/host need, good and bad:
// SAMPLE says which, or the file's name.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

// mode is what SAMPLE says, or the file's name after policy- or rules-.
func mode() string {
	if m := os.Getenv("SAMPLE"); m != "" {
		return m
	}
	_, m, _ := strings.Cut(filepath.Base(os.Args[0]), "-")
	return m
}

func init() {
	switch mode() {
	case "hello":
		fmt.Println("hello")
	case "megabyte":
		fmt.Print(strings.Repeat("x", 1<<20))
	case "silent":
		time.Sleep(time.Hour)
	case "panic":
		fmt.Fprintln(os.Stderr, "about to give up")
		panic("no such thing as a free lunch")
	case "oldcontract": // the handshake of one that was built long ago, or will be
		fmt.Println("1|0|unix|/nowhere|grpc|")
		time.Sleep(time.Hour)
	case "newcontract":
		fmt.Println("1|99|unix|/nowhere|grpc|")
		time.Sleep(time.Hour)
	case "exit3":
		fmt.Fprintln(os.Stderr, "cannot find my table")
		os.Exit(3)
	}
}

func main() {
	switch mode := mode(); mode {
	case "rawpolicy", "rawrules":
		serveRaw(mode[len("raw"):])
	case "rules":
		spec := sample.RulesSpec()
		spec.New = func() rules.Rules { return &doing{Rules: sample.RulesSpec().New()} }
		sdk.ServeRules(spec)
	case "ops":
		sdk.ServeRules(rules.Spec{Name: "ops", New: func() rules.Rules { return badOps{} }})
	case "nonsense":
		sdk.ServePolicy(specOf(func(in *vis.Input, out *vis.Answer) {
			out.Tick++
			for v := range in.Viewers {
				out.Allow(v, 0, vis.Open, in.Tick+1000, 0)
			}
		}))
	case "environment":
		log := sdk.Logger()
		sdk.ServePolicy(specOf(func(in *vis.Input, _ *vis.Answer) {
			if in.Tick == 1 {
				log.Info("environment", "is", strings.Join(os.Environ(), " "))
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
		sdk.ServePolicy(specOf(misbehave(mode)))
	case "remembers": // by itself, of those who were within 20 m: 20 ticks longer
		seen := map[[2]int]uint32{}
		sdk.ServePolicy(specOf(func(in *vis.Input, out *vis.Answer) {
			for v := range in.Viewers {
				for s := range in.Subjects {
					if v != s && in.Subjects[v].Pos.Sub(in.Subjects[s].Pos).Len() < 20 {
						seen[[2]int{v, s}] = in.Tick + 20
					}
					if until := seen[[2]int{v, s}]; until >= in.Tick && in.IsAsked(v, s) {
						out.Allow(v, s, vis.EyeEye, until, 2)
					}
				}
			}
		}))
	case "turncoat": // good for as long as it takes to be trusted, and then never again
		n := 0
		sdk.ServePolicy(specOf(func(in *vis.Input, out *vis.Answer) {
			if n++; n > 40 {
				out.Tick++
			}
		}))
	case "dies":
		sdk.ServePolicy(specOf(func(in *vis.Input, _ *vis.Answer) {
			if in.Tick == 3 {
				panic("tick three")
			}
		}))
	default:
		spec := sample.PolicySpec()
		was := spec.New
		spec.New = func(e vis.Env) (vis.Policy, error) {
			p, err := was(e)
			return decide(func(in *vis.Input, out *vis.Answer) {
				does(in.Tick)
				p.Decide(in, out)
			}), err
		}
		sdk.ServePolicy(spec)
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

// doing is rules that do harm besides.
type doing struct{ rules.Rules }

func (d *doing) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	if !in.Replaying {
		does(in.Tick)
	}
	return d.Rules.Tick(in, ops)
}

// Start refuses a state with DOES=forgets.
func (d *doing) Start(m *rules.Match) error {
	if os.Getenv("DOES") == "forgets" && m.Saved != nil {
		return errors.New("damaged or of another version")
	}
	return d.Rules.Start(m)
}

// Tables is what the rules begin with; with DOES=wavers another value in each life but
// the first.
func (d *doing) Tables() []tables.Value {
	vs := rules.TablesOf(d.Rules)
	if os.Getenv("DOES") == "wavers" && !first() {
		vs = append(vs, tables.Value{Name: "sounds.step", To: 3})
	}
	return vs
}

// first reports whether this is the first of all lives that ask.
func first() bool {
	f, err := os.OpenFile(filepath.Join(os.TempDir(), "done"), os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

var hoard [][]byte

// does is the harm that DOES names, in tick 10 of those that this process is given.
func does(tick uint32) {
	if tick != 10 {
		return
	}
	if os.Getenv("ONCE") != "" { // in the first of all lives
		if !first() {
			return
		}
	}
	switch os.Getenv("DOES") {
	case "flood": // a little more than a host reads of one process
		line := strings.Repeat("spam ", 1000) + "\n"
		for range 8000 {
			fmt.Fprint(os.Stderr, line)
		}
	case "chatter": // more lines than a host writes down
		for i := range 5000 {
			fmt.Fprintln(os.Stderr, "chatter", i)
		}
	case "hog":
		for range 64 {
			b := make([]byte, 8<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			hoard = append(hoard, b)
		}
		time.Sleep(time.Hour)
	case "forks":
		cmd := exec.Command("sleep", "1000")
		cmd.Stderr = os.Stderr // which the child holds open
		if err := cmd.Start(); err == nil {
			fmt.Fprintln(os.Stderr, "child", cmd.Process.Pid, "of", os.Getpid())
		}
	}
}
