package host

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/bomb"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/game/vis/pvs"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// policies and modes are what is linked in, by the name of the plugin.
func policies() map[string]vis.Spec {
	out := map[string]vis.Spec{}
	for _, s := range specs() {
		out["policy-"+s.Name] = s
	}
	return out
}

// specs are the shipped policies, the default first.
func specs() []vis.Spec {
	return []vis.Spec{deaddrop.Spec(), netoptimize.Spec(), open.Spec(), pvs.Spec(), reach.Spec(), screen.Spec()}
}

func modes() map[string]rules.Spec {
	out := map[string]rules.Spec{}
	for _, s := range ruleSpecs() {
		out["rules-"+s.Name] = s
	}
	return out
}

// ruleSpecs are the shipped rules, the default first.
func ruleSpecs() []rules.Spec { return []rules.Spec{duel.Spec(), teams.Spec(), bomb.Spec()} }

// running is the plugins of the present match.
type running struct {
	policy *plugin.Stage
	rules  *plugin.RulesStage
}

// start makes the match of a level: loads it, and starts rules and policy.
func (h *Host) start(ref string) (*server.Match, error) {
	got, err := h.levels.Open(ref)
	if err != nil {
		return nil, err
	}
	defer got.Files.Close() // the server draws nothing
	for _, w := range got.Level.Warnings {
		h.log.Warn("level", "file", w.File, "line", w.Line, "entity", w.Entity, "brush", w.Brush, "text", w.Text)
	}
	enter, note, err := spawns(got.Level, got.World)
	if err != nil {
		return nil, err
	}
	if note != "" {
		h.log.Info("level", "text", note)
	}
	h.set.reg.ApplyLatched() // what was typed during the level before
	s := h.set
	set := Tables(s.Tables.Get())
	m := &rules.Match{
		Level: got.Level.Name, LevelHash: got.Level.Hash, Seed: h.seed, TickRate: s.TickRate.Get(), Tables: set,
		Settings: s.rules(s.Rules.Get()),
	}
	for _, sp := range enter {
		m.Spawns = append(m.Spawns, rules.Spawn{Pos: sp.Pos, Yaw: sp.Yaw, Team: uint8(sp.Team)})
	}
	for _, z := range got.Level.Zones {
		m.Zones = append(m.Zones, rules.Zone{Name: z.Name, Box: z.Box})
	}
	settings := s.policy(s.Policy.Get())
	fallback, err := h.fallback(got, s.policy(fallbackPolicy))
	if err != nil {
		return nil, err
	}
	out := &server.Match{
		Ref: ref, Level: got.Level, World: got.World, Tables: set,
		Range:        float32(s.vis["vis.range_m"].Get()),
		VehicleRange: float32(s.VehicleRange.Get()),
		Reveals:      s.RevealReports.Get() && s.Ledger.Get() != "",
	}
	if s.Linked.Get() {
		return out, h.link(out, m, got, settings)
	}
	return out, h.spawn(out, m, got, settings, fallback)
}

// fallback is the policy that decides whatever a plugin does not: the default one.
func (h *Host) fallback(got *Loaded, settings vis.Settings) (vis.Policy, error) {
	return deaddrop.New(vis.Env{World: got.World, TickRate: h.set.TickRate.Get(), Seed: h.seed, Settings: settings})
}

// link runs policy and rules in this process.
func (h *Host) link(out *server.Match, m *rules.Match, got *Loaded, settings vis.Settings) error {
	name := h.set.Policy.Get()
	spec, ok := policies()[name]
	if !ok {
		return fmt.Errorf("plugin.policy: %q is not linked in: only %s are", name, strings.Join(slices.Sorted(maps.Keys(policies())), ", "))
	}
	p, err := spec.New(vis.Env{World: got.World, TickRate: m.TickRate, Seed: h.seed, Settings: settings})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	mode, ok := modes()[h.set.Rules.Get()]
	if !ok {
		return fmt.Errorf("plugin.rules: %q is not linked in: only %s are", h.set.Rules.Get(), strings.Join(slices.Sorted(maps.Keys(modes())), ", "))
	}
	r := mode.New()
	if err := r.Start(m); err != nil {
		return fmt.Errorf("%s: %w", mode.Name, err)
	}
	if err := begin(out, r); err != nil {
		return fmt.Errorf("%s wants %w", mode.Name, err)
	}
	out.Policy, out.Rules = vis.Inline(p), rules.Inline(r)
	h.rulesLive(nil, plugin.RulesConfig{Config: plugin.Config{Name: h.set.Rules.Get()}})
	return nil
}

// begin gives a match the tables that its rules want to begin it with.
func begin(out *server.Match, r any) error {
	own := out.Tables
	set, err := rules.Begin(&own, rules.TablesOf(r))
	if err != nil {
		return err
	}
	out.Tables, out.Own = set, &own
	return nil
}

// spawn runs policy and rules each in a process of its own.
func (h *Host) spawn(out *server.Match, m *rules.Match, got *Loaded, settings vis.Settings, fallback vis.Policy) error {
	s := h.set
	common := plugin.Config{
		Dirs: h.dirs(), TickRate: m.TickRate, Wait: s.Wait.Get(), Log: h.log, Engine: "sightline",
		Stream: s.Mailbox.Get() == "off", MemoryMB: s.MemoryMB.Get(), Decode: config.DecodeStrict, LockedOnly: s.Competitive.Get() || !s.Unlocked.Get(),
	}
	if h.books != nil {
		common.Notify = h.books.noted
	}
	pc := plugin.PolicyConfig{
		Config: common, Level: plugin.LevelOf(got.File, got.Data, got.Options, got.Level), Seed: h.seed,
		Fallback: fallback, Deadline: time.Duration(s.Deadline.Get() * float64(time.Millisecond)),
		TickEnd: h.tickEnd,
	}
	pc.Name = s.Policy.Get()
	pc.Settings = settings
	policy, err := plugin.StartPolicy(context.Background(), pc)
	if err != nil {
		return err
	}
	rc := plugin.RulesConfig{Config: common, Match: *m, Save: seconds(s.SaveEvery.Get())}
	rc.Name = s.Rules.Get()
	mode, err := plugin.StartRulesStage(context.Background(), plugin.RulesStageConfig{
		RulesConfig: rc, OnFailure: onFailure(s.OnFailure.Get()), Linked: linkedRules(rc.Name),
	})
	if err == nil {
		if err = begin(out, mode); err != nil {
			mode.Close()
		}
	}
	if err != nil {
		policy.Close()
		return err
	}
	h.set.know(pc.Name, policy.Settings())
	h.set.know(rc.Name, mode.Settings())
	stage := plugin.NewStage(policy, pc.Name)
	h.mu.Lock()
	before := h.plugins
	live, rl := h.live, h.mode
	h.plugins = running{stage, mode}
	h.mu.Unlock()
	h.goLive(stage, pc, got)
	h.rulesLive(mode, rc)
	if err := h.standBy(stage); err != nil {
		h.mu.Lock()
		h.plugins, h.live, h.mode = before, live, rl // of the match that goes on
		h.mu.Unlock()
		stage.Close()
		mode.Close()
		return err
	}
	out.Halted = func() bool { return mode.Stalled() >= stallLimit }
	out.Policy, out.Rules = stage, mode
	out.Close = func() {
		h.endLive(stage)
		h.endRules(mode, rc)
		mode.Close()
	}
	return nil
}
