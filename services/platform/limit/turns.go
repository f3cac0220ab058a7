package limit

import (
	"cmp"
	"net/netip"
	"slices"
)

// maxServed bounds the networks that [Turns] remembers. Of more, those whose turn is longest ago are forgotten.
const maxServed = 16_384

// Turns says which of the callers that wait is next: the one whose turn is longest ago. The turns of an IPv6 /48 count first, then those of the /56, and of
// the /64, so that many addresses of a network have no more turns than one. Projects do not count. It is not safe for concurrent use.
type Turns struct {
	n    uint64
	last map[netip.Prefix]uint64
}

// NewTurns returns turns of which no caller had one.
func NewTurns() *Turns { return &Turns{last: map[netip.Prefix]uint64{}} }

// Take records that a caller has its turn.
func (t *Turns) Take(c Caller) {
	t.n++
	networks, levels := c.networks()
	for _, network := range networks[:levels] {
		t.last[network] = t.n
	}
	if len(t.last) > maxServed {
		t.forget()
	}
}

// Compare returns a negative number if a's turn is before b's, a positive one if it is after it, and 0 if neither had one.
func (t *Turns) Compare(a, b Caller) int {
	x, ofA := a.networks()
	y, ofB := b.networks()
	for i, j := ofA-1, ofB-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if c := cmp.Compare(t.last[x[i]], t.last[y[j]]); c != 0 {
			return c
		}
	}
	return 0
}

func (t *Turns) forget() {
	times := make([]uint64, 0, len(t.last))
	for _, at := range t.last {
		times = append(times, at)
	}
	slices.Sort(times)
	for network, at := range t.last {
		if at <= times[len(times)/2] {
			delete(t.last, network)
		}
	}
}
