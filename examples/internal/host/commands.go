package host

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/vec"
)

// answerWait is how long a command waits for the server's goroutine.
const answerWait = 2 * time.Second

var (
	errBusy   = errors.New("the server is busy: try again")
	errSilent = errors.New("the server does not answer")
)

// Commands adds what an operator can tell a host. status and say are plain words on
// a server of its own; beside a client, which has these words for itself, they are
// sv.status and sv.say only.
func Commands(reg *console.Registry, h *Host, plain bool) {
	for _, c := range []console.Command{
		{Name: "status", Help: "Prints the level, the players and how the server fares.", Run: h.status},
		{Name: "say", Usage: "TEXT", Min: 1, Max: -1, Help: "Says a line to everybody, as the server.", Run: h.say},
	} {
		name := c.Name
		c.Name = "sv." + name
		reg.Command(c)
		if plain {
			c.Name = name
			reg.Command(c)
		}
	}
	for _, c := range []console.Command{
		{Name: "kick", Usage: "NAME [REASON]", Min: 1, Max: -1, Help: "Ends a player's connection.", Run: h.kick},
		{Name: "map", Usage: "NAME", Min: 1, Max: 1, Local: true, Run: h.changeMap,
			Help: "Changes to a level at once; when it cannot be loaded the present one goes on."},
		{Name: "shots", Usage: "[PLAYER] [NUMBER]", Max: 2, Run: h.explain,
			Help: "Says what became of the last shots by a player or at it, or of all, and why."},
		{Name: "evidence", Usage: "[PLAYER] [NUMBER]", Max: 2, Run: h.evidence,
			Help: "Says which shots hit somebody whom the shooter's client did not show."},
		{Name: "observer", Usage: "NAME on|off", Min: 2, Max: 2, Run: h.observer,
			Help: "Grants a player who looks on the free camera, or takes it away."},
		{Name: "next", Help: "Goes on to the next level of the rotation.", Run: h.next},
		{Name: "door", Usage: "NUMBER open|close|ajar", Min: 2, Max: 2, Run: h.door,
			Help: "Opens or shuts a door of the level, or sets a hinged one ajar."},
		{Name: "piece", Usage: "NUMBER|all break|mend", Min: 2, Max: 2, Run: h.piece,
			Help: "Breaks or mends a breakable piece of the level, or all of them."},
		{Name: "vehicle", Usage: "spawn X Y Z [YAW]|remove NUMBER|list", Min: 1, Max: 5, Run: h.vehicle,
			Help: "Puts a vehicle down at a place, metres, takes one away for good, or lists them."},
		{Name: "suppressor", Usage: "NAME|all on|off", Min: 2, Max: 2, Run: h.suppressor,
			Help: "Gives a player a suppressor, through which shots are heard less far, or takes it away."},
		{Name: "smoke", Usage: "X Y Z", Min: 3, Max: 3, Run: h.cloud(func(s *server.Server, at vec.V3) { s.Smoke(at) }),
			Help: "Begins a cloud of smoke at a place, metres."},
		{Name: "flash", Usage: "X Y Z", Min: 3, Max: 3, Run: h.cloud((*server.Server).Flash),
			Help: "Lets off a flash at a place, metres, which blinds who has it in view."},
		{Name: "blast", Usage: "X Y Z", Min: 3, Max: 3, Run: h.cloud((*server.Server).Blast),
			Help: "Blows a hole into the smoke at a place, metres."},
		{Name: "table", Usage: "[NAME|reset] [VALUE] [SECONDS]", Max: 3, Run: h.table,
			Help: "Lists what of the tables is not the server's own, says a number of them, or changes one for everybody while the match runs."},
		{Name: "record", Usage: "NAME", Min: 1, Max: 1, Run: h.record,
			Help: "Records the match from now on, all of it, into a file of the folder demo.folder."},
		{Name: "plugin.list", Run: h.list,
			Help: "Lists the processes of policy and rules, what each is for and how it fares."},
		{Name: "plugin.shadow", Usage: "[NAME|off]", Max: 1, Run: h.shadow,
			Help: "Lets another policy judge every tick with nobody affected, says how it judges, ends it."},
		{Name: "plugin.attach", Usage: "unix:/PATH|off", Min: 1, Max: 1, Local: true, Run: h.attach,
			Help: "Lets a policy or rules decide that were started with -debug, in a debugger perhaps: ticks wait for them."},
		{Name: "plugin.record", Usage: "NAME|off", Min: 1, Max: 1, Run: h.recordPlugins,
			Help: "Writes down what policy and rules are told and answer, for sightline plugin replay."},
		{Name: "reload", Local: true, Run: h.reload,
			Help: "Reads the file of settings anew: all of it or, with a mistake in it, nothing; says what waits for the next level or for a restart."},
		{Name: "stop", Help: "Ends the recording of the match.", Run: h.stopRecording},
	} {
		reg.Command(c)
	}
}

// ask runs something between two ticks of the server and returns what it says; errors
// are one sentence.
func ask[T any](h *Host, do func(s *server.Server) T) (said T, err error) {
	done := make(chan T, 1)
	if !h.srv.Do(func(s *server.Server) { done <- do(s) }) {
		return said, errBusy
	}
	select {
	case said = <-done:
		return said, nil
	case <-time.After(answerWait):
		return said, errSilent
	}
}

// lines is what a command prints, or why it was not done.
type lines struct {
	text []string
	err  error
}

// printed asks the server and prints its lines; the command's name begins the sentence
// that says why something was not done.
func (h *Host) printed(c *console.Call, name string, do func(s *server.Server) ([]string, error)) error {
	said, err := ask(h, func(s *server.Server) (l lines) {
		l.text, l.err = do(s)
		return l
	})
	switch {
	case err != nil:
		return err
	case said.err != nil:
		return fmt.Errorf("%s: %w", name, said.err)
	}
	for _, l := range said.text {
		c.Printf("%s\n", l)
	}
	return nil
}

func (h *Host) status(c *console.Call) error {
	rows, err := ask(h, func(s *server.Server) (lines []string) {
		for _, r := range s.Scores() {
			lines = append(lines, fmt.Sprintf("%4d  %-32s %3d kills %3d deaths %4d ms%s\n", r.ID, r.Name, r.Kills, r.Deaths, r.Ping, map[bool]string{true: "  bot"}[r.Bot]))
		}
		return lines
	})
	if err != nil {
		return err
	}
	for _, l := range rows {
		c.Printf("%s", l)
	}
	Summary(c.Out, h)
	return nil
}

func (h *Host) kick(c *console.Call) error {
	name, why := c.Args[0], "kicked"
	if len(c.Args) > 1 {
		why = strings.Join(c.Args[1:], " ")
	}
	ok, err := ask(h, func(s *server.Server) bool { return s.Kick(name, why) })
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("kick: nobody is named %q; status lists the players", name)
	}
	c.Printf("kicked %s: %s\n", name, why)
	return nil
}

func (h *Host) say(c *console.Call) error {
	text := strings.Join(c.Args, " ")
	return h.tell(func(s *server.Server) { s.Say(text) })
}

func (h *Host) changeMap(c *console.Call) error {
	ref := c.Args[0]
	return h.tell(func(s *server.Server) { s.Change(ref) })
}

func (h *Host) next(*console.Call) error {
	return h.tell(func(s *server.Server) { s.Next() })
}

// tell lets the server do something and does not wait for it.
func (h *Host) tell(f func(*server.Server)) error {
	if !h.srv.Do(f) {
		return errBusy
	}
	return nil
}

func (h *Host) record(c *console.Call) error {
	name, err := h.demos.record(c.Args[0])
	if err == nil {
		c.Printf("recording %s\n", name)
	}
	return err
}

func (h *Host) stopRecording(c *console.Call) error {
	said, err := h.demos.stop()
	if err == nil {
		c.Printf("%s\n", said)
	}
	return err
}
