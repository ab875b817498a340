package scenario_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/vis/open"
)

const smallScene = `name = "small"
seconds = 1
tick_rate = 20

[[player]]
name = "viewer"
feet = [0, 0, 0]

[[player]]
name = "target"
path = [[0, 5, 0, 0], [1, 5, 5, 0]]

[[expect]]
viewer = "viewer"
target = "target"
sent = true
`

// TestFaultsNameTheirLine wants a sentence with file and line for whatever is wrong.
func TestFaultsNameTheirLine(t *testing.T) {
	if _, err := scenario.ReadFile("small.toml", []byte(smallScene), nil); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"unknown key":           {"tick_rate = 20", "tick_rat = 20", "small.toml:3: tick_rat: unknown key; did you mean tick_rate?"},
		"unknown below":         {"feet = [0, 0, 0]", "feets = [0, 0, 0]", "small.toml:7: player[0].feets: unknown key; did you mean player.feet?"},
		"wrong type":            {"seconds = 1", "seconds = \"1\"", "small.toml:2: seconds: found the text"},
		"no TOML":               {"seconds = 1", "seconds = ", "small.toml:2:"},
		"out of range":          {"tick_rate = 20", "tick_rate = 5", "small.toml:3: tick_rate = 5 is outside 10 to 240"},
		"no number":             {"seconds = 1", "seconds = nan", "small.toml:2: seconds: found nan"},
		"two numbers":           {"feet = [0, 0, 0]", "feet = [0, 0]", "small.toml:7: player[0].feet needs three numbers"},
		"twice the name":        {"name = \"target\"", "name = \"viewer\"", "small.toml:10: each player needs a name of its own"},
		"path goes back":        {"[1, 5, 5, 0]", "[0, 5, 5, 0]", "small.toml:11: a path is made of"},
		"nobody of the name":    {"target = \"target\"", "target = \"nobody\"", "small.toml:15: expect[0].target = \"nobody\" is no player"},
		"nothing expected":      {"sent = true", "to = 1.0", "small.toml:13: an [[expect]] says one of"},
		"units":                 {"seconds = 1", "seconds = 1\nunits = \"feet\"", "small.toml:3: units = \"feet\" is neither"},
		"unknown event":         {"[[expect]]", "[[event]]\nat = 0.5\nkind = \"dance\"\n\n[[expect]]", "small.toml:15: kind = \"dance\" is none of"},
		"no earshot":            {"[[expect]]", "[[event]]\nat = 0.5\nkind = \"table\"\nname = \"movement.gravity\"\nto = 3\n\n[[expect]]", "small.toml:16: name = \"movement.gravity\" is no earshot"},
		"no such earshot":       {"[[expect]]", "[[event]]\nat = 0.5\nkind = \"table\"\nname = \"sounds.stepp\"\nto = 3\n\n[[expect]]", "small.toml:16: no number of the tables is named \"sounds.stepp\"; near are sounds.step"},
		"no such door":          {"[[expect]]", "[[event]]\nat = 0.5\nkind = \"door\"\ndoor = 1\n\n[[expect]]", "small.toml:16: there is no door 1"},
		"vehicle without place": {"[[expect]]", "[[vehicle]]\nname = \"v\"\n\n[[expect]]", "small.toml:13: vehicle v needs at or a path"},
		"vehicle of no type":    {"[[expect]]", "[[vehicle]]\nname = \"v\"\ntype = \"tank\"\n\n[[expect]]", "small.toml:15: type = \"tank\" is no vehicle"},
		"vehicle's name twice":  {"[[expect]]", "[[vehicle]]\nname = \"target\"\nat = [0, 0, 0]\n\n[[expect]]", "small.toml:14: each vehicle needs a name"},
		"no such vehicle":       {"[[expect]]", "[[event]]\nat = 0.5\nkind = \"enter\"\nplayer = \"target\"\nvehicle = \"v\"\n\n[[expect]]", "small.toml:17: vehicle = \"v\" is no vehicle"},
		"gets out on foot":      {"[[expect]]", "[[event]]\nat = 0.5\nkind = \"leave\"\nplayer = \"target\"\n\n[[expect]]", "small.toml:16: target sits in no vehicle"},
		"a map":                 {"tick_rate = 20", "tick_rate = 20\nmap = \"x.map\"", "small.toml:4: maps cannot be loaded here"},
		"no such thing":         {"target = \"target\"", "thing = \"hat\"", "small.toml:15: thing = \"hat\" is none of corpse"},
		"thing and target":      {"sent = true", "sent = true\nthing = \"weapon\"", "small.toml:17: a thing is sent or not"},
		"camera nowhere":        {"[[expect]]", "[[event]]\nat = 0.5\nkind = \"camera\"\nplayer = \"viewer\"\non = true\n\n[[expect]]", "small.toml:13: event[0].place needs three numbers"},
		"too late":              {"seconds = 1", "seconds = 1\nspectate_delay_s = 31", "small.toml:3: spectate_delay_s = 31 is outside 0 to 30"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(smallScene, c.old, c.new, 1)
			_, err := scenario.ReadFile("small.toml", []byte(text), nil)
			var f *scenario.Fault
			if !errors.As(err, &f) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestUnknownSettingsAreFaults: those of a policy are checked when it runs.
func TestUnknownSettingsAreFaults(t *testing.T) {
	s, err := scenario.ReadFile("small.toml", []byte(smallScene+"\n[settings.open]\nhodl_ms = 3\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(open.Spec()); err == nil || !strings.Contains(err.Error(), `small.toml:18: settings of open: unknown setting "hodl_ms"`) {
		t.Error(err)
	}
}

// FuzzSceneFile reads anything: a scene, or a Fault.
func FuzzSceneFile(f *testing.F) {
	f.Add([]byte(smallScene))
	for _, name := range []string{"t08-door.toml", "t12-spectator.toml"} {
		data, err := os.ReadFile("testdata/fog/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := scenario.ReadFile("f.toml", data, nil)
		var bad *scenario.Fault
		if err != nil && !errors.As(err, &bad) || (err == nil) == (s == nil) {
			t.Fatal(err)
		}
	})
}
