package asset

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"

	"github.com/sightline-engine/sightline/engine/asset/tga"
)

// MaxSide is the longest side of a picture, in pixels.
const MaxSide = 8192

// DecodeImage decodes a PNG, JPEG or TGA picture, told apart by content; the name
// is for messages. The picture's size is checked, also against the length of the
// data, before memory for it is taken.
func DecodeImage(name string, data []byte) (*image.NRGBA, error) {
	img, err := decodeImage(data)
	if err != nil {
		return nil, fmt.Errorf("picture %s: %w", name, err)
	}
	return img, nil
}

func decodeImage(data []byte) (*image.NRGBA, error) {
	r := bytes.NewReader(data)
	var config func() (image.Config, error)
	var decode func() (image.Image, error)
	// bits that a byte of data can stand for at the very most
	density := int64(0)
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		config = func() (image.Config, error) { return png.DecodeConfig(r) }
		decode = func() (image.Image, error) { return png.Decode(r) }
		density = 8 * 1032 // one bit per pixel, deflated
	case bytes.HasPrefix(data, []byte{0xff, 0xd8, 0xff}):
		config = func() (image.Config, error) { return jpeg.DecodeConfig(r) }
		decode = func() (image.Image, error) { return jpeg.Decode(r) }
		density = 64 * 32768 // a progressive run of empty blocks
	default:
		img, err := tga.Decode(data, MaxSide)
		if err != nil {
			return nil, fmt.Errorf("neither PNG nor JPEG, and as TGA: %w", err)
		}
		return img, nil
	}
	c, err := config()
	if err != nil {
		return nil, err
	}
	if c.Width < 1 || c.Height < 1 || c.Width > MaxSide || c.Height > MaxSide {
		return nil, fmt.Errorf("%d by %d pixels; allowed: 1 to %d", c.Width, c.Height, MaxSide)
	}
	if int64(c.Width)*int64(c.Height) > int64(len(data))*density {
		return nil, errors.New("is too short for its size")
	}
	r.Reset(data)
	img, err := decode()
	if err != nil {
		return nil, err
	}
	return toNRGBA(img), nil
}

// toNRGBA converts without a copy where the bytes are the same already.
func toNRGBA(img image.Image) *image.NRGBA {
	b := img.Bounds()
	switch x := img.(type) {
	case *image.NRGBA:
		if b.Min == (image.Point{}) {
			return x
		}
	case *image.RGBA:
		if b.Min == (image.Point{}) && x.Opaque() {
			return &image.NRGBA{Pix: x.Pix, Stride: x.Stride, Rect: x.Rect}
		}
	case *image.YCbCr, *image.Gray, *image.CMYK:
		// Opaque, so RGBA, which package draw is fast at, has the same bytes.
		to := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(to, to.Rect, img, b.Min, draw.Src)
		return &image.NRGBA{Pix: to.Pix, Stride: to.Stride, Rect: to.Rect}
	}
	to := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(to, to.Rect, img, b.Min, draw.Src)
	return to
}
