package reach

import "github.com/sightline-engine/sightline/game/vis/kit"

// cast is a line from a place that the viewer can reach to a point of the body at
// one that the other can reach.
func cast(from, move, point uint8) kit.Cast { return kit.Cast{From: from, Move: move, Point: point} }

// players are the lines to a player, the likeliest first.
func players() []kit.Cast {
	return []kit.Cast{
		// The present.
		cast(kit.Here, kit.Here, kit.Head), cast(kit.Here, kit.Here, kit.Chest), cast(kit.Here, kit.Here, kit.Foot),
		cast(kit.Here, kit.Here, kit.LeftMid), cast(kit.Here, kit.Here, kit.RightMid),
		cast(kit.Here, kit.Here, kit.LeftTop), cast(kit.Here, kit.Here, kit.RightTop),
		cast(kit.Here, kit.Here, kit.LeftLow), cast(kit.Here, kit.Here, kit.RightLow),
		// Both as far to one side as they can.
		cast(kit.Left, kit.Left, kit.LeftMid), cast(kit.Right, kit.Right, kit.RightMid),
		cast(kit.Left, kit.Left, kit.LeftLow), cast(kit.Right, kit.Right, kit.RightLow),
		cast(kit.Left, kit.Left, kit.LeftTop), cast(kit.Right, kit.Right, kit.RightTop),
		// One of the two.
		cast(kit.Left, kit.Here, kit.LeftMid), cast(kit.Right, kit.Here, kit.RightMid),
		cast(kit.Left, kit.Here, kit.LeftLow), cast(kit.Right, kit.Here, kit.RightLow),
		cast(kit.Left, kit.Here, kit.LeftTop), cast(kit.Right, kit.Here, kit.RightTop),
		cast(kit.Left, kit.Here, kit.Head), cast(kit.Right, kit.Here, kit.Head),
		cast(kit.Here, kit.Left, kit.LeftMid), cast(kit.Here, kit.Right, kit.RightMid),
		cast(kit.Here, kit.Left, kit.LeftLow), cast(kit.Here, kit.Right, kit.RightLow),
		cast(kit.Here, kit.Left, kit.LeftTop), cast(kit.Here, kit.Right, kit.RightTop),
		// As they go.
		cast(kit.Ahead, kit.Ahead, kit.Head), cast(kit.Ahead, kit.Ahead, kit.Chest),
		cast(kit.Ahead, kit.Ahead, kit.LeftMid), cast(kit.Ahead, kit.Ahead, kit.RightMid),
		cast(kit.Ahead, kit.Here, kit.Head), cast(kit.Ahead, kit.Here, kit.Foot),
		cast(kit.Ahead, kit.Here, kit.LeftMid), cast(kit.Ahead, kit.Here, kit.RightMid),
		cast(kit.Here, kit.Ahead, kit.Head), cast(kit.Here, kit.Ahead, kit.Chest),
		cast(kit.Here, kit.Ahead, kit.LeftMid), cast(kit.Here, kit.Ahead, kit.RightMid),
		cast(kit.Left, kit.Ahead, kit.LeftMid), cast(kit.Right, kit.Ahead, kit.RightMid),
		cast(kit.Ahead, kit.Left, kit.LeftMid), cast(kit.Ahead, kit.Right, kit.RightMid),
		// Gaps between the extremes, and across them.
		cast(kit.HalfLeft, kit.Here, kit.LeftMid), cast(kit.HalfRight, kit.Here, kit.RightMid),
		cast(kit.Here, kit.HalfLeft, kit.LeftMid), cast(kit.Here, kit.HalfRight, kit.RightMid),
		cast(kit.HalfLeft, kit.HalfLeft, kit.LeftMid), cast(kit.HalfRight, kit.HalfRight, kit.RightMid),
		cast(kit.HalfLeft, kit.Here, kit.RightMid), cast(kit.HalfRight, kit.Here, kit.LeftMid),
		cast(kit.Left, kit.Here, kit.RightMid), cast(kit.Right, kit.Here, kit.LeftMid),
		cast(kit.Left, kit.Right, kit.Head), cast(kit.Right, kit.Left, kit.Head),
		// Over and under edges.
		cast(kit.Above, kit.Here, kit.Head), cast(kit.Here, kit.Above, kit.Head), cast(kit.Above, kit.Above, kit.Head),
		cast(kit.Above, kit.Left, kit.LeftTop), cast(kit.Above, kit.Right, kit.RightTop),
		cast(kit.Below, kit.Here, kit.Foot), cast(kit.Below, kit.Here, kit.Chest),
	}
}

// things are the lines to a thing: its origin and its middle.
func things() []kit.Cast {
	return []kit.Cast{
		cast(kit.Here, kit.Here, kit.Head), cast(kit.Here, kit.Here, kit.Chest),
		cast(kit.Ahead, kit.Here, kit.Head), cast(kit.Left, kit.Here, kit.Head), cast(kit.Right, kit.Here, kit.Head),
		cast(kit.HalfLeft, kit.Here, kit.Head), cast(kit.HalfRight, kit.Here, kit.Head),
		cast(kit.Above, kit.Here, kit.Head), cast(kit.Below, kit.Here, kit.Head),
	}
}
