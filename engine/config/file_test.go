//go:build unix

package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sightline-engine/sightline/engine/config"
)

func TestReadFileTakesRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{
		os.Mkdir(filepath.Join(dir, "folder.toml"), 0o700),
		os.WriteFile(filepath.Join(dir, "good.toml"), []byte("a = 1"), 0o600),
		os.WriteFile(filepath.Join(dir, "big.toml"), make([]byte, config.MaxSize+1), 0o600),
		syscall.Mkfifo(filepath.Join(dir, "pipe.toml"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if data, err := config.ReadFile(os.DirFS(dir), "good.toml"); err != nil || string(data) != "a = 1" {
		t.Error(string(data), err)
	}
	for name, want := range map[string]string{
		"folder.toml": "folder.toml: is a folder", "big.toml": "is longer than", "pipe.toml": "is not a regular file",
		"none.toml": "none.toml: file does not exist", "../x": "invalid",
	} {
		if _, err := config.ReadFile(os.DirFS(dir), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
