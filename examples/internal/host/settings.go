package host

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/link"
)

// Settings are the typed handles of everything that a host can be told.
type Settings struct {
	Name       *console.String
	IP         *console.String
	Port       *console.Int
	MaxClients *console.Int
	TickRate   *console.Int
	Rotation   *console.List
	Tables     *console.Enum
	Bots       *console.Int
	BotSkill   *console.Float
	Seed       *console.Int
	Cheats     *console.Bool
	Timeout    *console.Float
	Resume     *console.Float
	Rewind     *console.Float

	Trust     *console.Enum
	TokenKey  *console.String
	Address   *console.List
	Bans      *console.List
	Snapshots *console.Int
	Encoder   *console.Enum
	Flight    *console.Float
	Melee     *console.Float
	Unshown   *console.Enum
	ShotsFile *console.String

	SpectateDelay *console.Float
	MatesLive     *console.Bool
	FreeCamera    *console.Bool
	FreeForAll    *console.Bool
	FriendlyFire  *console.Float
	DropWeapons   *console.Bool
	VehiclesBack  *console.Float
	VehicleRange  *console.Float
	FullHz        *console.Float

	Policy    *console.String
	Rules     *console.String
	SaveEvery *console.Float
	OnFailure *console.Enum
	MemoryMB  *console.Int
	Linked    *console.Bool
	Wait      *console.Bool
	Deadline  *console.Float
	Mailbox   *console.Enum
	Standby   *console.Bool
	Dirs      *console.List

	Unlocked    *console.Bool
	Competitive *console.Bool
	Records     *console.String

	Scale  *console.Float
	Assets *console.List

	DemoAuto   *console.Bool
	DemoFolder *console.String

	Ledger        *console.String
	LedgerMB      *console.Int
	LedgerParts   *console.Int
	LedgerSample  *console.Float
	RevealReports *console.Bool

	reg  *console.Registry
	file string     // that the settings were read from; "" none
	sim  [2]simVars // up, down
	vis  map[string]*console.Float
	mod  map[string]*console.Int // of the shipped rules

	strange strangers
}

type simVars struct{ latency, jitter, loss, dup, reorder *console.Float }

// Declare declares the settings in a registry.
func Declare(r *console.Registry) *Settings {
	s := &Settings{
		Name:       r.String(console.Var{Name: "sv.name", Default: "Sightline arena", MaxLen: 64, Flags: console.Archive | console.Restart, Help: "What the server calls itself."}),
		IP:         r.String(console.Var{Name: "sv.ip", Default: "", Flags: console.Restart, Help: "The address that the server listens on; empty for all."}),
		Port:       r.Int(console.Var{Name: "sv.port", Default: 27960, Min: 0, Max: 65535, Flags: console.Restart, Help: "The UDP port; 0 lets the system choose."}),
		MaxClients: r.Int(console.Var{Name: "sv.max_clients", Default: 32, Min: 1, Max: 128, Flags: console.Restart, Help: "How many players may be connected, bots included."}),
		TickRate:   r.Int(console.Var{Name: "sv.tick_rate", Default: 64, Min: 20, Max: 240, Unit: "Hz", Flags: console.Restart, Help: "Simulation steps per second."}),
		Rotation:   r.List(console.Var{Name: "sv.rotation", Default: []string{"pit", "corner", "yard"}, MaxList: 64, Flags: console.Restart, Help: "The levels that are played in turn: names in the search path, files, or archive.pk3:maps/file.bsp."}),
		Tables:     r.Enum(console.Var{Name: "sv.tables", Default: "arena", Values: []string{"arena", "tactical"}, Flags: console.Latch, Help: "The tables of movement, weapons and items."}),
		Bots:       r.Int(console.Var{Name: "sv.bots", Default: 7, Min: 0, Max: 64, Flags: console.Restart, Help: "How many bots play."}),
		BotSkill:   r.Float(console.Var{Name: "sv.bot_skill", Default: 0.5, Min: 0, Max: 1, Flags: console.Restart, Help: "How good the bots are, from beginner to good player."}),
		Seed:       r.Int(console.Var{Name: "sv.seed", Default: 0, Min: 0, Max: 1 << 53, Flags: console.Restart, Help: "Seed of everything random in a match; 0 draws one."}),
		Cheats:     r.Bool(console.Var{Name: "sv.cheats", Default: false, Flags: console.Replicated, Help: "Allows the variables and commands that are marked as cheats."}),
		Timeout:    r.Float(console.Var{Name: "sv.timeout_ms", Default: 20000.0, Min: 1000, Max: 120000, Unit: "ms", Flags: console.Restart, Help: "How long a client may be silent until its connection counts as lost."}),
		Resume:     r.Float(console.Var{Name: "sv.resume_s", Default: 90.0, Min: 0, Max: 90, Unit: "s", Flags: console.Restart, Help: "How long a player whose connection is lost keeps body and score, counted from the last packet; the body stands still in the world and can be shot. 0 keeps nothing."}),
		Snapshots:  r.Int(console.Var{Name: "sv.snapshot_hz", Default: 0, Min: 0, Max: 240, Unit: "Hz", Flags: console.Restart, Help: "Snapshots per second to each client; 0 adapts them to what the client knows: every tick in a fight, 32 while an enemy is known who is not far, 16 otherwise."}),
		Encoder:    r.Enum(console.Var{Name: "sv.encoder", Default: "tight", Values: []string{"tight", "naive"}, Flags: console.Restart, Help: "How snapshots are written; naive is plain and large, to compare with."}),
		Rewind:     r.Float(console.Var{Name: "lag.max_rewind_ms", Default: 0.0, Min: -1, Max: 500, Unit: "ms", Flags: console.Restart, Help: "How far back lag compensation reaches at most: round trip, input buffer and interpolation together. 0 means 250, and more where snapshots are fixed below 32 a second; -1 is none."}),
		Flight:     r.Float(console.Var{Name: "lag.projectile_ms", Default: 120.0, Min: 0, Max: 500, Unit: "ms", Flags: console.Restart, Help: "How far back projectiles begin at most; what they meet until now they meet at once."}),
		Melee:      r.Float(console.Var{Name: "lag.melee_ms", Default: 120.0, Min: 0, Max: 500, Unit: "ms", Flags: console.Restart, Help: "How far back blows by hand are tested at most."}),
		Unshown:    r.Enum(console.Var{Name: "lag.unshown", Default: "log", Values: []string{"log", "refuse"}, Flags: console.Restart, Help: "What becomes of a bullet that hits somebody whom its shooter's client did not show: it is recorded, or it does not hit."}),
		ShotsFile:  r.String(console.Var{Name: "lag.shots_file", Default: "", Flags: console.Restart, Help: "A file that a line of JSON is added to for every shot; empty for none."}),

		Trust:    r.Enum(console.Var{Name: "sv.trust", Default: "open", Values: []string{"open", "token"}, Flags: console.Restart, Help: "Who may join: anybody, or only who shows a connect token of a matchmaker. Bots and a listen server's own player need none."}),
		TokenKey: r.String(console.Var{Name: "sv.token_key", Default: "", Flags: console.Restart, Help: "With sv.trust token: the file with the key that the matchmaker seals tokens with; sightline token keygen makes one."}),
		Address:  r.List(console.Var{Name: "sv.address", Default: []string{}, MaxList: 16, Flags: console.Restart, Help: "With sv.trust token: the addresses that players reach the server at, as tokens name them: host, host:port or [IPv6]:port. Empty where sv.ip is that address."}),
		Bans:     r.List(console.Var{Name: "sv.bans", Default: []string{}, MaxList: 4096, Help: "Addresses that may not play: 192.0.2.7, 192.0.2.0/24, 2001:db8::/48; a single address of IPv6 stands for its /64. Who is there and on it is sent away."}),

		SpectateDelay: r.Float(console.Var{Name: "sv.spectate_delay_s", Default: 3.0, Min: 0, Max: server.MaxDelayS, Unit: "s", Help: "How late those who have no living body are told of what the player they watch knows, sounds and all. Costs about 0.4 MiB for each watched player, for 3 s at 64 Hz. 0 lets the dead tell the living."}),
		MatesLive:     r.Bool(console.Var{Name: "sv.spectate_mates_live", Default: true, Help: "The dead watch a living teammate without that delay."}),
		FreeCamera:    r.Bool(console.Var{Name: "sv.free_spectators", Default: false, Help: "Everybody who looks on may fly about, and is told, late, of what the policy permits at that place. Otherwise only who is made an observer."}),
		FreeForAll:    r.Bool(console.Var{Name: "sv.teammates_are_enemies", Default: false, Help: "Makes everybody everybody's enemy, whatever the teams; takes effect in one tick."}),
		FriendlyFire:  r.Float(console.Var{Name: "sv.friendly_fire", Default: 1.0, Min: 0, Max: 1, Help: "The share of a blow that a teammate takes; 0 is none."}),
		DropWeapons:   r.Bool(console.Var{Name: "sv.drop_weapons", Default: false, Flags: console.Restart, Help: "The dead leave the weapon in their hand, with its rounds, for 20 s."}),
		VehiclesBack:  r.Float(console.Var{Name: "sv.vehicle_respawn_s", Default: 30.0, Min: 0, Max: 3600, Unit: "s", Flags: console.Restart, Help: "How long after its end a vehicle is back at its place; 0 is never."}),
		VehicleRange:  r.Float(console.Var{Name: "sv.vehicle_range_m", Default: 350.0, Min: 0, Max: 5000, Unit: "m", Flags: console.Latch, Help: "How far off players are told of vehicles, whatever hides them; 0 has no limit. Who sits in one is the policy's to hide. A vehicle costs each who is told of it about as much as a player there who is known."}),
		FullHz:        r.Float(console.Var{Name: "sv.full_updates_hz", Default: 2.0, Min: 0.1, Max: 64, Unit: "Hz", Flags: console.Restart, Help: "How often a client may ask for its whole state instead of what has changed; what is beyond that is left out, counted and told to the log."}),

		Policy:    r.String(console.Var{Name: "plugin.policy", Default: "policy-deaddrop", Help: "The visibility policy: the name of a plugin. While a match runs the new one is started beside the old one, judges the same ticks, takes over between two of them, and gives way again if it misses one within 10 s."}),
		Rules:     r.String(console.Var{Name: "plugin.rules", Default: "rules-duel", Help: "The rules: the name of a plugin, or reload for the same one anew. While a match runs they change at the end of the round and keep its scores where they can read the state of those before."}),
		SaveEvery: r.Float(console.Var{Name: "plugin.save_s", Default: 10.0, Min: 0.1, Max: 60, Unit: "s", Flags: console.Latch, Help: "How often the rules' state is saved; what is done again after a crash is at most this much of the match."}),
		OnFailure: r.Enum(console.Var{Name: "rules.on_failure", Default: "pause", Values: []string{"pause", "builtin", "end"}, Flags: console.Latch, Help: "What becomes of a match whose rules keep failing: it stands still until plugin.rules reload, the rules of the same name inside of the server go on with it, or it ends."}),
		MemoryMB:  r.Int(console.Var{Name: "plugin.memory_mb", Default: 1024, Min: 0, Max: 1 << 20, Unit: "MiB", Flags: console.Latch, Help: "How much memory a plugin may take, on Linux, before it is started anew; 0 is no limit."}),
		Linked:    r.Bool(console.Var{Name: "plugin.linked", Default: false, Flags: console.Latch, Help: "Runs policy and rules inside the server instead of in processes of their own."}),
		Wait:      r.Bool(console.Var{Name: "plugin.wait", Default: false, Flags: console.Latch, Help: "Makes each tick wait for the plugins: lockstep, for tests."}),
		Deadline:  r.Float(console.Var{Name: "plugin.deadline_ms", Default: 0.0, Min: 0, Max: 1000, Unit: "ms", Flags: console.Latch, Help: "How long a policy may take; 0 means 40 % of a tick."}),
		Mailbox:   r.Enum(console.Var{Name: "plugin.mailbox", Default: "auto", Values: []string{"auto", "off"}, Flags: console.Latch, Help: "How a policy's data crosses: auto uses shared memory where system and plugin can, off always the gRPC stream."}),
		Standby:   r.Bool(console.Var{Name: "plugin.standby", Default: false, Flags: console.Latch, Help: "Keeps a second process of the policy, which decides when the first ends. It takes as much CPU again."}),
		Dirs:      r.List(console.Var{Name: "plugin.dirs", Default: []string{}, Help: "Folders that are searched for plugins, besides the program's own."}),

		Unlocked:    r.Bool(console.Var{Name: "plugin.unlocked", Default: true, Flags: console.Latch, Help: "Runs plugins that no lock file of their folder names; sightline plugin lock writes one. What it names has to have its hash in any case."}),
		Competitive: r.Bool(console.Var{Name: "sv.competitive", Default: false, Flags: console.Latch, Help: "Says that matches count: only plugins that a lock file names may run, whatever plugin.unlocked says."}),
		Records:     r.String(console.Var{Name: "plugin.records", Default: "records", Help: "The folder that plugin.record writes into; made when it is not there."}),

		Scale:  r.Float(console.Var{Name: "fs.map_units", Default: float64(level.UnitsPerMetre), Min: 1, Max: 1024, Unit: "units/m", Flags: console.Restart, Help: "How many map units make a metre."}),
		Assets: r.List(console.Var{Name: "fs.assets", Default: []string{}, Flags: console.Restart, Help: "Folders and .pk3 files that levels and pictures are looked for in, later ones first."}),

		DemoAuto:   r.Bool(console.Var{Name: "demo.auto", Default: false, Help: "Records every match, from the start of its level."}),
		DemoFolder: r.String(console.Var{Name: "demo.folder", Default: "demos", Flags: console.Latch, Help: "The folder that demos are recorded into; made when it is not there."}),

		Ledger:        r.String(console.Var{Name: "sv.ledger", Default: "", Flags: console.Latch, Help: "The folder for the record of who was told of whom, when and why, a ledger for each level; made when it is not there, empty for none. sightline ledger reads it."}),
		LedgerMB:      r.Int(console.Var{Name: "sv.ledger_mb", Default: 64, Min: 1, Max: 1024, Unit: "MiB", Flags: console.Latch, Help: "The length of one part of a ledger; then the next part begins."}),
		LedgerParts:   r.Int(console.Var{Name: "sv.ledger_parts", Default: 8, Min: 1, Max: 1000, Flags: console.Latch, Help: "How many parts of a level's ledger are kept; the oldest is removed."}),
		LedgerSample:  r.Float(console.Var{Name: "sv.ledger_sample", Default: 0.001, Min: 0, Max: 1, Flags: console.Latch, Help: "The share of pairs of enemies per tick that the ledger samples, with distance and aim, whether told or withheld."}),
		RevealReports: r.Bool(console.Var{Name: "sv.reveal_reports", Default: true, Flags: console.Latch, Help: "While a ledger is kept, clients are asked when the first packet about a player came and when they first drew it; their word goes into the ledger. It costs each about 20 bytes per player who comes into view."}),

		reg: r,
		vis: map[string]*console.Float{},
		mod: map[string]*console.Int{},
	}
	s.strange = strangers{values: map[string]map[string]*console.Float{}, rules: map[string]map[string]*console.Int{}, asked: map[string]bool{}}
	r.OnUnknown(s.learn)
	s.Cheats.OnChange(r.AllowCheats)
	for i, dir := range []string{"up", "down"} {
		v := func(name, unit, help string, most float64) *console.Float {
			return r.Float(console.Var{Name: "net.sim_" + name + "_" + dir, Default: 0.0, Min: 0, Max: most, Unit: unit, Help: help + " of the simulated link, " + dir + " (between a client and its server)."})
		}
		s.sim[i] = simVars{
			latency: v("latency_ms", "ms", "One-way delay", 2000), jitter: v("jitter_ms", "ms", "Jitter", 1000),
			loss: v("loss", "", "Share of packets that is lost", 1), dup: v("dup", "", "Share that comes twice", 1),
			reorder: v("reorder", "", "Share that overtakes", 1),
		}
	}
	for _, p := range specs() {
		for _, d := range p.Schema {
			name := visVar(p.Name, d.Name)
			if s.vis[name] == nil {
				flags := console.Flags(0) // acts on the match that runs
				if d.Name == "range_m" {
					flags = console.Latch
				}
				s.vis[name] = r.Float(console.Var{Name: name, Default: d.Default, Min: d.Min, Max: d.Max, Unit: d.Unit, Flags: flags, Help: d.Help})
			}
		}
	}
	for _, spec := range ruleSpecs() {
		for _, d := range spec.Schema {
			name := spec.Name + "." + d.Name
			help := strings.ToUpper(d.Help[:1]) + d.Help[1:] + "."
			s.mod[name] = r.Int(console.Var{Name: name, Default: d.Usual, Min: 0, Max: float64(d.Max), Unit: d.Unit, Flags: console.Latch, Help: help})
		}
	}
	return s
}

// rules returns the settings of rules; of those that are not shipped as far as they are
// known.
func (s *Settings) rules(plugin string) map[string]string {
	spec, ok := modes()[plugin]
	if !ok {
		return s.strangeRules(plugin)
	}
	out := map[string]string{}
	for _, d := range spec.Schema {
		out[d.Name] = strconv.Itoa(s.mod[spec.Name+"."+d.Name].Get())
	}
	return out
}

// fallbackPolicy decides whatever a plugin does not.
const fallbackPolicy = "policy-deaddrop"

// visVar is the variable of a policy's setting: those of the default policy are
// vis.hold_ms, of another vis.screen.hold_ms. How far off somebody is asked about
// at all is one number for all.
func visVar(policy, setting string) string {
	if "policy-"+policy == fallbackPolicy || setting == "range_m" {
		return "vis." + setting
	}
	return "vis." + policy + "." + setting
}

// policy returns the settings of a policy; of one that is not shipped as far as they are
// known: the others have their defaults.
func (s *Settings) policy(plugin string) vis.Settings {
	spec, ok := policies()[plugin]
	if !ok {
		return s.strangePolicy(plugin)
	}
	out := vis.Settings{}
	for _, d := range spec.Schema {
		out[d.Name] = s.vis[visVar(spec.Name, d.Name)].Get()
	}
	return out
}

// Sim returns the simulated link of a client, and whether it does anything.
func (s *Settings) Sim(seed uint64) (up, down link.SimConfig, on bool) {
	get := func(v simVars, seed uint64) link.SimConfig {
		c := link.SimConfig{LatencyMS: v.latency.Get(), JitterMS: v.jitter.Get(), Loss: v.loss.Get(), Dup: v.dup.Get(), Reorder: v.reorder.Get()}
		on = on || c != (link.SimConfig{})
		c.Seed = seed
		return c
	}
	up, down = get(s.sim[0], seed), get(s.sim[1], seed+1)
	return up, down, on
}

// Flags are what the command line says beside settings.
type Flags struct {
	Config  string   // a TOML file
	Map     string   // plays this level only
	Assets  []string // more places for levels and pictures
	Plugins string   // folder of the plugins
	Plus    []config.Plus
}

// Load fills a registry from the layers: file, environment, command line. The
// lines that the command line wants to be run are returned.
func (s *Settings) Load(r *console.Registry, f Flags, environ []string) (lines []string, err error) {
	s.lookIn(f.Plugins)
	for _, p := range f.Plus {
		if p.Name == "set" && len(p.Args) > 1 && p.Args[0] == "plugin.dirs" {
			s.lookIn(p.Args[1:]...)
		}
	}
	if f.Config != "" {
		doc, err := readSettings(f.Config)
		if err != nil {
			return nil, err
		}
		s.lookIn(doc.Texts("plugin", "dirs")...)
		if _, err := doc.Vars(r, console.LayerHost); err != nil {
			return nil, err
		}
		s.file = f.Config
	}
	if err := config.LoadEnv(r, environ, "SIGHTLINE_PLUGIN_*"); err != nil {
		return nil, err
	}
	// The +set words first: they are the whole of their layer, which the flags add to.
	if lines, err = config.ApplyPlus(r, f.Plus); err != nil {
		return nil, err
	}
	flag := func(name string, v any) {
		if err == nil {
			_, err = r.Set(name, v, console.Source{Layer: console.LayerFlag, Where: "command line"})
		}
	}
	if f.Map != "" {
		flag("sv.rotation", []string{f.Map})
	}
	if len(f.Assets) > 0 {
		flag("fs.assets", append(append([]string{}, s.Assets.Get()...), f.Assets...))
	}
	if f.Plugins != "" {
		flag("plugin.dirs", append(append([]string{}, s.Dirs.Get()...), f.Plugins))
	}
	return lines, err
}

// Usage prints the settings that can be given as +set NAME VALUE or in the file.
func Usage(w io.Writer, r *console.Registry) {
	fmt.Fprintln(w, "\nSettings, for a TOML file (`[sv]`, `port = 27960`) or the command line (`+set sv.port 27960`):")
	for _, v := range r.Vars("") {
		def := v.DefaultText()
		if v.Unit != "" {
			def += " " + v.Unit
		}
		fmt.Fprintf(w, "  %-24s %-28s %s\n", v.Name, "("+strings.TrimSpace(def)+")", v.Help)
	}
}
