package orders

import (
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/ramp"
)

func TestAnUnpaidOrderIsPolledUntilItsSessionHasExpired(t *testing.T) {
	begun := time.Unix(1_700_000_000, 0).UTC()
	for state, unpaid := range map[ramp.State]bool{ramp.Created: true, ramp.Expired: true, ramp.Pending: false, ramp.Paid: false, ramp.Failed: false} {
		o := Order{State: state, CreatedAt: begun, UpdatedAt: begun, ExpiresAt: begun.Add(time.Hour)}
		polls, last := 0, begun
		for at := begun; !at.IsZero() && polls < 10_000; at = o.nextPoll(at) {
			polls, last = polls+1, at
		}
		if unpaid && (polls > 40 || !last.Equal(o.ExpiresAt.Add(paidWithin))) || !unpaid && last.Sub(begun) < closedFor/2 {
			t.Errorf("%s: %d polls, the last after %s", state, polls, last.Sub(begun))
		}
	}
}
