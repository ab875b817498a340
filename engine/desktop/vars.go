package desktop

import "github.com/sightline-engine/sightline/engine/console"

// Vars are the settings of the window and of the picture. Declare is called once
// per registry.
type Vars struct {
	FOV, Sensitivity, Zoom   *console.Float
	Invert, Bob, ShowWeapon  *console.Bool
	Crosshair                *console.Bool
	CrossGap                 *console.Float
	CrossColor               *console.Enum
	ShowFPS                  *console.Bool
	NetGraph                 *console.Int
	VSync, Fullscreen, Bloom *console.Bool
	Samples, Shadows, MaxFPS *console.Int
	Exposure, Scale          *console.Float
	DrawHUD                  *console.Bool
	Chase, RideTurns         *console.Bool
	ShowHitboxes             *console.Bool
	VisDraw                  *console.List
	AboveSpan                *console.Float
	Connect, Timeout         *console.Float
	Reconnect                *console.Float
}

// crossColors are what cl.crosshair_color may be, in the order of crossRGB.
var crossColors = []string{"white", "green", "cyan", "yellow", "magenta", "red"}

// Declare declares the settings in a registry.
func Declare(r *console.Registry) *Vars {
	const a = console.Archive
	return &Vars{
		FOV:          r.Float(console.Var{Name: "cl.fov", Default: 100.0, Min: 60, Max: 130, Unit: "degrees", Flags: a, Help: "How wide the view is, measured across a 4:3 picture; wider windows see more to the sides.", Aliases: []string{"fov"}}),
		Sensitivity:  r.Float(console.Var{Name: "cl.sensitivity", Default: 0.06, Min: 0.001, Max: 1, Unit: "degrees per count", Flags: a, Help: "How far one count of the mouse turns the view.", Aliases: []string{"sensitivity"}}),
		Zoom:         r.Float(console.Var{Name: "cl.zoom_sensitivity", Default: 1.0, Min: 0.1, Max: 2, Flags: a, Help: "Factor on the sensitivity while aiming; at 1 the narrower picture moves under the hand as fast as the wide one."}),
		Invert:       r.Bool(console.Var{Name: "cl.invert", Default: false, Flags: a, Help: "Pushing the mouse away looks down."}),
		Bob:          r.Bool(console.Var{Name: "cl.bob", Default: true, Flags: a, Help: "The weapon moves with the steps."}),
		ShowWeapon:   r.Bool(console.Var{Name: "cl.draw_weapon", Default: true, Flags: a, Help: "The own weapon is drawn.", Aliases: []string{"cl.drawgun"}}),
		Crosshair:    r.Bool(console.Var{Name: "cl.crosshair", Default: true, Flags: a, Help: "The middle of the view is marked."}),
		CrossGap:     r.Float(console.Var{Name: "cl.crosshair_gap", Default: 6.0, Min: 3, Max: 60, Flags: a, Help: "How far the crosshair's arms stand from the middle when standing still."}),
		CrossColor:   r.Enum(console.Var{Name: "cl.crosshair_color", Default: "white", Values: crossColors, Flags: a, Help: "Colour of the crosshair."}),
		ShowFPS:      r.Bool(console.Var{Name: "cl.show_fps", Default: false, Flags: a, Help: "Shows frames per second.", Aliases: []string{"cl.showfps"}}),
		DrawHUD:      r.Bool(console.Var{Name: "cl.draw_hud", Default: true, Flags: a, Help: "Health, ammunition and the like are drawn."}),
		Chase:        r.Bool(console.Var{Name: "cl.vehicle_chase", Default: true, Flags: a, Help: "While driving the picture is from behind the vehicle; otherwise from the driver's seat."}),
		RideTurns:    r.Bool(console.Var{Name: "cl.vehicle_turns_view", Default: true, Flags: a, Help: "In a vehicle the view turns with it."}),
		Connect:      r.Float(console.Var{Name: "cl.connect_ms", Default: 10000.0, Min: 1000, Max: 120000, Unit: "ms", Flags: a, Help: "How long to wait for a server's first answer."}),
		Timeout:      r.Float(console.Var{Name: "cl.timeout_ms", Default: 10000.0, Min: 1000, Max: 120000, Unit: "ms", Flags: a, Help: "How long the server may be silent until the connection counts as lost."}),
		Reconnect:    r.Float(console.Var{Name: "cl.reconnect_s", Default: 80.0, Min: 0, Max: 600, Unit: "s", Flags: a, Help: "How long to try to come back to body and score after the connection was lost; 0 gives up at once."}),
		ShowHitboxes: r.Bool(console.Var{Name: "cl.show_hitboxes", Default: false, Help: "For looking into shots: draws the hitboxes that were shown at the own shots and, where the server runs in this process, those that it tested."}),
		VisDraw:      r.List(console.Var{Name: "vis.draw", Default: []string{}, MaxList: 6, Check: showWord, Help: "For looking into the fog, on a server of your own: draws candidates (who you are told of, filled, with the reason), withheld (who not, hollow, and why), rays, cones, smokes, or all."}),
		AboveSpan:    r.Float(console.Var{Name: "vis.above_m", Default: 0.0, Min: 0, Max: 1000, Unit: "m", Flags: a, Help: "How much of the level vis.above shows, along a side around the viewer; 0 is all of it."}),
		NetGraph:     r.Int(console.Var{Name: "net.graph", Default: 0, Min: 0, Max: 3, Flags: a, Help: "Shows the net: 1 figures, 2 with a graph, 3 with prediction."}),
		VSync:        r.Bool(console.Var{Name: "r.vsync", Default: true, Flags: a, Help: "Frames wait for the display."}),
		Fullscreen:   r.Bool(console.Var{Name: "r.fullscreen", Default: false, Flags: a, Help: "The window covers the display."}),
		MaxFPS:       r.Int(console.Var{Name: "r.max_fps", Default: 0, Min: 0, Max: 1000, Flags: a, Help: "Most frames per second; 0: no limit of its own."}),
		Samples:      r.Int(console.Var{Name: "r.samples", Default: -1, Min: -1, Max: 16, Flags: a, Help: "Samples per pixel; -1: what suits the renderer."}),
		Shadows:      r.Int(console.Var{Name: "r.shadows", Default: -1, Min: -1, Max: 8192, Flags: a, Help: "Side of the sun's shadow map in pixels, 0 for none; -1: what suits the renderer. Takes effect with the next window."}),
		Bloom:        r.Bool(console.Var{Name: "r.bloom", Default: true, Flags: a, Help: "Bright things glow, where the renderer has the time for it."}),
		Exposure:     r.Float(console.Var{Name: "r.exposure", Default: 1.0, Min: 0.2, Max: 4, Flags: a, Help: "How bright the picture is."}),
		Scale:        r.Float(console.Var{Name: "r.scale", Default: 0.0, Min: 0, Max: 2, Flags: a, Help: "Share of the window's pixels along a side that the scene is drawn with; 0: what suits the renderer."}),
	}
}
