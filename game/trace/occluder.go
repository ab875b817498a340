package trace

// IsSolid reports whether an Occluder is a solid of the level that never moves: one
// convex body. If it blocks every line between the corners of two convex volumes, it
// blocks every line between them.
func (o Occluder) IsSolid() bool { return o.kind == kindBrush+1 && o.model == 0 }
