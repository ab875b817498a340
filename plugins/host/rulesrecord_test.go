package host_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/plugins/host"
)

// rulesRecord plays so many ticks with linked-in rules and returns them as a record.
func rulesRecord(t testing.TB, w io.Writer, ticks int) (kept int, err error) {
	t.Helper()
	m := rulestest.Match(map[string]string{"warmup_s": "0"}, true)
	value := rulestest.Start(t, teams.Spec(), m)
	r, err := host.NewRulesRecorder(rules.Inline(value), w, host.RulesRecordHead{Rules: "teams", Version: "1", Match: *m})
	if err != nil {
		t.Fatal(err)
	}
	world := rulestest.New(6, 3)
	r.Patient = true
	for range ticks {
		world.Chaos("/team red", "hello")
		r.Submit(world.Advance())
		world.Done(r.Take())
	}
	kept, _, err = r.Close()
	r.Submit(world.Advance()) // after its end they still decide
	world.Done(r.Take())
	return kept, err
}

// A record of rules gives back what they were told and wanted, so that the same rules
// want it again; it knows when it was cut short, and what it is a record of.
func TestRulesRecordGivesBackWhatWasTold(t *testing.T) {
	var b bytes.Buffer
	if kept, err := rulesRecord(t, &b, 400); kept != 400 || err != nil {
		t.Fatal(kept, err)
	}
	r, err := host.NewRulesRecordReader(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if want := rulestest.Match(map[string]string{"warmup_s": "0"}, true); r.Head.Rules != "teams" || !reflect.DeepEqual(&r.Head.Match, want) {
		t.Errorf("head %+v", r.Head)
	}
	again := rules.Inline(rulestest.Start(t, teams.Spec(), &r.Head.Match))
	var in rules.TickIn
	var was []rules.Op
	n, said := 0, 0
	for ; ; n++ {
		if was, err = r.Next(&in, was); err != nil {
			break
		}
		again.Submit(&in)
		if got := again.Take(); len(got)+len(was) > 0 && !reflect.DeepEqual(got, was) {
			t.Fatalf("tick %d: %+v, recorded %+v", in.Tick, got, was)
		}
		said += len(was)
	}
	if !errors.Is(err, io.EOF) || n != 400 || said == 0 {
		t.Errorf("%d ticks with %d operations: %v", n, said, err)
	}
	if r, err = host.NewRulesRecordReader(bytes.NewReader(b.Bytes()[:b.Len()-3])); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		was, err = r.Next(&in, was)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a record that was cut short ends with %v", err)
	}
	if _, err := host.NewRecordReader(bytes.NewReader(b.Bytes())); err == nil || !strings.Contains(err.Error(), "of rules") {
		t.Error(err)
	}
	if _, err := host.NewRulesRecordReader(bytes.NewReader(record(t, 2))); err == nil || !strings.Contains(err.Error(), "of a policy") {
		t.Error(err)
	}
	if host.RecordKind(b.Bytes()) != "rules" || host.RecordKind(record(t, 2)) != "policy" || host.RecordKind([]byte("SLRR")) != "" || host.RecordKind([]byte("something else")) != "" {
		t.Error("kinds of records are mixed up")
	}
}

// A full disk ends the record and not the match.
func TestFullDiskEndsTheRulesRecord(t *testing.T) {
	if kept, err := rulesRecord(t, &full{left: 100_000}, 1000); !errors.Is(err, errFull) || kept == 0 || kept == 1000 {
		t.Errorf("%d kept: %v", kept, err)
	}
}

// shouts are rules that say one thing.
type shouts struct{}

func (*shouts) Start(*rules.Match) error { return nil }
func (*shouts) Save() []byte             { return nil }
func (*shouts) Tick(_ *rules.TickIn, ops []rules.Op) []rules.Op {
	return append(ops, rules.Op{Kind: rules.OpAnnounce, Text: "hear, hear"})
}

func FuzzRulesRecord(f *testing.F) {
	var small bytes.Buffer // whose head is read in no time
	r, err := host.NewRulesRecorder(rules.Inline(&shouts{}), &small, host.RulesRecordHead{Rules: "shouts", Match: rules.Match{TickRate: 64}})
	if err != nil {
		f.Fatal(err)
	}
	for tick := range state.Tick(3) {
		r.Submit(&rules.TickIn{Tick: tick, Left: []state.ID{3}, Chat: []rules.Chat{{ID: 1, Text: "hello"}}})
		r.Take()
	}
	if _, _, err := r.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(small.Bytes())
	f.Add(small.Bytes()[:small.Len()-5])
	f.Add([]byte("SLRR1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := host.NewRulesRecordReader(bytes.NewReader(b))
		if err != nil {
			return
		}
		var in rules.TickIn
		var ops []rules.Op
		for range 50 {
			if ops, err = r.Next(&in, ops); err != nil {
				return
			}
		}
	})
}
