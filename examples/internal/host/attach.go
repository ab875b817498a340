package host

import (
	"context"
	"errors"
	"time"

	"github.com/sightline-engine/sightline/engine/console"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// attached is the name of a policy or of rules that somebody started with -debug.
const attached = "attached"

// askLimit is how long a plugin may take to say who it is.
const askLimit = 2 * time.Second

// attach is the command plugin.attach: the plugin at an address decides, a policy after
// some ticks, rules from the end of the round on, and every tick waits for it.
func (h *Host) attach(c *console.Call) error {
	if c.Args[0] == "off" {
		return h.detach()
	}
	ctx, cancel := context.WithTimeout(context.Background(), askLimit)
	defer cancel()
	d, err := plugin.Attached(ctx, c.Args[0])
	if err != nil {
		return err
	}
	if d.Kind == "rules" {
		if err := h.attachRules(c.Args[0], "rules-"+d.Name); err != nil {
			return err
		}
		c.Printf("the rules %s are attached at the end of the round; every tick waits for them then: for developing only. plugin.attach off brings %s back\n", d.Name, h.set.Rules.Get())
		return nil
	}
	p, stage, err := h.start1("policy-"+d.Name, c.Args[0])
	if err != nil {
		return err
	}
	stage.Switch(p, attached, func(err error) {
		if err != nil {
			h.sayLine("plugin.attach: %v", err)
		}
	})
	c.Printf("the policy %s is attached; it decides after %d ticks, and every tick waits for it: for developing only. plugin.attach off brings %s back\n", d.Name, plugin.SwitchTicks, h.set.Policy.Get())
	return nil
}

// attachRules lets rules take over that run already. Their settings are those of the
// plugin's own name.
func (h *Host) attachRules(address, name string) error {
	h.mu.Lock()
	l := h.mode
	h.mu.Unlock()
	if l.stage == nil {
		return errRulesLinked
	}
	rc := l.rc
	rc.Name, rc.Attach, rc.Match.Settings = attached, address, h.set.rules(name)
	return l.stage.Swap(rc, linkedRules(name), func(said string, err error) {
		if err != nil {
			now, _ := l.stage.Name()
			h.sayLine("plugin.attach: %s goes on: %v", now, err)
			return
		}
		h.sayLine("plugin.attach: %s", said)
	})
}

// detach brings back what is attached no more.
func (h *Host) detach() error {
	h.mu.Lock()
	stage, mode := h.live.stage, h.mode.stage
	h.mu.Unlock()
	any := false
	if stage != nil {
		if _, name := stage.Live(); name == attached {
			any = true
			go h.changePolicy()
		}
	}
	if mode != nil {
		if name, _ := mode.Name(); name == attached {
			any = true
			h.onRules(reload)
		}
	}
	if !any {
		return errors.New("plugin.attach: nothing is attached")
	}
	return nil
}
