//go:build linux

package main_test

import (
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// quiet fails when the log holds an error.
func quiet(t *testing.T, p *process) {
	t.Helper()
	if log := p.log.String(); strings.Contains(log, "level=ERROR") {
		t.Errorf("a normal end made errors:\n%s", log)
	}
	noTrace(t, p.log.String()+p.out.String())
}

func gone(t *testing.T, within time.Duration, pids ...int) {
	t.Helper()
	end := time.Now().Add(within)
	for _, pid := range pids {
		for alive(pid) {
			if time.Now().After(end) {
				t.Fatalf("plugin %d is still there %v after its server", pid, within)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// A match in real time: eight bots, policy and rules in processes of their own.
// Each is killed in turn; play goes on, both return, the log says so.
func TestMatchSurvivesKilledPlugins(t *testing.T) {
	p := launch(t, true, "-map", "pit", "+set", "sv.port", "0", "+set", "sv.bots", "8", "+set", "sv.bot_skill", "1")
	var a fare
	p.until("eight bots and shots", func() bool { a = p.status(); return a.clients == 8 && a.shots > 0 })
	if a.policy == 0 || a.rules == 0 || a.policy == a.rules || a.policy == p.cmd.Process.Pid || a.rules == p.cmd.Process.Pid {
		t.Fatalf("server %d, policy %d, rules %d: each must be a process of its own", p.cmd.Process.Pid, a.policy, a.rules)
	}
	for _, pid := range []int{a.policy, a.rules} {
		if !alive(pid) {
			t.Fatalf("process %d of the status line is not there\n%s", pid, a.text)
		}
	}
	var b, c fare
	syscall.Kill(a.policy, syscall.SIGKILL)
	p.until("a new policy", func() bool { b = p.status(); return b.policy != 0 && b.policy != a.policy && b.shots > a.shots })
	syscall.Kill(a.rules, syscall.SIGKILL)
	p.until("new rules", func() bool { c = p.status(); return c.rules != 0 && c.rules != a.rules && c.shots > b.shots })
	var d fare
	p.until("play to go on", func() bool { d = p.status(); return d.tick > c.tick+64 && d.kills > a.kills })
	if d.clients != 8 || d.policyUps != 1 || d.rulesUps != 1 {
		t.Errorf("the match did not go on as it was\n%s", d.text)
	}
	log := p.log.String()
	for _, want := range []string{
		`msg="plugin ended" plugin=policy-deaddrop`, `msg="plugin ended" plugin=rules-duel`,
		`msg="the fallback policy is in force"`,
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not say %s\n%s", want, log)
		}
	}
	for _, name := range []string{"policy-deaddrop", "rules-duel"} {
		if n := strings.Count(log, `msg="plugin started" plugin=`+name); n != 2 {
			t.Errorf("the log says %d times that %s started, want 2\n%s", n, name, log)
		}
	}
	noTrace(t, log)
	p.tell("quit")
	if code := p.end(5 * time.Second); code != 0 {
		t.Errorf("quit: exit status %d", code)
	}
	gone(t, time.Second, d.policy, d.rules)
}

// A server that is killed takes its plugins with it, and the next one starts on
// the same port.
func TestKilledServerLeavesNoPlugins(t *testing.T) {
	p := launch(t, true, "+set", "sv.port", "0", "+set", "sv.bots", "2")
	a := p.status()
	if !alive(a.policy) || !alive(a.rules) {
		t.Fatalf("no plugins to begin with\n%s", a.text)
	}
	p.cmd.Process.Kill()
	<-p.ended
	gone(t, 3*time.Second, a.policy, a.rules)
	port := p.addr[strings.LastIndexByte(p.addr, ':')+1:]
	again := launch(t, true, "+set", "sv.port", port, "+set", "sv.bots", "2")
	if again.addr != p.addr {
		t.Errorf("listens on %s, want %s", again.addr, p.addr)
	}
	again.status()

	// A third one is told why it cannot, in a sentence.
	got := refused(t, "+set", "sv.ip", "127.0.0.1", "+set", "sv.port", port, "+set", "sv.bots", "0")
	if !strings.Contains(got, "sv.port") || !strings.Contains(got, again.addr) || strings.Count(got, "\n") != 1 {
		t.Errorf("a port in use: %q", got)
	}
}

// Ctrl-C goes to the whole group of a terminal, SIGTERM to the server alone: both
// end everything once, quietly. A terminal that hangs up ends nothing.
func TestSignals(t *testing.T) {
	for _, s := range []struct {
		name  string
		sig   syscall.Signal
		group bool
	}{{"SIGINT", syscall.SIGINT, true}, {"SIGTERM", syscall.SIGTERM, false}} {
		t.Run(s.name, func(t *testing.T) {
			p := launch(t, true, "+set", "sv.port", "0", "+set", "sv.bots", "4")
			a := p.status()
			pid := p.cmd.Process.Pid
			syscall.Kill(pid, syscall.SIGHUP)
			time.Sleep(50 * time.Millisecond)
			if b := p.status(); b.policy != a.policy || b.rules != a.rules {
				t.Errorf("after SIGHUP: %s", b.text)
			}
			if s.group {
				pid = -pid
			}
			began := time.Now()
			syscall.Kill(pid, s.sig)
			if code := p.end(5 * time.Second); code != 0 {
				t.Errorf("exit status %d, want 0\n%s", code, p.log.String())
			}
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("took %v to end", took)
			}
			gone(t, time.Second, a.policy, a.rules)
			quiet(t, p)
			if n := strings.Count(p.log.String(), `reason="the server is shutting down"`); n != 4 {
				t.Errorf("%d of 4 players were told that it is shutting down\n%s", n, p.log.String())
			}
		})
	}
}

// With no terminal, no bots and no players a server uses next to nothing, stays
// up, and still ends when told to.
func TestIdleWithoutTerminal(t *testing.T) {
	for _, input := range []string{"none", "closed"} {
		t.Run(input, func(t *testing.T) {
			t.Parallel()
			p := launch(t, input == "closed", "+set", "sv.port", "0", "+set", "sv.bots", "0")
			pids := regexp.MustCompile(`msg="plugin started" plugin=\S+ pid=(\d+)`).FindAllStringSubmatch(p.log.String(), -1)
			if len(pids) != 2 {
				t.Fatalf("%d plugins\n%s", len(pids), p.log.String())
			}
			time.Sleep(2500 * time.Millisecond) // until it has settled
			if p.in != nil {
				p.in.Close()
			}
			const span = 4 * time.Second
			before := cpu(t, p.cmd.Process.Pid)
			plugins := [2]time.Duration{cpu(t, num(pids[0][1])), cpu(t, num(pids[1][1]))}
			time.Sleep(span)
			used := cpu(t, p.cmd.Process.Pid) - before
			t.Logf("server %v, policy %v, rules %v of %v", used, cpu(t, num(pids[0][1]))-plugins[0], cpu(t, num(pids[1][1]))-plugins[1], span)
			if used > span/20 {
				t.Errorf("used %v of %v while idle: more than 5 %%", used, span)
			}
			syscall.Kill(p.cmd.Process.Pid, syscall.SIGHUP)
			syscall.Kill(p.cmd.Process.Pid, syscall.SIGTERM)
			if code := p.end(5 * time.Second); code != 0 {
				t.Errorf("exit status %d\n%s", code, p.log.String())
			}
			quiet(t, p)
		})
	}
}

func num(s string) int {
	n := 0
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n
}

// -seconds ends by itself with a summary; a command of the command line is run.
func TestSecondsAndCommands(t *testing.T) {
	p := launch(t, false, "-seconds", "4", "+set", "sv.port", "0", "+set", "sv.bots", "3", "+say", "hello", "+nosuch")
	if code := p.end(10 * time.Second); code != 0 {
		t.Errorf("exit status %d", code)
	}
	out := p.out.String()
	for _, want := range []string{"3 clients (3 bots)", "disclosure", "round trip", "nosuch"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output has no %q:\n%s", want, out)
		}
	}
	q := launch(t, false, "+set", "sv.port", "0", "+set", "sv.bots", "0", "+set", "plugin.linked", "true", "+quit")
	if code := q.end(10 * time.Second); code != 0 || !strings.Contains(q.out.String(), "ready") {
		t.Errorf("+quit: exit status %d\n%s", code, q.out.String())
	}
}
