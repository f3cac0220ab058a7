package limit

import (
	"fmt"
	"slices"
	"testing"
)

func TestNetworksTakeTurnsWhateverTheirAddressesAndProjects(t *testing.T) {
	honest := CallerOf("p", "192.0.2.1")
	var waiting []Caller
	for n := range 8 {
		waiting = append(waiting, CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", n<<8)), CallerOf(fmt.Sprint(n), "198.51.100.7"))
	}
	turns := NewTurns()
	waiting = append(waiting, honest)
	for round := range 4 {
		served := 0
		for {
			next := slices.MinFunc(waiting, turns.Compare)
			turns.Take(next)
			if served++; next == honest {
				break
			}
		}
		if served > 3 {
			t.Errorf("in round %d, one of three networks is number %d", round, served)
		}
	}
	// Within a /48, each /64 has its turn.
	seen := map[Caller]bool{}
	for range 8 {
		next := slices.MinFunc(slices.DeleteFunc(slices.Clone(waiting), func(c Caller) bool { return !c.isIPv6() }), turns.Compare)
		turns.Take(next)
		seen[next] = true
	}
	if len(seen) != 8 {
		t.Errorf("%d of 8 networks within a /48 have a turn", len(seen))
	}
}

func TestTurnsAreBounded(t *testing.T) {
	turns := NewTurns()
	for n := range 2 * maxServed {
		turns.Take(CallerOf("", fmt.Sprintf("10.%d.%d.%d", n>>16, n>>8&0xff, n&0xff)))
	}
	if n := len(turns.last); n > maxServed {
		t.Errorf("%d networks are remembered", n)
	}
	if turns.Compare(CallerOf("", "192.0.2.1"), CallerOf("", "10.0.127.255")) >= 0 {
		t.Error("the last turn is forgotten")
	}
}
