package bots

import (
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/bot"
)

// bombZone is what a level calls the places where a bomb is planted.
const bombZone = "bombsite"

// sides are what rules call teams 1 and 2 on the screen.
var sides = [...]string{"", "Red", "Blue"}

// job reads off the screen what the rules want: the words that rules-bomb puts there.
// Under rules without such words a bot has no job.
func job(c *client.Client) bot.Job {
	attacks := c.HUD("attackers")
	if attacks == "" || c.Own() == nil {
		return bot.NoJob
	}
	team := int(c.Own().Team)
	attacker := team > 0 && team < len(sides) && attacks == sides[team]
	switch c.HUD("stage") {
	case "live":
		switch {
		case c.HUD("bomb") == "carried":
			return bot.Plant
		case attacker:
			return bot.Fetch
		}
	case "planted":
		if attacker {
			return bot.Defend
		}
		return bot.Disarm
	}
	return bot.NoJob
}
