package handshake

// ParseToken is the decoder behind the seal, for fuzzing.
func ParseToken(p []byte) (*Token, error) { return parseToken(p) }

// TokenContent is what is sealed.
func TokenContent(t *Token) []byte { return t.content() }
