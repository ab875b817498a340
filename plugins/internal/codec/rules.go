package codec

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
)

// Least bytes of one row.
const (
	playerSize = 4*7 + 2*6 + 3
	eventSize  = 4*7 + 2*5 + 2
	memberSize = 2 + 1 + 1 + 2
	leftSize   = 2
	chatSize   = 2 + 2
	opSize     = 4*7 + 2*3 + 2 + 2
)

// tickReplaying is the header flag of a tick whose operations are not applied.
const tickReplaying = 1

// AppendTick appends the frame of one tick for rules.
func AppendTick(dst []byte, in *rules.TickIn) []byte {
	w := begin(dst, KindTick, bit(in.Replaying, tickReplaying), in.Tick)
	w.u32(uint32(len(in.Players)))
	w.u32(uint32(len(in.Events)))
	w.u32(uint32(len(in.Joined)))
	w.u32(uint32(len(in.Left)))
	w.u32(uint32(len(in.Chat)))
	// 32 bits.
	for i := range in.Players {
		p := &in.Players[i]
		w.v3(p.Pos)
		w.v3(p.Vel)
		w.f32(p.Yaw)
	}
	for i := range in.Events {
		e := &in.Events[i]
		w.u32(uint32(e.Param))
		w.v3(e.Pos)
		w.v3(e.Dir)
	}
	// 16 bits.
	for i := range in.Players {
		p := &in.Players[i]
		w.u16(uint16(p.ID))
		w.u16(uint16(p.Flags))
		w.u16(uint16(p.Health))
		w.u16(uint16(p.Armor))
		w.u16(uint16(p.Buttons))
		w.u16(p.DeadFor)
	}
	for i := range in.Events {
		e := &in.Events[i]
		w.u16(uint16(e.Actor))
		w.u16(uint16(e.Target))
		w.u16(uint16(e.Yaw))
		w.u16(uint16(e.Pitch))
		w.u16(uint16(e.Only))
	}
	for _, id := range in.Left {
		w.u16(uint16(id))
	}
	// 8 bits.
	for i := range in.Players {
		p := &in.Players[i]
		w.b = append(w.b, p.Team, p.Weapon, bit(p.OutOfMap, 1))
	}
	for i := range in.Events {
		w.b = append(w.b, uint8(in.Events[i].Kind), in.Events[i].Weapon)
	}
	// Texts.
	for i := range in.Joined {
		m := &in.Joined[i]
		w.u16(uint16(m.ID))
		w.u8(m.Team)
		w.u8(bit(m.Bot, 1))
		w.text(m.Name)
	}
	for i := range in.Chat {
		w.u16(uint16(in.Chat[i].ID))
		w.text(in.Chat[i].Text)
	}
	return w.end()
}

// DecodeTick fills in from a frame, reusing its memory.
func DecodeTick(b []byte, in *rules.TickIn) error {
	r, h, err := open(b, KindTick)
	if err != nil {
		return err
	}
	if h.Flags&^tickReplaying != 0 {
		return ErrValue
	}
	in.Tick, in.Replaying = h.Tick, h.Flags&tickReplaying != 0
	np := r.count(state.MaxPlayers, playerSize)
	ne := r.count(MaxEvents, eventSize)
	nj := r.count(state.MaxPlayers, memberSize)
	nl := r.count(state.MaxPlayers, leftSize)
	nc := r.count(MaxEvents, chatSize)
	if least := np*playerSize + ne*eventSize + nj*memberSize + nl*leftSize + nc*chatSize; r.err == nil && least > len(r.b)-r.off {
		r.fail(ErrShort)
	}
	if r.err != nil {
		return r.err
	}
	in.Players = grow(in.Players, np)
	in.Events = grow(in.Events, ne)
	in.Joined = grow(in.Joined, nj)
	in.Left = grow(in.Left, nl)
	in.Chat = grow(in.Chat, nc)
	for i := range in.Players {
		p := &in.Players[i]
		p.Pos, p.Vel, p.Yaw = r.v3(), r.v3(), r.f32()
	}
	for i := range in.Events {
		e := &in.Events[i]
		e.Param, e.Pos, e.Dir = int32(r.u32()), r.v3(), r.v3()
	}
	for i := range in.Players {
		p := &in.Players[i]
		p.ID, p.Flags = state.ID(r.u16()), state.Flags(r.u16())
		p.Health, p.Armor = int16(r.u16()), int16(r.u16())
		p.Buttons, p.DeadFor = state.Buttons(r.u16()), r.u16()
	}
	for i := range in.Events {
		e := &in.Events[i]
		e.Actor, e.Target = state.ID(r.u16()), state.ID(r.u16())
		e.Yaw, e.Pitch = state.Angle16(r.u16()), state.Angle16(r.u16())
		e.Only = state.ID(r.u16())
	}
	for i := range in.Left {
		in.Left[i] = state.ID(r.u16())
	}
	for i := range in.Players {
		p := &in.Players[i]
		p.Team, p.Weapon, p.OutOfMap = r.u8(), r.u8(), r.flag()
	}
	for i := range in.Events {
		in.Events[i].Kind, in.Events[i].Weapon = state.EventKind(r.u8()), r.u8()
	}
	for i := range in.Joined {
		m := &in.Joined[i]
		m.ID, m.Team, m.Bot = state.ID(r.u16()), r.u8(), r.flag()
		m.Name = r.text(m.Name)
	}
	for i := range in.Chat {
		in.Chat[i].ID = state.ID(r.u16())
		in.Chat[i].Text = r.text(in.Chat[i].Text)
	}
	return r.close()
}

// AppendOps appends the frame of a tick's operations.
func AppendOps(dst []byte, tick state.Tick, ops []rules.Op) []byte {
	w := begin(dst, KindOps, 0, tick)
	w.u32(uint32(len(ops)))
	for i := range ops {
		o := &ops[i]
		w.u32(uint32(o.Value))
		w.u32(uint32(o.Value2))
		w.u32(uint32(o.Value3))
		w.v3(o.Pos)
		w.f32(o.Yaw)
	}
	for i := range ops {
		w.u16(uint16(ops[i].ID))
		w.u16(uint16(ops[i].Flags))
		w.u16(uint16(ops[i].Flags2))
	}
	for i := range ops {
		w.b = append(w.b, uint8(ops[i].Kind), ops[i].Weapon)
	}
	for i := range ops {
		w.text(ops[i].Text)
	}
	return w.end()
}

// DecodeOps reads the operations of a frame that must be of the tick. It fills
// ops from its beginning, reusing its memory, and returns it. What an operation
// says is not checked here.
func DecodeOps(b []byte, tick state.Tick, ops []rules.Op) ([]rules.Op, error) {
	r, h, err := open(b, KindOps)
	if err != nil {
		return ops[:0], err
	}
	if h.Tick != tick {
		return ops[:0], fmt.Errorf("%w: %d, wanted %d", ErrTick, h.Tick, tick)
	}
	n := r.count(rules.MaxOps, opSize)
	if r.err != nil {
		return ops[:0], r.err
	}
	ops = grow(ops, n)
	for i := range ops {
		o := &ops[i]
		o.Value, o.Value2, o.Value3 = int32(r.u32()), int32(r.u32()), int32(r.u32())
		o.Pos, o.Yaw = r.v3(), r.f32()
	}
	for i := range ops {
		ops[i].ID = state.ID(r.u16())
		ops[i].Flags, ops[i].Flags2 = state.Flags(r.u16()), state.Flags(r.u16())
	}
	for i := range ops {
		ops[i].Kind, ops[i].Weapon = rules.OpKind(r.u8()), r.u8()
	}
	for i := range ops {
		ops[i].Text = r.text(ops[i].Text)
	}
	if err := r.close(); err != nil {
		return ops[:0], err
	}
	return ops, nil
}

// MarkReplaying turns a tick's frame into one whose operations are not applied.
func MarkReplaying(frame []byte) []byte {
	if len(frame) >= HeaderSize {
		frame[7] |= tickReplaying
	}
	return frame
}
