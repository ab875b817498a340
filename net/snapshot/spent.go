package snapshot

// Bits is what snapshots took, by what it was for.
type Bits struct {
	Packets   int64
	Predicted int64 // packets that left the own state to the client's prediction
	Head      int64 // what the packet is based on, tick, command, terms
	Own       int64 // own state
	Doors     int64
	Removed   int64
	Events    int64
	Records   int64 // of other subjects, and the end
	Updates   int64 // records against a base, of players
	Fulls     int64 // records without one, of players
	UpdateBits,
	FullBits int64 // what they took, of Records
}

// Add counts another's.
func (b *Bits) Add(o Bits) {
	b.Packets += o.Packets
	b.Predicted += o.Predicted
	b.Head += o.Head
	b.Own += o.Own
	b.Doors += o.Doors
	b.Removed += o.Removed
	b.Events += o.Events
	b.Records += o.Records
	b.Updates += o.Updates
	b.Fulls += o.Fulls
	b.UpdateBits += o.UpdateBits
	b.FullBits += o.FullBits
}

// Total returns the sum of all categories.
func (b *Bits) Total() int64 {
	return b.Head + b.Own + b.Doors + b.Removed + b.Events + b.Records
}

// Spent returns what the snapshots so far took.
func (e *Encoder) Spent() Bits {
	b := e.spent
	for _, v := range [...]*int64{&b.Head, &b.Own, &b.Doors, &b.Removed, &b.Events, &b.Records, &b.UpdateBits, &b.FullBits} {
		*v /= 16
	}
	return b
}
