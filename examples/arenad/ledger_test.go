//go:build linux

package main_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/vis"
)

var listLine = regexp.MustCompile(`(?m)^(policy|rules) +(\S+) \S+, process (\d+), up: (decides|stands by|judges beside)`)

// processes is what plugin.list says: the process ids of policy, rules, and whoever
// stands by.
func (p *process) processes(n int) (pids []int, text string) {
	p.t.Helper()
	p.until("an answer to plugin.list", func() bool {
		from := len(p.out.String())
		p.tell("plugin.list")
		p.tell("echo listed")
		p.until("its end", func() bool { return strings.Contains(p.out.String()[from:], "listed") })
		text, pids = p.out.String()[from:], nil
		for _, m := range listLine.FindAllStringSubmatch(text, -1) {
			pids = append(pids, num(m[3]))
		}
		return len(pids) == n
	})
	return pids, text
}

// Policy, the one that stands by and rules are processes of their own, and say so. Who
// decides when the policy's is killed, which processes ended and which began, and when,
// is in the ledger, by its reader and in the words of sightline ledger; killed rules are
// there too, and leave the policy's source alone.
func TestKilledPluginsAreInTheLedger(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := launch(t, true, "-map", "pit", "+set", "sv.port", "0", "+set", "sv.bots", "6", "+set", "sv.ledger", dir)
	var a fare
	p.until("six bots", func() bool { a = p.status(); return a.clients == 6 && a.tick > 64 })
	pids, text := p.processes(2)
	if pids[0] != a.policy || pids[1] != a.rules || pids[0] == pids[1] || slices.Contains(pids, p.cmd.Process.Pid) {
		t.Errorf("processes %v of server %d; status says %d and %d\n%s", pids, p.cmd.Process.Pid, a.policy, a.rules, text)
	}
	syscall.Kill(a.policy, syscall.SIGKILL)
	var b, c fare
	p.until("a new policy", func() bool { b = p.status(); return b.policy != 0 && b.policy != a.policy })
	p.until("that decides", func() bool { return strings.Contains(p.log.String(), "the policy plugin decides again") })
	syscall.Kill(a.rules, syscall.SIGKILL)
	p.until("new rules", func() bool { c = p.status(); return c.rules != 0 && c.rules != a.rules })
	var d fare
	p.until("play to go on", func() bool { d = p.status(); return d.tick > c.tick+32 })
	p.tell("quit")
	if code := p.end(5e9); code != 0 {
		t.Errorf("exit status %d", code)
	}

	files, err := filepath.Glob(filepath.Join(dir, "*"+ledger.Ext))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	r, done, err := ledger.OpenFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	var story []string
	var rec ledger.Record
	for r.Next(&rec) == nil {
		switch rec.Kind {
		case ledger.Source:
			who := "policy"
			if rec.Who != vis.FromPolicy {
				who = "others" // holds first, then the fallback, for as long as it takes
			}
			if n := len(story); n == 0 || story[n-1] != who {
				story = append(story, who)
			}
		case ledger.Plugin:
			words := strings.Fields(rec.Text)
			story = append(story, words[0]+" "+strings.Trim(words[1], ":")+" "+strconv.Itoa(int(rec.Count)))
		}
	}
	info := r.Info()
	if err := info.Cut(); err != nil {
		t.Fatal(err)
	}
	// A busy machine misses ticks: of the others only the change after the end is asked.
	after := func(what, then string) {
		t.Helper()
		i := slices.Index(story, what)
		if i < 0 || !slices.Contains(story[i:], then) {
			t.Errorf("no %q after %q in\n%s", then, what, strings.Join(story, "\n"))
		}
	}
	ended, began := "policy-deaddrop ended "+strconv.Itoa(a.policy), "policy-deaddrop started "+strconv.Itoa(b.policy)
	after("policy-deaddrop started "+strconv.Itoa(a.policy), "policy")
	after("policy", ended)
	after(ended, began)
	// The tick may see the end of the process before anyone, and write first that others decide.
	if i, k := slices.Index(story, ended), slices.Index(story, began); i < 1 || k < i || !slices.Contains(story[i-1:k], "others") {
		t.Errorf("nobody else decides between the end of the policy and the next:\n%s", strings.Join(story, "\n"))
	}
	after(began, "policy")
	after("rules-duel started "+strconv.Itoa(a.rules), "rules-duel ended "+strconv.Itoa(a.rules))
	after("rules-duel ended "+strconv.Itoa(a.rules), "rules-duel started "+strconv.Itoa(c.rules))

	out, err := exec.Command(filepath.Join(bin, "sightline"), "ledger", files[0]).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{
		"policy-deaddrop ended: was ended by signal killed (process " + strconv.Itoa(a.policy) + ")",
		"policy-deaddrop started (process " + strconv.Itoa(b.policy) + ")",
		"rules-duel ended: was ended by signal killed (process " + strconv.Itoa(a.rules) + ")",
		"from here on the policy decides",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("sightline ledger does not say %q", want)
		}
	}
	// Where the next process is there within 62 ms, holds bridge the gap.
	if s := string(out); !strings.Contains(s, "from here on the fallback decides") && !strings.Contains(s, "from here on the standing decides") {
		t.Error("sightline ledger does not say that somebody else decides")
	}
}
