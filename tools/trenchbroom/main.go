package main

import (
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("o", "tools/trenchbroom/Sightline", "folder of the game configuration")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "trenchbroom:", err)
		os.Exit(1)
	}
}

// write draws the icon and every texture below dir.
func write(dir string) error {
	if err := save(filepath.Join(dir, "Icon.png"), icon()); err != nil {
		return err
	}
	for _, t := range textures {
		if err := save(filepath.Join(dir, "textures", filepath.FromSlash(t.name)+".png"), draw(t)); err != nil {
			return err
		}
	}
	return nil
}

func save(name string, img image.Image) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(f, img); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
