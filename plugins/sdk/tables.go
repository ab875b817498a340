package sdk

import (
	"fmt"
	"slices"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/plugins/internal/contract"
	rulesv1 "github.com/sightline-engine/sightline/plugins/proto/rules/v1"
)

// TableValue is one number of the tables by its name: what rules return from Tables
// (rules.HasTables), and what rules.SetTable makes an operation of.
type TableValue = tables.Value

// begins is what the match is to begin with. A host that would not do it is refused:
// players would be told of one match and play another.
func (r *rulesServer) begins(minor uint32) ([]*rulesv1.TableValue, error) {
	r.old = minor < contract.MinorTables
	values := rules.TablesOf(r.rules)
	if r.old && len(values) > 0 {
		return nil, fmt.Errorf("rules %s begin with tables of their own (%v), which this server cannot: it speaks contract %d.%d or older, and %d.%d is needed; take a newer server",
			r.spec.Name, values[0], contract.Major, contract.MinorTables-1, contract.Major, contract.MinorTables)
	}
	out := make([]*rulesv1.TableValue, len(values))
	for i, v := range values {
		out[i] = &rulesv1.TableValue{Name: v.Name, To: v.To}
	}
	return out, nil
}

// known leaves out what a host would count as nonsense that is older than it.
func (r *rulesServer) known(ops []rules.Op) []rules.Op {
	if !r.old {
		return ops
	}
	n := len(ops)
	ops = slices.DeleteFunc(ops, func(op rules.Op) bool { return op.Kind == rules.OpTable })
	if len(ops) < n && !r.said {
		r.said = true
		Logger().Warn("the rules change tables, which this server cannot: it is left out; take a newer server", "rules", r.spec.Name)
	}
	return ops
}
