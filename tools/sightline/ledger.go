package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
)

// ledgerQuery is what is asked of a ledger.
type ledgerQuery struct {
	player, of   string
	since, until string
	at           string
	summary      bool
	json         bool
	from, to     state.Tick // of since and until
}

// newLedger returns the ledger command.
func newLedger() *cobra.Command {
	var q ledgerQuery
	c := &cobra.Command{
		Use:   "ledger FILE...",
		Short: "Say who was told of whom, when and why (.slledger)",
		Long: `Reads the ledger that a server keeps with sv.ledger: a line for each time that a
viewer was told of a target, with the reasons, who decided it, and the packets.
Several files are parts of one ledger. Times are those of the match: 12:03.250 is
twelve minutes and three seconds and a quarter after the level began.

  sightline ledger FILE --player Ada --at 12:03.250   what Ada knew then, and why
  sightline ledger FILE --player Ada --since 12:00 --until 12:10
  sightline ledger FILE --summary                     per player, and by reason

A ledger that was cut off is read as far as it goes, and the exit status is 1.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return q.run(cmd.OutOrStdout(), args)
		},
	}
	f := c.Flags()
	f.StringVar(&q.player, "player", "", "only what this viewer (a name or a number) was told")
	f.StringVar(&q.of, "of", "", "only what was told of this player")
	f.StringVar(&q.at, "at", "", "what was known at this time of the match")
	f.StringVar(&q.since, "since", "", "from this time on")
	f.StringVar(&q.until, "until", "", "up to this time")
	f.BoolVar(&q.summary, "summary", false, "sum up per viewer, reason and source")
	f.BoolVar(&q.json, "json", false, "print JSON, a line for each entry")
	c.MarkFlagsMutuallyExclusive("at", "summary")
	c.MarkFlagsMutuallyExclusive("at", "since")
	c.MarkFlagsMutuallyExclusive("at", "until")
	return c
}

// book is the parts of one ledger, open.
type book struct {
	parts []*ledger.Reader
	names []string // of the files
	done  []func() error
	head  ledger.Header
	first state.Tick
	last  state.Tick
	cut   error // of the first part that was cut off
}

func openBook(files []string) (*book, error) {
	b := &book{}
	for _, name := range files {
		r, done, err := ledger.OpenFile(name)
		if err != nil {
			b.close()
			return nil, err
		}
		b.parts, b.names, b.done = append(b.parts, r), append(b.names, name), append(b.done, done)
	}
	order := make([]int, len(b.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return b.parts[i].Info().Part - b.parts[k].Info().Part })
	parts, names := make([]*ledger.Reader, 0, len(order)), make([]string, 0, len(order))
	for _, i := range order {
		parts, names = append(parts, b.parts[i]), append(names, b.names[i])
	}
	b.parts, b.names = parts, names
	b.head = parts[0].Info().Header
	for i, r := range parts {
		info := r.Info()
		h := info.Header
		if h.Part, h.Policy = b.head.Part, b.head.Policy; h != b.head {
			b.close()
			return nil, fmt.Errorf("%s is not of the same match as %s", names[i], names[0])
		}
		if i == 0 {
			b.first = info.First
		} else if info.Part == parts[i-1].Info().Part {
			b.close()
			return nil, fmt.Errorf("%s and %s are both part %d", names[i-1], names[i], info.Part)
		}
		b.last = info.Last
		if err := info.Cut(); err != nil && b.cut == nil {
			b.cut = fmt.Errorf("%s: %w", names[i], err)
		}
	}
	return b, nil
}

func (b *book) close() {
	for _, f := range b.done {
		f()
	}
}

// read gives all records to f until it says no more.
func (b *book) read(f func(*ledger.Record) bool) error {
	var rec ledger.Record
	for i, r := range b.parts {
		for {
			err := r.Next(&rec)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return fmt.Errorf("%s: %w", b.names[i], err)
			}
			if !f(&rec) {
				return nil
			}
		}
	}
	return nil
}

func (q *ledgerQuery) run(out io.Writer, files []string) error {
	b, err := openBook(files)
	if err != nil {
		return err
	}
	defer b.close()
	if q.from, err = b.tick(q.since, "since", b.first); err != nil {
		return err
	}
	if q.to, err = b.tick(q.until, "until", b.last); err != nil {
		return err
	}
	switch {
	case q.at != "":
		err = q.knew(out, b)
	case q.summary:
		err = q.sum(out, b)
	default:
		err = q.list(out, b)
	}
	if err == nil {
		err = b.cut
	}
	return err
}

// tick returns the tick of a time of the match, or usual where none is given.
func (b *book) tick(text, flag string, usual state.Tick) (state.Tick, error) {
	if text == "" {
		return usual, nil
	}
	at, err := parseClock(text)
	if err != nil {
		return 0, fmt.Errorf("--%s: %w", flag, err)
	}
	return b.head.TickAt(at), nil
}

// parseClock reads a time: 3.25, 12:03.250 or 1:12:03.
func parseClock(s string) (time.Duration, error) {
	fields := strings.Split(s, ":")
	bad := fmt.Errorf("%.40q is no time: 12:03.250 is minutes and seconds", s)
	if len(fields) > 3 {
		return 0, bad
	}
	total := 0.0
	for i, f := range fields {
		if f == "" || strings.Trim(f, "0123456789.") != "" || i < len(fields)-1 && strings.Contains(f, ".") {
			return 0, bad
		}
		v, err := strconv.ParseFloat(f, 64)
		if err != nil || v > 1e6 || i > 0 && v >= 60 {
			return 0, bad
		}
		total = total*60 + v
	}
	if total > 1e7 {
		return 0, bad
	}
	return time.Duration(total*1e9 + 0.5), nil
}

// clock prints a time as parseClock reads it.
func clock(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "-", -d
	}
	ms := d.Milliseconds()
	if ms >= 3600_000 {
		return fmt.Sprintf("%s%d:%02d:%02d.%03d", sign, ms/3600_000, ms/60_000%60, ms/1000%60, ms%1000)
	}
	return fmt.Sprintf("%s%02d:%02d.%03d", sign, ms/60_000, ms/1000%60, ms%1000)
}

func (b *book) clock(t state.Tick) string { return clock(b.head.At(t)) }

// isPlayer reports whether a player is the one that was asked for; "" is everybody.
func isPlayer(asked, name string, id state.ID) bool {
	return asked == "" || name != "" && strings.EqualFold(asked, name) || asked == strconv.Itoa(int(id))
}

// players gathers who was there, for the sentence that somebody was not.
type players map[string]bool

func (p players) note(r *ledger.Record) {
	if r.Kind == ledger.Name {
		p[r.Text] = true
	}
}

// missing is the error for a name that is not in the ledger, nil when it is, or is a
// number.
func (p players) missing(name string) error {
	if _, err := strconv.Atoi(name); name == "" || err == nil {
		return nil
	}
	var list []string
	for n := range p {
		if strings.EqualFold(n, name) {
			return nil
		}
		list = append(list, n)
	}
	slices.Sort(list)
	if len(list) == 0 {
		return errors.New("nobody is in this ledger")
	}
	return fmt.Errorf("nobody in this ledger is called %q: there are %s", name, strings.Join(list[:min(len(list), 16)], ", "))
}
