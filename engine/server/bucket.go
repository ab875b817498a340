package server

// bucket is what a client's line may be sent: tokens in bytes, headers included,
// that come at a rate which follows the line. The rate grows step by step while
// packets arrive in time and shrinks when they are lost or queue up.
type bucket struct {
	rate    float64 // bytes per second
	tokens  float64
	at      int64 // of the last refill
	judged  int64
	arrived int // since it was judged
	lost    int
}

const (
	bucketMost  = 64_000 // bytes per second; no client needs more
	bucketLeast = 4_000  // enough for 32 small snapshots a second
	bucketDeep  = 2_400  // bytes that may go at once: two full packets
	judgeNS     = 250_000_000
	lossMuch    = 0.15
	queueMuchNS = 80e6
)

// refill lets time pass. rtt and least are the line's last round trip and the
// least of late, nanoseconds.
func (b *bucket) refill(now, rtt, least int64) {
	if b.rate == 0 {
		*b = bucket{rate: bucketMost / 2, tokens: bucketDeep, at: now, judged: now}
	}
	b.tokens = min(b.tokens+b.rate*float64(now-b.at)/1e9, bucketDeep)
	b.at = now
	if now-b.judged < judgeNS {
		return
	}
	n := b.arrived + b.lost
	congested := n >= 4 && float64(b.lost) > lossMuch*float64(n) || float64(rtt-least) > queueMuchNS
	if congested {
		b.rate = max(b.rate*0.8, bucketLeast)
	} else if n > 0 {
		b.rate = min(b.rate+2_000, bucketMost)
	}
	b.judged, b.arrived, b.lost = now, 0, 0
}

// pay takes a packet's bytes. The account may go below zero by what bypasses it.
func (b *bucket) pay(bytes int) { b.tokens = max(b.tokens-float64(bytes), -bucketDeep) }

// room returns how long a packet may be: what is there, but at least enough for
// the own state and a reveal, and nothing that could not wait when it is empty.
func (b *bucket) room(most int) int { return min(most, max(int(b.tokens), 160)) }
