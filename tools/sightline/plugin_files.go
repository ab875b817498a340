package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/plugins/host"
)

// quietHost is how the commands start a plugin: nothing of its log is shown but what
// a failed start quotes.
func quietHost(path string) host.Config {
	return host.Config{Path: path, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Engine: "sightline"}
}

func newPluginList() *cobra.Command {
	return &cobra.Command{
		Use:   "list FOLDER...",
		Short: "List the plugins of folders, and whether their lock files let them run",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
			fmt.Fprintln(w, "FILE\tKIND\tNAME\tVERSION\tLOCK\tWHAT IT DOES")
			n := 0
			for _, dir := range dirs {
				files, err := host.Scan(dir)
				if err != nil {
					return fmt.Errorf("plugin list: %w", err)
				}
				lock, err := host.ReadLock(dir, config.DecodeStrict)
				if err != nil {
					return fmt.Errorf("plugin list: %w", err)
				}
				for _, file := range files {
					n++
					d, err := host.Describe(cmd.Context(), quietHost(file))
					if err != nil {
						fmt.Fprintf(w, "%s\t\t\t\t\tdoes not start: %s\n", file, firstLine(err.Error()))
						continue
					}
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", file, d.Kind, d.Name, d.Version, lockState(lock, file, d.SHA256), d.Help)
				}
			}
			if err := w.Flush(); err != nil {
				return err
			}
			if n == 0 {
				return fmt.Errorf("plugin list: no file in %s is named policy-… or rules-… (make plugins builds the shipped ones into bin)", strings.Join(dirs, ", "))
			}
			return nil
		},
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// lockState says in a word what a folder's lock file makes of a plugin.
func lockState(lock *host.Lock, file, hash string) string {
	if lock == nil {
		return "no lock file"
	}
	switch e := lock.Find(filepath.Base(file)); {
	case e == nil:
		return "not locked"
	case !strings.EqualFold(e.SHA256, hash):
		return "changed"
	}
	return "locked"
}

func newPluginInfo() *cobra.Command {
	return &cobra.Command{
		Use:   "info FILE",
		Short: "Say what a plugin is and which settings it has",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := host.Describe(cmd.Context(), quietHost(args[0]))
			if err != nil {
				return fmt.Errorf("plugin info: %w", err)
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "%s %s, version %s, contract %d.%d\n%s\nsha256 %s\n", d.Kind, d.Name, d.Version, d.Major, d.Minor, d.Help, d.SHA256)
			if len(d.Settings) == 0 {
				return nil
			}
			w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
			fmt.Fprintln(w, "\nSETTING\tDEFAULT\tALLOWED\tUNIT\tWHAT IT DOES")
			for _, s := range d.Settings {
				fmt.Fprintf(w, "%s\t%g\t%g to %g\t%s\t%s\n", s.Name, s.Default, s.Min, s.Max, s.Unit, s.Help)
			}
			return w.Flush()
		},
	}
}

func newPluginLock() *cobra.Command {
	return &cobra.Command{
		Use:   "lock FOLDER",
		Short: "Write down which plugins of a folder may run, with their hashes",
		Long: "Asks every plugin of the folder who it is and writes " + host.LockName + " there. A server then\n" +
			"refuses a file that has changed since; one with sv.competitive true, or plugin.unlocked\n" +
			"false, runs no others.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			files, err := host.Scan(dir)
			if err != nil {
				return fmt.Errorf("plugin lock: %w", err)
			}
			if len(files) == 0 {
				return fmt.Errorf("plugin lock: no file in %s is named policy-… or rules-…", dir)
			}
			var b strings.Builder
			b.WriteString("# Written by sightline plugin lock: the plugins of this folder that may run.\n")
			for _, file := range files {
				d, err := host.Describe(cmd.Context(), quietHost(file))
				if err != nil {
					return fmt.Errorf("plugin lock: nothing is written: %w", err)
				}
				fmt.Fprintf(&b, "\n[[plugin]]\nfile = %q\nsha256 = %q\nkind = %q\nname = %q\nversion = %q\n",
					filepath.Base(file), d.SHA256, d.Kind, d.Name, d.Version)
				fmt.Fprintf(cmd.OutOrStdout(), "%s  %s %s %s\n", d.SHA256, d.Kind, d.Name, d.Version)
			}
			return replaceFile(filepath.Join(dir, host.LockName), []byte(b.String()))
		},
	}
}

// replaceFile puts a file into place in one step: a server that reads it at the same
// moment reads the old one or the new one.
func replaceFile(path string, data []byte) error {
	tmp := path + ".new"
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}
