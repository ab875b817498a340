package wire

import "github.com/sightline-engine/sightline/game/state"

// RevealReports is the server's variable (Var) that asks a client for Reveals while
// its value is "1". Without it a client sends none.
const RevealReports = "sv.reveal_reports"

// MaxReveals is how many players one Reveals tells of.
const MaxReveals = 16

// Reveals is a client's own word on when it was told of players and when it drew them.
// Times are microseconds of the client's own clock, which the server cannot read: it is
// joined to the server's by the numbers of packets alone.
type Reveals struct {
	Now  uint64 // when this was written; counts from anywhere, below 1<<56
	Seq  uint64 // the newest packet with a snapshot, below 1<<48,
	Came uint32 // and how long before Now that was taken
	Rows []Reveal
}

// Reveal is the word on one player.
type Reveal struct {
	ID   state.ID
	Back uint32 // the first packet that held it: so many before Reveals.Seq
	Came uint32 // how long before Now that was taken: A
	Look uint32 // how long before that the client had last looked for packets
	// Drawn says that a frame has drawn it, Drew how long after A the first one did: R − A.
	// One that is not Drawn has left again without having been on the screen.
	Drawn bool
	Drew  uint32
}

func (*Reveals) kind() kind { return kindReveals }

func (m *Reveals) layout(c *Coder) {
	fixed(c, "now, us", &m.Now, 56)
	fixed(c, "newest packet", &m.Seq, 48)
	uvar(c, "taken before now, us", &m.Came, 14)
	n := c.count("players", min(len(m.Rows), MaxReveals), MaxReveals, 5)
	for i := range n {
		var row Reveal
		if i < len(m.Rows) {
			row = m.Rows[i]
		}
		fixed(c, "id", &row.ID, 16)
		uvar(c, "first packet, before the newest", &row.Back, 5)
		uvar(c, "taken before now, us", &row.Came, 19)
		uvar(c, "looked before that, us", &row.Look, 13)
		if row.Drawn = c.has("drawn", row.Drawn); row.Drawn {
			uvar(c, "after that, us", &row.Drew, 15)
			c.done()
		}
		if c.r != nil {
			m.Rows = append(m.Rows, row)
		}
	}
	c.done()
}
