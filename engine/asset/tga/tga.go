// Package tga decodes Truevision TGA pictures: true colour with 24 or 32 bits and
// grey with 8, plain or run-length packed (types 2, 3, 10, 11), from any of the
// four corners. Others, such as colour-mapped ones, are refused by name.
//
// TGA has no magic number; a header is believed when all its fields make sense
// and the data is long enough for the picture it announces, which is checked
// before memory is taken. Functions may be called from any goroutine.
package tga

import (
	"errors"
	"fmt"
	"image"
)

const headerSize = 18

// Header is what a picture says of itself.
type Header struct {
	Type          int
	Width, Height int
	Bits          int  // per pixel
	AlphaBits     int  // as announced
	Right         bool // columns run from right to left
	Top           bool // rows run from top to bottom
	start         int  // of the pixels
}

// packed reports whether pixels are run-length packed.
func (h Header) packed() bool { return h.Type >= 10 }

// ReadHeader reads and checks a header; maxSide bounds both sides.
func ReadHeader(data []byte, maxSide int) (Header, error) {
	if len(data) < headerSize {
		return Header{}, errors.New("too short for a header")
	}
	u16 := func(i int) int { return int(data[i]) | int(data[i+1])<<8 }
	h := Header{
		Type: int(data[2]), Width: u16(12), Height: u16(14), Bits: int(data[16]),
		AlphaBits: int(data[17] & 15), Right: data[17]&16 != 0, Top: data[17]&32 != 0,
		start: headerSize + int(data[0]),
	}
	switch {
	case h.Type == 1 || h.Type == 9 || h.Type == 32 || h.Type == 33:
		return h, errors.New("colour-mapped pictures are not read; save it as true colour")
	case h.Type != 2 && h.Type != 3 && h.Type != 10 && h.Type != 11:
		return h, fmt.Errorf("unknown picture type %d", h.Type)
	case data[1] > 1:
		return h, fmt.Errorf("unknown colour map type %d", data[1])
	case h.Type&1 == 1 && h.Bits != 8:
		return h, fmt.Errorf("grey with %d bits; allowed: 8", h.Bits)
	case h.Type&1 == 0 && h.Bits != 24 && h.Bits != 32:
		return h, fmt.Errorf("colour with %d bits; allowed: 24, 32", h.Bits)
	case data[17]&0xc0 != 0:
		return h, errors.New("interleaved rows are not read")
	case h.Width < 1 || h.Height < 1 || h.Width > maxSide || h.Height > maxSide:
		return h, fmt.Errorf("%d by %d pixels; allowed: 1 to %d", h.Width, h.Height, maxSide)
	}
	if data[1] == 1 { // a map that true-colour pictures may carry and do not use
		h.start += u16(5) * ((int(data[7]) + 7) / 8)
	}
	need := h.Width * h.Height
	if h.packed() {
		need = (need + 127) / 128 * (1 + h.Bits/8)
	} else {
		need *= h.Bits / 8
	}
	if len(data)-h.start < need {
		return h, fmt.Errorf("%d bytes are too few for %d by %d pixels", len(data), h.Width, h.Height)
	}
	return h, nil
}

// Decode decodes a picture whose sides are at most maxSide.
func Decode(data []byte, maxSide int) (*image.NRGBA, error) {
	h, err := ReadHeader(data, maxSide)
	if err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, h.Width, h.Height))
	out := sink{img: img, h: h}
	src := data[h.start:]
	size := h.Bits / 8
	if h.packed() {
		err = out.unpack(src, size)
	} else {
		for !out.full() {
			out.put(src[:size])
			src = src[size:]
		}
	}
	if err != nil {
		return nil, err
	}
	// Many tools announce no alpha and leave the fourth byte zero.
	if h.Bits == 32 && h.AlphaBits == 0 && !out.alpha {
		for i := 3; i < len(img.Pix); i += 4 {
			img.Pix[i] = 255
		}
	}
	return img, nil
}

// sink takes pixels in file order and puts them where they belong.
type sink struct {
	img   *image.NRGBA
	h     Header
	x, y  int
	alpha bool // some pixel is not fully transparent
}

func (s *sink) full() bool { return s.y == s.h.Height }

func (s *sink) put(p []byte) {
	x, y := s.x, s.y
	if s.h.Right {
		x = s.h.Width - 1 - x
	}
	if !s.h.Top {
		y = s.h.Height - 1 - y
	}
	to := s.img.Pix[y*s.img.Stride+4*x:][:4:4]
	switch len(p) {
	case 1:
		to[0], to[1], to[2], to[3] = p[0], p[0], p[0], 255
	case 3:
		to[0], to[1], to[2], to[3] = p[2], p[1], p[0], 255
	default:
		to[0], to[1], to[2], to[3] = p[2], p[1], p[0], p[3]
		s.alpha = s.alpha || p[3] != 0
	}
	if s.x++; s.x == s.h.Width {
		s.x, s.y = 0, s.y+1
	}
}

func (s *sink) unpack(src []byte, size int) error {
	short := errors.New("data ends within the picture")
	for !s.full() {
		if len(src) < 1+size {
			return short
		}
		n, run := int(src[0]&127)+1, src[0]&128 != 0
		src = src[1:]
		if run {
			for ; n > 0 && !s.full(); n-- {
				s.put(src[:size])
			}
			src = src[size:]
			continue
		}
		for ; n > 0 && !s.full(); n-- {
			if len(src) < size {
				return short
			}
			s.put(src[:size])
			src = src[size:]
		}
	}
	return nil
}
