package console_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/console"
)

// FuzzHistory loads any bytes as the lines of an earlier session: what is kept is
// written and read again as it is.
func FuzzHistory(f *testing.F) {
	f.Add("map dm1\nsay hello\n")
	f.Add("a\r\n\r\n  \x00\xff\n" + strings.Repeat("x", 5000))
	f.Fuzz(func(t *testing.T, text string) {
		var h, again console.History
		if h.Load(strings.NewReader(text)) != nil {
			return
		}
		h.Search(0, "a")
		var out, third bytes.Buffer
		if err := h.Save(&out); err != nil {
			t.Fatal(err)
		}
		if err := again.Load(bytes.NewReader(out.Bytes())); err != nil {
			t.Fatal(err)
		}
		if err := again.Save(&third); err != nil || third.String() != out.String() || again.Len() != h.Len() {
			t.Fatalf("%q, then %q, %v", out.String(), third.String(), err)
		}
	})
}
