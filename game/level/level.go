package level

import "github.com/sightline-engine/sightline/game/vec"

// UnitsPerMetre is how many Quake map units make a metre.
const UnitsPerMetre = 32

// Contents says what fills a solid.
type Contents uint32

// The kinds of content. A solid may have several.
const (
	Solid      Contents = 1 << iota // stops everything and cannot be seen through
	Glass                           // stops bodies and shots, never sight
	PlayerClip                      // stops bodies only
	WeaponClip                      // stops shots only
	Water                           // can be swum in
	Slime                           // as water, hurts
	Lava                            // as water, kills
	Ladder                          // can be climbed
	NoDrop                          // things that fall here are removed
	Trigger                         // touches, never stops
	Detail                          // a hint of compilers; no effect here
	Fog                             // tints the picture; no effect on sight
)

// Liquid is every content that can be swum in.
const Liquid = Water | Slime | Lava

// Mask selects what a query collides with.
type Mask = Contents

// Masks of the three questions the engine asks.
const (
	MaskMove  Mask = Solid | Glass | PlayerClip
	MaskShot  Mask = Solid | Glass | WeaponClip
	MaskSight Mask = Solid
)

// Surf says how a surface behaves.
type Surf uint32

// The kinds of surface.
const (
	SurfSky         Surf = 1 << iota // drawn as sky; shots leave no mark
	SurfNoDraw                       // not drawn
	SurfSlick                        // no friction
	SurfLadder                       // can be climbed
	SurfNoDamage                     // falling here does not hurt
	SurfNoImpact                     // missiles vanish
	SurfMetal                        // sounds like metal
	SurfNoMarks                      // no decals
	SurfTranslucent                  // drawn blended
)

// Plane is the set of points with N·p = D. The inside of a solid is where
// N·p <= D for all its planes.
type Plane struct {
	N vec.V3
	D float32
}

// Dist returns the signed distance of p in front of the plane.
func (p Plane) Dist(q vec.V3) float32 { return p.N.Dot(q) - p.D }

// Side is one face of a solid.
type Side struct {
	Plane
	Texture uint16 // index into Level.Textures
	Surf    Surf
}

// Brush is a convex piece of the level. The first six sides are always the
// axial planes of its bounds, in the order -x +x -y +y -z +z (bevels: they make
// swept boxes stop right at corners); Source sides follow.
type Brush struct {
	Sides    []Side
	Contents Contents
	Bounds   vec.Box
	Source   Source
}

// Source tells where in the input a thing came from, for messages.
type Source struct {
	Entity, Brush, Line int
}

// Tri is one triangle of a curved surface (or a model that collides). It stops
// from both sides.
type Tri struct {
	A, B, C  vec.V3
	N        vec.V3 // unit normal of (B-A)×(C-A)
	Contents Contents
	Surf     Surf
	Texture  uint16
	Source   Source
}

// Model is a group of solids and triangles that moves as one. Model 0 is the
// world itself and never moves.
type Model struct {
	FirstSolid, NumSolids int // range of Level.Solids
	FirstTri, NumTris     int // range of Level.Tris
	Bounds                vec.Box
}

// Level is a loaded map.
type Level struct {
	Name     string // base name without folder and extension
	Source   string // what it was loaded from, for messages
	Format   string // "map", "bsp" or "code"
	Hash     [32]byte
	Bounds   vec.Box
	Solids   []Brush
	Tris     []Tri
	Models   []Model
	Terrain  *Terrain // nil when there is none
	Textures []string // names without extension, as the map wrote them

	Entities  []Entity
	Spawns    []Spawn
	Doors     []Door
	Teleports []Teleport
	Pads      []Pad
	Hurts     []Hurt
	Zones     []Zone
	Pieces    []Piece // at most MaxPieces
	Pickups   []Pickup
	Vehicles  []Vehicle

	Surfaces  []Surface
	Lightmaps []Lightmap
	Vis       *Vis // nil when the map has no visibility data

	Warnings []Warning

	// KillZ is the height below which a player is out of the world.
	KillZ float32
}

// Warning is one thing that was wrong with the input and was left out or mended.
type Warning struct {
	File                string
	Line, Entity, Brush int // 1-based line; -1 where not known
	Text                string
}

// KV is one key with its value.
type KV struct{ Key, Value string }

// Entity is one entity of the map as written.
type Entity struct {
	Class  string
	Keys   []KV // in file order, classname included
	Origin vec.V3
	Model  int // index into Level.Models; 0 when it has none of its own
	Line   int
}

// Get returns the last value of key, and "" when it is absent.
func (e *Entity) Get(key string) string {
	for i := len(e.Keys) - 1; i >= 0; i-- {
		if e.Keys[i].Key == key {
			return e.Keys[i].Value
		}
	}
	return ""
}

// Spawn is a place where a player may enter.
type Spawn struct {
	Pos   vec.V3 // feet
	Yaw   float32
	Class string // "info_player_deathmatch", …
	Team  int    // 0 anyone, 1 or 2
}

// Door is a brush model that slides between two places, or turns about a hinge.
type Door struct {
	Model     int
	Move      vec.V3  // from the closed to the open place
	Hinge     vec.V3  // the upright line that a hinged door turns about; Z says nothing
	Swing     float32 // degrees from closed to open, counter-clockwise from above; 0: it slides
	Both      bool    // it swings to either side, away from who opens it
	Ajar      float32 // degrees that it is opened by when used lightly, below Swing
	Use       bool    // the use key opens and closes it
	Speed     float32 // m/s, of a hinged door degrees a second
	Wait      float32 // seconds open before it closes; negative: stays
	Trigger   vec.Box // a living player inside opens it; empty: nothing does
	Group     int     // doors of one group open together; the door's own index when alone
	Lift      bool    // a lift (func_plat): carries, sight blocked alike
	StartOpen bool    // the readers leave it false: they store such a door the other way round
	Damage    int     // to what blocks it
}

// Teleport moves whoever touches Box to Dest.
type Teleport struct {
	Box  vec.Box
	Dest vec.V3 // feet
	Yaw  float32
}

// Pad throws whoever touches Box: velocity is set to Vel. Predicted on both
// sides.
type Pad struct {
	Box vec.Box
	Vel vec.V3 // m/s
}

// Hurt is a volume that hurts whoever touches it, once every HurtMS or slower.
type Hurt struct {
	Box    vec.Box
	Damage int
	Slow   bool // once a second
}

// Zone is a volume that the map gives a name, for rules to make of it what they like.
type Zone struct {
	Box  vec.Box
	Name string // at most MaxZoneName bytes
}

// MaxZoneName and MaxZones bound what a map may name.
const MaxZoneName, MaxZones = 32, 64

// PickupKind is what a pickup gives.
type PickupKind uint8

// The kinds of pickup.
const (
	PickHealth PickupKind = iota
	PickMega
	PickArmor
	PickShard
	PickAmmo
	PickRocketAmmo
	PickRifle
	PickRocket
)

// Pickup is a place where a thing to take appears.
type Pickup struct {
	Kind  PickupKind
	Pos   vec.V3  // its bottom centre
	Class string  // the map's word for it
	Value int     // 0 means the table's default
	Delay float32 // respawn seconds; 0 means the table's default
}

// Vertex is one corner of a drawn surface.
type Vertex struct {
	Pos, Normal vec.V3
	U, V        float32 // texture; in units of the whole image
	LU, LV      float32 // lightmap, 0..1
	Color       [4]uint8
}

// Surface is one drawn mesh of triangles.
type Surface struct {
	Texture  uint16
	Surf     Surf
	Contents Contents
	Model    int
	Lightmap int // index into Level.Lightmaps, -1 when none
	Verts    []Vertex
	Indices  []uint32 // triples, counter-clockwise seen from the front
	// UVTexels is set where U and V are in texels, because the image's size was
	// not known to the reader (.map): divide by the image's size.
	UVTexels bool
}

// Lightmap is RGB, 8 bits each.
type Lightmap struct {
	W, H int
	Pix  []byte
}

// Vis is the potentially visible set of a compiled map.
type Vis struct {
	Nodes    []VisNode
	Planes   []Plane
	Leafs    []VisLeaf
	Clusters int
	RowBytes int
	Rows     []byte // nil: everything potentially visible
	Areas    int
}

// VisNode splits space by a plane; a negative child is leaf -1-child.
type VisNode struct {
	Plane    int
	Children [2]int // front, back
}

// VisLeaf is a convex piece of space.
type VisLeaf struct {
	Cluster int // -1: outside or solid
	Area    int
}

// Leaf returns the index of the leaf that holds p, and -1 when there is none.
func (v *Vis) Leaf(p vec.V3) int {
	if v == nil || len(v.Nodes) == 0 {
		return -1
	}
	n := 0
	for steps := 0; steps <= len(v.Nodes); steps++ {
		node := &v.Nodes[n]
		side := 1
		if v.Planes[node.Plane].Dist(p) >= 0 {
			side = 0
		}
		c := node.Children[side]
		if c < 0 {
			return -1 - c
		}
		n = c
	}
	return -1
}

// MaySee reports whether cluster b is in cluster a's potentially visible set.
// Clusters out of range, and maps without rows, give true.
func (v *Vis) MaySee(a, b int) bool {
	if v == nil || v.Rows == nil || a < 0 || b < 0 || a >= v.Clusters || b >= v.Clusters {
		return true
	}
	return v.Rows[a*v.RowBytes+b/8]&(1<<(b%8)) != 0
}

// Terrain is a height field: a grid of samples joined by two triangles a cell,
// split along the diagonal from (i, j) to (i+1, j+1). Solid from the surface
// down.
type Terrain struct {
	Origin  vec.V3  // of sample (0, 0); Z is added to every height
	Cell    float32 // metres between samples
	W, H    int     // samples along x and y
	Heights []float32
	Texture uint16
}

// Height returns the sample (i, j), clamped to the grid, in world metres.
func (t *Terrain) Height(i, j int) float32 {
	i = min(max(i, 0), t.W-1)
	j = min(max(j, 0), t.H-1)
	return t.Origin.Z + t.Heights[j*t.W+i]
}
