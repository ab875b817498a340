package kit

import (
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
)

// Member is what is remembered of one player by rules with teams.
type Member struct {
	Known, Bot bool
	Name       string
	Team       uint8 // 0 until it has one
	Told       bool  // its row of the score has been sent
	TeamTold   bool  // its team has been sent

	Kills, Deaths, Points int16
}

// Roster is who is there, and on which of two teams.
type Roster struct {
	Players [state.MaxPlayers + 1]Member
}

// Update takes who came and who left. Whoever has no team yet gets one: the smaller,
// or the first.
func (r *Roster) Update(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Joined {
		r.Join(&in.Joined[i])
	}
	for _, id := range in.Left {
		if id.IsPlayer() {
			r.Players[id] = Member{}
		}
	}
	for i := range in.Players {
		id := in.Players[i].ID
		if !id.IsPlayer() {
			continue
		}
		p := &r.Players[id]
		p.Known = true
		if p.Team == 0 {
			p.Team = r.smaller()
		}
		if !p.TeamTold {
			p.TeamTold = true
			ops = append(ops, rules.Op{Kind: rules.OpSetTeam, ID: id, Value: int32(p.Team)})
		}
	}
	return ops
}

// Join notes one player.
func (r *Roster) Join(m *rules.Member) {
	if m.ID.IsPlayer() {
		r.Players[m.ID] = Member{Known: true, Bot: m.Bot, Name: Clip(m.Name)}
	}
}

// Clip shortens a name to what may be kept of one.
func Clip(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), state.MaxName)], "")
}

func (r *Roster) smaller() uint8 {
	if r.Count(2) < r.Count(1) {
		return 2
	}
	return 1
}

// Count returns how many are on a team.
func (r *Roster) Count(team uint8) int {
	n := 0
	for i := range r.Players {
		if r.Players[i].Known && r.Players[i].Team == team {
			n++
		}
	}
	return n
}

// Change moves a player to a team that it asked for. Unless it is even or better
// afterwards, it stays, and why says so.
func (r *Roster) Change(id state.ID, team uint8) (why string) {
	p := &r.Players[id]
	switch {
	case p.Team == team:
		return "You are on that team."
	case r.Count(team) >= r.Count(p.Team):
		return "That team is not the smaller one."
	}
	p.Team, p.TeamTold = team, false
	return ""
}

// Tell appends the rows of the score that have changed.
func (r *Roster) Tell(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Players {
		id := in.Players[i].ID
		if !id.IsPlayer() || r.Players[id].Told {
			continue
		}
		p := &r.Players[id]
		p.Told = true
		ops = append(ops, rules.Op{
			Kind: rules.OpScore, ID: id, Value: int32(p.Kills), Value2: int32(p.Deaths), Value3: int32(p.Points),
		})
	}
	return ops
}

// Kill counts one kill: a point for an enemy, one less for a mate or oneself. It
// returns the team that scored, 0 for none.
func (r *Roster) Kill(e *state.Event) uint8 {
	if !e.Target.IsPlayer() {
		return 0
	}
	t := &r.Players[e.Target]
	t.Deaths, t.Told = Inc(t.Deaths, 1), false
	if e.Actor == e.Target || !e.Actor.IsPlayer() {
		t.Points = Inc(t.Points, -1)
		return 0
	}
	a := &r.Players[e.Actor]
	a.Told = false
	if a.Team == t.Team {
		a.Points = Inc(a.Points, -1)
		return 0
	}
	a.Kills, a.Points = Inc(a.Kills, 1), Inc(a.Points, 1)
	return a.Team
}

// Inc adds to a count that stays within 16 bits.
func Inc(v int16, by int) int16 { return int16(min(max(int(v)+by, -32768), 32767)) }

// Save writes the roster, and restore reads it.
func (r *Roster) Save(w *Writer) {
	for id := range r.Players {
		p := &r.Players[id]
		if !p.Known {
			continue
		}
		w.U16(uint16(id))
		w.Bits(p.Bot, p.Told, p.TeamTold)
		w.U8(p.Team)
		w.U16(uint16(p.Kills))
		w.U16(uint16(p.Deaths))
		w.U16(uint16(p.Points))
		w.Text(p.Name)
	}
	w.U16(0xffff)
}

// Restore reads what Save wrote.
func (r *Roster) Restore(rd *Reader) {
	for last := state.ID(0); !rd.Bad; {
		if len(rd.B) >= 2 && rd.B[0] == 0xff && rd.B[1] == 0xff {
			rd.U16()
			return
		}
		last = rd.ID(last)
		p := &r.Players[last]
		p.Known = true
		rd.Bits(&p.Bot, &p.Told, &p.TeamTold)
		p.Team = rd.U8(2)
		p.Kills, p.Deaths, p.Points = int16(rd.U16()), int16(rd.U16()), int16(rd.U16())
		p.Name = rd.Text(state.MaxName)
	}
}

// Command splits a line that a player typed into its first word, without the slash,
// and the rest; ok is false when it is no command.
func Command(text string) (word, rest string, ok bool) {
	if !strings.HasPrefix(text, "/") {
		return "", "", false
	}
	word, rest, _ = strings.Cut(text[1:], " ")
	return word, strings.TrimSpace(rest), true
}

// TeamName returns what a team is called.
func TeamName(team uint8) string {
	switch team {
	case 1:
		return "Red"
	case 2:
		return "Blue"
	}
	return "Team " + strconv.Itoa(int(team))
}

// TeamOf returns the team that a word means, 0 for none.
func TeamOf(word string) uint8 {
	switch strings.ToLower(word) {
	case "1", "red":
		return 1
	case "2", "blue":
		return 2
	}
	return 0
}
