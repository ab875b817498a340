package main

// Names in the table are import paths below the module. "x/..." is x and
// everything below it; "x/*" everything below x and not x itself.

// Row says what a package may import of the module and from outside it. The
// standard library is always allowed, and so are packages that the same row
// covers.
type Row struct {
	Packages []string
	May      []string // of this module
	Ext      []string // external modules, by prefix of the import path
	Why      string   // the reason for the fence
}

const (
	mgl      = "github.com/go-gl/mathgl"
	gl       = "github.com/go-gl/gl"
	glfw     = "github.com/go-gl/glfw"
	toml     = "github.com/BurntSushi/toml"
	cobra    = "github.com/spf13/cobra"
	goPlugin = "github.com/hashicorp/go-plugin"
	hclog    = "github.com/hashicorp/go-hclog"
	grpc     = "google.golang.org/grpc"
	protobuf = "google.golang.org/protobuf"
	noise    = "github.com/flynn/noise"
	xcrypto  = "golang.org/x/crypto"
	xnet     = "golang.org/x/net"
	xsys     = "golang.org/x/sys"
	xterm    = "golang.org/x/term"
	ximage   = "golang.org/x/image"
)

// testLibraries may be imported by the tests of any package.
var testLibraries = []string{"pgregory.net/rapid", "go.uber.org/goleak"}

// table is the import table: the page of the architecture, as data. Where the
// code shows that a row is wrong, change the row and say why in the commit. The
// most specific row that covers a package holds for it.
var table = []Row{
	// game: the simulation.
	{[]string{"game/vec"}, nil, nil, "must be auditable for rounding"},
	{[]string{"game/level/..."}, []string{"game/vec"}, nil, "loads in server, client, policy process and tools"},
	{[]string{"game/state"}, []string{"game/vec"}, nil, "words that everyone shares; no behaviour beyond small helpers"},
	{[]string{"game/words"}, nil, nil, "strings only"},
	{[]string{"game/tables"}, []string{"game/vec", "game/state", "game/words"}, nil, "data only"},
	{[]string{"game/scenery"}, []string{"game/vec", "game/level", "game/state"}, nil, "predicted on both sides"},
	{[]string{"game/trace"}, []string{"game/vec", "game/level", "game/scenery", "game/state"}, nil, "hot; no allocation"},
	{[]string{"game/vehicle"}, []string{"game/vec", "game/level", "game/state", "game/tables"}, nil,
		"bit-exact on both sides, as pmove, which calls it for who drives"},
	{[]string{"game/pmove"}, []string{"game/vec", "game/level", "game/state", "game/tables", "game/vehicle"}, nil,
		"bit-exact on both sides; the world is an interface in level's words (masks, hits), never a world to search"},
	{[]string{"game/weapon"}, []string{"game/vec", "game/state", "game/tables"}, nil, "bit-exact on both sides"},
	{[]string{"game/hitbox"}, []string{"game/vec", "game/state", "game/tables"}, nil, "the same boxes on both sides"},
	{[]string{"game/rewind"}, []string{"game/vec", "game/state", "game/tables", "game/hitbox"}, nil, "history of poses; holds no world"},
	{[]string{"game/hear"}, []string{"game/vec", "game/state", "game/tables"}, nil, "disclosure by sound is in one place"},
	{[]string{"game/rules/..."}, []string{"game/vec", "game/state", "game/tables"}, nil, "what a rules author may use"},
	{[]string{"game/vis"}, visMay, nil, "what a policy author may use"},
	{[]string{"game/vis/kit"}, append([]string{"game/vis"}, visMay...), nil, "the parts that policies are made of"},
	{[]string{"game/vis/nearby"}, policyMay, nil, "a policy knows no other policy"},
	{[]string{"game/vis/open"}, policyMay, nil, "a policy knows no other policy"},
	{[]string{"game/vis/pvs"}, policyMay, nil, "a policy knows no other policy"},
	{[]string{"game/vis/netoptimize"}, policyMay, nil, "a policy knows no other policy"},
	{[]string{"game/vis/deaddrop"}, policyMay, nil, "a policy knows no other policy"},
	{[]string{"game/vis/reach"}, policyMay, nil, "a policy knows no other policy"},
	{[]string{"game/vis/screen"}, policyMay, nil, "a policy knows no other policy"},
	{[]string{"game/sim"}, []string{"game/vec", "game/level", "game/state", "game/tables", "game/scenery", "game/trace", "game/vehicle", "game/pmove",
		"game/weapon", "game/hitbox", "game/rewind", "game/hear", "game/rules"}, nil, "authoritative; knows no policy, no particular rules, no bot"},
	{[]string{"game/nav"}, []string{"game/vec", "game/state", "game/tables", "game/level", "game/trace", "game/pmove", "game/scenery"}, nil,
		"ways through a level, from the level alone"},
	{[]string{"game/bot"}, []string{"game/vec", "game/state", "game/tables", "game/level", "game/trace", "game/pmove", "game/weapon", "game/scenery", "game/nav"}, nil,
		"never sim: a bot knows only what it was sent"},

	// net: bytes and packets.
	{[]string{"net/bits"}, nil, nil, "a coder of bits knows no game"},
	{[]string{"net/rangecode"}, nil, nil, "a coder of symbols knows no game"},
	{[]string{"net/link/..."}, nil, nil, "moves datagrams; knows nothing in them"},
	{[]string{"net/wire"}, []string{"net/bits", "net/rangecode", "game/vec", "game/state", "game/tables"}, nil, "the schema; game's words, no game logic"},
	{[]string{"net/netchan"}, []string{"net/bits"}, []string{xcrypto, xsys}, "no sockets, no clock; the packet cipher needs x/crypto, and x/sys to choose it"},
	{[]string{"net/handshake"}, []string{"net/bits"}, []string{xcrypto, noise, xsys}, "a state machine to step; no sockets, no clock"},
	{[]string{"net/snapshot"}, []string{"net/bits", "net/rangecode", "net/wire", "game/vec", "game/state", "game/vis"}, nil, "takes a View; cannot reach a world"},
	{[]string{"net/udp"}, []string{"net/link"}, []string{xnet, xsys}, "the only sockets"},

	// render: pixels.
	{[]string{"render/scene"}, nil, []string{mgl}, "plain data of a frame"},
	{[]string{"render/display"}, nil, nil, "a virtual display for the tests of whatever draws"},
	{[]string{"render/gpu"}, []string{"render/display"}, []string{gl, mgl}, "the only importer of OpenGL; cgo"},
	{[]string{"render/window/..."}, []string{"render/display"}, []string{glfw}, "the only importer of GLFW; cgo"},
	{[]string{"render/draw/...", "render/text/...", "render/hud/..."}, []string{"render/scene", "render/gpu", "render/display"}, []string{mgl, ximage},
		"draws what a frame says; knows no game"},

	// plugins: the process boundary.
	{[]string{"plugins/proto/..."}, nil, []string{protobuf, grpc}, "generated"},
	{[]string{"plugins/internal/..."}, []string{"plugins/proto/...", "game/vec", "game/state", "game/tables", "game/vis", "game/rules", "game/level"},
		[]string{protobuf, grpc, goPlugin, hclog, xsys}, "both sides of the wire, and nothing of either side's behaviour; shared memory needs x/sys"},
	{[]string{"plugins/sdk"}, []string{"plugins/proto/...", "plugins/internal/...", "game/vec", "game/state", "game/tables", "game/level/...", "game/scenery", "game/trace", "game/hear",
		"game/vis", "game/vis/kit", "game/rules", "game/rules/kit"}, []string{protobuf, grpc, goPlugin, hclog}, "never engine: a plugin binary stays small"},
	{[]string{"plugins/host"}, []string{"plugins/proto/...", "plugins/internal/...", "game/vec", "game/state", "game/tables", "game/level", "game/vis", "game/rules"},
		[]string{protobuf, grpc, goPlugin, hclog, xsys}, "processes in, vis.Decider and rules.Runner out; never sim; the fallback is an argument"},
	{[]string{"plugins/host/internal/..."}, []string{"plugins/sdk", "plugins/proto/...", "plugins/internal/...", "game/vec", "game/state", "game/tables", "game/level", "game/vis", "game/rules"},
		[]string{protobuf, grpc, goPlugin, hclog}, "what host's own tests are played with; the host does not import it"},
	{[]string{"plugins/plugintest"}, []string{"plugins/sdk", "plugins/host", "plugins/proto/...", "plugins/internal/...", "game/...", "engine/scenario"},
		[]string{protobuf, grpc, goPlugin, hclog}, "conformance for authors, who also play the shipped scenes"},
	{[]string{"plugins/policy-open", "plugins/policy-pvs", "plugins/policy-netoptimize", "plugins/policy-deaddrop", "plugins/policy-reach", "plugins/policy-screen"},
		[]string{"plugins/sdk", "game/vis/..."}, nil, "a main of a dozen lines: the SDK and one policy"},
	{[]string{"plugins/rules-duel", "plugins/rules-teams", "plugins/rules-bomb"},
		[]string{"plugins/sdk", "game/rules/..."}, nil, "a main of a dozen lines: the SDK and one set of rules"},

	// engine: time, sessions, settings.
	{[]string{"engine/tick"}, nil, nil, "a pure value"},
	{[]string{"engine/console"}, []string{"game/words"}, nil, "settings know nothing of what they set"},
	{[]string{"engine/asset/..."}, nil, nil, "finds bytes; does not know what they are for"},
	{[]string{"engine/config"}, []string{"engine/console"}, []string{toml}, "the only importer of TOML; others are handed plain structs"},
	{[]string{"engine/demo"}, []string{"game/vec", "game/state", "game/vis", "net/wire", "net/bits"}, nil, "a format with a reader and a writer"},
	{[]string{"engine/ledger"}, []string{"game/vec", "game/state", "game/vis", "net/wire", "net/bits"}, nil, "a format with a reader and a writer"},
	{[]string{"engine/audio/..."}, nil, nil, "null and wav devices need no cgo; a system device goes behind a build tag"},
	{[]string{"engine/admin"}, []string{"engine/console", "engine/ledger"}, nil, "reads copies of state, never the live world"},
	{[]string{"engine/server"}, append([]string{"engine/tick", "engine/console", "engine/asset", "engine/demo", "engine/ledger", "net/..."}, serverGame...), nil,
		"never client, render or plugins: it is handed a vis.Decider and a rules.Runner"},
	{[]string{"engine/client"}, []string{"engine/tick", "engine/console", "engine/asset", "engine/demo", "net/...", "render/scene",
		"game/vec", "game/level/...", "game/state", "game/tables", "game/scenery", "game/trace", "game/vehicle", "game/pmove", "game/weapon", "game/hitbox", "game/hear", "game/nav", "game/bot"},
		[]string{mgl}, "never server, never sim: it holds no world that it was not sent; no cgo"},
	{[]string{"engine/bots"}, []string{"engine/client", "engine/tick", "engine/console", "game/vec", "game/level", "game/state", "game/tables", "game/scenery", "game/trace", "game/pmove", "game/weapon", "game/nav", "game/bot", "net/..."}, nil,
		"a bot is a client on a link: it has a client's knowledge and no other"},
	{[]string{"engine/desktop"}, append([]string{"engine/client", "engine/server", "engine/audio/...", "engine/config", "engine/console", "engine/asset/...", "engine/tick",
		"engine/bots", "engine/demo", "engine/ledger", "engine/admin", "net/...", "render/...", "plugins/host"}, desktopGame...), []string{mgl}, "the only meeting point of client and pixels"},
	{[]string{"engine/scenario"}, append([]string{"engine/server", "engine/bots", "engine/client", "engine/config", "engine/console", "engine/asset/...", "engine/tick", "engine/demo", "engine/ledger", "net/..."}, "game/..."), nil,
		"whole matches without a window; plugins/host comes by argument"},

	// programs: the fallback policy is handed in here.
	{[]string{"examples/arena"}, []string{"engine/...", "game/...", "net/...", "render/scene", "render/display", "plugins/host", "examples/internal/*"}, []string{cobra, xterm, hclog}, "the playable program: wires, does not compute"},
	{[]string{"examples/internal/*"}, []string{"engine/admin", "engine/asset/...", "engine/bots", "engine/client", "engine/config", "engine/console", "engine/demo", "engine/ledger", "engine/scenario", "engine/server", "engine/tick", "game/...", "net/...", "plugins/host"}, []string{hclog}, "what arena and arenad share; no cgo"},
	{[]string{"examples/arena/*"}, []string{"engine/...", "game/...", "net/...", "plugins/host", "render/scene"}, []string{cobra, xterm, hclog}, "what arena and arenad share; no cgo"},
	{[]string{"examples/arenad"}, []string{"engine/admin", "engine/asset/...", "engine/bots", "engine/client", "engine/config", "engine/console", "engine/demo", "engine/ledger", "engine/server", "engine/tick",
		"examples/arena/*", "examples/internal/*", "game/...", "net/...", "plugins/host"}, []string{cobra, xterm, hclog}, "the dedicated server: no cgo, no OpenGL, no window system"},
	{[]string{"examples/newpolicy"}, []string{"plugins/sdk", "plugins/plugintest", "game/vis", "game/vis/kit", "game/vec", "game/state", "game/tables", "game/level", "game/trace"}, nil, "what an author copies: the public parts only"},
	{[]string{"examples/newrules"}, []string{"plugins/sdk", "plugins/plugintest", "game/rules", "game/vec", "game/state", "game/tables"}, nil, "what an author copies: the public parts only"},
	{[]string{"examples/newpolicy-python"}, []string{"plugins/plugintest"}, nil, "a plugin in Python and the test of it"},
	{[]string{"tools/sightline/..."}, []string{"engine/...", "game/...", "net/...", "plugins/...", "render/scene"}, []string{cobra, xterm, hclog, ximage, xsys}, "the command line; draws maps as pictures; reads a thread's CPU time; builds without cgo"},
	{[]string{"tools/arch"}, nil, nil, "this table"},
	{[]string{"tools/trenchbroom"}, nil, []string{ximage}, "draws the editor's pictures; knows nothing of the game"},
}

var visMay = []string{"game/vec", "game/level", "game/scenery", "game/trace", "game/state", "game/tables", "game/hear"}

var policyMay = append([]string{"game/vis", "game/vis/kit"}, visMay...)

// serverGame is game without the policies, the particular rules and the bots.
var serverGame = []string{"game/vec", "game/level/...", "game/state", "game/tables", "game/scenery", "game/trace", "game/vehicle", "game/pmove", "game/weapon",
	"game/hitbox", "game/rewind", "game/hear", "game/rules", "game/vis", "game/vis/kit", "game/sim", "game/nav"}

// desktopGame is the same for the windowed program, which also has bots to start
// and the policies to fall back on.
var desktopGame = append([]string{"game/bot", "game/vis/*", "game/rules/*"}, serverGame...)

// Fence says what a package must not reach at all, through whatever packages.
type Fence struct {
	From []string
	Not  []string // module packages, or external prefixes
	Cgo  bool     // nor any cgo outside the standard library
	Why  string
}

var fences = []Fence{
	{From: []string{"game/..."}, Not: []string{"net/...", "engine/...", "render/...", "plugins/...", mgl}, Cgo: true,
		Why: "the simulation is pure: no packets, no sessions, no pixels, no processes"},
	{From: []string{"game/bot", "game/nav", "engine/client", "engine/bots"}, Not: []string{"game/sim", "game/rewind"}, Why: "what predicts and what plays holds no world that it was not sent"},
	{From: []string{"game/vis/...", "net/...", "plugins/sdk", "plugins/host", "plugins/internal/..."}, Not: []string{"game/sim"}, Why: "what decides or writes disclosure cannot look into the world"},
	{From: []string{"net/..."}, Not: []string{"engine/...", "render/...", "plugins/...", gl, glfw}, Cgo: true, Why: "packets know no sessions and no pixels"},
	{From: []string{"render/..."}, Not: []string{"game/...", "net/...", "engine/...", "plugins/..."}, Why: "pixels know nothing of the game"},
	{From: []string{"engine/client", "engine/bots", "engine/server", "engine/scenario", "examples/arenad", "examples/arena/*", "tools/sightline/..."},
		Not: []string{"render/gpu", "render/window/...", "render/draw/...", gl, glfw}, Cgo: true, Why: "builds and runs where there is no display and no C compiler"},
	{From: []string{"engine/server"}, Not: []string{"engine/client", "engine/desktop", "plugins/...", "render/..."}, Why: "in-process or out-of-process plugins cannot be told from its code"},
	{From: []string{"engine/client", "engine/bots"}, Not: []string{"engine/server", "engine/desktop", "plugins/..."}, Why: "a client is only a client, in a listen server's process too"},
	{From: []string{"plugins/sdk", "plugins/policy-open", "plugins/policy-pvs", "plugins/policy-netoptimize", "plugins/policy-deaddrop", "plugins/policy-reach", "plugins/policy-screen",
		"plugins/rules-duel", "plugins/rules-teams", "plugins/rules-bomb", "examples/newpolicy", "examples/newrules"},
		Not: []string{"engine/...", "net/...", "render/...", "plugins/host"}, Cgo: true, Why: "a plugin binary stays small and never reaches the engine"},
}
