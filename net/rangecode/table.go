package rangecode

// Table holds the shares of an alphabet: symbol s has those from t[s] up to t[s+1],
// and the last entry is Total. Every share is at least 1.
type Table []uint16

// MaxSymbols is the largest alphabet.
const MaxSymbols = 256

// Put codes a symbol of a Table, which must be one of its.
func (e *Encoder) Sym(t Table, s int) {
	e.Put(uint32(t[s]), uint32(t[s+1]-t[s]))
}

// Symbols returns the size of the alphabet.
func (t Table) Symbols() int { return len(t) - 1 }

// Valid reports whether t is a Table.
func (t Table) Valid() bool {
	if len(t) < 2 || len(t) > MaxSymbols+1 || t[0] != 0 || t[len(t)-1] != Total {
		return false
	}
	for i := 1; i < len(t); i++ {
		if t[i] <= t[i-1] {
			return false
		}
	}
	return true
}

// Shares makes a Table of how often each symbol occurred. Every symbol gets a share,
// however seldom it is.
func Shares(counts []uint64) Table {
	t := make(Table, len(counts)+1)
	var sum, most uint64
	at := 0
	for i, c := range counts {
		sum += c + 1
		if c > most {
			most, at = c, i
		}
	}
	free := uint64(Total - len(counts))
	given := uint64(0)
	share := make([]uint64, len(counts))
	for i, c := range counts {
		share[i] = 1 + (c+1)*free/sum
		given += share[i]
	}
	share[at] += Total - given
	for i, s := range share {
		t[i+1] = t[i] + uint16(s)
	}
	return t
}
