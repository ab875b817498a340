package host

import (
	"errors"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// liveRules is what changes of rules while a match runs; the zero value is no match, or
// one whose rules are linked in.
type liveRules struct {
	stage *plugin.RulesStage
	rc    plugin.RulesConfig
	want  string // the rules that the setting names, attached ones aside
}

// stallLimit is how long a match goes on without its rules before it stands still.
const stallLimit = time.Second

// reload is the name that stands for the rules that run.
const reload = "reload"

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// onFailure says the setting in the plugin host's words.
func onFailure(s string) plugin.OnFailure {
	switch s {
	case "builtin":
		return plugin.Builtin
	case "end":
		return plugin.End
	}
	return plugin.Pause
}

// linkedRules makes the rules of a plugin's name inside of the server, nil where there
// are none.
func linkedRules(name string) plugin.NewRules {
	spec, ok := modes()[name]
	if !ok {
		return nil
	}
	return func() rules.Rules { return spec.New() }
}

// endRules forgets the rules of a match that ends, unless another one has begun.
func (h *Host) endRules(stage *plugin.RulesStage, rc plugin.RulesConfig) {
	_, _, _, _ = h.endRulesRecord(stage)
	h.mu.Lock()
	present := h.mode.stage == stage
	h.mu.Unlock()
	if present {
		h.rulesLive(nil, rc)
	}
}

// rulesLive notes what a match that begins may change, and forgets it with nil.
func (h *Host) rulesLive(stage *plugin.RulesStage, rc plugin.RulesConfig) {
	h.mu.Lock()
	h.mode = liveRules{stage, rc, rc.Name}
	h.mu.Unlock()
}

var errRulesLinked = errors.New("rules run inside of the server here (plugin.linked): the next level brings others")

// onRules is called when plugin.rules changed.
func (h *Host) onRules(name string) {
	if h.quiet.Load() {
		return
	}
	h.mu.Lock()
	l := h.mode
	h.mu.Unlock()
	if l.stage == nil {
		if name == reload {
			h.setRules(l.rc.Name)
		}
		h.sayLine("plugin.rules: %v", errRulesLinked)
		return
	}
	now, _ := l.stage.Name()
	if name == reload {
		name = l.want
		h.setRules(name)
	}
	rc := l.rc
	rc.Name, rc.Match.Settings = name, h.set.rules(name)
	err := l.stage.Swap(rc, linkedRules(name), func(said string, err error) {
		if errors.Is(err, plugin.ErrMatchEnded) {
			h.sayLine("plugin.rules: %v: %s has the next level", err, h.set.Rules.Get())
			return
		}
		if err != nil {
			h.noRules(l.stage, name, err)
			return
		}
		h.wantRules(name)
		h.set.know(name, l.stage.Settings())
		h.sayLine("plugin.rules: %s", said)
	})
	if err != nil {
		h.noRules(l.stage, name, err)
		return
	}
	h.sayLine("plugin.rules: %s takes over from %s at the end of the round", name, now)
}

// noRules sets the variable to what is so, unless somebody has asked for something else
// since, and says why there is no change.
func (h *Host) noRules(stage *plugin.RulesStage, asked string, why error) {
	now, _ := stage.Name()
	h.mu.Lock()
	want := h.mode.want
	h.mu.Unlock()
	if h.set.Rules.Get() == asked {
		h.setRules(want)
	}
	h.sayLine("plugin.rules: no change, %s goes on: %v", now, why)
}

// wantRules notes which rules decide that the setting can name.
func (h *Host) wantRules(name string) {
	h.mu.Lock()
	h.mode.want = name
	h.mu.Unlock()
}

// setRules sets plugin.rules without a change of rules.
func (h *Host) setRules(name string) {
	if h.set.Rules.Get() != name {
		h.quiet.Store(true)
		_ = h.set.Rules.Set(name)
		h.quiet.Store(false)
	}
}
