package asset

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// MapRef is how a local user names a map, taken apart.
type MapRef struct {
	Archive string // path of a .pk3 on disk, with Inner; or
	Inner   string // clean name inside Archive
	Disk    string // path of a .map or .bsp on disk; or
	Name    string // name to be found in the search path
}

// ParseMapRef takes a reference apart without looking at the disk:
//
//	some.pk3:maps/x.bsp    a map inside an archive
//	levels/x.map           a file
//	x                      maps/x.bsp or maps/x.map of the search path
//
// It is for what the user of this machine types: a Disk or Archive path may lie
// anywhere. A name that came over the net goes through MapName and
// Path.OpenMapName instead.
func ParseMapRef(ref string) (MapRef, error) {
	lower := []byte(ref) // byte for byte: strings.ToLower may change the length
	for i, b := range lower {
		if 'A' <= b && b <= 'Z' {
			lower[i] = b + 'a' - 'A'
		}
	}
	for _, mark := range []string{".pk3:", ".zip:"} {
		if i := bytes.Index(lower, []byte(mark)); i >= 0 {
			inner, err := Clean(ref[i+len(mark):])
			if err != nil {
				return MapRef{}, fmt.Errorf("map %s: %w", ref, err)
			}
			return MapRef{Archive: ref[:i+len(mark)-1], Inner: inner}, nil
		}
	}
	switch ext := strings.ToLower(filepath.Ext(ref)); {
	case ref == "" || strings.ContainsRune(ref, 0):
		return MapRef{}, fmt.Errorf("%w: a map needs a name", ErrName)
	case ext == ".pk3" || ext == ".zip":
		return MapRef{}, fmt.Errorf("map %s: name the map inside the archive, as in %s:maps/NAME.bsp", ref, ref)
	case ext == ".map" || ext == ".bsp":
		return MapRef{Disk: ref}, nil
	}
	name, err := MapName(ref)
	if err != nil {
		return MapRef{}, fmt.Errorf("map %s: %w", ref, err)
	}
	return MapRef{Name: name}, nil
}

// Map is a map's bytes and the place its pictures and sounds are found in.
type Map struct {
	Name  string // short: "dm1" for maps/dm1.bsp
	File  string // where it was found, for messages
	IsBSP bool
	Data  []byte
	Hash  Hash
	Files *Path // the search path with the map's own archive or folder over it
	Warn  error // archives beside the map that could not be opened, or nil
}

// Close releases the map's own archive or folder, not the search path under it.
func (m *Map) Close() error { return m.Files.Close() }

// ResolveMap reads the map that a reference means. A path on disk whose file lies
// in a folder named maps brings that folder's neighbours along; a bare name or a
// file that is not on the disk is looked for in the search path, which may be nil.
func ResolveMap(ref MapRef, search *Path) (*Map, error) {
	files := &Path{}
	if search != nil {
		files.Under(search)
	}
	fail := func(err error) (*Map, error) { return nil, errors.Join(err, files.Close()) }
	switch {
	case ref.Archive != "":
		if err := files.AddArchive(ref.Archive); err != nil {
			return fail(err)
		}
		own := files.places[len(files.places)-1].fs
		name := ref.Inner
		if stored, ok := own.(folded).fold(name); ok && !has(own, name) {
			name = stored
		}
		data, err := own.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s: there is no %s in it%s", ref.Archive, ref.Inner, offer(own))
		}
		if err != nil {
			return fail(err)
		}
		return newMap(ref.Archive+":"+name, data, files), nil
	case ref.Disk != "":
		dir, base := filepath.Split(ref.Disk)
		d, err := OpenDir(filepath.Clean(dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fail(err)
		}
		if err == nil {
			data, rerr := d.ReadFile(base)
			if cerr := d.Close(); rerr == nil {
				rerr = cerr
			}
			if rerr == nil {
				var warn error
				if strings.EqualFold(filepath.Base(filepath.Clean(dir)), "maps") {
					warn = files.AddDir(filepath.Dir(filepath.Clean(dir)))
				}
				m := newMap(ref.Disk, data, files)
				m.Warn = warn
				return m, nil
			}
			if !errors.Is(rerr, fs.ErrNotExist) {
				return fail(fmt.Errorf("map %s: %w", ref.Disk, rerr))
			}
		}
		name := filepath.ToSlash(ref.Disk)
		return finish(files, ref.Disk, name, "maps/"+name)
	}
	return finish(files, ref.Name, "maps/"+ref.Name+".bsp", "maps/"+ref.Name+".map")
}

// OpenMapName reads a map by a name that may have come over the net: checked by
// MapName, found in the search path only. The compiled .bsp is preferred to the
// .map it was made from.
func (p *Path) OpenMapName(name string) (*Map, error) {
	name, err := MapName(name)
	if err != nil {
		return nil, err
	}
	return ResolveMap(MapRef{Name: name}, p)
}

func finish(files *Path, asked string, names ...string) (*Map, error) {
	i, name, err := files.find(names...)
	if err == nil {
		var data []byte
		if data, err = files.places[i].fs.ReadFile(name); err == nil {
			return newMap(name, data, files), nil
		}
	} else {
		err = fmt.Errorf("map %s: not on the disk and not in the search path%s: %w", asked, offer(files), fs.ErrNotExist)
	}
	return nil, errors.Join(err, files.Close())
}

// offer names some maps that there are.
func offer(f FS) string {
	var names []string
	for _, ext := range []string{".bsp", ".map"} {
		if list, err := f.List("maps", ext); err == nil {
			names = append(names, list...)
		}
	}
	if len(names) == 0 {
		return " (which has no maps)"
	}
	more := ""
	if len(names) > 8 {
		names, more = names[:8], ", …"
	}
	return " (which has " + strings.Join(names, ", ") + more + ")"
}

func newMap(file string, data []byte, files *Path) *Map {
	base := path.Base(filepath.ToSlash(file[strings.LastIndexByte(file, ':')+1:]))
	ext := path.Ext(base)
	return &Map{
		Name: strings.TrimSuffix(base, ext), File: file, Data: data, Hash: Sum(data), Files: files,
		// By content: a file's name may lie.
		IsBSP: len(data) >= 4 && string(data[:4]) == "IBSP",
	}
}
