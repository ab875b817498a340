package sdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
	policyv1 "github.com/sightline-engine/sightline/plugins/proto/policy/v1"
)

// Historian is what a policy implements whose answers depend on what it has seen:
// after a restart the host uses none before so many ticks have passed.
type Historian interface {
	HistoryTicks() int
}

type policyServer struct {
	policyv1.UnimplementedPolicyServer
	*server
	spec   vis.Spec
	policy vis.Policy // set once by Configure, then used by Run only
}

// Configure loads the level and makes the policy.
func (p *policyServer) Configure(_ context.Context, req *policyv1.ConfigureRequest) (*policyv1.ConfigureReply, error) {
	if !p.configured.CompareAndSwap(false, true) {
		return nil, status.Error(codes.FailedPrecondition, "configured twice: one process is one life")
	}
	env := vis.Env{TickRate: int(req.TickRate), Seed: req.Seed}
	var err error
	if env.Settings, err = p.spec.Schema.Check(req.Settings); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if req.Level != nil {
		lv, err := loadLevel(req.Level)
		if err != nil {
			return nil, status.Error(codes.InvalidArgument, err.Error())
		}
		env.World = trace.New(lv)
	}
	defer p.crashed("New")
	pol, err := p.spec.New(env)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, fmt.Sprintf("policy %s: %v", p.spec.Name, err))
	}
	p.policy = pol
	reply := &policyv1.ConfigureReply{WarmTicks: 1, Mailbox: req.Mailbox && p.openBox()}
	if h, ok := pol.(Historian); ok {
		reply.WarmTicks = uint32(max(1, h.HistoryTicks()))
	}
	_, reply.Inherits = pol.(vis.Heir)
	p.running.Store(true)
	return reply, nil
}

// loadLevel reads the host's copy of the map and compares what came out.
func loadLevel(l *basev1.Level) (*level.Level, error) {
	data, err := os.ReadFile(l.Path)
	if err != nil {
		return nil, fmt.Errorf("level %s: %w", l.Name, err)
	}
	table := make(map[string]level.Shader, len(l.Shaders))
	for _, s := range l.Shaders {
		table[level.Fold(s.Name)] = level.Shader{
			Contents: level.Contents(s.Contents), Surf: level.Surf(s.Surf), Image: s.Image,
			TwoSided: s.TwoSided, AlphaTest: s.AlphaTest, Additive: s.Additive,
		}
	}
	lv, err := load.Bytes(l.Name, data, level.Options{
		Scale:   l.Scale,
		Shaders: func(name string) (level.Shader, bool) { s, ok := table[level.Fold(name)]; return s, ok },
	})
	if err != nil {
		return nil, fmt.Errorf("level %s: %w", l.Name, err)
	}
	if string(lv.Hash[:]) != string(l.Hash) {
		return nil, fmt.Errorf("level %s has hash %x here and %x in the engine: engine and plugin read maps differently, so one of them is older; build both from one version (make plugins)",
			l.Name, lv.Hash[:8], l.Hash[:min(8, len(l.Hash))])
	}
	return lv, nil
}

// Run answers one frame per tick until bye.
func (p *policyServer) Run(stream grpc.BidiStreamingServer[basev1.Frame, basev1.Frame]) error {
	if !p.running.CompareAndSwap(true, false) {
		return status.Error(codes.FailedPrecondition, "run before configure, or twice")
	}
	defer p.leave()
	defer p.crashed("Decide")
	if p.box != nil {
		go p.answerBox()
		return untilBye(stream)
	}
	var in vis.Input
	var out vis.Answer
	var msg, reply basev1.Frame
	for {
		if err := stream.RecvMsg(&msg); err != nil {
			return ended(err)
		}
		h, err := codec.ReadHeader(msg.Data)
		if err == nil && h.Kind == codec.KindBye {
			return nil
		}
		if err == nil {
			err = codec.DecodeInput(msg.Data, &in)
		}
		if err != nil {
			p.badFrames.Add(1)
			continue
		}
		out.Reset(&in)
		p.policy.Decide(&in, &out)
		reply.Data = codec.AppendAnswer(reply.Data[:0], &out)
		if err := stream.SendMsg(&reply); err != nil {
			return ended(err)
		}
		p.answered(in.Tick)
	}
}

// ended makes nothing of a stream that the host closed.
func ended(err error) error {
	if errors.Is(err, io.EOF) || status.Code(err) == codes.Canceled {
		return nil
	}
	return err
}
