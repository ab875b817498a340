package draw_test

import (
	"testing"

	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/draw/drawtest"
	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/window"
)

// BenchmarkFrame draws the arena at 1280 x 720 and waits for each frame.
func BenchmarkFrame(b *testing.B) {
	for name, o := range map[string]draw.Options{
		"least": {Scale: 0.5}, "software": {Shadows: 1024, Scale: 0.5}, "full": {Shadows: 1024, Bloom: true}, "samples4": {Shadows: 2048, Bloom: true, Samples: 4},
	} {
		b.Run(name, func(b *testing.B) {
			with(b, o, func(_ *window.Window, d *gpu.Device, r *draw.Renderer) {
				if err := r.UploadWorld(drawtest.Arena()); err != nil {
					b.Error(err)
					return
				}
				f := drawtest.Fight()
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					if err := r.Render(f, nil, 1280, 720); err != nil {
						b.Error(err)
					}
					d.Finish()
				}
			})
		})
	}
}

// BenchmarkUpload cuts, measures and shades the arena.
func BenchmarkUpload(b *testing.B) {
	with(b, plain, func(_ *window.Window, _ *gpu.Device, r *draw.Renderer) {
		w := drawtest.Arena()
		for range b.N {
			if err := r.UploadWorld(w); err != nil {
				b.Error(err)
			}
		}
	})
}
