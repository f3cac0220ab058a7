package ramp_test

import (
	"math/rand/v2"
	"testing"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// states are in the documented order: each outweighs those before it.
var states = []ramp.State{
	ramp.Created, ramp.Expired, ramp.Pending, ramp.Paid, ramp.Cancelled, ramp.Failed, ramp.Completed, ramp.Refunded,
}

func TestEachStateOutweighsThoseBeforeItAndNoOther(t *testing.T) {
	for i, s := range states {
		for j, other := range states {
			if got, want := s.Outweighs(other), i > j; got != want {
				t.Errorf("%s outweighs %s: %t", s, other, got)
			}
		}
	}
}

func TestTheStateDoesNotDependOnTheSequenceOfEvents(t *testing.T) {
	for range 200 {
		sequence := make([]ramp.State, 1+rand.IntN(6))
		for i := range sequence {
			sequence[i] = states[rand.IntN(len(states))]
		}
		first := settle(sequence)
		rand.Shuffle(len(sequence), func(i, j int) { sequence[i], sequence[j] = sequence[j], sequence[i] })
		if again := settle(append(sequence, sequence...)); again != first {
			t.Fatalf("%v settles to %s, and otherwise to %s", sequence, again, first)
		}
	}
}

func settle(sequence []ramp.State) ramp.State {
	is := ramp.Created
	for _, s := range sequence {
		if s.Outweighs(is) {
			is = s
		}
	}
	return is
}
