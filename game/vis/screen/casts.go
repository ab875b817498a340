package screen

import "github.com/sightline-engine/sightline/game/vis/kit"

// cast is a line from a place that the eye can reach to a point of the body, both
// at one of the sampled times.
func cast(at, from, point uint8) kit.Cast {
	return kit.Cast{Eye: at, Body: at, From: from, Point: point}
}

// at are the lines of one time that every time has.
func at(t uint8) []kit.Cast {
	return []kit.Cast{
		cast(t, kit.Ahead, kit.Head), cast(t, kit.Ahead, kit.Chest),
		cast(t, kit.Ahead, kit.LeftMid), cast(t, kit.Ahead, kit.RightMid), cast(t, kit.Ahead, kit.Foot),
		cast(t, kit.Left, kit.LeftMid), cast(t, kit.Right, kit.RightMid),
		cast(t, kit.Left, kit.LeftLow), cast(t, kit.Right, kit.RightLow),
	}
}

// players are the lines to a player: of the last time all, of the first the most
// telling, and at the end those of half way between.
func players() []kit.Cast {
	c := append(at(1),
		cast(1, kit.Left, kit.LeftTop), cast(1, kit.Right, kit.RightTop),
		cast(1, kit.Left, kit.Head), cast(1, kit.Right, kit.Head),
		cast(1, kit.Ahead, kit.LeftTop), cast(1, kit.Ahead, kit.RightTop),
		cast(1, kit.Ahead, kit.LeftLow), cast(1, kit.Ahead, kit.RightLow),
		cast(1, kit.HalfLeft, kit.LeftMid), cast(1, kit.HalfRight, kit.RightMid),
		cast(1, kit.HalfLeft, kit.Head), cast(1, kit.HalfRight, kit.Head),
		cast(1, kit.HalfLeft, kit.LeftLow), cast(1, kit.HalfRight, kit.RightLow),
		// Through gaps, which show the other edge.
		cast(1, kit.HalfLeft, kit.RightMid), cast(1, kit.HalfRight, kit.LeftMid),
		cast(1, kit.Left, kit.RightMid), cast(1, kit.Right, kit.LeftMid),
		cast(1, kit.Above, kit.Head), cast(1, kit.Above, kit.LeftTop), cast(1, kit.Above, kit.RightTop),
		cast(1, kit.Below, kit.Foot), cast(1, kit.Below, kit.Chest),
		cast(1, kit.Near, kit.Head), cast(1, kit.Near, kit.Foot),
		cast(1, kit.Back, kit.Head), cast(1, kit.Back, kit.Foot),
	)
	return append(append(c, at(0)...), at(2)...)
}

// things are the lines to a thing: its origin and its middle.
func things() []kit.Cast {
	return []kit.Cast{
		cast(1, kit.Ahead, kit.Head), cast(1, kit.Ahead, kit.Chest), cast(0, kit.Ahead, kit.Head),
		cast(1, kit.Left, kit.Head), cast(1, kit.Right, kit.Head),
		cast(1, kit.HalfLeft, kit.Head), cast(1, kit.HalfRight, kit.Head),
		cast(1, kit.Above, kit.Head), cast(1, kit.Below, kit.Head),
	}
}
