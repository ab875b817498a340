package tga_test

import (
	"bytes"
	"image"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-engine/sightline/engine/asset/tga"
)

// encode writes a picture the plain way, as an oracle for Decode.
func encode(img *image.NRGBA, kind, bits int, right, top bool, alphaBits int, runs func() (n int, packed bool)) []byte {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	desc := byte(alphaBits)
	if right {
		desc |= 16
	}
	if top {
		desc |= 32
	}
	out := []byte{3, 0, byte(kind), 0, 0, 0, 0, 0, 0, 0, 0, 0, byte(w), byte(w >> 8), byte(h), byte(h >> 8), byte(bits), desc, 'i', 'd', '!'}
	var px [][]byte
	for j := range h {
		for i := range w {
			x, y := i, j
			if right {
				x = w - 1 - i
			}
			if !top {
				y = h - 1 - j
			}
			c := img.NRGBAAt(x, y)
			px = append(px, []byte{c.B, c.G, c.R, c.A}[:bits/8])
		}
	}
	if kind < 10 {
		return append(out, bytes.Join(px, nil)...)
	}
	for len(px) > 0 {
		n, packed := runs()
		n = min(n, len(px))
		if packed {
			k := 1
			for k < n && bytes.Equal(px[k], px[0]) {
				k++
			}
			out = append(append(out, byte(k-1)|128), px[0]...)
			px = px[k:]
			continue
		}
		out = append(append(out, byte(n-1)), bytes.Join(px[:n], nil)...)
		px = px[n:]
	}
	return out
}

func TestDecodeIsTheInverseOfEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 300).Draw(t, "w"), rapid.IntRange(1, 4).Draw(t, "h")
		kind := rapid.SampledFrom([]int{2, 3, 10, 11}).Draw(t, "type")
		bits := 8
		if kind&1 == 0 {
			bits = rapid.SampledFrom([]int{24, 32}).Draw(t, "bits")
		}
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		colours := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 4, 4), 1, 3).Draw(t, "colours")
		seed := rapid.Uint32().Draw(t, "seed")
		for i := 0; i < len(img.Pix); i += 4 {
			seed = seed*1664525 + 1013904223
			c := colours[int(seed>>16)%len(colours)]
			copy(img.Pix[i:], c)
			if bits == 8 {
				img.Pix[i+1], img.Pix[i+2] = c[0], c[0]
			}
			if bits < 32 {
				img.Pix[i+3] = 255
			}
		}
		right, top := rapid.Bool().Draw(t, "right"), rapid.Bool().Draw(t, "top")
		data := encode(img, kind, bits, right, top, 8, func() (int, bool) {
			seed = seed*1664525 + 1013904223
			return int(seed>>20)&127 + 1, seed>>31 == 0
		})
		got, err := tga.Decode(data, 8192)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rect != img.Rect || !bytes.Equal(got.Pix, img.Pix) {
			t.Fatalf("type %d, %d bits, right %v, top %v: pictures differ", kind, bits, right, top)
		}
		if _, err := tga.Decode(data[:len(data)-1], 8192); err == nil {
			t.Fatal("a picture that ends early was decoded")
		}
	})
}

func TestUnannouncedEmptyAlphaIsOpaque(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	got, err := tga.Decode(encode(img, 2, 32, false, true, 0, nil), 8192)
	if err != nil || got.NRGBAAt(0, 0).A != 255 {
		t.Fatal(err, got)
	}
	got, err = tga.Decode(encode(img, 2, 32, false, true, 8, nil), 8192)
	if err != nil || got.NRGBAAt(0, 0).A != 0 {
		t.Fatal(err, got)
	}
}

func TestRefusals(t *testing.T) {
	good := encode(image.NewNRGBA(image.Rect(0, 0, 2, 2)), 2, 24, false, false, 0, nil)
	change := func(i int, b byte) []byte {
		d := bytes.Clone(good)
		d[i] = b
		return d
	}
	for name, row := range map[string]struct {
		data []byte
		want string
	}{
		"empty":         {nil, "too short for a header"},
		"colour map":    {change(2, 1), "colour-mapped"},
		"type":          {change(2, 7), "unknown picture type 7"},
		"map type":      {change(1, 2), "colour map type"},
		"bits":          {change(16, 16), "colour with 16 bits"},
		"grey bits":     {change(2, 3), "grey with 24 bits"},
		"interleaved":   {change(17, 0xc0), "interleaved"},
		"no width":      {change(12, 0), "0 by 2 pixels"},
		"too wide":      {change(13, 0xff), "allowed: 1 to 8192"},
		"data too few":  {change(12, 200), "too few"},
		"id too long":   {change(0, 255), "too few"},
		"packed, short": {change(2, 10), "data ends"},
	} {
		if _, err := tga.Decode(row.data, 8192); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %s", name, err, row.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	f.Add(encode(img, 2, 24, false, false, 0, nil))
	f.Add(encode(img, 10, 32, true, true, 8, func() (int, bool) { return 3, true }))
	f.Add(encode(img, 11, 8, false, true, 0, func() (int, bool) { return 2, false }))
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := tga.Decode(data, 512)
		if err == nil && (img.Rect.Dx() > 512 || img.Rect.Dy() > 512 || img.Rect.Empty()) {
			t.Fatal(img.Rect)
		}
	})
}
