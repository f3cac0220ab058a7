package limit

import (
	"fmt"
	"testing"
)

func TestARotationGoesByTurnsOfNetworks(t *testing.T) {
	var r Rotation
	for n := range 8 {
		r.Add(CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", n)))
	}
	honest := CallerOf("p", "192.0.2.1")
	r.Add(honest)
	r.Add(honest)
	seen := map[Caller]int{}
	for n := range 10 {
		c, ok := r.Next()
		if !ok || c == honest != (n == 1 || n == 3) {
			t.Errorf("number %d is %v, %t", n, c, ok)
		}
		seen[c]++
	}
	if _, more := r.Next(); more || len(seen) != 9 {
		t.Errorf("%d callers had a turn, and one more: %t", len(seen), more)
	}
}
