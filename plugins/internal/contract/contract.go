// Package contract holds the few words that a host and a plugin must share before
// they can speak: the cookie, the majors, the names in the environment. Constants
// and pure functions only.
package contract

import (
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/sightline-engine/sightline/plugins/internal/codec"
)

// The kinds of plugin.
const (
	Policy = "policy"
	Rules  = "rules"
)

// Major and Minor are the contracts' version. A host and a plugin of different
// majors do not speak; a higher minor only adds what the other may ignore.
const (
	Major = 1
	Minor = 2 // 1: ConfigureReply.inherits; 2: Match.api_minor, Ready.tables, the operation table
)

// MinorTables is since when rules may change tables.
const MinorTables = 2

// EnvHost names the variable that holds the host's process id.
const EnvHost = "SIGHTLINE_HOST_PID"

// Handshake is what go-plugin compares first. The cookie is no secret: it lets a
// plugin tell that it was started by hand.
func Handshake() plugin.HandshakeConfig {
	return plugin.HandshakeConfig{
		ProtocolVersion:  Major,
		MagicCookieKey:   "SIGHTLINE_PLUGIN",
		MagicCookieValue: "9f1c2b7ad04e4c0f8b52e6d3",
	}
}

// MaxMessage is the longest message either way: a frame and what protobuf adds.
const MaxMessage = codec.MaxFrame + 4096

// Window is the flow-control window of a stream: a whole answer of 100 players
// fits, so that sending one never waits for the other side to read.
const Window = 1 << 20

// ServerOptions are the gRPC options of a plugin.
func ServerOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(MaxMessage), grpc.MaxSendMsgSize(MaxMessage),
		grpc.InitialWindowSize(Window), grpc.InitialConnWindowSize(2 * Window),
	}
}

// DialOptions are the gRPC options of a host.
func DialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(MaxMessage), grpc.MaxCallSendMsgSize(MaxMessage)),
		grpc.WithInitialWindowSize(Window), grpc.WithInitialConnWindowSize(2 * Window),
	}
}
