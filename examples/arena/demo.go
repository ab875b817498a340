package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/engine/desktop"
)

// show plays a demo in the window. What cannot be played is refused before one is
// opened.
func show(cfg desktop.Config, o options, out io.Writer) error {
	r, done, err := demo.OpenFile(o.demo)
	if err != nil {
		return err
	}
	defer done()
	info := r.Info()
	if err := info.Cut(); err != nil {
		if !o.partial {
			return fmt.Errorf("%s: %w; -partial plays those", o.demo, err)
		}
		cfg.Log.Warn("demo", "file", o.demo, "error", err)
	}
	began := time.Now()
	cfg.Now = func() int64 { return int64(time.Since(began)) + 1 }
	sum, err := desktop.RunDemo(cfg, r, filepath.Base(o.demo))
	if cfg.Seconds > 0 && sum.Renderer != "" {
		sum.Print(out)
	}
	return err
}
