package desktop

import (
	"math"
	"strconv"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
	"github.com/sightline-engine/sightline/net/wire"
	"github.com/sightline-engine/sightline/render/hud"
	"github.com/sightline-engine/sightline/render/scene"
)

const (
	maxFeed    = 6
	maxNotices = 8
	maxSamples = 128
)

// status is what stands over the picture: it turns what the client knows into a
// hud.Model, and remembers what is shown for a while. Its slices are reused.
type status struct {
	model   hud.Model
	kills   [maxFeed]hud.Kill
	notices [maxNotices]hud.Notice
	slots   [state.NumWeapons - 1]hud.Slot
	hurts   [maxHurts]hud.Hurt
	samples [maxSamples]hud.Sample
	net     hud.NetGraph
	board   hud.Board
	stats   [4]hud.Stat
	killer  string
	centre  string
	centMs  float32
	pickup  string
	pickMs  float32

	last    client.Stats
	rateAge float32
	rates   client.Stats // counters when the rates were measured last

	frames, fps int
	fpsAge      float32
	fpsText     string
}

func newStatus() *status {
	s := &status{pickMs: 1e6}
	for i := range s.kills {
		s.kills[i].Ms = 1e6
	}
	for i := range s.notices {
		s.notices[i].Ms = 1e6
	}
	return s
}

// rgb turns a linear colour into one of the HUD's.
func rgb(c mgl32.Vec3) scene.RGBA {
	f := func(x float32) uint8 {
		return uint8(255*math.Pow(float64(vec.Clamp(x, 0, 1)), 1/2.2) + 0.5)
	}
	return scene.RGBA{R: f(c[0]), G: f(c[1]), B: f(c[2]), A: 255}
}

// notice shows a line above the health for a while.
func (s *status) notice(text string, c scene.RGBA) {
	copy(s.notices[:], s.notices[1:])
	s.notices[maxNotices-1] = hud.Notice{Text: text, Color: c}
}

// announce shows a large line in the middle for a while.
func (s *status) announce(text string) { s.centre, s.centMs = text, 0 }

func playerName(c teller, id state.ID) string {
	if p, ok := c.Player(id); ok {
		return p.Name
	}
	return "player " + strconv.Itoa(int(id))
}

func nameColor(c teller, id state.ID) scene.RGBA {
	p, _ := c.Player(id)
	if id == c.ID() {
		return rgb(ownColor(p.Team).Add(mgl32.Vec3{0.1, 0.15, 0}))
	}
	return rgb(PlayerColor(id, p.Team).Add(mgl32.Vec3{0.05, 0.08, 0.08}))
}

// event notes what is told in words.
func (s *status) event(c teller, e *state.Event) {
	switch e.Kind {
	case state.EvKill:
		s.kill(c, e)
	case state.EvPickup:
		if e.Actor != c.ID() {
			return
		}
		l := c.Level().Level
		if l == nil || e.Param < 0 || int(e.Param) >= len(l.Pickups) {
			return
		}
		s.pickup, s.pickMs = pickupText(c.Tables(), &l.Pickups[e.Param]), 0
	}
}

func (s *status) kill(c teller, e *state.Event) {
	own := c.ID()
	k := hud.Kill{
		Victim: playerName(c, e.Target), VictimColor: nameColor(c, e.Target), With: weaponName(c.Tables(), e.Weapon),
		Own: e.Actor == own || e.Target == own,
	}
	if e.Actor != 0 && e.Actor != e.Target {
		k.Killer, k.KillerColor = playerName(c, e.Actor), nameColor(c, e.Actor)
	}
	copy(s.kills[:], s.kills[1:])
	s.kills[maxFeed-1] = k
	switch {
	case e.Target == own && k.Killer != "":
		s.killer = "Killed by " + k.Killer
	case e.Target == own:
		s.killer = "You died"
	case e.Actor == own:
		s.announce("You killed " + k.Victim)
	}
}

func weaponName(t *tables.Set, w uint8) string {
	if t == nil || w == 0 || int(w) >= len(t.Weapons) {
		return "the world"
	}
	return t.Weapons[w].Name
}

func pickupText(t *tables.Set, p *level.Pickup) string {
	n := func(own, table int) string {
		if own != 0 {
			table = own
		}
		return strconv.Itoa(table)
	}
	switch p.Kind {
	case level.PickHealth:
		return "+" + n(p.Value, t.Items.Health) + " health"
	case level.PickMega:
		return "+" + n(p.Value, t.Items.Mega) + " mega health"
	case level.PickArmor:
		return "+" + n(p.Value, t.Items.Armor) + " armour"
	case level.PickShard:
		return "+" + n(p.Value, t.Items.Shard) + " armour"
	case level.PickAmmo:
		return "rifle rounds"
	case level.PickRocketAmmo:
		return "rockets"
	case level.PickRifle:
		return "rifle"
	case level.PickRocket:
		return "rocket launcher"
	}
	return ""
}

// tell notes what the server says in words, and returns the line for the console,
// "" for none.
func (s *status) tell(c *client.Client, m wire.Message) string {
	switch m := m.(type) {
	case *wire.Chat:
		who := "server"
		col := scene.RGBA{R: 236, G: 240, B: 244, A: 255}
		if m.ID != 0 {
			who = playerName(c, m.ID)
			col = nameColor(c, m.ID)
		}
		line := who + ": " + m.Text
		if m.Team {
			line = "(team) " + line
		}
		s.notice(line, col)
		return line
	case *wire.Announce:
		s.announce(m.Text)
		return m.Text
	case *wire.Print:
		return m.Text
	case *wire.Gone:
		return "a player left: " + m.Reason
	case *wire.Bye:
		return "the server ends the connection: " + m.Reason
	case *wire.Welcome:
		*s = *newStatus()
		return "level " + m.Level + ", rules " + m.Rules + ", visibility " + m.Policy + ", " + strconv.Itoa(int(m.TickRate)) + " ticks per second"
	}
	return ""
}

// fill makes the model of one frame.
func (s *status) fill(c *client.Client, st *Stage, v *View, vars *Vars, scores bool) *hud.Model {
	ms := v.DT * 1000
	m := &s.model
	*m = hud.Model{Hide: !vars.DrawHUD.Get(), Alive: v.Alive && c.State() == client.Playing, Reserve: -1}
	for i := range s.kills {
		s.kills[i].Ms += ms
	}
	for i := range s.notices {
		s.notices[i].Ms += ms
	}
	s.pickMs += ms
	s.centMs += ms
	m.Kills, m.Notices, m.Pickup, m.PickupMs = s.shownKills(), s.notices[:], s.pickup, s.pickMs
	s.vitals(m, v, vars, st)
	s.score(c, m)
	s.centreText(c, m, v)
	s.figures(c, m, v, vars)
	if scores || c.Phase().Phase == rules.Over && c.State() == client.Playing {
		m.Board = s.fillBoard(c)
	}
	return m
}

// shownKills leaves out lines that have faded, oldest first.
func (s *status) shownKills() []hud.Kill {
	i := 0
	for i < maxFeed && s.kills[i].Ms > 7000 {
		i++
	}
	return s.kills[i:]
}

func (s *status) vitals(m *hud.Model, v *View, vars *Vars, st *Stage) {
	p, t := v.Own, v.Tables
	if p == nil || t == nil {
		m.Alive = false
		return
	}
	m.Health, m.Armour = max(int(p.Health), 0), int(p.Armor)
	w := int(p.Weapon)
	if w > 0 && w < len(t.Weapons) && w < len(p.Ammo) {
		m.Weapon, m.Ammo, m.NoAmmo = t.Weapons[w].Name, int(p.Ammo[w]), t.Weapons[w].AmmoMax == 0
		if weapon.Suppressed(p, p.Weapon, t) {
			m.Weapon = quietName(w, t)
		}
		if spare, mag := weapon.Spare(p, p.Weapon, t); mag && p.Mag != [state.NumWeapons]uint8{} {
			m.Ammo, m.Reserve = int(p.Mag[w]), spare
		}
		if rate := t.Weapons[w].IntervalMS; rate > 300 && p.WTimer > 0 {
			m.Cross.Cool = vec.Clamp(float32(p.WTimer)*v.TickMS/rate, 0, 1)
		}
	}
	for i := range s.slots {
		w := i + 1
		s.slots[i] = hud.Slot{Key: slotKeys[i], None: true}
		if w < len(t.Weapons) && w < len(p.Ammo) && t.Weapons[w].Name != "" {
			s.slots[i].Name, s.slots[i].Ammo = t.Weapons[w].Name, int(p.Ammo[w])
			s.slots[i].Held, s.slots[i].None = w == int(p.Weapon), p.Owned&(1<<w) == 0 || p.Ammo[w] == 0
		}
	}
	m.Weapons = s.slots[:min(len(s.slots), len(t.Weapons)-1)]
	m.Cross.Hide = !vars.Crosshair.Get()
	m.Cross.Color = crossRGB[min(vars.CrossColor.Index(), len(crossRGB)-1)]
	m.Cross.Gap = float32(vars.CrossGap.Get()) + min(float32(p.Shots)*1.4+p.Vel.Len2()*0.5, 22)*(1-st.aim*0.6)
	m.Cross.HitMs, m.Cross.Killed = st.HitAge*1000, st.HitKill
	s.scope(m, v, st)
	n := 0
	for i := range st.Hurts {
		if h := &st.Hurts[i]; h.On {
			yaw, _ := vec.Angles(h.Dir)
			s.hurts[n] = hud.Hurt{Yaw: vec.WrapDeg(yaw - v.Yaw), Ms: h.Age * 1000, Amount: h.Amount}
			n++
		}
	}
	m.Hurt = s.hurts[:n]
}

// scope shows the round picture of an optic, in which nothing else marks the middle.
func (s *status) scope(m *hud.Model, v *View, st *Stage) {
	z := &st.zoom
	m.Scope = hud.Scope{Shown: z.round}
	if z.round <= 0 {
		return
	}
	m.Cross.Hide = m.Cross.Hide || z.round > 0.3
	m.Scope.Zoom = z.optic.Magnification
	m.Scope.Gap = weapon.SpreadOf(v.Own, v.Tables) / z.optic.FovDeg * hud.ScopeUnits
}

var slotKeys = [state.NumWeapons - 1]string{"1", "2", "3", "4", "5"}

var crossRGB = [...]scene.RGBA{
	{R: 255, G: 255, B: 255, A: 235}, {R: 90, G: 255, B: 110, A: 240}, {R: 80, G: 235, B: 255, A: 240},
	{R: 255, G: 235, B: 70, A: 240}, {R: 255, G: 90, B: 240, A: 240}, {R: 255, G: 70, B: 60, A: 240},
}

func (s *status) score(c *client.Client, m *hud.Model) {
	m.Score.Time = -1
	if c.State() != client.Playing {
		return
	}
	rows := c.Scores()
	own := c.ID()
	if len(rows) > 0 {
		m.Score.Best = int(rows[0].Points)
		if rows[0].ID == own && len(rows) > 1 {
			m.Score.Best = int(rows[1].Points)
		}
	}
	for i := range rows {
		if rows[i].ID == own {
			m.Score.Own = int(rows[i].Points)
		}
	}
	switch c.Phase().Phase {
	case rules.Warmup:
		m.Score.Label = "warm-up"
	case rules.Live:
		m.Score.Label = "free for all"
	case rules.Over:
		m.Score.Label = "match over"
	}
	if v := c.HUD("frag_limit"); v != "" {
		m.Score.Limit, _ = strconv.Atoi(v)
	}
	if end := c.Phase().End; end != 0 && c.TickRate() > 0 {
		tick, _ := c.Shown()
		if left := int32(end - tick); left >= 0 {
			m.Score.Time = int(left) / c.TickRate()
		}
	}
}

// watching says whom the picture shows. Neither rounds nor armour of another are known.
func (s *status) watching(m *hud.Model, w *watched, c *client.Client) {
	own := c.Own()
	if c.State() != client.Playing || own.Alive() {
		return
	}
	if w.id == 0 {
		if c.Phase().Phase != rules.Over {
			m.Spectate = w.hint
		}
		return
	}
	m.Spectate, m.Centre = w.line, hud.Message{}
	m.NoAmmo, m.Reserve, m.Weapons, m.Armour, m.Cross.Cool = true, -1, nil, 0, 0
	if !w.seen {
		m.Centre = hud.Message{Text: "Watching", Sub: "the picture comes as late as it is told"}
	}
}

func (s *status) centreText(c *client.Client, m *hud.Model, v *View) {
	switch c.State() {
	case client.Connecting:
		if c.Resuming() {
			m.Centre = hud.Message{Text: "Connection lost", Sub: "trying to come back to your place"}
			return
		}
		m.Centre = hud.Message{Text: "Connecting", Sub: "waiting for the server to answer"}
		return
	case client.Joining:
		m.Centre = hud.Message{Text: "Joining", Sub: "waiting for the level"}
		return
	case client.Gone:
		m.Centre = hud.Message{Text: "Disconnected", Sub: c.Reason()}
		return
	}
	switch {
	case v.Own == nil:
		m.Centre = hud.Message{Text: "Entering", Sub: "waiting for the first picture of the match"}
	case v.Own.Flags&state.Dead != 0:
		m.Centre = hud.Message{Text: s.killer, Sub: "press fire to come back"}
		if s.killer == "" {
			m.Centre.Text = "You died"
		}
	case v.Own.Flags&state.Spectating != 0:
		m.Centre = hud.Message{Text: "Looking on", Sub: "press fire to enter"}
		if v.Own.Flags&state.Bystander != 0 {
			m.Centre.Sub = "lookon off to play again"
		}
	default:
		s.killer = ""
		if !c.Predicting() {
			m.Centre = hud.Message{Text: "The tables have changed", Sub: "waiting for the server to send them"}
			return
		}
		if s.centMs < 3000 {
			m.Centre = hud.Message{Text: s.centre, Ms: s.centMs, ForMs: 2200}
		}
	}
}

// figures fills the net graph and the developer's numbers.
func (s *status) figures(c *client.Client, m *hud.Model, v *View, vars *Vars) {
	now := c.Stats()
	tickMS := v.TickMS
	add := func(k hud.SampleKind, bytes int) {
		copy(s.samples[:], s.samples[1:])
		s.samples[maxSamples-1] = hud.Sample{Kind: k, Bytes: bytes, MarginMs: float32(now.Margin) * tickMS}
	}
	if n := now.Snapshots - s.last.Snapshots; n > 0 {
		bytes := int(now.BytesIn-s.last.BytesIn) / n
		for range min(n, 8) {
			k := hud.Received
			if now.Errors > s.last.Errors {
				k = hud.Predicted
			}
			add(k, bytes)
		}
	}
	for range min(now.Dropped-s.last.Dropped, 8) {
		add(hud.Late, 0)
	}
	s.last = now
	if s.rateAge += v.DT; s.rateAge >= 0.5 {
		k := 1 / s.rateAge
		s.net.InBps = float32(now.BytesIn-s.rates.BytesIn) * k
		s.net.OutBps = float32(now.BytesOut-s.rates.BytesOut) * k
		s.net.InHz = float32(now.PacketsIn-s.rates.PacketsIn) * k
		s.net.OutHz = float32(now.PacketsOut-s.rates.PacketsOut) * k
		s.rates, s.rateAge = now, 0
	}
	s.frames++
	if s.fpsAge += v.DT; s.fpsAge >= 0.5 {
		s.fps = int(float32(s.frames)/s.fpsAge + 0.5)
		s.fpsText = strconv.Itoa(s.fps)
		s.frames, s.fpsAge = 0, 0
		if vars.NetGraph.Get() >= 3 {
			s.stats[1] = hud.Stat{Name: "corrected", Value: strconv.Itoa(now.Corrections) + " (" + strconv.Itoa(now.Explained) + " forced)"}
			s.stats[2] = hud.Stat{Name: "interp ticks", Value: strconv.FormatFloat(float64(now.InterpTicks), 'f', 2, 32)}
			s.stats[3] = hud.Stat{Name: "starved", Value: strconv.Itoa(now.Starved)}
		}
	}
	s.stats[0] = hud.Stat{Name: "fps", Value: s.fpsText}
	graph := vars.NetGraph.Get()
	switch {
	case graph >= 3:
		m.Stats = s.stats[:]
	case vars.ShowFPS.Get():
		m.Stats = s.stats[:1]
	}
	if graph == 0 {
		return
	}
	ch := c.Net()
	s.net.PingMs, s.net.JitterMs = float32(ch.RTT)/1e6, float32(ch.Jitter)/1e6
	s.net.DelayMs = now.InterpTicks * tickMS
	s.net.LossShare = float32(max(ch.LossIn, ch.LossOut))
	s.net.Errors, s.net.Known, s.net.Withheld = now.Errors, c.Known(), -1
	s.net.Samples = nil
	if graph >= 2 {
		s.net.Samples = s.samples[:]
	}
	m.Net = &s.net
}

func (s *status) fillBoard(c teller) *hud.Board {
	b := &s.board
	b.Title, b.Sub, b.Foot = "Sightline", "", c.Server()
	if l := c.Level().Level; l != nil {
		b.Sub = l.Name
	}
	b.Rows = b.Rows[:0]
	rows := c.Scores()
	for i := range rows {
		r := &rows[i]
		ping := int(r.Ping)
		if r.Bot {
			ping = -1
		}
		b.Rows = append(b.Rows, hud.Row{
			Name: r.Name, Color: nameColor(c, r.ID), Score: int(r.Points), Deaths: int(r.Deaths), Ping: ping, Own: r.ID == c.ID(),
		})
	}
	return b
}

// quietName is what a weapon with a suppressor is called. It makes no string for the
// shipped ones.
func quietName(w int, t *tables.Set) string {
	if w == tables.Rifle && t.Weapons[w].Name == "rifle" {
		return "rifle, suppressed"
	}
	return t.Weapons[w].Name + ", suppressed"
}
