package handshake

// ParseToken is the decoder behind the seal, for fuzzing.
func ParseToken(p []byte) (*Token, error) { return parseToken(p) }

// TokenContent is what is sealed.
func TokenContent(t *Token) []byte { return t.content() }

// ReadTerms and AppendTerms are the content of an Accept, for fuzzing.
func ReadTerms(p []byte) (suite uint8, o Offer, resume []byte, ok bool) { return readTerms(p) }

func AppendTerms(suite uint8, o Offer, resume []byte) ([]byte, error) {
	return appendTerms(make([]byte, HelloSize), suite, o, resume)
}
