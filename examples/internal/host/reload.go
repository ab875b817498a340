package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
)

// reload reads the file of settings anew. All of it is checked before any of it takes
// effect: a file with a mistake changes nothing.
func (h *Host) reload(c *console.Call) error {
	s := h.set
	if s.file == "" {
		return errors.New("reload: there is no file of settings: the server was started without -config")
	}
	doc, err := readSettings(s.file)
	if err != nil {
		return fmt.Errorf("reload: every setting stays as it was: %w", err)
	}
	before := map[string]string{}
	for _, v := range s.reg.Vars("") {
		before[v.Name] = v.Value
	}
	waits, err := doc.Vars(s.reg, console.LayerHost)
	if err != nil {
		return fmt.Errorf("reload: every setting stays as it was: %w", err)
	}
	n := 0
	for _, v := range s.reg.Vars("") {
		if v.Value != before[v.Name] {
			c.Printf("%s is %s now\n", v.Name, v.Value)
			n++
		}
	}
	for _, name := range waits {
		v, _ := s.reg.Lookup(name)
		until := "the next level"
		if v.Flags&console.Restart != 0 {
			until = "a restart of the server"
		}
		c.Printf("%s stays %s until %s\n", name, v.Value, until)
	}
	if n+len(waits) == 0 {
		c.Printf("%s says nothing new\n", s.file)
	}
	return nil
}

// readSettings reads a file of settings as far as one can without knowing them.
func readSettings(file string) (*config.Doc, error) {
	dir, base := filepath.Split(filepath.Clean(file))
	data, err := config.ReadFile(os.DirFS(filepath.Clean(dir)), base)
	if err != nil {
		return nil, fmt.Errorf("%s%w", dir, err) // which names the file without its folder
	}
	return config.Parse(file, data)
}
