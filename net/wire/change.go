package wire

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// Tables announces that other tables hold from a tick on: what differs from those that
// were announced last, or all of them. A client that does not have them by then, or
// finds that they are not what Hash says, does not predict and asks for all of them by
// WishTables.
type Tables struct {
	Version uint32     // tables.Set.Version, one more than that of those announced last
	From    state.Tick // the first tick of them
	Hash    [32]byte   // tables.Set.Hash
	Values  []tables.Value
	Whole   []byte // TablesBlob, in place of Values; also of tables that hold already
}

func (*Tables) kind() kind { return kindTables }

func (m *Tables) layout(c *Coder) {
	fixed(c, "version", &m.Version, 31)
	fixed(c, "from tick", &m.From, 32)
	hash(c, "hash", &m.Hash)
	whole := c.has("whole", len(m.Whole) > 0)
	if whole {
		blob(c, "tables", &m.Whole, MaxTables)
		c.done()
	}
	if whole && c.text == nil {
		return
	}
	n := c.count("values, when not whole", min(len(m.Values), tables.MaxChange), tables.MaxChange, 7)
	for i := range n {
		var v tables.Value
		if i < len(m.Values) {
			v = m.Values[i]
		}
		text(c, "name", &v.Name, MaxLabel)
		float(c, "becomes", &v.To)
		if c.r != nil {
			m.Values = append(m.Values, v)
		}
	}
	c.done()
}
