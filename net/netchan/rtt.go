package netchan

// rtt estimates the round trip in nanoseconds: the last sample, a smoothed
// one with its mean deviation, and the least of the last two seconds.
type rtt struct {
	known          bool
	last           int64
	smooth, jitter int64
	leastIn        [rttBuckets]int64
	bucketNo       [rttBuckets]int64
}

const (
	rttBuckets  = 8
	rttBucket   = 250_000_000 // of 250 ms: two seconds in all
	lateSlack   = 20_000_000  // a client frame
	silentLeast = 250_000_000
	silentMost  = 2_000_000_000
	silentFirst = 500_000_000 // before the first sample
)

func (r *rtt) sample(d, now int64) {
	d = max(d, 0)
	r.last = d
	if !r.known {
		r.known, r.smooth, r.jitter = true, d, d/4
	} else {
		dev := d - r.smooth
		r.smooth += dev / 8
		if dev < 0 {
			dev = -dev
		}
		r.jitter += (dev - r.jitter) / 8
	}
	no := now / rttBucket
	i := int(uint64(no) % rttBuckets)
	if r.bucketNo[i] != no+1 || d < r.leastIn[i] { // +1: zero is empty
		r.bucketNo[i], r.leastIn[i] = no+1, d
	}
}

// least is the smallest sample of the two seconds before now, or the last one
// there was.
func (r *rtt) least(now int64) int64 {
	least, found := r.last, false
	no := now / rttBucket
	for i, b := range r.bucketNo {
		if b > 0 && no+1-b < rttBuckets && (!found || r.leastIn[i] < least) {
			least, found = r.leastIn[i], true
		}
	}
	return least
}

// limits tells when a packet is late although later ones arrived, and when it
// is given up although nothing was heard.
func (r *rtt) limits() (late, silent int64) {
	if !r.known {
		return silentFirst, silentFirst
	}
	late = r.smooth + 4*r.jitter + lateSlack
	silent = min(max(2*r.smooth+4*r.jitter, silentLeast), silentMost)
	return min(late, silent), silent
}
