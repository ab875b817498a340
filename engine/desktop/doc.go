// Package desktop is the windowed program: the one place where a client meets
// pixels. Run opens a window, connects a client, and owns the loop of frames until
// the player or the server ends it.
//
// The way of one frame, all on the locked main thread (desktop.go):
//
//  1. window.Poll → Controls.Feed: keys become actions or text, the mouse becomes
//     view angles at once (controls.go, keys.go)
//  2. client.Advance(now): the net, then a command per tick out of Controls.Command
//     (or out of a bot's brain, with Autoplay)
//  3. what happened → Stage.Event: tracers, sparks, explosions (effects.go)
//  4. Stage.Build: the client's eye, others and doors → scene.Frame (frame.go)
//  5. status.go → hud.Model, Overlay.Draw: console and chat on top
//  6. draw.Renderer.Render, window.Swap
//
// A level becomes a scene.World once, when the server names it (world.go). Art that
// is missing is replaced by a generated look and named once in the log.
//
// RunDemo shows a recorded match in the same window: what stands in a client's place
// is a theatre (demo.go), from step 2 on the way is the same.
//
// It decides nothing about the match: what is on the screen is what the client was
// sent, and a view angle reaches the server only inside a command.
//
// Units: metres, z up, degrees, seconds; HUD units as package scene defines them.
// Memory: Stage, Overlay and Controls own fixed pools and reuse their slices; a
// frame in the steady state does not allocate. All of it belongs to one goroutine,
// the one that called Run, which must hold the main thread (window.Lock).
package desktop
