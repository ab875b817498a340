package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"strconv"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/sightline-engine/sightline/plugins/internal/codec"
	"github.com/sightline-engine/sightline/plugins/internal/contract"
	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
	policyv1 "github.com/sightline-engine/sightline/plugins/proto/policy/v1"
	rulesv1 "github.com/sightline-engine/sightline/plugins/proto/rules/v1"
)

// raw is a plugin without the SDK, which would not let it answer what this one does
// from tick 10 on: bytes that are no frame, or no answer to what was asked. GARBAGE says
// which.
type raw struct {
	basev1.UnimplementedBaseServer
	policyv1.UnimplementedPolicyServer
	rulesv1.UnimplementedRulesServer
	plugin.NetRPCUnsupportedPlugin
	kind string
}

func serveRaw(kind string) {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: contract.Handshake(),
		Plugins:         plugin.PluginSet{kind: &raw{kind: kind}},
		Logger:          hclog.New(&hclog.LoggerOptions{Output: io.Discard, Level: hclog.Off}),
		GRPCServer: func(o []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(o, contract.ServerOptions()...)...)
		},
	})
}

func (r *raw) GRPCServer(_ *plugin.GRPCBroker, g *grpc.Server) error {
	basev1.RegisterBaseServer(g, r)
	if r.kind == contract.Policy {
		policyv1.RegisterPolicyServer(g, rawPolicy{raw: r})
	} else {
		rulesv1.RegisterRulesServer(g, rawRules{raw: r})
	}
	return nil
}

func (r *raw) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, io.EOF
}

func (r *raw) Info(context.Context, *basev1.InfoRequest) (*basev1.InfoReply, error) {
	return &basev1.InfoReply{Kind: r.kind, Name: "raw", Version: "1", ApiMajor: contract.Major, FrameVersion: codec.Version}, nil
}

type rawPolicy struct {
	policyv1.UnimplementedPolicyServer
	*raw
}

func (rawPolicy) Configure(context.Context, *policyv1.ConfigureRequest) (*policyv1.ConfigureReply, error) {
	return &policyv1.ConfigureReply{WarmTicks: 1}, nil
}

func (p rawPolicy) Run(s grpc.BidiStreamingServer[basev1.Frame, basev1.Frame]) error {
	return p.answer(s)
}

type rawRules struct {
	rulesv1.UnimplementedRulesServer
	*raw
}

func (rawRules) Configure(context.Context, *rulesv1.Match) (*rulesv1.Ready, error) {
	return &rulesv1.Ready{}, nil
}

func (p rawRules) Run(s grpc.BidiStreamingServer[basev1.Frame, basev1.Frame]) error {
	return p.answer(s)
}

func (r *raw) answer(s grpc.BidiStreamingServer[basev1.Frame, basev1.Frame]) error {
	which, _ := strconv.Atoi(os.Getenv("GARBAGE"))
	rng := rand.New(rand.NewPCG(7, uint64(which)))
	for {
		m, err := s.Recv()
		if err != nil {
			os.Exit(0)
		}
		h, err := codec.ReadHeader(m.Data)
		if err != nil || h.Kind == codec.KindBye {
			os.Exit(0)
		}
		out := garbage(rng, which, m.Data)
		if h.Tick < 10 { // nobody and nothing
			out = codec.AppendOps(nil, h.Tick, nil)
			if r.kind == contract.Policy {
				le := binary.LittleEndian
				viewers, subjects := le.Uint32(m.Data[32:]), le.Uint32(m.Data[28:])
				out = codec.AppendSimple(nil, codec.KindAnswer, h.Tick)
				out = le.AppendUint32(le.AppendUint32(out, viewers), subjects)
				out = append(out, make([]byte, 8+8*int(viewers*((subjects+63)/64)))...)
				le.PutUint32(out[12:], uint32(len(out)))
			}
		}
		if err := s.Send(&basev1.Frame{Data: out}); err != nil {
			os.Exit(0)
		}
	}
}

// numGarbage is how many kinds of it there are.
const numGarbage = 7

func garbage(rng *rand.Rand, which int, asked []byte) []byte {
	b := make([]byte, 1+rng.IntN(4000))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	switch which % numGarbage {
	case 1: // nothing at all
		return nil
	case 2: // what was asked
		return bytes.Clone(asked)
	case 3: // the beginning of a frame
		return asked[:codec.HeaderSize-1]
	case 4: // a good head of either answer, and noise
		h := codec.AppendSimple(nil, codec.Kind(2+2*rng.IntN(2)), binary.LittleEndian.Uint32(asked[8:]))
		h = append(h, b...)
		binary.LittleEndian.PutUint32(h[12:], uint32(len(h)))
		return h
	case 5: // numbers that nobody has the memory for
		h := codec.AppendSimple(nil, codec.Kind(2+2*rng.IntN(2)), binary.LittleEndian.Uint32(asked[8:]))
		h = append(h, bytes.Repeat([]byte{0xff}, 64)...)
		binary.LittleEndian.PutUint32(h[12:], uint32(len(h)))
		return h
	case 6: // of another tick
		return codec.AppendOps(nil, binary.LittleEndian.Uint32(asked[8:])-100_000, nil)
	}
	return b
}
