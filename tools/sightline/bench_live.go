package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
)

// part is a process that bench match has started.
type part struct {
	name string
	cmd  *exec.Cmd
	in   io.WriteCloser
	enc  *gob.Encoder
	dec  *gob.Decoder
}

// startPart starts a part and waits until it is ready.
func startPart(name string, j *job, errs io.Writer) (*part, answer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, answer{}, err
	}
	p := &part{name: name, cmd: exec.Command(self, "bench", "part")}
	p.cmd.Stderr = errs
	p.cmd.Env = append(os.Environ(), partEnv+"=1")
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, answer{}, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, answer{}, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, answer{}, err
	}
	p.enc, p.dec = gob.NewEncoder(p.in), gob.NewDecoder(out)
	if err := p.enc.Encode(j); err != nil {
		return nil, answer{}, errors.Join(fmt.Errorf("%s: %w", name, err), p.stop())
	}
	a, err := p.hear()
	if err != nil {
		return nil, answer{}, errors.Join(err, p.stop())
	}
	return p, a, nil
}

// partEnv tells a test's binary that it is to be a part.
const partEnv = "SIGHTLINE_BENCH_PART"

func (p *part) hear() (answer, error) {
	var a answer
	if err := p.dec.Decode(&a); err != nil {
		return a, fmt.Errorf("the process of the %s ended: %w", p.name, err)
	}
	if a.Err != "" {
		return a, fmt.Errorf("%s: %s", p.name, a.Err)
	}
	return a, nil
}

func (p *part) ask(o order) (answer, error) {
	if err := p.enc.Encode(o); err != nil {
		return answer{}, fmt.Errorf("the process of the %s ended: %w", p.name, err)
	}
	return p.hear()
}

// stop ends the process by ending its input, and kills it when it does not.
func (p *part) stop() error {
	p.in.Close()
	done := make(chan error, 1)
	go func() { done <- p.cmd.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(20 * time.Second):
		return errors.Join(p.cmd.Process.Kill(), <-done)
	}
}

const (
	crews     = 2
	joinLimit = 90 * time.Second
	// The bots are the bottleneck when a crew takes so much of a processor, or so
	// many of its frames are late: what they measure would be their own delay.
	busyMost   = 0.9
	lateMost   = 0.05
	fewPlayers = 50
)

const liveForm = "real time: server, %s, and bots in two processes, over UDP on this machine, each bot behind a simulated line"

// benchLive runs the match in real time.
func benchLive(c *cobra.Command, f matchFlags) (scenario.Figures, error) {
	errs := &shared{w: c.ErrOrStderr()}
	l := &live{f: f, errs: errs}
	fig, err := l.whole()
	if !errors.Is(err, errBottleneck) {
		return fig, err
	}
	note := fmt.Sprintf("the bots were the bottleneck with %d players (%s): measured with %d", f.Players, l.load(), fewPlayers)
	fmt.Fprintln(errs, note)
	f.Players, f.Stay = fewPlayers, true
	l = &live{f: f, errs: errs}
	fig, err = l.whole()
	if fig.Generator != nil {
		if fig.Generator.Note != "" {
			note += "; " + fig.Generator.Note
		}
		fig.Generator.Note = note
	}
	return fig, err
}

var errBottleneck = errors.New("the bots take more of the machine than there is")

// shared is a writer that several processes' errors go to.
type shared struct {
	mu sync.Mutex // guards w
	w  io.Writer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}

// live is one run.
type live struct {
	f      matchFlags
	errs   io.Writer
	server *part
	crews  []*part
	dir    string // of the logs of the parts
	level  *trace.World
	full   bool    // a log was
	busy   float64 // the busiest crew's
	late   float64
}

func (l *live) load() string {
	return fmt.Sprintf("a process took %.0f %% of a processor, %.1f %% of frames were late", l.busy*100, l.late*100)
}

func (l *live) stop() {
	for _, p := range append(l.crews, l.server) {
		if p != nil {
			if err := p.stop(); err != nil {
				fmt.Fprintf(l.errs, "%s: %v\n", p.name, err)
			}
		}
	}
}

// askCrews gives an order to all crews and notes how busy they were.
func (l *live) askCrews(o order) (playing int, notes []scenario.ClientNotes, err error) {
	l.busy, l.late = 0, 0
	for _, p := range l.crews {
		a, err := p.ask(o)
		if err != nil {
			return 0, nil, err
		}
		playing += a.Playing
		l.busy, l.late = max(l.busy, a.Busy), max(l.late, a.LateFrames)
		l.full = l.full || a.Full
		if a.Crew != nil {
			notes = append(notes, *a.Crew)
		}
	}
	return playing, notes, nil
}

// whole runs the match and, when all of its processes are gone, compares what they have
// logged.
func (l *live) whole() (fig scenario.Figures, err error) {
	if l.dir, err = os.MkdirTemp("", "sightline-bench-"); err != nil {
		return fig, err
	}
	defer os.RemoveAll(l.dir)
	fig, err = l.run()
	l.stop()
	if err == nil {
		err = l.look(&fig)
	}
	return fig, err
}

func (l *live) run() (fig scenario.Figures, err error) {
	f := &l.f
	var ready answer
	if l.server, ready, err = startPart("server", &job{Flags: *f, Log: l.truthFile()}, l.errs); err != nil {
		return fig, err
	}
	n := min(crews, f.Players)
	for i := range n {
		first := f.Players * i / n
		j := &job{Flags: *f, Server: ready.Address, Key: ready.Key, First: first, Bots: f.Players*(i+1)/n - first, Log: l.eyeFile(i)}
		p, _, err := startPart(fmt.Sprintf("crew %d", i+1), j, l.errs)
		if err != nil {
			return fig, err
		}
		l.crews = append(l.crews, p)
	}
	for start := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		playing, _, err := l.askCrews(orderLook)
		if err != nil {
			return fig, err
		}
		if playing == f.Players {
			break
		}
		if time.Since(start) > joinLimit {
			if !f.Stay && f.Players > fewPlayers {
				return fig, errBottleneck
			}
			return fig, fmt.Errorf("%d of %d bots have joined after %v (%s)", playing, f.Players, joinLimit, l.load())
		}
	}
	time.Sleep(time.Duration(f.Warm * float64(time.Second)))
	if _, _, err = l.askCrews(orderBegin); err != nil {
		return fig, err
	}
	over := l.busy > busyMost || l.late > lateMost
	if over && !f.Stay && f.Players > fewPlayers {
		return fig, errBottleneck
	}
	return l.measure()
}

// measure is the part of a run that counts.
func (l *live) measure() (fig scenario.Figures, err error) {
	f := &l.f
	if _, err = l.server.ask(orderBegin); err != nil {
		return fig, err
	}
	start := time.Now()
	time.Sleep(time.Duration(f.Seconds * float64(time.Second)))
	end, err := l.server.ask(orderEnd)
	if err != nil {
		return fig, err
	}
	seconds := time.Since(start).Seconds()
	_, notes, err := l.askCrews(orderEnd)
	if err != nil {
		return fig, err
	}
	time.Sleep(time.Second)
	all, err := l.server.ask(orderCount)
	if err != nil {
		return fig, err
	}
	l.full = l.full || all.Full
	_, loaded, err := f.load()
	if err != nil {
		return fig, err
	}
	l.level = loaded.World
	set := tables.Arena()
	v := scenario.JudgeAll(loaded.World, &set, f.Players, f.Tick, all.Moments, notes)
	fig = scenario.Sum(f.Players, f.Tick, seconds, all.Server, notes, v)
	fig.Form = fmt.Sprintf(liveForm, "policy and rules each in a process of its own")
	if f.Linked {
		fig.Form = fmt.Sprintf(liveForm, "with policy and rules in its process")
	}
	fig.Policy, fig.Pace, fig.Clock = f.Policy, scenario.PaceText(f.Snapshots), all.Clock
	fig.LateTicks, fig.RaysCap = &end.Late, f.raysCap()
	if all.RSSMiB > 0 {
		fig.RSSMiB = &all.RSSMiB
	}
	if p := all.Policy; p != nil {
		fig.Misses = &end.Misses
		fig.RoundTrip = &scenario.Percentiles{P50: float64(p.P50) / 1e6, P99: float64(p.P99) / 1e6}
	}
	fig.Generator = &scenario.Generator{Processes: len(l.crews), CPUShare: l.busy, LateFrames: l.late}
	if l.busy > busyMost || l.late > lateMost {
		fig.Generator.Bottleneck = true
		fig.Generator.Note = "the bots were the bottleneck: " + l.load()
	}
	return fig, nil
}
