// Package plugintest says whether a policy or rules keep the contract, as tests:
//
//	func TestConformance(t *testing.T) { plugintest.Policy(t, Spec()) }
//
// Policy and Rules try a Go value, Binary a built plugin, which may be written in any
// language. What they try: settings, the shape of answers, that nothing of what was
// given is kept or changed, that the same ticks give the same answers, that nobody is
// told of by somebody else's secret path, strange input, and what a tick costs. Worlds
// are random with printed seeds; besides, policies play the engine's shipped scenes, which
// have what a World has not: smoke, panes that break, optics, spectators, vehicles.
//
// What a policy promises of its own (that whoever is seen is sent) its own tests say:
// a World has a level, players who run about in it, and the truth of who sees whom.
package plugintest
