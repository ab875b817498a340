package sdk

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/plugins/internal/contract"
	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
	rulesv1 "github.com/sightline-engine/sightline/plugins/proto/rules/v1"
)

// tuned is rules that begin with something, or nothing.
type tuned struct{ begins []TableValue }

func (*tuned) Start(*rules.Match) error                        { return nil }
func (*tuned) Tick(_ *rules.TickIn, ops []rules.Op) []rules.Op { return ops }
func (*tuned) Save() []byte                                    { return nil }
func (r *tuned) Tables() []TableValue                          { return r.begins }

func configure(t *testing.T, minor uint32, begins []TableValue) (*rulesServer, *rulesv1.Ready, error) {
	t.Helper()
	set, err := json.Marshal(tables.Arena())
	if err != nil {
		t.Fatal(err)
	}
	s := &rulesServer{
		server: newServer(&basev1.InfoReply{}),
		spec:   rules.Spec{Name: "tuned", New: func() rules.Rules { return &tuned{begins} }},
	}
	ready, err := s.Configure(context.Background(), &rulesv1.Match{LevelHash: make([]byte, 32), TickRate: 64, TablesJson: set, ApiMinor: minor})
	return s, ready, err
}

// Rules that begin with tables of their own tell a host that knows of it, and refuse an
// older one in a sentence; those that do not run on either, and an older one is sent no
// change of tables, which it would count as nonsense.
func TestRulesThatNeedTablesRefuseAnOldHost(t *testing.T) {
	begins := []TableValue{{Name: "movement.gravity", To: 12}}
	s, ready, err := configure(t, contract.Minor, begins)
	if err != nil || len(ready.Tables) != 1 || ready.Tables[0].Name != "movement.gravity" || ready.Tables[0].To != 12 {
		t.Fatal(ready, err)
	}
	ops := []rules.Op{{Kind: rules.OpScore, ID: 1}, rules.SetTable(begins[0], 0), {Kind: rules.OpScore, ID: 2}, rules.ResetTables(0, false)}
	if got := s.known(append([]rules.Op(nil), ops...)); len(got) != 4 {
		t.Errorf("of four operations it is sent %v", got)
	}
	_, _, err = configure(t, 1, begins)
	for _, want := range []string{"rules tuned begin with tables of their own (movement.gravity = 12)", "contract 1.1 or older, and 1.2 is needed", "take a newer server"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if s, ready, err = configure(t, 0, nil); err != nil || len(ready.Tables) != 0 {
		t.Fatal(ready, err)
	}
	if got := s.known(append([]rules.Op(nil), ops...)); len(got) != 2 || got[0].ID != 1 || got[1].ID != 2 {
		t.Errorf("an older host is sent %v", got)
	}
}
