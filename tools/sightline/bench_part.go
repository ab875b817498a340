package main

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/bots"
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/engine/tick"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/gen"
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/udp"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// A match in real time has its parts in processes of their own: a server and
// crews of bots. Each is this program, told by gob over its standard input what to
// be and when to measure, and answering over its standard output. It ends with its
// input.

// job says what a part is to be.
type job struct {
	Flags  matchFlags
	Server string // empty: be the server; else the address that a crew plays on
	Key    [32]byte
	First  int // of the bots
	Bots   int
	Log    string // file that it writes what it knows or draws to; empty: none
}

// order is what a part is told while it runs.
type order uint8

const (
	orderBegin order = iota + 1 // to measure
	orderEnd
	orderCount // the server: count allocations for a while
	orderLook  // say how it is
)

// answer is what a part says: once when it is ready, and to each order.
type answer struct {
	Err     string
	Address string // of the server
	Key     [32]byte

	Playing    int
	Busy       float64 // share of a processor since the last order
	LateFrames float64 // share of frames since then

	Server  *scenario.ServerNotes
	Moments []scenario.Moment
	Late    int // ticks
	Clock   string
	RSSMiB  float64
	Policy  *plugin.Stats
	Rules   *plugin.Stats
	Misses  int // while measured

	Crew *scenario.ClientNotes
	Full bool // its log has no room any more
}

// newBenchPart returns the subcommand that bench match runs itself with.
func newBenchPart() *cobra.Command {
	return &cobra.Command{
		Use: "part", Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runPart(c.InOrStdin(), c.OutOrStdout()) },
	}
}

// runPart is the life of a part.
func runPart(in io.Reader, out io.Writer) error {
	dec, enc := gob.NewDecoder(in), gob.NewEncoder(out)
	var j job
	if err := dec.Decode(&j); err != nil {
		return fmt.Errorf("bench part: it is told what to do by bench match: %w", err)
	}
	orders := make(chan order) // closed when the one who gives them is gone
	stop := make(chan struct{})
	defer close(stop)
	go func() { // ends with the input, or with the part at the next order
		defer close(orders)
		for {
			var o order
			if dec.Decode(&o) != nil {
				return
			}
			select {
			case orders <- o:
			case <-stop:
				return
			}
		}
	}()
	run := runCrew
	if j.Server == "" {
		run = runServer
	}
	err := run(&j, orders, func(a *answer) error { return enc.Encode(a) })
	if err != nil {
		_ = enc.Encode(&answer{Err: err.Error()})
	}
	return err
}

// pluginStart is how long a plugin may take to load the level: bench is run on busy
// machines as well.
const pluginStart = time.Minute

// serving is a server's policy and rules, and the clock of one in real time.
type serving struct {
	epoch  time.Time
	meter  scenario.Meter
	wait   bool       // for policy and rules, however long they take
	mu     sync.Mutex // guards end, which plugins ask for
	end    time.Time
	policy *plugin.Policy // nil: linked in
	rules  *plugin.Rules
}

// cpu is what the processes of policy and rules have had.
func (s *serving) cpu() (policy, rules time.Duration) {
	if s.policy == nil {
		return 0, 0
	}
	return processTimeOf(s.policy.Stats().PID), processTimeOf(s.rules.Stats().PID)
}

func (s *serving) now() int64 { return int64(time.Since(s.epoch)) + 1 }

// wall is now on the clock that all processes of the machine have.
func (s *serving) wall() int64 { return wallOf(s.epoch) }

// wallOf is the present instant on the system's clock, by steady steps since an epoch.
func wallOf(epoch time.Time) int64 { return epoch.UnixNano() + int64(time.Since(epoch)) }

func (s *serving) tickEnd() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end
}

// start makes the match, with plugins in processes of their own unless they are to
// be linked in.
func (s *serving) start(f *matchFlags, ref string, loaded client.Loaded) (*server.Match, error) {
	if f.Linked {
		return f.linked(ref, loaded, &s.meter)
	}
	fallback, err := f.policy("deaddrop", loaded.World)
	if err != nil {
		return nil, err
	}
	common := plugin.Config{Dirs: []string{f.Plugins}, TickRate: f.Tick, Log: slog.New(slog.DiscardHandler), Engine: "sightline", Wait: s.wait, Stream: !f.Mailbox, StartLimit: pluginStart}
	pc := plugin.PolicyConfig{Config: common, Seed: f.Seed, Fallback: s.meter.Fallback(fallback)}
	if !s.wait {
		pc.TickEnd = s.tickEnd
	}
	if pc.Settings, err = f.settings(f.Policy); err != nil {
		return nil, err
	}
	pc.Name = "policy-" + f.Policy
	if f.Level == generated {
		pc.Level = plugin.LevelOf(generated+".gen", gen.Text(f.countryside()), level.Options{}, loaded.Level)
	} else {
		data, err := readPlain(f.Level)
		if err != nil {
			return nil, fmt.Errorf("%w: in a pack it can be measured with --in-process", err)
		}
		pc.Level = plugin.LevelOf(f.Level, data, level.Options{}, loaded.Level)
	}
	if s.policy, err = plugin.StartPolicy(context.Background(), pc); err != nil {
		return nil, fmt.Errorf("%w (make plugins builds it)", err)
	}
	rc := plugin.RulesConfig{Config: common, Match: f.rules(ref, loaded.Level)}
	rc.Name = "rules-duel"
	if s.rules, err = plugin.StartRules(context.Background(), rc); err != nil {
		s.policy.Close()
		return nil, fmt.Errorf("%w (make plugins builds it)", err)
	}
	m := f.match(ref, loaded, s.meter.Process(s.policy), s.rules)
	m.Close = func() {
		s.policy.Close()
		s.rules.Close()
	}
	return m, nil
}

func (s *serving) misses() int {
	if s.policy == nil {
		return 0
	}
	return int(s.policy.Stats().Misses)
}

// runServer is the part that serves.
func runServer(j *job, orders <-chan order, say func(*answer) error) error {
	f := &j.Flags
	name, loaded, err := f.load()
	if err != nil {
		return err
	}
	sock, err := udp.Listen("127.0.0.1:0", udp.Options{Queue: 8192})
	if err != nil {
		return err
	}
	defer sock.Close()
	key, err := handshake.NewKey(nil)
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the clock is this thread's
	defer runtime.UnlockOSThread()
	clock, what := cpuTime()
	s := &serving{epoch: time.Now(), meter: scenario.Meter{CPU: clock, Wall: time.Now}}
	rec := scenario.NewRecorder()
	rec.Meter = &s.meter
	if !f.Linked {
		rec.CPU = s.cpu
	}
	var truth scenario.Truth
	srv, err := server.New(server.Config{
		Name: "bench", TickRate: f.Tick, MaxClients: f.Players, Seed: f.Seed, Links: []link.Link{sock}, Key: key,
		Start:    func(ref string) (*server.Match, error) { return s.start(f, ref, loaded) },
		Rotation: []string{name}, PerAddress: -1, Pace: server.Pace{Hz: f.Snapshots}, Naive: f.Encoder == "naive", Hooks: rec.Hooks(server.Hooks{Decided: truth.Asked}),
	})
	if err != nil {
		return err
	}
	defer func() { srv.Close("the measurement is over", s.now()) }()
	rec.Attach(srv, clock)
	logged, err := truthLog(j.Log)
	if err != nil {
		return err
	}
	defer logged.close()
	at := sock.LocalAddr()
	if err := say(&answer{Address: at.String(), Key: key.Public}); err != nil {
		return err
	}
	ticks, err := tick.New(f.Tick, s.now())
	if err != nil {
		return err
	}
	var moments []scenario.Moment
	var last tick.Late
	missed, keep := 0, 0
	wake := time.NewTimer(0)
	defer wake.Stop()
	for {
		for range ticks.Advance(s.now()) {
			s.mu.Lock()
			s.end = s.epoch.Add(time.Duration(ticks.Deadline(ticks.Tick() + 1)))
			s.mu.Unlock()
			began := s.wall()
			srv.Step(s.now())
			if logged != nil {
				truth.At = began
				truth.Take(srv)
				logged.w.Add(&truth)
			}
			if rec.On || keep > 0 {
				moments = append(moments, scenario.Moment{})
				rec.Moment(&moments[len(moments)-1])
			}
			if keep > 0 {
				keep--
			}
		}
		wake.Reset(max(time.Duration(ticks.Next()-s.now()), 0))
		select {
		case o, ok := <-orders:
			if !ok {
				return nil
			}
			a := &answer{Playing: srv.Stats().Clients}
			late := ticks.Late()
			switch o {
			case orderBegin:
				rec.Begin()
				last, missed = late, s.misses()
			case orderEnd:
				rec.End()
				a.Late = int(late.Ticks + late.Dropped - last.Ticks - last.Dropped)
				a.Misses = s.misses() - missed
				last, missed, keep = late, a.Misses, f.Tick // shots that are under way
			case orderCount:
				rec.Done()
				if a.Full, err = logged.finish(); err != nil {
					return err
				}
				a.Late = int(last.Ticks)
				a.Server, a.Moments, a.Clock, a.RSSMiB = &rec.ServerNotes, moments, what, residentMiB()
				if s.policy != nil {
					p, r := s.policy.Stats(), s.rules.Stats()
					a.Policy, a.Rules, a.Misses = &p, &r, missed
				}
			}
			if err := say(a); err != nil {
				return err
			}
		case <-wake.C:
		}
	}
}

// frameEvery is how often a crew looks at its links and its bots at their clocks.
const frameEvery = 4 * time.Millisecond

// framesLook is of how many frames of a bot one is logged: one for each tick, at 64 a
// second.
const framesLook = 4

// runCrew is a part that plays.
func runCrew(j *job, orders <-chan order, say func(*answer) error) error {
	f := &j.Flags
	_, loaded, err := f.load()
	if err != nil {
		return err
	}
	at, err := udp.Resolve(context.Background(), j.Server, defaultPort)
	if err != nil {
		return err
	}
	var sims []*link.Sim
	logged, err := eyeLog(j.Log)
	if err != nil {
		return err
	}
	defer logged.close()
	epoch := time.Now()
	var crew *bots.Crew
	var heard scenario.Heard
	hear := func(i int, s *snapshot.Snapshot) {
		if logged != nil && heard.Take(crew.Bots()[i].ID(), s, wallOf(epoch)) {
			logged.w.Heard(&heard)
		}
	}
	crew, err = bots.New(bots.Config{
		Snapshot: hear,
		N:        j.Bots, Server: at, Skill: 0.7, Patience: float32(f.Patience), Throws: float32(f.Throws), Seed: f.Seed*7919 + uint64(j.First), Tables: arenaSet,
		Load:  func(string, [32]byte) (client.Loaded, error) { return loaded, nil },
		Hello: func(int) handshake.ClientConfig { return handshake.ClientConfig{Key: &j.Key} },
		Dial: func(i int) (link.Link, error) {
			c, err := udp.Listen("127.0.0.1:0", udp.Options{ReadBuffer: 1 << 18, WriteBuffer: 1 << 18})
			if err != nil {
				return nil, err
			}
			up, down := f.line(), f.line()
			up.Seed, down.Seed = f.Seed+uint64(j.First+i)*2+1, f.Seed+uint64(j.First+i)*2+2
			s, err := link.NewSim(c, up, down)
			if err != nil {
				return nil, errors.Join(err, c.Close())
			}
			sims = append(sims, s)
			return s, nil
		},
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	defer crew.Close()
	// Before they connect: it takes longer than a server waits for a silent client.
	set := tables.Arena()
	graph := nav.Build(loaded.World, &set.Movement)
	for _, b := range crew.Bots() {
		b.Graph = func(*trace.World, *tables.Movement) *nav.Graph { return graph }
	}
	notes := scenario.NewNotes(crew)
	var result scenario.ClientNotes
	var look scenario.Glimpse
	var shown []client.Shown
	frames, late, frame := 0, 0, 0
	since, cpu := time.Now(), processTime()
	due := time.Now()
	if err := say(&answer{}); err != nil {
		return err
	}
	wake := time.NewTimer(0)
	defer wake.Stop()
	for {
		select {
		case o, ok := <-orders:
			if !ok {
				return nil
			}
			a := &answer{Busy: (processTime() - cpu).Seconds() / time.Since(since).Seconds()}
			if frames > 0 {
				a.LateFrames = float64(late) / float64(frames)
			}
			since, cpu, frames, late = time.Now(), processTime(), 0, 0
			totals, playing := scenario.TotalsOf(crew)
			a.Playing = playing
			switch o {
			case orderBegin:
				result.From, notes.On = totals, true
			case orderEnd:
				notes.On = false
				if a.Full, err = logged.finish(); err != nil {
					return err
				}
				result.To, result.Playing = totals, playing
				result.Aims, result.Seen = notes.Aims, notes.Seen
				for _, b := range crew.Bots() {
					if b.State() == client.Gone {
						result.Gone = append(result.Gone, b.Reason())
					}
				}
				a.Crew = &result
			}
			if err := say(a); err != nil {
				return err
			}
		case <-wake.C:
			now := int64(time.Since(epoch)) + 1
			for _, s := range sims {
				s.Advance(now)
			}
			crew.Advance(now)
			if frame++; frame%16 == 0 {
				notes.Look()
			}
			for i, b := range crew.Bots() { // a frame a tick, or nearly, in turn
				if logged != nil && (frame+i)%framesLook == 0 && look.Take(b.Client, wallOf(epoch), &shown) {
					logged.w.Frame(&look, notes.On)
				}
			}
			frames++
			due = due.Add(frameEvery)
			if behind := time.Since(due); behind > 0 {
				if behind > time.Second/time.Duration(2*f.Tick) {
					late++
				}
				due = time.Now()
			}
			wake.Reset(time.Until(due))
		}
	}
}
