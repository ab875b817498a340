package desktop_test

import (
	"errors"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/render/display"
)

var (
	keep = flag.String("keep", "", "folder for pictures to look at")
	main = display.NewRunner()
)

// TestMain keeps the main thread for windows and runs the tests beside it.
func TestMain(m *testing.M) { os.Exit(main.Main(m)) }

// onMain runs f on the main thread; it skips the test where there is no display.
func onMain(t testing.TB, f func() error) {
	t.Helper()
	err := errors.New("ended early")
	main.Do(t, func() { err = f() })
	if err != nil {
		t.Fatal(err)
	}
}

// shipped loads a map that ships with the engine.
func shipped(t testing.TB, name string) *level.Level {
	t.Helper()
	file := filepath.Join("..", "..", "examples", "arena", "maps", name+".map")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	l, err := load.Bytes(name+".map", data, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// look keeps a picture for a person, with -keep.
func look(t testing.TB, name string, img image.Image) {
	t.Helper()
	if *keep == "" {
		return
	}
	f, err := os.Create(filepath.Join(*keep, name+".png"))
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Error(err)
	}
}
