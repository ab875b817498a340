// Package vis decides who may know of whom, and makes the only thing that the
// network encoder accepts: a View.
//
// The way of a tick's data:
//
//  1. The server fills an Input: one Subject per player or thing, one Viewer per
//     client, the doors, and the pairs that are asked (Candidates).
//  2. A Policy turns the Input into an Answer: a permit bit per viewer and
//     subject, with a reason, a hold and an update interval. A Decider does the
//     same with a deadline; Inline makes one of a Policy in this process,
//     plugins/host makes one of a process and a fallback.
//  3. Rules that no policy can switch off are applied around it (Gate): self,
//     teammates, spectators, the dead, attached things.
//  4. Build makes a View for each viewer from the world and the gated Answer.
//     A View has no exported fields that lead to a subject that was not
//     permitted, so an encoder that is handed one cannot leak.
//
// Memory: Input, Answer and View belong to whoever made them and are reused from
// tick to tick; a Policy must not keep slices of an Input beyond the call.
// Everything here runs on the caller's goroutine, and nothing starts one. Views may be
// built on several at a time, each with a Maker of its own: see Maker.Build.
package vis
