package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// LockName is the file of a plugin folder that says which of the plugins in it may
// run; sightline plugin lock writes it.
const LockName = "plugins.lock"

// maxSmall is how long a manifest or a lock file may be.
const maxSmall = 1 << 20

// Lock is a lock file.
type Lock struct{ Plugin []Locked }

// Locked is one plugin that may run.
type Locked struct {
	File    string // its name in the folder
	SHA256  string // of its bytes, in hexadecimal
	Kind    string // "policy" or "rules"
	Name    string
	Version string
}

// Manifest is what a file NAME.toml beside the plugin NAME says of it: what is left
// out is not checked.
type Manifest struct {
	Kind    string
	Name    string
	Version string
	API     uint32 // major of the kind's contract
	SHA256  string
}

// FileHash returns the SHA-256 of a file in hexadecimal.
func FileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// small reads a file of at most maxSmall bytes; nil when there is none.
func small(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSmall+1))
	if err == nil && len(b) > maxSmall {
		err = fmt.Errorf("%s has more than %d bytes", path, maxSmall)
	}
	return b, err
}

// ReadLock reads the lock file of a folder; nil when there is none.
func ReadLock(dir string, decode Decode) (*Lock, error) {
	path := filepath.Join(dir, LockName)
	b, err := small(path)
	if b == nil || err != nil {
		return nil, err
	}
	l := &Lock{}
	if err := decode(path, b, l); err != nil {
		return nil, err
	}
	return l, nil
}

// Find returns the entry of a file, nil when there is none.
func (l *Lock) Find(file string) *Locked {
	for i := range l.Plugin {
		if l.Plugin[i].File == file {
			return &l.Plugin[i]
		}
	}
	return nil
}

// readManifest reads what lies beside a plugin; nil when nothing does.
func readManifest(path string, decode Decode) (*Manifest, error) {
	file := strings.TrimSuffix(path, ".exe") + ".toml"
	b, err := small(file)
	if b == nil || err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := decode(file, b, m); err != nil {
		return nil, err
	}
	return m, nil
}

// allowed says why a file may not be run by what its manifest and the folder's lock
// say, "" when it may. It reads them anew each time: a plugin may have been replaced.
func (s *starter) allowed() (why string, err error) {
	if s.cfg.Decode == nil {
		if s.cfg.LockedOnly {
			return "may not run: only locked plugins may, and lock files are not read here", fs.ErrPermission
		}
		return "", nil
	}
	const mend = "if that is right: sightline plugin lock "
	dir, file := filepath.Split(s.path)
	dir = filepath.Clean(dir)
	lock, err := ReadLock(dir, s.cfg.Decode)
	if err != nil {
		return fmt.Sprintf("may not run: its folder's lock cannot be read: %v", err), err
	}
	if s.manifest, err = readManifest(s.path, s.cfg.Decode); err != nil {
		return fmt.Sprintf("may not run: its manifest cannot be read: %v", err), err
	}
	var entry *Locked
	if lock != nil {
		entry = lock.Find(file)
	}
	if entry == nil && s.cfg.LockedOnly {
		return fmt.Sprintf("is not in %s, and only plugins that are may run here; %s%s", filepath.Join(dir, LockName), mend, dir), fs.ErrPermission
	}
	want, where := "", ""
	switch {
	case entry != nil:
		want, where = entry.SHA256, filepath.Join(dir, LockName)
	case s.manifest != nil && s.manifest.SHA256 != "":
		want, where = s.manifest.SHA256, "its manifest"
	default:
		return "", nil
	}
	have, err := FileHash(s.path)
	if err != nil {
		return fmt.Sprintf("cannot be read: %v", err), err
	}
	if !strings.EqualFold(have, want) {
		return fmt.Sprintf("is not the file that was allowed: %s has SHA-256 %.16s…, %s says %.16s…; %s%s", s.path, have, where, want, mend, dir), fs.ErrPermission
	}
	return "", nil
}

// agrees says what of the manifest is not so, "" when all is.
func (m *Manifest) agrees(kind, name, version string, api uint32) string {
	switch {
	case m == nil:
	case m.Kind != "" && m.Kind != kind:
		return fmt.Sprintf("says it is a %s plugin, its manifest says %s", kind, m.Kind)
	case m.Name != "" && m.Name != name:
		return fmt.Sprintf("says its name is %q, its manifest says %q", name, m.Name)
	case m.Version != "" && m.Version != version:
		return fmt.Sprintf("says it is version %q, its manifest says %q: one of the two is older", version, m.Version)
	case m.API != 0 && m.API != api:
		return fmt.Sprintf("speaks contract %d, its manifest says %d: one of the two is older", api, m.API)
	}
	return ""
}
