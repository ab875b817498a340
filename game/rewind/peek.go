package rewind

// PeekersAdvantage returns for how many ms somebody who comes round a corner sees
// the one who holds it before being seen: the holder's round trip, and the time that
// data waits in buffers, of serverFrames ticks at serverHz and of clientFrames
// frames at clientFPS. The peeker's own latency is not in it: the move and the shot
// travel the same way. Rewinding neither causes it nor takes it away.
func PeekersAdvantage(rttMS, serverHz, serverFrames, clientFPS, clientFrames float32) float32 {
	return rttMS + float32(serverFrames*1000)/serverHz + float32(clientFrames*1000)/clientFPS
}
