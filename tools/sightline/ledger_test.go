package main

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// onePage is a ledger's store in memory.
type onePage struct{ bytes.Buffer }

func (p *onePage) Create(int) (io.WriteCloser, error) { return p, nil }
func (p *onePage) Remove(int) error                   { return nil }
func (p *onePage) Close() error                       { return nil }

// kept writes a ledger of three players at 20 Hz and returns its name: Ada knows of
// Bob from 5 s to 10 s, first by a ray and from 8 s on held, and of Cleo never; from
// 9 s on the fallback decides; she shoots Cleo at 12 s.
func kept(t *testing.T) string {
	t.Helper()
	var page onePage
	w, err := ledger.NewWriter(&page, ledger.Header{Level: "pit", Server: "here", Policy: "policy-deaddrop", TickRate: 20, Seed: 1, Rate: 1}, ledger.Options{Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	for id, name := range []string{"Ada", "Bob", "Cleo"} {
		w.Name(state.ID(id+1), name, id == 1)
	}
	var in vis.Input
	var ans vis.Answer
	for tick := state.Tick(1); tick <= 300; tick++ {
		in.Reset(tick, 20)
		for id := range state.ID(3) {
			in.Subjects = append(in.Subjects, vis.Subject{ID: id + 1, Kind: state.KindPlayer, Alive: true})
			in.Viewers = append(in.Viewers, vis.Viewer{ID: id + 1, Subject: int(id)})
		}
		in.SizeAsked()
		in.Ask(0, 1)
		in.Ask(0, 2)
		ans.Reset(&in)
		if tick >= 100 && tick < 200 {
			reason := vis.EyeEye
			if tick >= 160 {
				reason = vis.Held
			}
			ans.Allow(0, 1, reason, tick, 0)
		}
		if tick >= 180 {
			ans.Source = vis.FromFallback
		}
		vis.Gate(&in, &ans)
		if tick == 102 {
			w.Acked(1, 701, false)
		}
		if tick == 240 {
			shot := ledger.Shot{Target: 3, Near: 3, Weapon: "rifle", Result: "hit", Why: "hit somebody not shown", Shown: "never told of", Damage: 30, Evidence: true, Used256: 256}
			w.Shot(1, &shot)
		}
		if tick == 205 { // after its end
			w.Report(1, 2, 702, 102, ledger.Claim{CameUS: 30_000, LeastUS: 20_000, MostUS: 42_000, Drawn: true, DrawnUS: 12_500, LookUS: 4_000})
		}
		w.Decided(&in, &ans)
		if tick >= 101 && tick < 200 {
			w.Packet(1, 600+uint64(tick), []state.ID{2})
		}
		w.Done(tick)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "a.slledger", page.Bytes())
}

func TestLedgerSaysWhatAPlayerKnew(t *testing.T) {
	name := kept(t)
	for at, want := range map[string][]string{
		"04.99":    {"Ada knew of 0 others", "not told of      Bob, Cleo"},
		"5":        {"00:05.000 (tick 100)", "Bob", "since 00:05.000, begun by eye-eye; in no packet"},
		"0:08.250": {"now held since 00:08.000; first in packet 701 at 00:05.050, there by 00:05.100", "policy's word", "not told of      Cleo"},
		"9.5":      {"fallback's word"},
		"10.000":   {"0 others"},
	} {
		got := must(t, "", "ledger", name, "--player", "ada", "--at", at)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("at %s: no %q in\n%s", at, w, got)
			}
		}
	}
	var k ledgerKnew
	if err := json.Unmarshal([]byte(must(t, "", "ledger", name, "--player", "1", "--at", "6", "--json")), &k); err != nil {
		t.Fatal(err)
	}
	if len(k.Knew) != 1 || k.Knew[0].TargetName != "Bob" || k.Knew[0].Seq != 701 || k.Knew[0].Reason != "eye-eye" || len(k.Not) != 1 || k.Source != "policy" || k.Tick != 120 {
		t.Errorf("%+v", k)
	}
	// Everybody, without a name.
	if got := must(t, "", "ledger", name, "--at", "6"); strings.Count(got, "knew of") != 3 {
		t.Error(got)
	}
}

func TestLedgerListsAndFilters(t *testing.T) {
	name := kept(t)
	all := must(t, "", "ledger", name)
	for _, want := range []string{
		"00:05.000  Ada was told of Bob until 00:10.000: withheld; eye-eye 60 %, held 40 % by the policy's word; 99 packets; first in packet 701 at 00:05.050, there by 00:05.100; A 00:05.130, R 00:05.142: D_A 80.0 ms (70.0 to 92.0), B 12.5 ms (to 16.5) by the client's word",
		"00:10.250  Ada says that packet 702 was the first to tell it of Bob, whom it drew after 12.5 ms",
		"00:09.000  from here on the fallback decides", "00:00.050  Bob is a bot, number 2",
		"00:12.000  Ada (rifle) hit Cleo for 30: hit somebody not shown; tested 50 ms ago; on its screen Cleo was: never told of (evidence)",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	for args, want := range map[string][2]int{ // lines that tell of Bob, shots
		"--since 10": {0, 1}, "--since 9.9": {1, 1}, "--until 4.9": {0, 0}, "--until 5": {1, 0}, "--player bob": {0, 0},
		"--player Ada --of Cleo": {0, 1}, "--of Bob": {1, 0},
	} {
		got := must(t, "", append([]string{"ledger", name}, strings.Fields(args)...)...)
		if n := [2]int{strings.Count(got, "was told of Bob"), strings.Count(got, "(rifle)")}; n != want {
			t.Errorf("%s: %v, want %v\n%s", args, n, want, got)
		}
	}
	types := map[string]int{}
	for l := range strings.Lines(must(t, "", "ledger", name, "--json")) {
		var v struct{ Type string }
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatal(err, l)
		}
		types[v.Type]++
	}
	if types["disclosure"] != 1 || types["shot"] != 1 || types["source"] != 2 || types["name"] != 3 || types["sample"] != 600 {
		t.Errorf("%v", types)
	}
}

func TestLedgerSumsUp(t *testing.T) {
	name := kept(t)
	text := must(t, "", "ledger", name, "--summary")
	for _, want := range []string{"decided by: policy 59.7 %, fallback 40.3 %", "eye-eye 60.0 %, held 40.0 %", "ended by: withheld 100.0 %", "500 samples of who was withheld",
		"by the clients' word on 1 reveal, 0 never drawn, 0 that could not be true", "D_A, sent to arrived: p50 80.0 ms (70.0 to 92.0), p95 80.0 ms", "B, arrived to drawn: p50 12.5 ms (12.5 to 16.5)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	var s ledgerSum
	if err := json.Unmarshal([]byte(must(t, "", "ledger", name, "--summary", "--json")), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Viewers) != 1 || s.Viewers[0].Name != "Ada" || s.Viewers[0].Seconds != 5 || s.Viewers[0].Evidence != 1 || s.Told.Samples != 100 || s.Hidden.Samples != 500 || s.Claims != 1 || s.Delay == nil || s.Delay.P95 != 80 || s.Render.P50 != 12.5 || s.Seconds != 15 {
		t.Errorf("%+v %+v", s, s.Viewers)
	}
}

func TestLedgerRefusesInOneSentence(t *testing.T) {
	name := kept(t)
	b, err := readPlain(name)
	if err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"it is a text":                   {write(t, "b.slledger", []byte("hello"))},
		"it is a demo":                   {recorded(t)},
		"no such file":                   {filepath.Join(t.TempDir(), "none")},
		"nobody in this ledger":          {name, "--player", "Zoe"},
		"was not there":                  {name, "--player", "77", "--at", "5"},
		"outside this ledger":            {name, "--at", "99:00"},
		`"x" is no time`:                 {name, "--at", "x"},
		"--since":                        {name, "--since", "1:2:3:4"},
		"are both part 1":                {name, kept(t)},
		"none of the others can be":      {name, "--at", "1", "--summary"},
		"ends inside a chunk":            {write(t, "c.slledger", b[:len(b)*2/3])},
		"ends inside its header":         {write(t, "d.slledger", b[:20])},
		"the ledger is cut off":          {write(t, "e.slledger", b[:len(b)/2]), "--summary"},
		"requires at least 1 arg":        {},
		"another version of this engine": {write(t, "f.slledger", append(append([]byte{}, b[:8]...), 9, 9, 0, 0, 0, 0, 0, 0, 0, 0))},
		"its header cannot be read":      {write(t, "g.slledger", append(append(append([]byte{}, b[:30]...), ^b[30]), b[31:]...))},
		"not a ledger of this engine":    {write(t, "h.slledger", []byte{0, 1, 2})},
		"it is empty":                    {write(t, "i.slledger", nil)},
	} {
		_, err := sightline(t, "", append([]string{"ledger"}, args...)...)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
	// What is whole of a ledger that was cut off is read all the same.
	if text, err := sightline(t, "", "ledger", write(t, "c.slledger", b[:len(b)*2/3]), "--player", "Ada"); err == nil || !strings.Contains(text, "was told of Bob") {
		t.Error(text, err)
	}
}

func TestClockReadsWhatItPrints(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"3.25": 3250 * time.Millisecond, "12:03.250": 12*time.Minute + 3250*time.Millisecond, "1:12:03": 72*time.Minute + 3*time.Second, "90": 90 * time.Second, "0": 0,
	} {
		d, err := parseClock(text)
		if err != nil || d != want {
			t.Errorf("%q: %v %v", text, d, err)
		}
		if back, err := parseClock(clock(d)); err != nil || back != d {
			t.Errorf("%q: %q", text, clock(d))
		}
	}
	for _, bad := range []string{"", ":", "1:", "1:60", "1.5:2", "-1", "1e3", "NaN", "1:2:3:4", "1..2", "99999999"} {
		if d, err := parseClock(bad); err == nil {
			t.Errorf("%q: %v", bad, d)
		}
	}
}
