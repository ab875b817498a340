// Package bomb is the rules of rounds in which one side brings a bomb to a site and
// the other keeps it from going off.
//
// A round: everybody enters on their side and stands still while they buy; then the
// attackers have so long to plant the bomb in a site. Planted, it goes off after a
// while unless a defender disarms it. A round is won by the bomb, by disarming it, by
// the time (the defenders) or by nobody of the other side being left: a planted bomb
// still has to be disarmed. The dead wait for the next round and watch a mate.
//
// The sides are swapped after half of the rounds; whoever has more than half of them
// has won. Of an even score come pairs of shorter halves, as many as it takes, or a
// draw where overtime_rounds is 0.
//
// Money buys arms and is earned by rounds, kills and the bomb: prices and rewards are
// in economy.go. Each half begins with the start money.
//
// A level says where the sites are with zones named bombsite, and where the sides
// enter with places of team 1 (attackers) and 2. In a level without places of sides
// the two places farthest from each other are the middles of the sides; without zones
// two of the defenders' places, the farthest from the attackers, are sites.
//
// Commands: /buy THING, /drop, /team red, /team blue.
//
// Everything follows from the match's seed and the ticks. Save holds all of it. A
// Rules belongs to one goroutine; a tick without news allocates nothing.
package bomb
