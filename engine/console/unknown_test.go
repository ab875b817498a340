package console_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/console"
)

// A name that nobody knows can be declared when it is first used, whoever uses it.
func TestUnknownNamesMayBeDeclared(t *testing.T) {
	r := console.New()
	asked := 0
	var far *console.Int
	r.OnUnknown(func(name string) {
		asked++
		if strings.HasPrefix(name, "far.") && far == nil {
			far = r.Int(console.Var{Name: "far.away", Default: 1, Max: 9, Help: "How far."})
		}
	})
	if _, err := r.Set("near.by", 3, console.Source{}); err == nil {
		t.Error("a name that nobody declares is taken")
	}
	if _, refused := r.Replace(console.LayerHost, []console.Setting{{Name: "far.away", Value: console.Text("4")}}); len(refused) > 0 || far == nil || far.Get() != 4 {
		t.Errorf("%v %v", refused, far)
	}
	was := asked
	var out bytes.Buffer
	if err := r.Exec("far.away 5", &out); err != nil || far.Get() != 5 || asked != was {
		t.Errorf("%v, asked %d times, then %d: %s", err, was, asked, &out)
	}
	if err := r.Exec("far.awya 5", &out); err == nil || !strings.Contains(err.Error(), "far.away") {
		t.Error(err)
	}
}
