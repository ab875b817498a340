package host_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/examples/internal/host"
)

// What is typed at a running server says when it counts: at once, at the next map,
// or when the server is started anew. The next map brings what waits for it, and
// nothing else.
func TestSettingsOfARunningServer(t *testing.T) {
	w := tape(t)
	for _, c := range []struct{ line, want string }{
		{"sv.tick_rate 128", "when the program is started with it"},
		{"sv.port 1234", "when the program is started with it"},
		{"sv.bots 5", "when the program is started with it"},
		{"vis.range_m 333", "at the next map"},
		{"sv.tables tactical", "at the next map"},
		{"duel.frag_limit 3", "at the next map"},
	} {
		if got := w.say(c.line); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.line, got)
		}
	}
	value := func(name string) string {
		in, _ := w.reg.Lookup(name)
		return in.Value
	}
	if value("duel.frag_limit") != "20" || value("sv.tables") != "arena" {
		t.Error("a change that waits is in force")
	}
	w.say("map pit")
	for range 2000 {
		<-w.ticks
		if w.Server().Stats().Level == "pit" {
			break
		}
	}
	for name, want := range map[string]string{"sv.tick_rate": "64", "sv.bots": "2", "vis.range_m": "333", "sv.tables": "tactical", "duel.frag_limit": "3"} {
		if got := value(name); got != want {
			t.Errorf("after the change of level %s is %s, not %s", name, got, want)
		}
	}
}

// The commands of a host, on a server of its own and beside a client's.
func TestCommandsOfAHost(t *testing.T) {
	w := tape(t)
	w.playing()
	var who string
	for _, c := range []struct{ line, want string }{
		{"status", "bot"}, {"sv.status", "level corner"}, {"say hello", ""}, {"sv.say hello", ""}, {"kick nobody", "nobody is named"}, {"kick", "usage"}, {"map", "usage"},
	} {
		got := w.say(c.line)
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q", c.line, got)
		}
		if c.line == "status" {
			who = strings.Fields(got)[1]
		}
	}
	for _, c := range []struct{ line, want string }{
		{"table", "of which 0 are not the server's own"},
		{"table movement.gravity", "movement.gravity = 25"},
		{"table movement", "movement.run_speed = "},
		{"table movement.gravitas", "near are movement.gravity"},
		{"table movement.gravity much", `"much" is no number`},
		{"table movement.gravity 1000", "is outside 0 to 200"},
		{"table movement.gravity 12 soon", `"soon" is no time`},
		{"table movement.gravity 12", "from tick "},
		{"table", "movement.gravity = 12"},
		{"table reset", "from tick "},
		{"table reset 1 2", "write reset [SECONDS]"},
		{"vehicle list", "there is no vehicle"},
		{"vehicle spawn", "write spawn X Y Z"},
		{"vehicle spawn 1 2 x", `"x" is no number`},
		{"vehicle spawn 0 0 -500", "no room"},
		{"vehicle remove 0", "there is no vehicle 0"},
		{"vehicle remove one", `"one" is no number`},
		{"vehicle sell", "write spawn X Y Z"},
	} {
		if got := w.say(c.line); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.line, got)
		}
	}
	if got := w.say("kick " + who + " go away"); !strings.Contains(got, "kicked "+who+": go away") {
		t.Errorf("%q", got)
	}
	if got := w.say("next"); got != "" {
		t.Errorf("next: %q", got)
	}
	for range 20 {
		<-w.ticks
	}
	for _, cmd := range w.reg.Commands() {
		if cmd.Help == "" || cmd.Run == nil {
			t.Errorf("%s has no help", cmd.Name)
		}
	}
	reg := console.New()
	host.Commands(reg, w.Host, false)
	for _, line := range []string{"status", "say x"} {
		if err := reg.Exec(line, io.Discard); err == nil {
			t.Errorf("%s is not left to the client", line)
		}
	}
	if got := (&taping{reg: reg}).say("sv.status"); !strings.Contains(got, "server ") {
		t.Errorf("%q", got)
	}
}

// A server that has ended answers its commands with a sentence.
func TestCommandsAfterTheEnd(t *testing.T) {
	w := tape(t)
	w.Stop("enough")
	began := time.Now()
	for range 300 { // more than the queue of the server holds
		w.Server().Do(func(*server.Server) {})
	}
	for _, line := range []string{"status", "kick a", "say x", "map pit", "next", "record a"} {
		if got := w.say(line); strings.Count(got, "\n") != 1 {
			t.Errorf("%s: %q", line, got)
		}
	}
	if d := time.Since(began); d > 3*time.Second {
		t.Errorf("it took %v", d)
	}
	if names := w.files(); len(names) != 0 {
		t.Error(names)
	}
}
