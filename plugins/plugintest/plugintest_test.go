package plugintest_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/rules/bomb"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/game/vis/pvs"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

func TestShippedPoliciesConform(t *testing.T) {
	hidden := plugintest.Options{SendsHidden: true}
	t.Run("deaddrop", func(t *testing.T) { plugintest.Policy(t, deaddrop.Spec()) })
	t.Run("netoptimize", func(t *testing.T) { plugintest.Policy(t, netoptimize.Spec(), plugintest.Options{MaxRays: 1e6}) })
	t.Run("open", func(t *testing.T) { plugintest.Policy(t, open.Spec(), hidden) })
	t.Run("pvs", func(t *testing.T) { plugintest.Policy(t, pvs.Spec(), hidden) }) // the yard has no sets
	t.Run("reach", func(t *testing.T) { plugintest.Policy(t, reach.Spec()) })
	t.Run("screen", func(t *testing.T) { plugintest.Policy(t, screen.Spec()) })
}

func TestShippedRulesConform(t *testing.T) {
	t.Run("duel", func(t *testing.T) { plugintest.Rules(t, duel.Spec()) })
	t.Run("teams", func(t *testing.T) { plugintest.Rules(t, teams.Spec()) })
	t.Run("bomb", func(t *testing.T) { plugintest.Rules(t, bomb.Spec()) })
}
