package asset_test

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/asset"
)

// FuzzMapRef takes any text as what a user calls a map, and as a name from a server:
// a name that is taken from a server stays below maps/.
func FuzzMapRef(f *testing.F) {
	for _, s := range []string{"dm1", "some.pk3:maps/x.bsp", "levels/x.map", "../../x", "C:x", "a\x00b", ".pk3:", "maps/../x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if name, err := asset.MapName(s); err == nil {
			if name == "" || strings.ContainsAny(name, "\\:\x00") || strings.HasPrefix(name, "/") || strings.Contains("/"+name+"/", "/../") {
				t.Fatalf("%q is the map %q", s, name)
			}
		}
		r, err := asset.ParseMapRef(s)
		if err == nil && (r.Inner == "") == (r.Disk == "" && r.Name == "") {
			t.Fatalf("%q is %+v", s, r)
		}
		if err == nil && (strings.Contains("/"+r.Inner+"/", "/../") || strings.HasPrefix(r.Inner, "/")) {
			t.Fatalf("%q is %+v", s, r)
		}
	})
}
