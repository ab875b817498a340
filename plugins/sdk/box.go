package sdk

import (
	"os"
	"strconv"

	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
	"github.com/sightline-engine/sightline/plugins/internal/mailbox"
	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
	"google.golang.org/grpc"
)

// Where the host hands shared memory down, frames come and go in it, and the stream
// says only when it is over.

// findBox says to the host that shared memory can be used, when some was handed down.
func (s *server) findBox() {
	if _, ok := boxFirst(); ok {
		s.info.Capabilities = append(s.info.Capabilities, mailbox.Capability)
	}
}

func boxFirst() (int, bool) {
	n, err := strconv.Atoi(os.Getenv(mailbox.EnvFirst))
	return n, err == nil && n > 2
}

// openBox takes the memory over. Without it frames come over the stream.
func (s *server) openBox() bool {
	first, ok := boxFirst()
	if !ok {
		return false
	}
	box, err := mailbox.Open(first)
	if err != nil {
		Logger().Warn("frames go over the stream", "why", err.Error())
		return false
	}
	s.box = box
	return true
}

// untilBye returns when the host has ended the stream, or was lost.
func untilBye(stream grpc.BidiStreamingServer[basev1.Frame, basev1.Frame]) error {
	var msg basev1.Frame
	for {
		if err := stream.RecvMsg(&msg); err != nil {
			return ended(err)
		}
		if h, err := codec.ReadHeader(msg.Data); err == nil && h.Kind == codec.KindBye {
			return nil
		}
	}
}

// answerBox answers the newest frame again and again, until the process ends.
func (p *policyServer) answerBox() {
	defer p.crashed("Decide")
	var in vis.Input
	var out vis.Answer
	var frame, reply []byte
	for {
		var ok bool
		var err error
		if frame, ok, err = p.box.Take(frame); err == nil && ok {
			err = codec.DecodeInput(frame, &in)
		}
		switch {
		case err != nil:
			p.badFrames.Add(1)
		case ok:
			out.Reset(&in)
			p.policy.Decide(&in, &out)
			reply = codec.AppendAnswer(reply[:0], &out)
			p.box.Put(reply)
			p.answered(in.Tick)
			continue // another may have come meanwhile
		}
		if err := p.box.Wait(); err != nil {
			Logger().Error("no more frames", "why", err.Error())
			os.Exit(1)
		}
	}
}
