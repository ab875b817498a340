package desktop

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/scene"
)

// Summary is what a run was like, for a line or two at its end and for tests.
type Summary struct {
	Renderer        string
	Level           string
	Joined          bool // a snapshot was received and drawn
	Seconds         float64
	Frames          int
	FPS             float64
	RTT             float64 // milliseconds
	Snapshots       int
	BytesPerSecond  float64 // received
	KnownMean       float64 // living players that the client was told of
	Moved           float32 // metres
	Fired           int
	Errors          int // prediction errors that nothing explains
	Corrections     int
	Starved         int
	EnemySeenFrames int // frames with a living enemy in sight
	WatchedFrames   int // frames through another player's eyes
	Screenshot      string
	NotBlank        bool     // the screenshot has something on it
	EnemyInShot     bool     // and a living enemy
	Server          []string // what the server says
	Demo            string   // what was shown instead of a match
	DemoAt          float64  // and how far it got, seconds
	Reason          string   // why the connection ended, "" when it did not
}

// Print writes the summary for a person.
func (s *Summary) Print(w io.Writer) {
	fmt.Fprintf(w, "renderer      %s\n", s.Renderer)
	fmt.Fprintf(w, "frames        %d in %.1f s, %.1f per second\n", s.Frames, s.Seconds, s.FPS)
	if s.Demo != "" {
		fmt.Fprintf(w, "demo          %s, level %s, at %s\n", s.Demo, s.Level, clockText(s.DemoAt))
		if s.Screenshot != "" {
			fmt.Fprintf(w, "picture       %s\n", s.Screenshot)
		}
		return
	}
	fmt.Fprintf(w, "round trip    %.1f ms\n", s.RTT)
	fmt.Fprintf(w, "snapshots     %d received, %.0f bytes per second\n", s.Snapshots, s.BytesPerSecond)
	fmt.Fprintf(w, "players       %.1f known on average, in sight in %d frames\n", s.KnownMean, s.EnemySeenFrames)
	if s.WatchedFrames > 0 {
		fmt.Fprintf(w, "watched       %d frames through another player's eyes\n", s.WatchedFrames)
	}
	fmt.Fprintf(w, "moved         %.1f m, fired %d shots\n", s.Moved, s.Fired)
	fmt.Fprintf(w, "prediction    %d errors, %d corrections, %d starved commands\n", s.Errors, s.Corrections, s.Starved)
	if s.Screenshot != "" {
		fmt.Fprintf(w, "picture       %s\n", s.Screenshot)
	}
	for _, l := range s.Server {
		fmt.Fprintln(w, l)
	}
	if s.Reason != "" {
		fmt.Fprintf(w, "ended         %s\n", s.Reason)
	}
}

// measure fills the summary at the end.
func (g *game) measure() {
	s := &g.sum
	st := g.client.Stats()
	s.Seconds = max(float64(g.cfg.Now()-g.start)/1e9, 1e-9)
	s.FPS = float64(s.Frames) / s.Seconds
	s.RTT = float64(g.client.Net().RTT) / 1e6
	s.Snapshots, s.Moved, s.Fired = st.Snapshots, st.Moved, st.Fired
	s.Errors, s.Corrections, s.Starved = st.Errors, st.Corrections, st.Starved
	s.BytesPerSecond = float64(st.BytesIn) / s.Seconds
	s.KnownMean = g.knownSum / float64(max(g.knownFrames, 1))
	s.Reason = g.client.Reason()
	if l := g.client.Level().Level; l != nil {
		s.Level = l.Name
	}
	if g.cfg.ServerStats != nil {
		s.Server = g.cfg.ServerStats()
	}
	g.keepPicture()
}

// keepPicture writes the screenshot of the end.
func (g *game) keepPicture() {
	s := &g.sum
	if g.cfg.Screenshot == "" || !g.best.kept {
		return
	}
	img, err := g.develop()
	if err == nil {
		s.NotBlank, s.EnemyInShot = notBlank(img), g.best.score > 0
		err = writePNG(g.cfg.Screenshot, img)
	}
	if err != nil {
		g.log.Error("the picture could not be written", "error", err)
		return
	}
	s.Screenshot = g.cfg.Screenshot
}

// moment is a frame kept for the end, to be drawn then with more care than there was
// time for.
type moment struct {
	frame scene.Frame
	kept  bool
	score float32
	at    int64
	w, h  int
}

// momentEveryNS is how often at most a frame without anybody in it replaces another.
const momentEveryNS = 1_000_000_000

// pictures looks for the best moment and takes the screenshots that are due, after a
// frame was drawn.
func (g *game) pictures(now int64, w, h int) {
	size, seen := g.stage.Enemy()
	seen = seen && g.view.Alive
	if seen {
		g.sum.EnemySeenFrames++
	}
	g.screenshot(w, h)
	if g.cfg.Screenshot == "" || !g.sum.Joined {
		return
	}
	score := float32(0)
	if seen {
		// An enemy that fills the view says less than one in front of the level, and
		// a weapon in hand belongs to the picture.
		score = min(size, 0.4) * (1 - 0.5*vec.Clamp(g.stage.raise, 0, 1))
		if g.client.Phase().Phase != rules.Live {
			score *= 0.4
		}
		score *= 1 + 0.1*min(float32(len(g.frame.Beams)+len(g.frame.Projectiles)), 3)
	}
	b := &g.best
	if !b.kept || score > b.score*1.02 || score == 0 && b.score == 0 && now-b.at > momentEveryNS {
		b.kept, b.score, b.at, b.w, b.h = true, score, now, w, h
		copyFrame(&b.frame, &g.frame)
	}
}

// screenshot writes the picture that was asked for, if any.
func (g *game) screenshot(w, h int) {
	if g.shot != "" {
		img, err := g.draw.Screenshot(&g.frame, w, h)
		if err == nil {
			err = writePNG(g.shot, img)
		}
		if err != nil {
			fmt.Fprintln(g.overlay, "screenshot:", err)
		} else {
			fmt.Fprintln(g.overlay, "wrote "+g.shot)
		}
		g.shot = ""
	}
}

// develop draws the best moment with everything that makes a picture better.
func (g *game) develop() (*image.NRGBA, error) {
	fast := g.draw.Options()
	fine := fast
	fine.Samples, fine.Bloom, fine.Scale = max(fast.Samples, min(4, g.dev.Info().MaxSamples)), true, max(fast.Scale, 1)
	g.draw.SetOptions(fine)
	defer g.draw.SetOptions(fast)
	return g.draw.Screenshot(&g.best.frame, g.best.w, g.best.h)
}

// copyFrame makes a frame that shares nothing with another.
func copyFrame(to, from *scene.Frame) {
	old := *to
	*to = *from
	to.Models = append(old.Models[:0], from.Models...)
	to.Figures = append(old.Figures[:0], from.Figures...)
	to.Items = append(old.Items[:0], from.Items...)
	to.Projectiles = append(old.Projectiles[:0], from.Projectiles...)
	to.Beams = append(old.Beams[:0], from.Beams...)
	to.Sprites = append(old.Sprites[:0], from.Sprites...)
	to.Lights = append(old.Lights[:0], from.Lights...)
	to.Lines = append(old.Lines[:0], from.Lines...)
	to.HUD.Marks = append(old.HUD.Marks[:0], from.HUD.Marks...)
	to.HUD.Bytes = append(old.HUD.Bytes[:0], from.HUD.Bytes...)
}

// notBlank reports whether a picture has something on it: the brightness of its
// pixels varies.
func notBlank(img *image.NRGBA) bool {
	var n, sum, sq float64
	for i := 0; i+3 < len(img.Pix); i += 4 * 7 {
		l := float64(img.Pix[i])*0.3 + float64(img.Pix[i+1])*0.6 + float64(img.Pix[i+2])*0.1
		n, sum, sq = n+1, sum+l, sq+l*l
	}
	if n == 0 {
		return false
	}
	mean := sum / n
	return sq/n-mean*mean > 40
}

func writePNG(file string, img image.Image) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("write picture: %w", err)
	}
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("write picture: %w", err)
	}
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	err = e.Encode(f, img)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("write picture %s: %w", file, err)
	}
	return nil
}

// shotName chooses the file of a screenshot.
func shotName(dir, name string) (string, error) {
	dir = filepath.Join(dir, "screenshots")
	if name != "" {
		if strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") || len(name) > 64 {
			return "", errors.New("screenshot: a name has no slashes, colons or leading dot, and at most 64 bytes")
		}
		return filepath.Join(dir, strings.TrimSuffix(name, ".png")+".png"), nil
	}
	for i := 1; i < 10000; i++ {
		file := filepath.Join(dir, fmt.Sprintf("shot%04d.png", i))
		if _, err := os.Lstat(file); errors.Is(err, os.ErrNotExist) {
			return file, nil
		}
	}
	return "", errors.New("screenshot: the folder has 9999 of them; move some away")
}

// overlook is where a level is looked at from while there is nobody to look
// through: over a place to enter.
func overlook(l *level.Level) vec.V3 {
	if len(l.Spawns) > 0 {
		p := l.Spawns[0].Pos
		p.Z += 2.2
		return p
	}
	return l.Bounds.Center()
}
