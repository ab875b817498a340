package asset_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sightline-engine/sightline/engine/asset"
	"github.com/sightline-engine/sightline/engine/asset/assettest"
)

// pack writes an archive; names are taken as they are.
func pack(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	var names []string
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		w, err := z.Create(n)
		if err == nil {
			_, err = w.Write([]byte(files[n]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func archive(t testing.TB, files map[string]string) *asset.Archive {
	t.Helper()
	data := pack(t, files)
	a, err := asset.NewArchive(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// folder writes files below a new folder.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for n, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(n))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func mapFS(files map[string]string) fs.FS {
	m := fstest.MapFS{}
	for n, text := range files {
		m[n] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func TestEveryPlaceConforms(t *testing.T) {
	files := assettest.Files()
	t.Run("folder", func(t *testing.T) {
		d, err := asset.OpenDir(folder(t, files))
		if err != nil {
			t.Fatal(err)
		}
		assettest.FS(t, d)
	})
	t.Run("archive", func(t *testing.T) { assettest.FS(t, archive(t, files)) })
	t.Run("wrapped", func(t *testing.T) { assettest.FS(t, asset.Wrap(mapFS(files))) })
	t.Run("path", func(t *testing.T) {
		var under, over asset.Path
		half := map[string]string{"readme.txt": "an older one"}
		other := map[string]string{}
		for n, text := range files {
			if len(n)%2 == 0 {
				other[n] = text
			} else {
				half[n] = text
			}
		}
		other["readme.txt"] = files["readme.txt"]
		under.Add("a", archive(t, half))
		over.Under(&under)
		over.Add("b", asset.Wrap(mapFS(other)))
		assettest.FS(t, &over)
	})
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{"a": "a", "a//b/": "a/b", "./a/./b": "a/b", "...": "...", "a b/é": "a b/é", "a..b": "a..b"} {
		if got, err := asset.Clean(in); err != nil || got != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	for _, in := range assettest.Unsafe() {
		if got, err := asset.Clean(in); !errors.Is(err, asset.ErrName) {
			t.Errorf("%q became %q, %v", in, got, err)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range assettest.Unsafe() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got, err := asset.Clean(name)
		if err != nil {
			return
		}
		if !fs.ValidPath(got) || !filepath.IsLocal(got) || strings.ContainsAny(got, "\\:\x00") {
			t.Fatalf("%q became %q", name, got)
		}
		if again, err := asset.Clean(got); err != nil || again != got {
			t.Fatalf("%q is not its own proper form: %q, %v", got, again, err)
		}
	})
}

// Report O-40: no name and no link reaches a file outside the roots.
func TestNothingOutsideTheRootsIsRead(t *testing.T) {
	outer := folder(t, map[string]string{"canary": "secret", "game/maps/a.bsp": "IBSP", "deep/canary.bsp": "IBSP secret"})
	root := filepath.Join(outer, "game")
	for link, to := range map[string]string{
		"maps/link.bsp": filepath.Join(outer, "deep", "canary.bsp"), "maps/rel.bsp": "../../canary", "up": "..", "in.bsp": "maps/a.bsp",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	var p asset.Path
	if err := p.AddDir(root); err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	evil := archive(t, map[string]string{"../canary": "x", "/abs": "x", `..\win`: "x", "C:drive": "x", "ok": "x", `dir\name.tga`: "x"})
	if evil.Skipped() != 4 {
		t.Errorf("%d entries left out, want 4", evil.Skipped())
	}
	p.Add("evil", evil)
	for _, name := range append(assettest.Unsafe(), "maps/link.bsp", "maps/rel.bsp", "up/canary", "up/deep/canary.bsp", filepath.Join(outer, "canary"), "abs", "win", "canary") {
		if data, err := p.ReadFile(name); err == nil {
			t.Errorf("%q: read %q", name, data)
		}
		if m, err := p.OpenMapName(name); err == nil {
			t.Errorf("map %q: read %q", name, m.Data)
		}
	}
	for _, name := range []string{"in.bsp", "ok", "dir/name.tga"} {
		if _, err := p.ReadFile(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := p.List("", ".bsp"); err != nil || !slices.Equal(list, []string{"in.bsp", "maps/a.bsp"}) {
		t.Errorf("list %q, %v", list, err)
	}
	for _, name := range []string{"../../x", "/etc/x", "C:x", "x\x00", strings.Repeat("x", 300), "a b", "x;y", "some.pk3:maps/x.bsp"} {
		if got, err := asset.MapName(name); !errors.Is(err, asset.ErrName) {
			t.Errorf("map name %q became %q", name, got)
		}
	}
}

// Report S-02: exact case first, in any place and for any extension; then
// regardless of case inside archives; a name is complained about once.
func TestCaseFallsBackInsideArchives(t *testing.T) {
	var p asset.Path
	defer p.Close()
	p.Add("old", archive(t, map[string]string{"textures/acc_dm3/sqrlight_dn.tga": "old exact", "textures/B.tga": "B", "textures/c.jpg": "c exact"}))
	p.Add("new", archive(t, map[string]string{"textures/acc_dm3/SqrLight_DN.tga": "new other case", "textures/C.tga": "C", "textures/b.TGA": "b"}))
	for name, want := range map[string]string{
		"textures/acc_dm3/sqrlight_dn.tga": "old exact",
		"textures/ACC_DM3/SQRLIGHT_DN.tga": "new other case",
		"textures/b.tga":                   "b",
	} {
		if data, err := p.ReadFile(name); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for name, want := range map[string]string{"textures/c": "textures/c.jpg", "textures/c.tga": "textures/c.jpg", "TEXTURES/acc_dm3/sqrlight_dn": "textures/acc_dm3/SqrLight_DN.tga"} {
		if got, ok := p.FindImage(name); !ok || got != want {
			t.Errorf("image %s: %q", name, got)
		}
	}
	if _, ok := p.FindImage("textures/none"); ok {
		t.Error("found what is not there")
	}
	if name, where, ok := p.Find("nope", "textures/c.jpg"); !ok || name != "textures/c.jpg" || where != "old" {
		t.Error(name, where, ok)
	}
	var m asset.Missing
	if !m.First("a") || m.First("a") || !m.First("b") {
		t.Error("Missing")
	}
}

func TestArchiveBombsAreRefused(t *testing.T) {
	data := pack(t, map[string]string{"zeros": strings.Repeat("\x00", 33<<20), "small": strings.Repeat("\x00", 1<<20)})
	a, err := asset.NewArchive(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.ReadFile("zeros"); err == nil || !strings.Contains(err.Error(), "400 times its size") {
		t.Error(err)
	}
	if d, err := a.ReadFile("small"); err != nil || len(d) != 1<<20 {
		t.Error(err)
	}
	// Entries that lie about their size.
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, size := range map[string]uint64{"short": 10, "long": 4, "giant": 1 << 40} {
		w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Store, CompressedSize64: 6, UncompressedSize64: size})
		if err == nil {
			_, err = w.Write([]byte("123456"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if a, err = asset.NewArchive(bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"short", "long", "giant"} {
		if d, err := a.ReadFile(name); err == nil {
			t.Errorf("%s: read %d bytes", name, len(d))
		}
	}
	var p asset.Path
	p.Add("wrapped", asset.Wrap(mapFS(map[string]string{"a": "12345"})))
	if _, err := p.ReadLimited("a", 4); err == nil || !strings.Contains(err.Error(), "more than the 4") {
		t.Error(err)
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(pack(f, map[string]string{"a": "b", "maps/x.bsp": "IBSP"}))
	f.Add([]byte("PK"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := asset.NewArchive(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		names, err := a.List("", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			if c, err := asset.Clean(n); err != nil || c != n {
				t.Fatalf("%q is listed", n)
			}
			if len(names) < 10 {
				_, _ = a.ReadFile(n) // damaged data is an error, not a panic
			}
		}
	})
}

func TestParseMapRef(t *testing.T) {
	for in, want := range map[string]asset.MapRef{
		"some.pk3:maps/x.bsp":       {Archive: "some.pk3", Inner: "maps/x.bsp"},
		"/opt/A.PK3:maps//y.map":    {Archive: "/opt/A.PK3", Inner: "maps/y.map"},
		"C:/games/a.pk3:maps/y.bsp": {Archive: "C:/games/a.pk3", Inner: "maps/y.bsp"},
		"../levels/x.map":           {Disk: "../levels/x.map"},
		"x.bsp":                     {Disk: "x.bsp"},
		"arena":                     {Name: "arena"},
		"dm/arena-1":                {Name: "dm/arena-1"},
	} {
		if got, err := asset.ParseMapRef(in); err != nil || got != want {
			t.Errorf("%s: %+v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "a.pk3", "a.pk3:", "a.pk3:../x", "../x", "/x", "a b", "a\x00.map"} {
		if got, err := asset.ParseMapRef(in); err == nil {
			t.Errorf("%q became %+v", in, got)
		}
	}
}

func TestResolveMapFindsAMapAndWhatBelongsToIt(t *testing.T) {
	game := folder(t, map[string]string{
		"maps/one.map": "{}", "maps/one.bsp": "IBSP1", "maps/two.map": "{ 2 }", "textures/t.tga": "game",
	})
	lone := folder(t, map[string]string{"lone.map": "{ lone }"})
	other := folder(t, map[string]string{"maps/three.map": "{ 3 }", "textures/t.tga": "other"})
	pk3 := filepath.Join(lone, "some.pk3")
	if err := os.WriteFile(pk3, pack(t, map[string]string{"maps/Four.bsp": "IBSP4", "textures/t.tga": "pack"}), 0o600); err != nil {
		t.Fatal(err)
	}
	var search asset.Path
	defer search.Close()
	if err := search.AddDir(game); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		ref, name, data, texture string
		bsp                      bool
	}{
		{"one", "one", "IBSP1", "game", true},
		{"two", "two", "{ 2 }", "game", false},
		{"two.map", "two", "{ 2 }", "game", false},
		{"maps/one.map", "one", "{}", "game", false},
		{filepath.Join(lone, "lone.map"), "lone", "{ lone }", "game", false},
		{filepath.Join(other, "maps", "three.map"), "three", "{ 3 }", "other", false},
		{pk3 + ":maps/Four.bsp", "Four", "IBSP4", "pack", true},
		{pk3 + ":maps/four.bsp", "Four", "IBSP4", "pack", true},
	} {
		ref, err := asset.ParseMapRef(row.ref)
		if err != nil {
			t.Fatal(err)
		}
		m, err := asset.ResolveMap(ref, &search)
		if err != nil {
			t.Errorf("%s: %v", row.ref, err)
			continue
		}
		tex, err := m.Files.ReadFile("textures/t.tga")
		if m.Name != row.name || string(m.Data) != row.data || m.IsBSP != row.bsp || string(tex) != row.texture || m.Hash != asset.Sum([]byte(row.data)) {
			t.Errorf("%s: %s %q %v, texture %q, %v", row.ref, m.Name, m.Data, m.IsBSP, tex, err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := search.ReadFile("maps/one.bsp"); err != nil {
		t.Fatal("closing a map closed the search path", err)
	}
	for ref, want := range map[string]string{
		"nope": "which has maps/one.bsp, maps/one.map, maps/two.map", "no/where.map": "not on the disk", pk3 + ":maps/x.bsp": "which has maps/Four.bsp",
		filepath.Join(lone, "none.pk3") + ":maps/x.bsp": "none.pk3",
	} {
		r, err := asset.ParseMapRef(ref)
		if err == nil {
			_, err = asset.ResolveMap(r, &search)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", ref, err, want)
		}
	}
	if _, err := asset.ResolveMap(asset.MapRef{Name: "x"}, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestAddDirLaysArchivesOverTheFolder(t *testing.T) {
	dir := folder(t, map[string]string{"a": "folder", "b": "folder", "broken.pk3": "no archive"})
	for name, files := range map[string]map[string]string{"Pak0.pk3": {"a": "0", "c": "0"}, "pak1.PK3": {"c": "1"}} {
		if err := os.WriteFile(filepath.Join(dir, name), pack(t, files), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var p asset.Path
	defer p.Close()
	if err := p.AddDir(dir); err == nil || !strings.Contains(err.Error(), "broken.pk3") {
		t.Error(err)
	}
	for name, want := range map[string]string{"a": "0", "b": "folder", "c": "1"} {
		if data, err := p.ReadFile(name); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

func TestDecodeImageByContent(t *testing.T) {
	src := image.NewNRGBA(image.Rect(0, 0, 5, 3))
	for i := range src.Pix {
		src.Pix[i] = uint8(i * 7)
	}
	gray := image.NewGray(image.Rect(0, 0, 2, 2))
	gray.Pix[3] = 200
	pal := image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.White, color.Transparent})
	pal.Pix[1] = 1
	opaque := image.NewRGBA(image.Rect(0, 0, 2, 2))
	for i := range opaque.Pix {
		opaque.Pix[i] = 255
	}
	for _, img := range []image.Image{src, gray, pal, opaque} {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		got, err := asset.DecodeImage("wrong.jpg", b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for y := range got.Rect.Dy() {
			for x := range got.Rect.Dx() {
				if want := color.NRGBAModel.Convert(img.At(x, y)); got.At(x, y) != want {
					t.Fatalf("%T %d,%d: %v, want %v", img, x, y, got.At(x, y), want)
				}
			}
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, opaque, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := asset.DecodeImage("x", b.Bytes()); err != nil || got.Rect.Dx() != 2 || got.NRGBAAt(1, 1) != (color.NRGBA{255, 255, 255, 255}) {
		t.Error(got, err)
	}
	// A PNG that announces a giant picture, and one longer than its data allows.
	b.Reset()
	if err := png.Encode(&b, src); err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]byte{{0x40, 0}, {0x20, 0}} { // 16384, 8192
		data := bytes.Clone(b.Bytes())
		data[18], data[19], data[22], data[23] = size[0], size[1], size[0], size[1]
		fixCRC(data)
		if _, err := asset.DecodeImage("giant.png", data); err == nil || !strings.Contains(err.Error(), "giant.png") || strings.Contains(err.Error(), "checksum") {
			t.Errorf("%v", err)
		}
	}
	for _, data := range []string{"", "x", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff", strings.Repeat("\x00", 100)} {
		if _, err := asset.DecodeImage("bad", []byte(data)); err == nil {
			t.Errorf("%q was decoded", data)
		}
	}
}

// fixCRC repairs the checksum of a PNG's first chunk.
func fixCRC(data []byte) {
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
}

func FuzzDecodeImage(f *testing.F) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 3))); err != nil {
		f.Fatal(err)
	}
	f.Add(bytes.Clone(b.Bytes()))
	b.Reset()
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 3)), nil); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := asset.DecodeImage("f", data)
		if err == nil && (img.Rect.Dx() < 1 || img.Rect.Dx() > asset.MaxSide || img.Rect.Dy() > asset.MaxSide || len(img.Pix) < 4*img.Rect.Dx()*img.Rect.Dy()) {
			t.Fatal(img.Rect)
		}
	})
}

func ExamplePath() {
	var p asset.Path
	defer p.Close()
	p.Add("built in", asset.Wrap(fstest.MapFS{"maps/arena.map": {Data: []byte("{}")}}))
	m, err := p.OpenMapName("arena")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	fmt.Println(m.Name, m.File)
	_, err = p.OpenMapName("../../etc/passwd")
	fmt.Println(err)
	// Output:
	// arena maps/arena.map
	// name not allowed: "../../etc/passwd" leads out of the search path
}
