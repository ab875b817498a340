package main

import "testing"

// FuzzWords reads any text as the vectors and masks of the command line.
func FuzzWords(f *testing.F) {
	f.Add("1,2,3", "sight")
	f.Add(" -1e30 , nan,0x1p3", "x")
	f.Add("1,1e400,2", "")
	f.Add("1:12:03.25", "99999:59.999")
	f.Fuzz(func(t *testing.T, vector, mask string) {
		if v, err := parseVector(vector); err == nil && !v.IsFinite() {
			t.Fatalf("%q is %v", vector, v)
		}
		_, _ = parseMask(mask)
		if d, err := parseClock(vector); err == nil && (d < 0 || d.Hours() > 1e7/3600+1) {
			t.Fatalf("%q is %v", vector, d)
		}
		q, err := parseQuery(vector, vector, vector, mask, 1.0/32, true)
		if err == nil && !q.from.IsFinite() {
			t.Fatalf("%q is %+v", vector, q)
		}
	})
}
