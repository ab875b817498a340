// Package trace answers what a body, a shot or a sight line meets in a level.
//
//  1. New builds a World from a level.Level: one bounding-volume hierarchy for
//     the world's solids and triangles, one for each mover, one over what the
//     movers sweep, and a pyramid of heights for the terrain. Nodes have four
//     children, their boxes side by side.
//  2. A Scene is a World with the places of its movers at one time. It is a plain
//     value that is made per tick (or per rewound shot) and costs nothing.
//  3. Scene.Box sweeps a box, Scene.Ray finds the nearest hit, Scene.Blocked asks
//     whether there is any, Scene.Contents says what fills a point. Scene.Occluded
//     also says what blocks a line, and Scene.Hides asks that thing alone.
//  4. Near gathers what is in a box and answers as its Scene does: for the dozen
//     questions of a body's step.
//
// What counts as a hit:
//
//   - Solids are closed convex sets. A swept box is stopped Skin (1/32 map unit)
//     before a face, measured along the face's normal, so that it never comes to
//     rest in a plane; inside that skin it may slide freely, so that a seam
//     between two flush solids does not catch it. Solids are given the bevels
//     that make a swept box exact at their slanting edges.
//   - Triangles are thin and stop from both sides. A swept box meets them by the
//     separating-axis test, moved through time; rays use edge functions with an
//     exact sign, so that nothing passes between two triangles that share an edge.
//   - Terrain is solid from its surface down.
//   - Rays see solids larger by raySkin (an eighth of Skin): a seam's rounding
//     gap is closed. The end of a ray that hits is drawn back by Skin, so that a
//     query that starts there does not start inside.
//   - A sight line is blocked when any point of it lies in a solid, its ends
//     included. So it is the same in both directions.
//
// The answer does not depend on how the hierarchy was built: every primitive is
// tested on its own bounds with the same arithmetic as the nodes above it, and of
// equal fractions the lowest model, kind and index wins. TestBoxMatchesBruteForce
// and its neighbours hold this. All arithmetic is float32 with each product
// rounded, so answers have the same bits on every platform.
//
// Metres, z up. Coordinates beyond ±Limit, and numbers that are not finite, give
// "all solid". No query allocates. A World never changes: any goroutine may use
// it; a Scene's Poses belong to whoever made the Scene and must not change
// during a query.
package trace
