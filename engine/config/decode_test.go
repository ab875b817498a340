package config_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
)

type colour struct{ r, g, b uint8 }

func (c *colour) UnmarshalText(b []byte) error {
	if _, err := fmt.Sscanf(string(b), "#%02x%02x%02x", &c.r, &c.g, &c.b); err != nil {
		return errors.New("a colour is written #rrggbb")
	}
	return nil
}

type base struct {
	Title string `toml:"title" required:"true"`
}

type client struct {
	Name  string     `toml:"name"`
	Start [3]float32 `toml:"start"`
	Skill *int8      `toml:"skill" range:"0..10"`
}

type scene struct {
	base
	Base
	Seed    uint32             `toml:"seed"`
	Ticks   int                `toml:"ticks" range:"1..100000"`
	Length  time.Duration      `toml:"length"`
	Speed   float64            `toml:"speed"`
	Client  []client           `toml:"client" range:"0..3"`
	Weights map[string]float64 `toml:"weights"`
	Link    struct {
		Loss   float32 `toml:"loss" range:"0..1"`
		Jitter float32 `toml:"jitter"`
	} `toml:"link"`
	Colour  colour `toml:"colour"`
	Free    any    `toml:"free"`
	Plain   bool
	Skipped string `toml:"-"`
}

// Base is exported so that embedding it gives its keys to scene.
type Base = embedded

type embedded struct {
	Map string `toml:"map"`
}

const goodScene = `
title = "corner"
map = "dm1"
seed = 7
ticks = 640
length = "10s"
speed = 2
colour = "#ff8000"
plain = true
free = [1, "x"]
weights = { a = 1, "b c" = 0.5 }
[link]
loss = 0.03
[[client]]
name = "a"
start = [1, 2.5, -3]
[[client]]
name = "b"
skill = 3
`

func TestDecodeFillsAStruct(t *testing.T) {
	s := scene{Ticks: 1, Weights: map[string]float64{"z": 9}}
	s.Link.Jitter = 5
	old := s.Weights
	if err := config.DecodeStrict("scene.toml", []byte(goodScene), &s); err != nil {
		t.Fatal(err)
	}
	three := int8(3)
	want := scene{
		base: base{"corner"}, Base: Base{"dm1"}, Seed: 7, Ticks: 640, Length: 10 * time.Second, Speed: 2,
		Client:  []client{{Name: "a", Start: [3]float32{1, 2.5, -3}}, {Name: "b", Skill: &three}},
		Weights: map[string]float64{"z": 9, "a": 1, "b c": 0.5}, Colour: colour{255, 128, 0}, Plain: true, Free: []any{int64(1), "x"},
	}
	want.Link.Loss, want.Link.Jitter = 0.03, 5
	if !reflect.DeepEqual(s, want) {
		t.Fatalf("got  %+v\nwant %+v", s, want)
	}
	if len(old) != 1 {
		t.Fatal("the caller's map was changed in place")
	}
}

func TestDecodeMistakesNameLineKeyAndRemedy(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"title = 'x'\n[[client]]\nname='a'\n[[client]]\nnmae = 'b'", "scene.toml:5: client[1].nmae: unknown key; did you mean client.name?"},
		{"title = 'x'\nclient = [{name='a'},\n {start=[1,2]}]", "scene.toml:3: client[1].start: found a list; it needs a list of 3"},
		{"title = 'x'\nloss = 1", "scene.toml:2: loss: unknown key; it belongs in [link]"},
		{"title = 'x'\n[link]\nticks = 1", "scene.toml:3: link.ticks: unknown key; it belongs in the top of the file, before the first table"},
		{"seed = 1", "title: is missing"},
		{"title = 1", "scene.toml:1: title: found 1; it needs a text in quotes"},
		{"title = 'x'\nseed = -1", "scene.toml:2: seed: -1 is out of range; allowed: 0 to 4294967295"},
		{"title = 'x'\nseed = 1.5", "scene.toml:2: seed: found 1.5; it needs a whole number"},
		{"title = 'x'\nticks = 0", "scene.toml:2: ticks: 0 is out of range; allowed: 1 to 100000"},
		{"title = 'x'\nspeed = nan", "scene.toml:2: speed: found nan; it needs a finite number"},
		{"title = 'x'\n[link]\nloss = 1e39", "scene.toml:3: link.loss: found 1e+39; it needs a finite number"},
		{"title = 'x'\n[link]\nloss = 2", "scene.toml:3: link.loss: 2 is out of range; allowed: 0 to 1"},
		{"title = 'x'\nlink = 3", "scene.toml:2: link: found 3; it needs a table: [link]"},
		{"title = 'x'\nclient = 3", "scene.toml:2: client: found 3; it needs a list of tables: [[client]]"},
		{"title = 'x'\nlength = 10", "scene.toml:2: length: found 10; it needs a duration in quotes"},
		{"title = 'x'\ncolour = 'red'", "scene.toml:2: colour: found the text \"red\": a colour is written #rrggbb"},
		{"title = 'x'\nskipped = 'y'", "scene.toml:2: skipped: unknown key"},
		{"title = 'x'\n[[client]]\nskill = 300", "scene.toml:3: client[0].skill: 300 is out of range; allowed: -128 to 127"},
		{"title = 'x'\n[[client]]\nskill = 30", "scene.toml:3: client[0].skill: 30 is out of range; allowed: 0 to 10"},
		{"title = 'x'\nweights.a = 'heavy'", "scene.toml:2: weights.a: found the text \"heavy\"; it needs a number"},
		{"title = 'x'\n[[client]]\n[[client]]\n[[client]]\n[[client]]", "client: 4 entries is out of range; allowed: 0 to 3"},
	} {
		s := scene{Seed: 99}
		err := config.DecodeStrict("scene.toml", []byte(row.text), &s)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q:\n got %v\nwant %s", row.text, err, row.want)
		}
		if !reflect.DeepEqual(s, scene{Seed: 99}) {
			t.Errorf("%q: the struct was changed: %+v", row.text, s)
		}
	}
}

func TestOneFileMayHoldVariablesAndTables(t *testing.T) {
	doc, err := config.Parse("server.toml", []byte("[server]\nport = 9\n[[bots]]\nname = 'a'\n"))
	if err != nil {
		t.Fatal(err)
	}
	reg := newRegistry()
	if _, err := doc.Vars(reg, console.LayerHost, "bots"); err != nil || value(t, reg, "server.port") != "9" {
		t.Fatal(err)
	}
	var bots []client
	if ok, err := doc.DecodeTable("bots", &bots); !ok || err != nil || len(bots) != 1 {
		t.Fatal(ok, err, bots)
	}
	if ok, err := doc.DecodeTable("nope", &bots); ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, err := doc.Vars(reg, console.LayerHost); err == nil || !strings.Contains(err.Error(), "server.toml:3: bots: unknown key") {
		t.Fatal(err)
	}
}
