package sdk

import (
	"context"
	"encoding/json"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
	rulesv1 "github.com/sightline-engine/sightline/plugins/proto/rules/v1"
)

type rulesServer struct {
	rulesv1.UnimplementedRulesServer
	*server
	spec  rules.Spec
	rules rules.Rules // set once by Configure, then used by Run only
	old   bool        // the host knows no OpTable; likewise
	said  bool        // and was told so
}

// Configure starts the match.
func (r *rulesServer) Configure(_ context.Context, req *rulesv1.Match) (*rulesv1.Ready, error) {
	if !r.configured.CompareAndSwap(false, true) {
		return nil, status.Error(codes.FailedPrecondition, "configured twice: one process is one life")
	}
	m, err := matchOf(req)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	defer r.crashed("Start")
	r.rules = r.spec.New()
	if err := r.rules.Start(m); err != nil {
		return nil, status.Error(codes.InvalidArgument, fmt.Sprintf("rules %s: %v", r.spec.Name, err))
	}
	ready := &rulesv1.Ready{}
	if ready.Tables, err = r.begins(req.ApiMinor); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	r.running.Store(true)
	return ready, nil
}

func matchOf(req *rulesv1.Match) (*rules.Match, error) {
	m := &rules.Match{
		Level: req.Level, Seed: req.Seed, TickRate: int(req.TickRate),
		Settings: req.Settings, SavedTick: req.SavedTick,
	}
	if len(req.LevelHash) != len(m.LevelHash) {
		return nil, fmt.Errorf("level hash has %d bytes, wanted %d", len(req.LevelHash), len(m.LevelHash))
	}
	copy(m.LevelHash[:], req.LevelHash)
	for _, s := range req.Spawns {
		m.Spawns = append(m.Spawns, rules.Spawn{Pos: vec.V3{X: s.X, Y: s.Y, Z: s.Z}, Yaw: s.Yaw, Team: uint8(s.Team)})
	}
	for _, z := range req.Zones {
		m.Zones = append(m.Zones, rules.Zone{
			Name: z.Name, Box: vec.Box{Min: vec.V3{X: z.MinX, Y: z.MinY, Z: z.MinZ}, Max: vec.V3{X: z.MaxX, Y: z.MaxY, Z: z.MaxZ}},
		})
	}
	for _, p := range req.Roster {
		m.Roster = append(m.Roster, rules.Member{ID: state.ID(p.Id), Team: uint8(p.Team), Bot: p.Bot, Name: p.Name})
	}
	if err := json.Unmarshal(req.TablesJson, &m.Tables); err != nil {
		return nil, fmt.Errorf("tables: %w", err)
	}
	if req.HasSaved {
		m.Saved = req.Saved
	}
	return m, nil
}

// Run answers one frame per tick until bye.
func (r *rulesServer) Run(stream grpc.BidiStreamingServer[basev1.Frame, basev1.Frame]) error {
	if !r.running.CompareAndSwap(true, false) {
		return status.Error(codes.FailedPrecondition, "run before configure, or twice")
	}
	defer r.leave()
	defer r.crashed("Tick")
	var in rules.TickIn
	var ops []rules.Op
	var msg, reply basev1.Frame
	for {
		if err := stream.RecvMsg(&msg); err != nil {
			return ended(err)
		}
		h, err := codec.ReadHeader(msg.Data)
		if err != nil {
			r.badFrames.Add(1)
			continue
		}
		switch h.Kind {
		case codec.KindBye:
			return nil
		case codec.KindSave:
			reply.Data = codec.AppendState(reply.Data[:0], r.lastTick.Load(), r.save())
		default:
			if err := codec.DecodeTick(msg.Data, &in); err != nil {
				r.badFrames.Add(1)
				continue
			}
			ops = r.known(r.rules.Tick(&in, ops[:0]))
			reply.Data = codec.AppendOps(reply.Data[:0], in.Tick, ops)
			r.answered(in.Tick)
		}
		if err := stream.SendMsg(&reply); err != nil {
			return ended(err)
		}
	}
}

func (r *rulesServer) save() []byte {
	defer r.crashed("Save")
	return r.rules.Save()
}
