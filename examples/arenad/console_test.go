//go:build linux

package main_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// said is how much of a server's output and log was read.
type said struct{ out, log int }

func (p *process) said() said { return said{len(p.out.String()), len(p.log.String())} }

// types types a line and waits until the server has said all of want, in its output or
// in its log, in whatever order.
func (p *process) types(line string, want ...string) {
	p.t.Helper()
	at := p.said()
	p.tell(line)
	p.hears(at, line, want...)
}

func (p *process) hears(at said, what string, want ...string) {
	p.t.Helper()
	for _, w := range want {
		p.until(what+": "+w, func() bool {
			return strings.Contains(p.out.String()[at.out:], w) || strings.Contains(p.log.String()[at.log:], w)
		})
	}
}

// debugged starts a plugin as under a debugger and returns the address that it prints.
func debugged(t *testing.T, name string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, name), "-debug")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for r := bufio.NewScanner(out); r.Scan(); {
		if line := r.Text(); strings.HasPrefix(line, "plugin.attach ") {
			return cmd, line
		}
	}
	t.Fatal("it prints no line to attach with")
	return nil, ""
}

// What an operator types about policies at the console of a match, and reads there.
func TestPoliciesAtTheConsole(t *testing.T) {
	t.Parallel()
	p := launch(t, true, "-map", "pit", "+set", "sv.port", "0", "+set", "sv.bots", "2", "+set", "plugin.wait", "true")
	p.types("plugin.shadow", "there is no shadow; plugin.shadow NAME begins one")
	p.types("plugin.shadow policy-open", "policy-open judges every tick from now on, with nobody affected")
	if _, list := p.processes(3); !strings.Contains(list, "policy-open") || !strings.Contains(list, "judges beside") {
		t.Error(list)
	}
	p.until("a judgement", func() bool {
		at := p.said()
		p.tell("plugin.shadow")
		p.hears(at, "plugin.shadow", "policy-open")
		return strings.Contains(p.out.String()[at.out:], "policy-open judged")
	})
	p.types("plugin.shadow off", "policy-open judged")
	p.types("plugin.policy policy-open", "plugin.policy: policy-open is started beside the present one", "from=policy-deaddrop to=policy-open")
	p.types("plugin.policy policy-none", "plugin.policy: no change, policy-open decides: plugin policy-none was not found")
	p.types("plugin.policy", `policy-open`)
	p.types("plugin.policy policy-turncoat", "to=policy-turncoat", // it has taken over, and then
		"plugin.policy: no change, policy-open decides: policy-turncoat missed tick")
	p.types("plugin.policy policy-deaddrop", "from=policy-open to=policy-deaddrop")
	p.types("vis.hold_ms 300", "from=policy-deaddrop to=policy-deaddrop", "plugin.policy: policy-deaddrop decides")

	cmd, line := debugged(t, "policy-open")
	p.types(line, "the policy open is attached; it decides after 16 ticks", "to=attached")
	a := p.status()
	syscall.Kill(cmd.Process.Pid, syscall.SIGSTOP)
	time.Sleep(400 * time.Millisecond)
	syscall.Kill(cmd.Process.Pid, syscall.SIGCONT)
	p.until("ticks", func() bool { return p.status().tick > a.tick+16 })
	p.types("plugin.attach off", "from=attached to=policy-deaddrop")
	p.types("plugin.attach off", "plugin.attach: nothing is attached")
	p.types("plugin.attach unix:/nowhere/x", "there is no socket /nowhere/x: start the plugin with -debug")

	p.types("plugin.standby true", "at the next map")
	p.types("plugin.mailbox off", "at the next map")
	p.tell("plugin.mailbox auto")
	p.types("map corner", "plugin started")
	p.until("ticks", func() bool { a := p.status(); return a.level == "corner" && a.clients == 2 && a.tick > 32 })
	pids, list := p.processes(3)
	if strings.Count(list, "by shared memory") != 2 || strings.Count(list, "stands by") != 1 {
		t.Error(list)
	}
	at := p.said()
	syscall.Kill(pids[0], syscall.SIGKILL)
	p.hears(at, "a kill", "and the one that stood by decides", "plugin started")
	p.until("the other stands by", func() bool {
		now, text := p.processes(3)
		return now[0] == pids[1] && now[1] != pids[0] && strings.Contains(text, "stands by")
	})
}

// What an operator types about rules.
func TestRulesAtTheConsole(t *testing.T) {
	t.Parallel()
	p := launch(t, true, "-map", "pit", "+set", "sv.port", "0", "+set", "sv.bots", "2", "+set", "plugin.wait", "true", "+set", "duel.warmup_s", "600")
	a := p.status()
	p.types("plugin.rules reload", "plugin.rules: rules-duel takes over from rules-duel at the end of the round",
		"plugin.rules: rules-duel runs the match now, with the scores and the round of rules-duel")
	if b := p.status(); b.rules == a.rules || b.rules == 0 || b.clients != 2 {
		t.Error(b.text)
	}
	p.types("plugin.rules rules-none", "plugin.rules: no change, rules-duel goes on: plugin rules-none was not found")
	p.types("plugin.rules", "rules-duel")
	cmd, line := debugged(t, "rules-duel")
	p.types(line, "the rules duel are attached at the end of the round", "plugin.attach: attached runs the match now, with the scores and the round of rules-duel")
	syscall.Kill(cmd.Process.Pid, syscall.SIGSTOP)
	time.Sleep(400 * time.Millisecond)
	p.types("plugin.list", "rules  attached") // which does not wait for the tick
	syscall.Kill(cmd.Process.Pid, syscall.SIGCONT)
	p.types("plugin.attach off", "plugin.rules: rules-duel runs the match now, with the scores and the round of attached")
	p.types("plugin.rules rules-teams", "plugin.rules: rules-teams runs the match now and has begun it afresh: it cannot go on from the state of rules-duel")
	if b := p.status(); !strings.Contains(b.text, "rules-teams") || b.clients != 2 {
		t.Error(b.text)
	}
}

// What becomes of a match whose rules keep failing, as rules.on_failure says.
func TestRulesOnFailureAtTheConsole(t *testing.T) {
	for mode, want := range map[string][]string{
		"pause":   {"the match stands still: its rules keep failing", "plugin.rules reload"},
		"builtin": {"the linked-in rules go on with the match"},
		"end":     {"the match ends: its rules keep failing"},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			// Its rules are in a folder of their own, where they can be taken away.
			dir := t.TempDir()
			name := "rules-mine"
			if mode == "builtin" { // whom the server has linked in
				name = "rules-duel"
			}
			file := filepath.Join(dir, name)
			if err := os.Link(filepath.Join(bin, "rules-duel"), file); err != nil {
				t.Fatal(err)
			}
			p := launch(t, true, "-plugins", dir, "-map", "pit", "+set", "sv.port", "0", "+set", "sv.bots", "2", "+set", "plugin.rules", name)
			if mode != "pause" { // as it is
				p.types("rules.on_failure "+mode, "at the next map")
			}
			p.types("map corner", "level=corner")
			var a fare
			p.until("two bots on the other level", func() bool { a = p.status(); return a.level == "corner" && a.clients == 2 && a.tick > 64 })
			if err := os.Rename(file, file+".away"); err != nil {
				t.Fatal(err)
			}
			at := p.said()
			syscall.Kill(a.rules, syscall.SIGKILL)
			p.hears(at, "a kill", append([]string{"plugin is off until it is restarted by hand or a new match begins"}, want...)...)
			if err := os.Rename(file+".away", file); err != nil {
				t.Fatal(err)
			}
			switch mode {
			case "pause":
				p.hears(at, "a pause", "the match stands still: its rules do not run")
				p.types("plugin.rules reload", "plugin.rules: rules-mine runs the match now, with the scores and the round of rules-mine", "the match goes on")
			case "builtin":
				p.types("plugin.list", "rules-duel", "builtin")
				p.types("plugin.rules reload", "plugin.rules: rules-duel runs the match now, with the scores and the round of rules-duel")
			}
			b := fare{}
			p.until("a match that is played", func() bool { b = p.status(); return b.clients == 2 && b.rules != 0 && b.rules != a.rules })
			c := fare{}
			p.until("ticks", func() bool { c = p.status(); return c.tick != b.tick })
		})
	}
}

// A server whose policy or rules cannot be started says which file and why, and ends.
func TestPluginsThatDoNotStartAreNamed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"policy-hello": {"policy-hello", `printed "hello"`, "print to stderr"},
		"rules-hello":  {"rules-hello", `printed "hello"`, "print to stderr"},
		"rules-exit3":  {"rules-exit3", "exit status 3", "cannot find my table"},
		"policy-none":  {"policy-none", "was not found", bin},
	} {
		kind, _, _ := strings.Cut(name, "-")
		got := refused(t, "+set", "plugin."+kind, name, "+set", "sv.port", "0", "+set", "sv.bots", "0")
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %q in: %s", name, w, clip(got))
			}
		}
	}
}

// A file of settings is read anew while a match runs: a broken one and one that is out
// of range change nothing, with one sentence; of a good one what can change does, the
// policy among it, and what cannot is named.
func TestSettingsAreReadAnewInAMatch(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "server.toml")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("[sv]\nname = \"first\"\nbots = 2\n[vis]\nhold_ms = 250\n[plugin]\nwait = true\n")
	p := launch(t, true, "-config", name, "-map", "pit", "+set", "sv.port", "0")
	p.until("ticks", func() bool { a := p.status(); return a.clients == 2 && a.tick > 32 })
	a := p.status()
	write("[vis]\nhold_ms = 300\nhold_ms = 300\n")
	p.types("reload", "reload: every setting stays as it was", "server.toml:3")
	write("[vis]\nhold_ms = 99999\n")
	p.types("reload", "reload: every setting stays as it was", "vis.hold_ms")
	p.types("vis.hold_ms", "250")
	write("[sv]\nname = \"first\"\nbots = 7\n[vis]\nhold_ms = 300\n[plugin]\nwait = true\n")
	p.types("reload", "vis.hold_ms is 300 now", "sv.bots stays 2 until a restart of the server", "from=policy-deaddrop to=policy-deaddrop")
	if b := p.status(); b.policy == a.policy || b.rules != a.rules || b.clients != 2 {
		t.Errorf("%s\n%s", a.text, b.text)
	}
}
