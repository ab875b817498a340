package main

import (
	"errors"
	"fmt"
	"image/png"
	"os"

	"github.com/spf13/cobra"
)

func newMapDraw(assets *[]string) *cobra.Command {
	var out string
	var size int
	c := &cobra.Command{
		Use:   "draw FILE -o PNG",
		Short: "Draw a map from above",
		Long: `Draw a map from above: the floors that can be walked on, as found by walking from
the spawns and things, lighter where they are higher; walls around them; spawns
with the way they face, things to take, doors, lifts, jump pads with their throw,
and teleports with where they lead. North (+y) is up.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("say where to write the picture: -o out.png")
			}
			if size < 200 || size > 8000 {
				return errors.New("size is from 200 to 8000 pixels")
			}
			l, err := loadMap(args[0], *assets)
			if err != nil {
				return err
			}
			img, floors := drawLevel(l, size)
			f, err := os.Create(out)
			if err != nil {
				return err
			}
			if err := png.Encode(f, img); err != nil {
				f.Close()
				return err
			}
			if err := f.Close(); err != nil {
				return err
			}
			b := img.Bounds()
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d×%d pixels, %.0f m² of floor\n", out, b.Dx(), b.Dy(), floors)
			return nil
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "the PNG to write")
	c.Flags().IntVar(&size, "size", 1200, "length of the picture's longer side, in pixels")
	return c
}
