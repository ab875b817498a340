package host

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"
)

// StartError says in one sentence why a plugin did not start, what it wrote last,
// and which file it was.
type StartError struct {
	Plugin string   // as it was asked for
	Path   string   // "" when no file was found
	Why    string   // one clause: "is not executable (chmod +x …)"
	Stderr []string // the last lines it wrote
	Err    error
}

func (e *StartError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "plugin %s %s", e.Plugin, e.Why)
	if len(e.Stderr) > 0 {
		b.WriteString("; it wrote last:")
		for _, l := range e.Stderr {
			b.WriteString("\n    " + l)
		}
	}
	return b.String()
}

func (e *StartError) Unwrap() error { return e.Err }

// Find returns the file of a plugin by its name, from the first folder that has
// one.
func Find(name string, dirs []string) (string, error) {
	file := name
	if runtime.GOOS == "windows" && filepath.Ext(file) == "" {
		file += ".exe"
	}
	if name == "" || filepath.Base(name) != name || name == "." || name == ".." {
		return "", &StartError{Plugin: fmt.Sprintf("%q", name), Why: "has no name that a file in a plugin folder can have"}
	}
	for _, d := range dirs {
		p := filepath.Join(d, file)
		if _, err := os.Stat(p); err == nil {
			return filepath.Abs(p)
		}
	}
	where := "no folder to look in was given"
	if len(dirs) > 0 {
		where = "looked in " + strings.Join(dirs, ", ")
	}
	return "", &StartError{Plugin: name, Why: "was not found: " + where + " (build it with: make plugins)", Err: fs.ErrNotExist}
}

// examine refuses a file that cannot be a plugin of this machine, before it is
// run. "" means: try.
func examine(path string) (why string, err error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "was not found: there is no file " + path, err
	case err != nil:
		return fmt.Sprintf("cannot be looked at: %v", err), err
	case st.IsDir():
		return "is a folder, not a program: " + path, errFolder
	case !st.Mode().IsRegular():
		return "is not a plain file: " + path, fs.ErrInvalid
	case runtime.GOOS != "windows" && st.Mode()&0o111 == 0:
		return fmt.Sprintf("is not executable: mend it with: chmod +x %s", path), fs.ErrPermission
	}
	f, err := os.Open(path)
	if err != nil {
		return "", nil // may be run though not read: exec will tell
	}
	defer f.Close()
	head := make([]byte, 256)
	n, err := io.ReadFull(f, head)
	head = head[:n]
	switch {
	case n == 0:
		return "is an empty file: " + path, err
	case strings.HasPrefix(string(head), "#!"):
		return "", nil
	case strings.HasPrefix(string(head), "\x7fELF"):
		return examineELF(head, path)
	case runtime.GOOS != "windows" && strings.HasPrefix(string(head), "MZ"):
		return "is a program for Windows: " + path, fs.ErrInvalid
	case isText(head):
		return fmt.Sprintf("is a text file, not a program: %s begins with %q", path, string(head[:min(n, 24)])), fs.ErrInvalid
	}
	return "", nil
}

var errFolder = errors.New("is a folder")

// elfMachine is the processor that a name of Go stands for.
func elfMachine(goarch string) elf.Machine {
	switch goarch {
	case "amd64":
		return elf.EM_X86_64
	case "arm64":
		return elf.EM_AARCH64
	}
	return elf.EM_NONE
}

func examineELF(head []byte, path string) (string, error) {
	if runtime.GOOS != "linux" {
		return "is a program for another system (ELF): " + path, fs.ErrInvalid
	}
	if len(head) < 20 {
		return "is a damaged program: " + path, fs.ErrInvalid
	}
	machine := elf.Machine(binary.LittleEndian.Uint16(head[18:]))
	if elf.Data(head[elf.EI_DATA]) == elf.ELFDATA2MSB {
		machine = elf.Machine(binary.BigEndian.Uint16(head[18:]))
	}
	if want := elfMachine(runtime.GOARCH); want != elf.EM_NONE && machine != want {
		return fmt.Sprintf("is built for another processor (%s, this is %s): %s", machine, runtime.GOARCH, path), fs.ErrInvalid
	}
	return "", nil
}

func isText(b []byte) bool {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 && len(b)-i > 3 || r < ' ' && r != '\n' && r != '\r' && r != '\t' {
			return false
		}
		i += n
	}
	return true
}
