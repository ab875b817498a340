package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
)

// openRecord opens a record and starts a policy for it.
func openRecord(cmd *cobra.Command, plugin, record string) (*host.RecordReader, *host.Policy, func(), error) {
	f, err := os.Open(record)
	if err != nil {
		return nil, nil, nil, err
	}
	r, err := host.NewRecordReader(f)
	if err != nil {
		f.Close()
		return nil, nil, nil, fmt.Errorf("%s: %w", record, err)
	}
	d, err := host.Describe(cmd.Context(), quietHost(plugin))
	if err != nil {
		f.Close()
		return nil, nil, nil, err
	}
	cfg := host.PolicyConfig{Config: quietHost(plugin), Seed: r.Head.Seed, Level: r.Head.Level}
	cfg.Wait, cfg.TickRate = true, r.Head.TickRate
	if d.Name == r.Head.Policy { // another policy has other settings: its own defaults
		cfg.Settings = r.Head.Settings
	}
	p, err := host.StartPolicy(cmd.Context(), cfg)
	if err != nil {
		f.Close()
		return nil, nil, nil, err
	}
	return r, p, func() {
		p.Close()
		f.Close()
	}, nil
}

func newPluginReplay() *cobra.Command {
	var show int
	c := &cobra.Command{
		Use:   "replay FILE RECORD",
		Short: "Ask a plugin again what another was asked, and compare the decisions",
		Long: "RECORD is a file that plugin.record on a server's console wrote, of the policy or of the rules:\n" +
			"it holds all that the plugin was told, and what it answered. The exit status is 1 where a\n" +
			"decision differs.",
		Example: "  sightline plugin replay bin/policy-mine records/first.record\n  sightline plugin replay bin/rules-duel records/first.rules.record",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, err := recordKind(args[1])
			if err == nil && kind == "rules" {
				err = replayRules(cmd, args[0], args[1], show)
			} else if err == nil {
				err = replayPolicy(cmd, args[0], args[1], show)
			}
			if err != nil {
				return fmt.Errorf("plugin replay: %w", err)
			}
			return nil
		},
	}
	c.Flags().IntVar(&show, "show", 10, "how many differences to list")
	return c
}

// recordKind says what a file is a record of; what is none, its reader says.
func recordKind(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var head [16]byte
	n, _ := io.ReadFull(f, head[:])
	return host.RecordKind(head[:n]), nil
}

// replayPolicy asks a policy again.
func replayPolicy(cmd *cobra.Command, file, record string, show int) error {
	r, p, closeAll, err := openRecord(cmd, file, record)
	if err != nil {
		return err
	}
	defer closeAll()
	var in vis.Input
	var was vis.Answer
	var sum replaySum
	for {
		tick, err := r.Next(&in, &was)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "plugin replay: the record ends after %d ticks: %v\n", sum.ticks, err)
			break
		}
		p.Submit(&in)
		now := p.Collect()
		if now.Source != vis.FromPolicy {
			return fmt.Errorf("%s gave no answer in tick %d: it ended, or answered nonsense", file, tick)
		}
		sum.add(cmd.OutOrStdout(), tick, &in, &was, now, show)
	}
	return sum.print(cmd.OutOrStdout(), r.Head.Policy)
}

// replaySum counts what is alike and what is not.
type replaySum struct {
	ticks, same, more, less, reasons, listed int
	rays, rayWas                             int
}

func (s *replaySum) add(out io.Writer, tick state.Tick, in *vis.Input, was, now *vis.Answer, show int) {
	s.ticks++
	s.rays, s.rayWas = s.rays+now.Rays, s.rayWas+was.Rays
	for v := range in.Viewers {
		for i := range in.Subjects {
			if !in.IsAsked(v, i) {
				continue
			}
			a, b := was.Permitted(v, i), now.Permitted(v, i)
			k := v*now.Subjects + i
			switch {
			case a && !b:
				s.less++
			case b && !a:
				s.more++
			case a && was.Reason[k] != now.Reason[k]:
				s.reasons++
				continue
			default:
				s.same++
				continue
			}
			if s.listed++; s.listed <= show {
				word := func(permitted bool, r vis.Reason) string {
					if permitted {
						return "sent (" + r.String() + ")"
					}
					return "withheld"
				}
				fmt.Fprintf(out, "tick %d: viewer %d, subject %d: was %s, is %s\n", tick, in.Viewers[v].ID, in.Subjects[i].ID,
					word(a, was.Reason[k]), word(b, now.Reason[k]))
			}
		}
	}
}

func (s *replaySum) print(out io.Writer, policy string) error {
	if s.ticks == 0 {
		return errNoTick
	}
	fmt.Fprintf(out, "%d ticks of %s: %d decisions alike, %d sent for another reason, %d sent that were withheld, %d withheld that were sent; rays a tick %.1f, were %.1f\n",
		s.ticks, policy, s.same, s.reasons, s.more, s.less, float64(s.rays)/float64(s.ticks), float64(s.rayWas)/float64(s.ticks))
	if s.more+s.less > 0 {
		return fmt.Errorf("%d decisions differ", s.more+s.less)
	}
	return nil
}

var errNoTick = errors.New("there is no tick in the record")

func newPluginCall() *cobra.Command {
	var at uint32
	c := &cobra.Command{
		Use:   "call FILE RECORD",
		Short: "Print what a plugin answers to one recorded tick",
		Long:  "The ticks before it are played first: plugins remember. Without --tick the last one is printed.",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, err := recordKind(args[1])
			if err == nil && kind == "rules" {
				err = callRules(cmd, args[0], args[1], state.Tick(at))
			} else if err == nil {
				err = callPolicy(cmd, args[0], args[1], state.Tick(at))
			}
			if err != nil {
				return fmt.Errorf("plugin call: %w", err)
			}
			return nil
		},
	}
	c.Flags().Uint32Var(&at, "tick", 0, "the tick to print")
	return c
}

// callPolicy plays a record up to a tick, 0 for its end, and prints the answer.
func callPolicy(cmd *cobra.Command, file, record string, at state.Tick) error {
	r, p, closeAll, err := openRecord(cmd, file, record)
	if err != nil {
		return err
	}
	defer closeAll()
	var in vis.Input
	var was vis.Answer
	var now *vis.Answer
	first, last := state.Tick(0), state.Tick(0)
	for {
		tick, err := r.Next(&in, &was)
		if err != nil {
			break
		}
		if now == nil {
			first = tick
		}
		last = tick
		p.Submit(&in)
		now = p.Collect()
		if tick == at && at != 0 {
			break
		}
	}
	if now == nil {
		return errNoTick
	}
	if at != 0 && last != at {
		return noSuchTick(at, first, last)
	}
	return printAnswer(cmd.OutOrStdout(), &in, now)
}

func noSuchTick(at, first, last state.Tick) error {
	return fmt.Errorf("there is no tick %d in the record: it has %d to %d", at, first, last)
}

// printAnswer writes a line for each viewer and each it may know of.
func printAnswer(out io.Writer, in *vis.Input, a *vis.Answer) error {
	fmt.Fprintf(out, "tick %d: %d viewers, %d subjects, %d rays, decided by the %s\n", a.Tick, a.Viewers, a.Subjects, a.Rays, a.Source)
	for v := range in.Viewers {
		for s := range in.Subjects {
			i := v*a.Subjects + s
			switch {
			case a.Permitted(v, s):
				fmt.Fprintf(out, "viewer %d knows of %d: %s, until tick %d, interval %d\n", in.Viewers[v].ID, in.Subjects[s].ID, a.Reason[i], a.Hold[i], a.Interval[i])
			case in.IsAsked(v, s):
				fmt.Fprintf(out, "viewer %d knows nothing of %d\n", in.Viewers[v].ID, in.Subjects[s].ID)
			}
		}
	}
	return nil
}
