//go:build linux

package main_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/demo"
)

// Report S-24: a server that is told to end completes the demo that it records.
func TestSignalCompletesTheDemo(t *testing.T) {
	dir := t.TempDir()
	p := launch(t, true, "+set", "sv.port", "0", "+set", "sv.bots", "2", "+set", "demo.auto", "true", "+set", "demo.folder", dir)
	p.until("play", func() bool { a := p.status(); return a.clients == 2 && a.tick > 64 })
	syscall.Kill(p.cmd.Process.Pid, syscall.SIGTERM)
	if code := p.end(5 * time.Second); code != 0 {
		t.Errorf("exit status %d\n%s", code, p.log.String())
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*"+demo.Ext))
	if len(names) != 1 {
		t.Fatal(names, p.log.String())
	}
	r, done, err := demo.OpenFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if i := r.Info(); i.Cut() != nil || i.Frames < 30 {
		t.Errorf("%+v", i)
	}
}
