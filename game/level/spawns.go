package level

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/vec"
)

// StandingBox is the body for which maps are made, around its feet: 30×30×56
// map units. The body that plays comes from the movement table.
var StandingBox = vec.Box{
	Min: vec.V3{X: -15.0 / UnitsPerMetre, Y: -15.0 / UnitsPerMetre},
	Max: vec.V3{X: 15.0 / UnitsPerMetre, Y: 15.0 / UnitsPerMetre, Z: 56.0 / UnitsPerMetre},
}

// CheckSpawns returns the places where a player can really enter, and one line
// for the log when that is not simply all the places made for everybody ("" when
// it is). free says whether a standing body with its feet there touches nothing.
//
// The rule, in this order:
//
//  1. spawns for everybody that are free, raised by up to 1 m where the map has
//     them a little too deep;
//  2. when there is none, the teams' spawns, likewise;
//  3. when there is none, nothing: the map cannot be played, and who loads it
//     keeps the map that runs.
//
// It is asked when a map is loaded, so that a fault is found before anyone joins.
func CheckSpawns(l *Level, free func(feet vec.V3) bool) (usable []Spawn, note string) {
	everybody, teams, blocked := 0, 0, 0
	var forAll, forTeams []Spawn
	for _, s := range l.Spawns {
		pos, ok := raise(s.Pos, free)
		if s.Team == 0 {
			everybody++
		} else {
			teams++
		}
		switch {
		case !ok:
			blocked++
		case s.Team == 0:
			s.Pos = pos
			forAll = append(forAll, s)
		default:
			s.Pos = pos
			forTeams = append(forTeams, s)
		}
	}
	inside := ""
	if blocked > 0 {
		inside = fmt.Sprintf("; %d inside something solid and left out", blocked)
	}
	switch {
	case len(l.Spawns) == 0:
		return nil, fmt.Sprintf("%s: no place to enter: the map has no info_player_deathmatch or info_player_start, so it cannot be played", l.Name)
	case len(forAll) > 0 && len(forAll) == everybody:
		return forAll, ""
	case len(forAll) > 0:
		return forAll, fmt.Sprintf("%s: %d of %d places to enter are used%s", l.Name, len(forAll), everybody, inside)
	case len(forTeams) > 0:
		return forTeams, fmt.Sprintf("%s: no place to enter for everybody, so the teams' %d are used%s", l.Name, len(forTeams), inside)
	}
	return nil, fmt.Sprintf("%s: no place to enter: all %d are inside something solid, so the map cannot be played", l.Name, everybody+teams)
}

// raise looks for a free place at or above p.
func raise(p vec.V3, free func(vec.V3) bool) (vec.V3, bool) {
	for i := range 9 {
		q := p.Add(vec.V3{Z: float32(float32(i) * 0.125)})
		if free(q) {
			return q, true
		}
	}
	return p, false
}
