package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
)

// maxBenchLog is how many bytes a process of a match logs at most: ten minutes of a
// hundred players.
const maxBenchLog = 1 << 30

// benchLog is a log that a process of a match writes, W, and its file. The nil benchLog
// logs nothing.
type benchLog[W interface{ End() (bool, error) }] struct {
	w    W
	file *os.File
}

// createLog creates a log; without a path there is none.
func createLog[W interface{ End() (bool, error) }](path string, begin func(*os.File) W) (*benchLog[W], error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &benchLog[W]{begin(f), f}, nil
}

// finish ends the log, and says whether it was full. The process may go on.
func (l *benchLog[W]) finish() (full bool, err error) {
	if l == nil {
		return false, nil
	}
	return l.w.End()
}

func (l *benchLog[W]) close() {
	if l != nil {
		l.file.Close()
	}
}

func truthLog(path string) (*benchLog[*scenario.TruthLog], error) {
	return createLog(path, func(f *os.File) *scenario.TruthLog { return scenario.NewTruthLog(f, maxBenchLog) })
}

func eyeLog(path string) (*benchLog[*scenario.EyeLog], error) {
	return createLog(path, func(f *os.File) *scenario.EyeLog { return scenario.NewEyeLog(f, maxBenchLog) })
}

// compareLogs compares what the processes of a match have logged.
func compareLogs(o *scenario.Onlooker, truth string, eyes []string) (err error) {
	var files []*os.File
	defer func() {
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
	}()
	open := func(path string) (*os.File, error) {
		f, err := os.Open(path)
		if err == nil {
			files = append(files, f)
		}
		return f, err
	}
	f, err := open(truth)
	if err != nil {
		return err
	}
	t, err := scenario.NewTruthReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(truth), err)
	}
	var readers []*scenario.EyeReader
	for _, path := range eyes {
		if f, err = open(path); err != nil {
			return err
		}
		r, err := scenario.NewEyeReader(f)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		readers = append(readers, r)
	}
	return o.Compare(t, readers)
}

// look compares the logs of a match that is over and fills in what they say.
func (l *live) look(fig *scenario.Figures) error {
	if l.full {
		fmt.Fprintln(l.errs, "the match was too long for its logs: only a part of it is compared for who was late")
	}
	set := tables.Arena()
	o := scenario.NewOnlooker(l.level, &set, l.f.Tick)
	o.Range = vis.DefaultRange
	if err := compareLogs(o, l.truthFile(), l.eyeFiles()); err != nil {
		return err
	}
	fig.Looked(&o.Complete)
	return nil
}

func (l *live) truthFile() string { return filepath.Join(l.dir, "truth.log") }

func (l *live) eyeFile(crew int) string {
	return filepath.Join(l.dir, fmt.Sprintf("crew%d.log", crew+1))
}

func (l *live) eyeFiles() (out []string) {
	for i := range l.crews {
		out = append(out, l.eyeFile(i))
	}
	return out
}
