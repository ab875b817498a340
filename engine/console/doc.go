// Package console is a host's settings and commands: typed variables declared
// once, and a command line over them.
//
// There is one Registry per host (a listen server and its client have one each)
// and no global state. The way of a setting through the package:
//
//  1. A package declares it: fov := reg.Float(Var{Name: "cl.fov", …}). A wrong
//     declaration panics, at start.
//  2. Files, environment and flags fill their layers with Replace or Set
//     (engine/config does); the highest layer that has a value wins, and each
//     value remembers where it came from.
//  3. A person types a line; Exec splits it, expands aliases, and sets a variable
//     or calls a Command at the runtime layer.
//  4. Every new value passes one check (type, range, text length, finite) and one
//     permission test (cheat, read-only, the server's). A refusal says which and
//     what is allowed, and changes nothing.
//  5. The handle's atomic is written, then the callbacks run on the goroutine that
//     made the change, outside the registry's lock. They may run concurrently
//     with each other when several goroutines change settings.
//  6. The hot code reads fov.Get(), one atomic load, from any goroutine.
//
// Names are dotted by subsystem: sv.tick_rate, cl.fov. The first dot may be typed
// as an underscore (cl_fov), upper case is folded, and a variable may list
// further old names.
//
// The package opens no file: exec and writeconfig go through the Files the host
// hands in; Root is one that cannot leave its folder. It reads no clock: wait
// counts calls of Frame. Work per line is bounded (MaxLine, MaxCommands,
// MaxAliasDepth, MaxExecDepth).
//
// Registry, its handles, Binds and History may be used from several goroutines.
package console
