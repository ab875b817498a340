package sdk

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
	"github.com/sightline-engine/sightline/plugins/internal/contract"
	"github.com/sightline-engine/sightline/plugins/internal/mailbox"
	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
	policyv1 "github.com/sightline-engine/sightline/plugins/proto/policy/v1"
	rulesv1 "github.com/sightline-engine/sightline/plugins/proto/rules/v1"
)

// ServePolicy runs a visibility policy as a plugin. It does not return before the
// host says bye or is gone.
func ServePolicy(spec vis.Spec) {
	s := newServer(&basev1.InfoReply{Kind: contract.Policy, Name: spec.Name, Version: spec.Version, Help: spec.Help})
	s.findBox()
	for _, t := range spec.Schema {
		s.info.Settings = append(s.info.Settings, &basev1.Setting{
			Name: t.Name, Default: t.Default, Min: t.Min, Max: t.Max, Unit: t.Unit, Help: t.Help,
		})
	}
	s.serve(func(g *grpc.Server) { policyv1.RegisterPolicyServer(g, &policyServer{server: s, spec: spec}) })
}

// ServeRules runs game rules as a plugin. It does not return before the host says
// bye or is gone.
func ServeRules(spec rules.Spec) {
	s := newServer(&basev1.InfoReply{Kind: contract.Rules, Name: spec.Name, Version: spec.Version, Help: spec.Help})
	for _, t := range spec.Schema {
		s.info.Settings = append(s.info.Settings, &basev1.Setting{
			Name: t.Name, Default: float64(t.Usual), Max: float64(t.Max), Unit: t.Unit, Help: t.Help,
		})
	}
	s.serve(func(g *grpc.Server) { rulesv1.RegisterRulesServer(g, &rulesServer{server: s, spec: spec}) })
}

// server is what both kinds share: who the plugin is, how it fares, how it ends.
type server struct {
	basev1.UnimplementedBaseServer
	info *basev1.InfoReply

	configured atomic.Bool
	running    atomic.Bool
	lastTick   atomic.Uint32
	ticks      atomic.Uint64
	badFrames  atomic.Uint64

	grpc   *grpc.Server
	box    *mailbox.Plugin // nil: frames come over the stream; set by Configure
	atExit func()          // may be nil

	debugged bool     // set before it serves
	stderr   *os.File // the process's own: go-plugin puts another in its place, whose last lines a crash would lose
}

func newServer(info *basev1.InfoReply) *server {
	info.ApiMajor, info.ApiMinor, info.FrameVersion = contract.Major, contract.Minor, codec.Version
	return &server{info: info, stderr: os.Stderr}
}

func (s *server) serve(register func(*grpc.Server)) {
	if len(os.Args) == 2 && (os.Args[1] == "-debug" || os.Args[1] == "--debug") {
		s.debug(register)
		return
	}
	shake := contract.Handshake()
	if os.Getenv(shake.MagicCookieKey) != shake.MagicCookieValue {
		byHand(s.info)
		os.Exit(2)
	}
	guardStdout()
	signal.Ignore(syscall.SIGPIPE)
	watchParent()
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: shake,
		Plugins:         plugin.PluginSet{s.info.Kind: &servePlugin{s: s, register: register}},
		Logger: hclog.New(&hclog.LoggerOptions{
			Level: hclog.Warn, Output: &lineWriter{w: os.Stderr}, JSONFormat: true, Name: s.info.Name,
		}),
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			s.grpc = grpc.NewServer(append(opts, contract.ServerOptions()...)...)
			return s.grpc
		},
	})
}

// byHand tells a person who started the binary what it is.
func byHand(info *basev1.InfoReply) {
	name := filepath.Base(os.Args[0])
	fmt.Fprintf(os.Stderr, "%s: this is a Sightline plugin (%s %q, version %s), which a server starts by itself.\n"+
		"%s\nPut it into the server's plugin folder and name it there: %s = %q\n",
		name, info.Kind, info.Name, info.Version, info.Help, info.Kind, info.Name)
}

// servePlugin registers our services with go-plugin's server.
type servePlugin struct {
	plugin.NetRPCUnsupportedPlugin
	s        *server
	register func(*grpc.Server)
}

func (p *servePlugin) GRPCServer(_ *plugin.GRPCBroker, g *grpc.Server) error {
	basev1.RegisterBaseServer(g, p.s)
	p.register(g)
	return nil
}

func (p *servePlugin) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, fmt.Errorf("a plugin is not a host")
}

// Info says who the plugin is.
func (s *server) Info(context.Context, *basev1.InfoRequest) (*basev1.InfoReply, error) {
	return s.info, nil
}

// Health says how the plugin fares.
func (s *server) Health(context.Context, *basev1.HealthRequest) (*basev1.HealthReply, error) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return &basev1.HealthReply{
		LastTick: s.lastTick.Load(), Ticks: s.ticks.Load(), BadFrames: s.badFrames.Load(), HeapBytes: m.HeapAlloc,
	}, nil
}

// answered counts one tick.
func (s *server) answered(tick uint32) {
	s.lastTick.Store(tick)
	s.ticks.Add(1)
}

// leave ends the process shortly after the stream has ended, whether by bye or
// because the host is gone: one process is one life, and its life is one stream.
func (s *server) leave() {
	time.AfterFunc(50*time.Millisecond, s.grpc.Stop)
	time.AfterFunc(800*time.Millisecond, func() {
		if s.atExit != nil {
			s.atExit()
		}
		os.Exit(0)
	})
}
