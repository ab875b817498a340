//go:build linux

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The five commands that plugins/README.md gives somebody new, exactly as they stand
// there: from a module that does not exist to its policy deciding a match that runs.
func TestFiveCommandsToAPolicyOfOnesOwn(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "plugins", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "five commands")
	_, rest, ok2 := strings.Cut(rest, "```sh\n")
	block, _, ok3 := strings.Cut(rest, "```")
	cmds := strings.Split(strings.TrimSpace(block), "\n")
	if !ok || !ok2 || !ok3 || len(cmds) != 5 {
		t.Fatalf("the page gives %q", cmds)
	}
	// Only the folders are others: the repository is not written to.
	mine := filepath.Join(t.TempDir(), "policy-mine")
	place := strings.NewReplacer("../policy-mine", mine, "bin/", bin+"/", "-plugins bin", "-plugins "+bin)
	for _, line := range cmds[:2] {
		cmd := exec.Command("sh", "-c", place.Replace(line))
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "PLUGINS="+bin)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	words := strings.Fields(place.Replace(cmds[2]))
	if words[0] != filepath.Join(bin, "arenad") {
		t.Fatalf("%q", words)
	}
	p := launch(t, true, append(words[1:], "+set", "sv.port", "0", "+set", "plugin.wait", "true")...)
	old := p.status().policy
	p.tell(cmds[3])
	p.until("the shadow", func() bool { return strings.Contains(p.out.String(), "policy-mine judges every tick") })
	p.tell(cmds[4])
	p.until("the change", func() bool { return strings.Contains(p.log.String(), "policy-mine decides") })
	if now := p.status(); now.policy == old || !strings.Contains(now.text, "policy-mine") {
		t.Errorf("%s", now.text)
	}
}
