package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
)

// templates are the files of a new module: those beside the folders are of both kinds.
//
//go:embed newplugin
var templates embed.FS

const engineModule = "github.com/sightline-engine/sightline"

// newModule is what the templates are filled in with.
type newModule struct {
	Kind, Name string
	Engine     string // folder of the engine's source
	Go         string // its version of the language
	Requires   string // what the engine requires, each with its version
}

func newPluginNew() *cobra.Command {
	var dir, engine string
	c := &cobra.Command{
		Use:   "new policy|rules NAME",
		Short: "Write a module of one's own that builds and passes as it stands",
		Long: "Writes a module outside of the engine: a first policy or first rules, tests that call the\n" +
			"conformance kit, a Makefile and a README. make in it tests, builds and installs the plugin.\n" +
			"Nothing that exists is overwritten.",
		Example: "  sightline plugin new policy mine --dir ../policy-mine",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := moduleOf(args[0], args[1], engine)
			if err != nil {
				return err
			}
			if dir == "" {
				dir = m.Kind + "-" + m.Name
			}
			if err := m.write(dir); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s-%s is written. Next: make -C %s\n", dir, m.Kind, m.Name, dir)
			return nil
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "the folder to write it into (KIND-NAME here when empty)")
	c.Flags().StringVar(&engine, "engine", "", "the folder of the engine's source (found from here, or from this program, when empty)")
	return c
}

var pluginName = regexp.MustCompile(`^[a-z][a-z0-9]{0,23}$`)

func moduleOf(kind, name, engine string) (*newModule, error) {
	if kind != "policy" && kind != "rules" {
		return nil, fmt.Errorf("plugin new: there is no kind %q: say policy or rules", kind)
	}
	if !pluginName.MatchString(name) {
		return nil, fmt.Errorf("plugin new: %q cannot be a name: small letters and digits, a letter first, 24 at most", name)
	}
	m := &newModule{Kind: kind, Name: name}
	var err error
	if m.Engine, err = engineDir(engine); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(m.Engine, "plugins", kind+"-"+name)); err == nil {
		return nil, fmt.Errorf("plugin new: %s-%s is one of the engine's own: choose another name", kind, name)
	}
	return m, m.versions()
}

// engineDir finds the engine's source: given, or above here, or above this program.
func engineDir(given string) (string, error) {
	var from []string
	if given != "" {
		from = []string{given}
	} else {
		if wd, err := os.Getwd(); err == nil {
			from = append(from, wd)
		}
		if exe, err := os.Executable(); err == nil {
			from = append(from, filepath.Dir(exe))
		}
	}
	for _, dir := range from {
		dir, err := filepath.Abs(dir)
		for err == nil {
			if isEngine(dir) {
				return dir, nil
			}
			up := filepath.Dir(dir)
			if up == dir || given != "" {
				break
			}
			dir = up
		}
	}
	if given != "" {
		return "", fmt.Errorf("plugin new: %s is not the engine's source: its go.mod does not say module %s", given, engineModule)
	}
	return "", errors.New("plugin new: the engine's source is not above here: name its folder with --engine")
}

func isEngine(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && bytes.HasPrefix(b, []byte("module "+engineModule+"\n"))
}

// versions takes over what the engine requires, so that the new module builds with
// the same and needs no list of versions from anywhere.
func (m *newModule) versions() error {
	b, err := os.ReadFile(filepath.Join(m.Engine, "go.mod"))
	if err != nil {
		return err
	}
	var req strings.Builder
	in := false
	for _, line := range strings.Split(string(b), "\n") {
		line = strings.TrimRight(line, "\r")
		switch {
		case strings.HasPrefix(line, "go "):
			m.Go = strings.TrimSpace(line[3:])
		case line == "require (":
			in = true
			req.WriteString("require (\n")
		case in && line == ")":
			in = false
			req.WriteString(")\n")
		case in:
			mod, _, _ := strings.Cut(strings.TrimSpace(line), "//")
			if mod != "" {
				req.WriteString("\t" + strings.TrimSpace(mod) + " // indirect\n")
			}
		}
	}
	m.Requires = req.String()
	if m.Go == "" || m.Requires == "" {
		return fmt.Errorf("plugin new: %s says no version of Go or no requirements", filepath.Join(m.Engine, "go.mod"))
	}
	return nil
}

// files returns the module's files by name.
func (m *newModule) files() (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, dir := range []string{"newplugin", "newplugin/" + m.Kind} {
		names, err := fs.ReadDir(templates, dir)
		if err != nil {
			return nil, err
		}
		for _, e := range names {
			if e.IsDir() {
				continue
			}
			text, err := fs.ReadFile(templates, path.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			t, err := template.New(e.Name()).Delims("<%", "%>").Parse(string(text))
			if err != nil {
				return nil, err
			}
			var b bytes.Buffer
			if err := t.Execute(&b, m); err != nil {
				return nil, err
			}
			name := strings.TrimSuffix(e.Name(), ".tmpl")
			if name == "gitignore" {
				name = ".gitignore"
			}
			out[name] = b.Bytes()
		}
	}
	sums, err := os.ReadFile(filepath.Join(m.Engine, "go.sum"))
	if err != nil {
		return nil, err
	}
	out["go.sum"] = sums
	return out, nil
}

// write makes the folder, which must not hold anything yet.
func (m *newModule) write(dir string) error {
	files, err := m.files()
	if err != nil {
		return err
	}
	if there, err := os.ReadDir(dir); err == nil && len(there) > 0 {
		return fmt.Errorf("plugin new: %s holds something already (%s): name another folder with --dir", dir, there[0].Name())
	}
	if abs, err := filepath.Abs(dir); err == nil {
		if rel, err := filepath.Rel(m.Engine, abs); err == nil && !strings.HasPrefix(rel, "..") {
			return fmt.Errorf("plugin new: %s lies inside of the engine's source: name a folder outside of it with --dir", dir)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("plugin new: %w", err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return fmt.Errorf("plugin new: %w", err)
		}
	}
	return nil
}
