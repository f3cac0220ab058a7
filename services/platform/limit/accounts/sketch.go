package accounts

import "math/bits"

const (
	// rows is how many cells a caller has, one in each row.
	rows = 4
	// minWidth is the least number of cells of a row.
	minWidth = 1024
)

// Sketch counts any number of callers in a fixed number of cells: a count-min sketch with conservative update (Estan and Varghese, 2002). It is not safe for
// concurrent use.
//
// What is counted is the time at which a caller's bucket is full again if it uses nothing until then, so a cell decays by itself, at the rate of whatever limit
// it was counted for. A caller has 4 cells, and its time is the earliest of them. Counting a use moves those of them that are before the new time to it, so a
// cell has the latest time of the callers that share it, and not their sum.
//
// No caller is counted too low. It is counted too high only if each of its cells is shared with a caller of a later time: a row has a cell for each account
// of the table that the sketch belongs to, so if n others are counted, of as many as there may be accounts, the chance is at most (n/accounts)^4. That is less
// than 1 in 4,000 for an eighth of them. A caller that shares its cells only with callers that use little is refused nothing for it, however many they are.
type Sketch struct {
	cells []int64
	width uint32
}

// NewSketch returns a sketch beside a table of this many accounts.
func NewSketch(accounts int) *Sketch {
	width := minWidth
	if accounts > minWidth {
		width = 1 << bits.Len(uint(accounts-1))
	}
	return &Sketch{cells: make([]int64, rows*width), width: uint32(width)}
}

// Full returns when the bucket of a key is full again, at the latest; it is in the past if the bucket is full.
func (s *Sketch) Full(key uint64) int64 {
	at := s.places(key)
	return min(s.cells[at[0]], s.cells[at[1]], s.cells[at[2]], s.cells[at[3]])
}

// Raise counts that the bucket of a key is full again at a time that is not before that of [Sketch.Full].
func (s *Sketch) Raise(key uint64, full int64) {
	for _, at := range s.places(key) {
		s.cells[at] = max(s.cells[at], full)
	}
}

// places returns the cells of a key.
func (s *Sketch) places(key uint64) [rows]uint32 {
	// A key has 64 bits, which are too few for the places of four rows.
	other := mix(key)
	mask := s.width - 1
	return [rows]uint32{
		uint32(key) & mask,
		s.width + uint32(key>>32)&mask,
		2*s.width + uint32(other)&mask,
		3*s.width + uint32(other>>32)&mask,
	}
}

// mix returns other bits for a key: the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(key uint64) uint64 {
	key += 0x9e3779b97f4a7c15
	key = (key ^ key>>30) * 0xbf58476d1ce4e5b9
	key = (key ^ key>>27) * 0x94d049bb133111eb
	return key ^ key>>31
}
