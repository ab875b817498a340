package input_test

import (
	"testing"

	"github.com/sightline-engine/sightline/render/window/input"
)

func kinds(ev []input.Event) (out []input.Kind) {
	for _, e := range ev {
		out = append(out, e.Kind)
	}
	return out
}

func equal(a, b []input.Kind) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestFilterReleasesHeldKeysBeforeFocusLost(t *testing.T) {
	var f input.Filter
	var out []input.Event
	out = f.Key(out, press(input.W))
	out = f.Key(out, press(input.Mouse1))
	out = f.FocusLost(out)
	out = f.Key(out, release(input.W)) // the library's own release comes late
	want := []input.Kind{input.Press, input.Press, input.Release, input.Release, input.FocusLost}
	if !equal(kinds(out), want) {
		t.Errorf("%v", out)
	}
}

func TestKeyHeldThroughFocusChangeNeedsANewPress(t *testing.T) {
	var f input.Filter
	f.Key(nil, press(input.W))
	f.FocusLost(nil)
	f.FocusGained(nil, func(k input.Key) bool { return k == input.W })
	var out []input.Event
	out = f.Key(out, press(input.W)) // the keyboard repeats
	out = f.Key(out, repeat(input.W))
	if len(out) != 0 {
		t.Errorf("a repeat of a held key counts as %v", out)
	}
	out = f.Key(out, release(input.W))
	out = f.Key(out, press(input.W))
	if !equal(kinds(out), []input.Kind{input.Press}) {
		t.Errorf("after a new press: %v", out)
	}
}

func TestKeyLetGoElsewhereWorksAtOnce(t *testing.T) {
	var f input.Filter
	f.Key(nil, press(input.W))
	f.FocusLost(nil)
	f.FocusGained(nil, func(input.Key) bool { return false })
	if out := f.Key(nil, press(input.W)); !equal(kinds(out), []input.Kind{input.Press}) {
		t.Errorf("%v", out)
	}
}

func TestReleaseThatIsNeverReportedEndsStaleness(t *testing.T) {
	var f input.Filter
	f.FocusGained(nil, func(k input.Key) bool { return k == input.W })
	f.Settle(func(input.Key) bool { return true })
	if out := f.Key(nil, press(input.W)); len(out) != 0 {
		t.Errorf("still down, and yet %v", out)
	}
	f.Settle(func(input.Key) bool { return false })
	if out := f.Key(nil, press(input.W)); !equal(kinds(out), []input.Kind{input.Press}) {
		t.Errorf("%v", out)
	}
}

func TestSecondPressIsARepeat(t *testing.T) {
	var f input.Filter
	var out []input.Event
	out = f.Key(out, repeat(input.A)) // press happened in another window
	out = f.Key(out, press(input.A))
	out = f.Key(out, press(input.A))
	out = f.Key(out, release(input.A))
	out = f.Key(out, release(input.A))
	if !equal(kinds(out), []input.Kind{input.Press, input.Repeat, input.Release}) {
		t.Errorf("%v", out)
	}
}
