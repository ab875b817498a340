package host

import (
	"context"
	"fmt"
	"time"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/game/vis"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// live is what changes of policy while a match runs. The zero value is no match, or
// one whose policy is linked in.
type live struct {
	stage *plugin.Stage
	pc    plugin.PolicyConfig
	got   *Loaded
	timer *time.Timer // a change that was asked for and has not begun
}

// settleMS is how long a changed setting waits for others that are typed with it.
const settleMS = 200

// say tells the operator what happened, who may have asked for it long ago.
func (h *Host) sayLine(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	h.log.Info("plugin", "text", line)
	if h.notice != nil {
		h.notice(line)
	}
}

// onPolicy is called when plugin.policy or a setting of the policy that runs changed.
func (h *Host) onPolicy() {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := &h.live
	if l.stage == nil || l.timer != nil {
		return
	}
	l.timer = time.AfterFunc(settleMS*time.Millisecond, h.changePolicy)
}

// onVis is onPolicy for one setting of a policy: others' wait until they run.
func (h *Host) onVis(policy string) {
	h.mu.Lock()
	stage := h.live.stage
	h.mu.Unlock()
	if stage == nil {
		if h.set.Linked.Get() && h.set.Policy.Get() == policy {
			h.sayLine("plugin: %v", errLinked)
		}
		return
	}
	if _, name := stage.Live(); name == policy {
		h.onPolicy()
	}
}

// start1 starts a process of a policy beside the one that decides.
func (h *Host) start1(name, address string) (*plugin.Policy, *plugin.Stage, error) {
	h.mu.Lock()
	stage, pc, got := h.live.stage, h.live.pc, h.live.got
	h.mu.Unlock()
	if stage == nil {
		return nil, nil, errLinked
	}
	pc.Name, pc.Attach, pc.Settings = name, address, h.set.policy(name)
	fallback, err := h.fallback(got, h.set.policy(fallbackPolicy))
	if err != nil {
		return nil, nil, err
	}
	pc.Fallback = fallback
	p, err := plugin.StartPolicy(context.Background(), pc)
	if err == nil {
		h.set.know(name, p.Settings())
	}
	return p, stage, err
}

var errLinked = fmt.Errorf("policies run inside of the server here (plugin.linked): the next level brings another one")

// changePolicy starts the policy that the settings name, with its settings, and lets
// it take over.
func (h *Host) changePolicy() {
	h.mu.Lock()
	h.live.timer = nil
	h.mu.Unlock()
	name := h.set.Policy.Get()
	p, stage, err := h.start1(name, "")
	if err != nil {
		h.backTo(name, err)
		return
	}
	h.sayLine("plugin.policy: %s is started beside the present one and judges the same ticks", name)
	stage.Switch(p, name, func(err error) {
		if err != nil {
			h.backTo(name, err)
		} else {
			h.sayLine("plugin.policy: %s decides", name)
		}
		if err := h.standBy(stage); err != nil {
			h.sayLine("plugin.standby: nobody stands by: %v", err)
		}
	})
}

// standBy starts a second process of the policy that decides, where one is wanted and
// there is none.
func (h *Host) standBy(stage *plugin.Stage) error {
	if !h.set.Standby.Get() || stage.HasStandby() {
		return nil
	}
	_, name := stage.Live()
	p, now, err := h.start1(name, "")
	if err == errLinked { // the match is over
		return nil
	}
	if err != nil {
		return err
	}
	if now != stage { // another has begun
		p.Close()
		return nil
	}
	stage.Standby(p)
	return nil
}

// backTo sets the variable to what is so, unless somebody has asked for something else
// since, and says why there is no change.
func (h *Host) backTo(asked string, why error) {
	h.mu.Lock()
	stage := h.live.stage
	h.mu.Unlock()
	if stage == nil {
		return
	}
	_, name := stage.Live()
	if h.set.Policy.Get() == asked && asked != name && name != attached {
		h.quiet.Store(true)
		_ = h.set.Policy.Set(name)
		h.quiet.Store(false)
	}
	h.sayLine("plugin.policy: no change, %s decides: %v", name, why)
}

// shadow is the command plugin.shadow.
func (h *Host) shadow(c *console.Call) error {
	h.mu.Lock()
	stage := h.live.stage
	h.mu.Unlock()
	if stage == nil {
		return errLinked
	}
	switch {
	case len(c.Args) == 0:
		r, ok := stage.ShadowReport()
		if !ok {
			return fmt.Errorf("plugin.shadow: there is no shadow; plugin.shadow NAME begins one")
		}
		c.Printf("%s\n", r)
	case c.Args[0] == "off":
		r, ok := stage.StopShadow()
		if !ok {
			return fmt.Errorf("plugin.shadow: there is no shadow")
		}
		c.Printf("%s\n", r)
	default:
		p, stage, err := h.start1(c.Args[0], "")
		if err != nil {
			return err
		}
		stage.Shadow(p, c.Args[0])
		c.Printf("%s judges every tick from now on, with nobody affected; plugin.shadow says how, plugin.shadow off ends it\n", c.Args[0])
	}
	return nil
}

// goLive notes what a match that has begun may change to.
func (h *Host) goLive(stage *plugin.Stage, pc plugin.PolicyConfig, got *Loaded) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live = live{stage: stage, pc: pc, got: got}
}

// endLive forgets a match that ends.
func (h *Host) endLive(stage *plugin.Stage) {
	h.mu.Lock()
	if h.live.stage == stage {
		if h.live.timer != nil {
			h.live.timer.Stop()
		}
		h.live = live{}
	}
	f := h.recordFile
	h.recordFile = nil
	h.mu.Unlock()
	stage.Close()
	if f != nil {
		_ = f.Close()
	}
}

// watch lets changed settings act on the match that runs.
func (h *Host) watch() {
	h.set.Rules.OnChange(h.onRules)
	h.set.Policy.OnChange(func(string) {
		switch {
		case h.quiet.Load():
		case h.set.Linked.Get():
			h.sayLine("plugin.policy: %v", errLinked)
		default:
			h.onPolicy()
		}
	})
	h.set.strange.mu.Lock()
	h.set.strange.changed = h.onVis
	h.set.strange.mu.Unlock()
	for _, p := range specs() {
		for _, d := range p.Schema {
			if v := h.set.vis[visVar(p.Name, d.Name)]; d.Name != "range_m" {
				v.OnChange(func(float64) { h.onVis("policy-" + p.Name) })
			}
		}
	}
}

var _ vis.Decider = (*plugin.Stage)(nil)
