package sdk

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/sightline-engine/sightline/plugins/internal/contract"
)

// debug serves without a host that has started the process: it prints the line with
// which a server attaches to it, and waits, under a debugger or not. While it stands at
// a breakpoint the server's ticks wait. It ends when the server lets go of it, or with
// an interrupt.
func (s *server) debug(register func(*grpc.Server)) {
	s.debugged = true
	dir, err := os.MkdirTemp("", "sightline")
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: no folder for a socket: %v\n", s.info.Name, err)
		os.Exit(2)
	}
	s.atExit = func() { os.RemoveAll(dir) }
	defer s.atExit()
	os.Setenv(plugin.EnvUnixSocketDir, dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	at, closed := make(chan *plugin.ReattachConfig, 1), make(chan struct{})
	go func() {
		c := <-at
		fmt.Printf("%s %s waits. On the server's console:\nplugin.attach %s:%s\n", s.info.Kind, s.info.Name, c.Addr.Network(), c.Addr)
	}()
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: contract.Handshake(),
		Plugins:         plugin.PluginSet{s.info.Kind: &servePlugin{s: s, register: register}},
		Logger:          hclog.New(&hclog.LoggerOptions{Output: io.Discard, Level: hclog.Off}),
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			s.grpc = grpc.NewServer(append(opts, contract.ServerOptions()...)...)
			return s.grpc
		},
		Test: &plugin.ServeTestConfig{Context: ctx, ReattachConfigCh: at, CloseCh: closed},
	})
	<-closed
}
