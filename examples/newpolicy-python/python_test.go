//go:build linux

package python_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// The policy in Python keeps the contract as those in Go do.
func TestPythonPolicyConforms(t *testing.T) {
	if out, err := exec.Command("/usr/bin/python3", "-c", "import grpc, google.protobuf").CombinedOutput(); err != nil {
		t.Skipf("Python's packages are not there (apt install python3-grpcio python3-protobuf): %v %s", err, out)
	}
	file, err := filepath.Abs("policy-distance")
	if err != nil {
		t.Fatal(err)
	}
	plugintest.Binary(t, file, plugintest.Options{SendsHidden: true})
}

func TestRunByHandItSaysWhatItIs(t *testing.T) {
	if _, err := exec.LookPath("/usr/bin/python3"); err != nil {
		t.Skip("needs /usr/bin/python3 (apt-get install python3)")
	}
	cmd := exec.Command("./policy-distance")
	cmd.Env = []string{}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "this is a Sightline plugin") {
		t.Errorf("%v: %s", err, out)
	}
}
