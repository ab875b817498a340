package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
)

// player is the program that plays a demo in a window. sightline itself has no
// window in it.
const player = "arena"

func newDemoPlay() *cobra.Command {
	var partial bool
	var folder string
	c := &cobra.Command{
		Use:   "play FILE [-- ARENA FLAGS]",
		Short: "Play a demo in a window: runs arena -demo FILE",
		Long: `Plays a demo in arena's window, which lies beside sightline or in the search
path: play, pause, seek, speed, any player's view, a free camera, and what one
client knew. F1 in the window lists the keys. What follows -- is given to arena:

  sightline demo play a.sldemo -- -width 1920 -height 1080 -assets maps`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// A file that cannot be played is refused here, before a window opens.
			r, done, err := openDemo(args[0])
			if err != nil {
				return err
			}
			done()
			if err := whole(args[0], r, partial); err != nil {
				return err
			}
			prog, err := findPlayer(folder)
			if err != nil {
				return fmt.Errorf("%w; then: arena -demo %s", err, args[0])
			}
			words := []string{"-demo", args[0]}
			if partial {
				words = append(words, "-partial")
			}
			p := exec.CommandContext(cmd.Context(), prog, append(words, args[1:]...)...)
			p.Stdin, p.Stdout, p.Stderr = os.Stdin, cmd.OutOrStdout(), cmd.ErrOrStderr()
			err = p.Run()
			var end *exec.ExitError
			if errors.As(err, &end) {
				return fmt.Errorf("%s ended with status %d", prog, end.ExitCode())
			}
			return err
		},
	}
	c.Flags().BoolVar(&partial, "partial", false, "play what is whole of a demo that was cut off")
	c.Flags().StringVar(&folder, "arena", "", "folder of the arena program; empty: beside sightline, then the search path")
	return c
}

// findPlayer returns the path of arena: in a folder, or beside this program and then
// in the search path.
func findPlayer(folder string) (string, error) {
	name := player
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dirs := []string{folder}
	if folder == "" {
		dirs = dirs[:0]
		if exe, err := os.Executable(); err == nil {
			dirs = append(dirs, filepath.Dir(exe))
		}
	}
	for _, dir := range dirs {
		p := filepath.Join(dir, name)
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() {
			return filepath.Abs(p)
		}
	}
	if folder == "" {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
		return "", errors.New("arena is neither beside sightline nor in the search path: make arena builds it into bin")
	}
	return "", fmt.Errorf("there is no %s in %s: make arena builds it into bin", name, folder)
}
