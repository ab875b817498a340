package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/plugins/host"
)

// openRulesRecord opens a record and starts rules for it, from the state that it begins
// with.
func openRulesRecord(cmd *cobra.Command, plugin, record string) (*host.RulesRecordReader, *host.Rules, func(), error) {
	f, err := os.Open(record)
	if err != nil {
		return nil, nil, nil, err
	}
	r, err := host.NewRulesRecordReader(f)
	if err != nil {
		f.Close()
		return nil, nil, nil, fmt.Errorf("%s: %w", record, err)
	}
	d, err := host.Describe(cmd.Context(), quietHost(plugin))
	if err != nil {
		f.Close()
		return nil, nil, nil, err
	}
	cfg := host.RulesConfig{Config: quietHost(plugin), Match: r.Head.Match}
	cfg.Wait, cfg.TickRate = true, r.Head.Match.TickRate
	if d.Name != r.Head.Rules { // other rules have other settings: their own defaults
		cfg.Match.Settings = nil
	}
	p, err := host.StartRules(cmd.Context(), cfg)
	if err != nil {
		f.Close()
		if d.Name != r.Head.Rules && r.Head.Match.Saved != nil {
			err = fmt.Errorf("%w\nthe record begins in the middle of a match, with a state of %s: only rules that read it can go on from there", err, r.Head.Rules)
		}
		return nil, nil, nil, err
	}
	return r, p, func() {
		p.Close()
		f.Close()
	}, nil
}

// replayRules tells rules again what a record holds, and compares what they want.
func replayRules(cmd *cobra.Command, file, record string, show int) error {
	r, p, closeAll, err := openRulesRecord(cmd, file, record)
	if err != nil {
		return err
	}
	defer closeAll()
	out := cmd.OutOrStdout()
	var in rules.TickIn
	var was []rules.Op
	ticks, same, differ, listed := 0, 0, 0, 0
	now := p.Tables()
	other := !slices.Equal(now, r.Head.Tables)
	if other {
		fmt.Fprintf(out, "a match would begin with %s, and began with %s\n", beginning(now), beginning(r.Head.Tables))
	}
	for {
		was, err = r.Next(&in, was)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "plugin replay: the record ends after %d ticks: %v\n", ticks, err)
			break
		}
		answers := p.Stats().Answers
		p.Submit(&in)
		now := p.Take()
		if p.Stats().Answers == answers {
			return fmt.Errorf("%s gave no answer in tick %d: it ended, or answered nonsense", file, in.Tick)
		}
		ticks++
		n, said := compareOps(was, now)
		same, differ = same+n, differ+len(said)
		for _, what := range said {
			if listed++; listed <= show {
				fmt.Fprintf(out, "tick %d: %s\n", in.Tick, what)
			}
		}
	}
	if ticks == 0 {
		return errNoTick
	}
	fmt.Fprintf(out, "%d ticks of %s: %d operations alike, %d differ\n", ticks, r.Head.Rules, same, differ)
	if differ > 0 {
		return fmt.Errorf("%d operations differ", differ)
	}
	if other {
		return errors.New("the tables that a match begins with differ")
	}
	return nil
}

// beginning says with which tables rules begin a match.
func beginning(vs []tables.Value) string {
	if len(vs) == 0 {
		return "the server's tables"
	}
	var said []string
	for _, v := range vs {
		said = append(said, v.String())
	}
	return strings.Join(said, ", ")
}

// compareOps says how many operations of a tick are alike, and what of the others there
// was and is.
func compareOps(was, now []rules.Op) (same int, said []string) {
	left := slices.Clone(now)
	inOrder := true
	for i, op := range was {
		at := slices.Index(left, op)
		if at < 0 {
			said = append(said, "no longer "+op.String())
			continue
		}
		inOrder = inOrder && i < len(now) && now[i] == op
		left = slices.Delete(left, at, at+1)
		same++
	}
	for _, op := range left {
		said = append(said, "new: "+op.String())
	}
	if len(said) == 0 && !inOrder {
		said = append(said, fmt.Sprintf("the same %d operations in another order", same))
	}
	return same, said
}

// callRules plays a record up to a tick, 0 for its end, and prints what the rules want.
func callRules(cmd *cobra.Command, file, record string, at state.Tick) error {
	r, p, closeAll, err := openRulesRecord(cmd, file, record)
	if err != nil {
		return err
	}
	defer closeAll()
	var in rules.TickIn
	var was, now []rules.Op
	ticks, first := 0, state.Tick(0)
	for {
		if was, err = r.Next(&in, was); err != nil {
			break
		}
		if ticks++; ticks == 1 {
			first = in.Tick
		}
		p.Submit(&in)
		now = append(now[:0], p.Take()...)
		if in.Tick == at && at != 0 {
			break
		}
	}
	if ticks == 0 {
		return errNoTick
	}
	if at != 0 && in.Tick != at {
		return noSuchTick(at, first, in.Tick)
	}
	var b bytes.Buffer
	if vs := p.Tables(); len(vs) > 0 {
		fmt.Fprintf(&b, "a match begins with %s\n", beginning(vs))
	}
	fmt.Fprintf(&b, "tick %d: %d players, %d events, %d operations\n", in.Tick, len(in.Players), len(in.Events), len(now))
	for i := range now {
		fmt.Fprintf(&b, "%s\n", now[i])
	}
	_, err = cmd.OutOrStdout().Write(b.Bytes())
	return err
}
