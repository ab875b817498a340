package host

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
)

// Coded counts what has been encoded, in bytes.
type Coded struct {
	Out, In uint64 // to the plugin, from it
	buf     []byte
}

// CodedPolicy decides in this process what has been through the codec both ways: a
// process without the process, to measure and to compare with. It is a vis.Decider.
type CodedPolicy struct {
	Policy vis.Policy
	Coded
	Err error // the last frame that was not decoded as it was encoded: a mistake of the codec

	in       vis.Input
	out, got vis.Answer
}

// Submit decides at once.
func (c *CodedPolicy) Submit(in *vis.Input) {
	c.buf = codec.AppendInput(c.buf[:0], in)
	c.Out += uint64(len(c.buf))
	if err := codec.DecodeInput(c.buf, &c.in); err != nil {
		c.Err = err
	}
	c.out.Reset(&c.in)
	c.Policy.Decide(&c.in, &c.out)
	c.buf = codec.AppendAnswer(c.buf[:0], &c.out)
	c.In += uint64(len(c.buf))
	if err := codec.DecodeAnswer(c.buf, in, &c.got); err != nil {
		c.Err = err
	}
}

// Collect returns the answer to the last Submit.
func (c *CodedPolicy) Collect() *vis.Answer { return &c.got }

// CodedRules is CodedPolicy for rules. It is a rules.Runner.
type CodedRules struct {
	Rules rules.Rules
	Coded
	Err error

	in       rules.TickIn
	ops, got []rules.Op
}

// Tables is what the rules want a match to begin with.
func (c *CodedRules) Tables() []tables.Value { return rules.TablesOf(c.Rules) }

// Submit answers at once.
func (c *CodedRules) Submit(in *rules.TickIn) {
	c.buf = codec.AppendTick(c.buf[:0], in)
	c.Out += uint64(len(c.buf))
	if err := codec.DecodeTick(c.buf, &c.in); err != nil {
		c.Err = err
	}
	c.ops = c.Rules.Tick(&c.in, c.ops[:0])
	c.buf = codec.AppendOps(c.buf[:0], in.Tick, c.ops)
	c.In += uint64(len(c.buf))
	ops, err := codec.DecodeOps(c.buf, in.Tick, c.got)
	if c.got = ops; err != nil {
		c.Err = err
	}
}

// Take returns the operations of the last Submit.
func (c *CodedRules) Take() []rules.Op { return c.got }
