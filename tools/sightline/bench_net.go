package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/snapshot"
)

func newBenchNet() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "net",
		Short: "Measure packets and snapshots by themselves",
		Long:  "Wall-clock time and allocations of single steps, each by itself on one goroutine.",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			rows, err := benchNet()
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(c.OutOrStdout(), rows)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, "step\tns\tallocations\tbytes\t")
			for _, r := range rows {
				fmt.Fprintf(w, "%s\t%.0f\t%.2f\t%.1f\t\n", r.Name, r.Ns, r.Allocs, r.Bytes)
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// benchNet measures the steps of a packet's way.
func benchNet() ([]perOp, error) {
	var rows []perOp
	for _, s := range []netchan.Suite{netchan.AESGCM, netchan.ChaCha} {
		r, err := benchSeal(s)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	r, err := benchSim()
	if err != nil {
		return nil, err
	}
	rows = append(rows, r)
	for _, n := range []int{8, 32} {
		r, err := benchEncode(n)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// benchSeal is a packet sealed and opened, there and back.
func benchSeal(s netchan.Suite) (perOp, error) {
	keys := [2][32]byte{{1}, {2}}
	x, err := netchan.New(netchan.Config{Send: keys[0], Recv: keys[1], Suite: s}, 0)
	if err != nil {
		return perOp{}, err
	}
	y, err := netchan.New(netchan.Config{Send: keys[1], Recv: keys[0], Suite: s}, 0)
	if err != nil {
		return perOp{}, err
	}
	buf, payload, now, size := make([]byte, 0, netchan.MaxPacket), make([]byte, 120), int64(0), 0
	var failed error
	r := measure("seal and open 120 B twice, "+s.String(), 0, func() {
		now += 16e6
		for _, way := range [2][2]*netchan.Channel{{x, y}, {y, x}} {
			pkt, _, err := way[0].Seal(buf, payload, now)
			if err == nil {
				size = len(pkt)
				_, _, err = way[1].Open(pkt, now)
			}
			if err != nil && failed == nil {
				failed = err
			}
		}
	})
	r.Bytes = float64(size)
	return r, failed
}

// benchSim is a packet through the link simulator with everything on.
func benchSim() (perOp, error) {
	loop := link.NewLoop()
	a, err := loop.Dial(0)
	if err != nil {
		return perOp{}, err
	}
	b, err := loop.Dial(0)
	if err != nil {
		return perOp{}, err
	}
	s, err := link.NewSim(a, link.SimConfig{LatencyMS: 40, JitterMS: 5, Loss: 0.02, Dup: 0.01, Reorder: 0.01, Seed: 1}, link.SimConfig{})
	if err != nil {
		return perOp{}, err
	}
	pkt, now := make([]byte, 120), int64(0)
	var buf [link.MaxPacket]byte
	return measure("link simulator, 120 B", float64(len(pkt)), func() {
		now += 1e6
		s.Advance(now)
		_ = s.Send(pkt, b.Addr())
		for ok := true; ok; {
			_, _, ok = b.Recv(buf[:])
		}
	}), nil
}

// benchEncode is a snapshot of a player and n others who all run, in circles, for a
// client whose acknowledgements come four packets later.
func benchEncode(n int) (perOp, error) {
	const rate = 64
	var in vis.Input
	var frame vis.Frame
	var ans vis.Answer
	var view vis.View
	enc := snapshot.NewEncoder(rate)
	buf := make([]byte, snapshot.MaxPayload)
	var w bits.Writer
	tick, packets, total := state.Tick(0), 0, 0
	var failed error
	r := measure(fmt.Sprintf("build and encode %d others", n), 0, func() {
		tick++
		in.Reset(tick, rate)
		frame.Reset(tick)
		for i := range n + 1 {
			sin, cos := vec.SinCos(float32(tick%360) + float32(i*31))
			pos := vec.V3{X: float32(i*4) + float32(5*cos), Y: float32(5 * sin)}
			id := state.ID(i + 1)
			in.Subjects = append(in.Subjects, vis.Subject{ID: id, Kind: state.KindPlayer, Alive: true, Pos: pos, Eye: pos, Chest: pos})
			frame.Entities = append(frame.Entities, state.Entity{ID: id, Kind: state.KindPlayer, Pos: state.Quant(pos), Yaw: state.AngleOf(float32(tick % 360)), Health: 100})
		}
		in.Viewers = append(in.Viewers, vis.Viewer{Subject: 0, ID: 1})
		own := vis.Own{ID: 1, LastCmd: tick}
		own.Player.Pos, own.Player.Health = in.Subjects[0].Pos, 100
		frame.Own = append(frame.Own, own)
		vis.Candidates(&in, 0)
		ans.Reset(&in)
		for i := range n {
			ans.Allow(0, i+1, vis.Open, tick+16, 1)
		}
		vis.Gate(&in, &ans)
		vis.Build(&frame, &in, &ans, 0, &view)
		w.Reset(buf)
		if err := enc.Encode(&w, &view, uint64(tick)); err != nil && failed == nil {
			failed = err
		}
		packets++
		total += len(w.Bytes())
		if tick > 4 {
			enc.Acked(uint64(tick - 4))
		}
	})
	r.Bytes = float64(total) / float64(packets)
	return r, failed
}
