//go:build unix

package plugintest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sightline-engine/sightline/plugins/plugintest"
)

func TestShippedBinariesConform(t *testing.T) {
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "../policy-deaddrop", "../policy-open", "../rules-bomb")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	plugintest.Binary(t, filepath.Join(dir, "policy-deaddrop"), plugintest.Options{Settings: map[string]string{"hold_ms": "300"}})
	plugintest.Binary(t, filepath.Join(dir, "policy-open"), plugintest.Options{SendsHidden: true})
	plugintest.Binary(t, filepath.Join(dir, "rules-bomb"), plugintest.Options{Settings: map[string]string{"warmup_s": "1", "freeze_s": "1"}})
}
