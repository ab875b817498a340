//go:build linux

package main_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/udp"
)

var stopFor = flag.Duration("stop", time.Second, "for how long TestStoppedProcessComesBack stops its client")

// childAddr is the environment variable that makes this binary a client of the
// server at that address; see TestMain.
const childAddr = "SIGHTLINE_TEST_CLIENT"

// report is what the client in the other process says of itself.
type report struct {
	Playing           bool
	Starved, Commands int
	Errors            int
	Moved             float32
}

// playAsChild joins the server, runs to and fro, and says ten times a second how it
// fares, until it is ended.
func playAsChild(addr string) error {
	sock, err := udp.Listen("127.0.0.1:0", udp.Options{})
	if err != nil {
		return err
	}
	defer sock.Close()
	levels, err := host.NewLevels([]string{"../arena"}, nil, 32)
	if err != nil {
		return err
	}
	c, err := client.New(client.Config{
		Link: sock, Server: netip.MustParseAddrPort(addr), Name: "Ada", Hello: handshake.ClientConfig{}, Tables: host.TablesByHash,
		Load: func(name string, hash [32]byte) (client.Loaded, error) {
			got, err := levels.OpenNamed(name, hash)
			if err != nil {
				return client.Loaded{}, err
			}
			return got.Loaded, got.Files.Close()
		},
		Input: func(_ *client.Client, tick state.Tick) state.Cmd {
			return state.Cmd{Forward: 127, Yaw: state.Angle16(tick / 64 * 32768)}
		},
	})
	if err != nil {
		return err
	}
	began, said := time.Now(), time.Now()
	out := json.NewEncoder(os.Stdout)
	for c.State() != client.Gone {
		c.Advance(int64(time.Since(began)) + 1)
		if time.Since(said) > 100*time.Millisecond {
			said = time.Now()
			s := c.Stats()
			if err := out.Encode(report{c.State() == client.Playing, s.Starved, s.Commands, s.Errors, s.Moved}); err != nil {
				return err
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	return fmt.Errorf("gone: %s", c.Reason())
}

// A client process that is stopped and goes on later is accepted again within two
// seconds, and has mispredicted nothing. O-08 with -stop 12s.
func TestStoppedProcessComesBack(t *testing.T) {
	p := launch(t, false, "-map", "corner", "+set", "sv.port", "0", "+set", "sv.bots", "0")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childAddr+"="+p.addr)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	reports := make(chan report, 1024) // more than are made while nobody reads
	go func() {
		defer close(reports)
		for sc := bufio.NewScanner(pipe); sc.Scan(); {
			var r report
			if json.Unmarshal(sc.Bytes(), &r) == nil {
				reports <- r
			}
		}
	}()
	// after returns the newest report once so much time has passed.
	after := func(d time.Duration) (last report) {
		t.Helper()
		end := time.After(d)
		for {
			select {
			case r, ok := <-reports:
				if !ok {
					t.Fatal("the client has ended")
				}
				last = r
			case <-end:
				return last
			}
		}
	}
	for end := time.Now().Add(15 * time.Second); !after(200 * time.Millisecond).Playing; {
		if time.Now().After(end) {
			t.Fatal("the client does not get to play")
		}
	}
	after(1500 * time.Millisecond)
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(*stopFor)
	if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	back := after(2 * time.Second)
	then := after(2 * time.Second)
	starved, made := then.Starved-back.Starved, then.Commands-back.Commands
	t.Logf("stopped for %v; from 2 to 4 s after it: %d commands, %d made up, %.1f m run", *stopFor, made, starved, then.Moved-back.Moved)
	if !then.Playing || then.Errors != 0 || made < 100 || then.Moved-back.Moved < 1 {
		t.Errorf("back: %+v, two seconds later: %+v", back, then)
	}
	if starved > made/4 { // a busy machine starves now and then
		t.Errorf("%d of %d commands were made up", starved, made)
	}
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.end(5 * time.Second)
}
