package orders

import (
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func TestAnUnpaidOrderIsPolledEachDayForAMonth(t *testing.T) {
	begun := time.Unix(1_700_000_000, 0).UTC()
	for state, unpaid := range map[ramp.State]bool{ramp.Created: true, ramp.Expired: true, ramp.Pending: false, ramp.Paid: false, ramp.Failed: false} {
		o := Order{State: state, CreatedAt: begun, UpdatedAt: begun, ExpiresAt: begun.Add(time.Hour)}
		polls, late, last := 0, 0, begun
		for at := begun; !at.IsZero() && polls < 10_000; at = o.nextPoll(at) {
			polls, last = polls+1, at
			if at.After(o.ExpiresAt.Add(paidWithin)) {
				late++
			}
		}
		if unpaid && (polls > 70 || late != 30 || !last.Equal(o.ExpiresAt.Add(paidWithin+lateFor))) || !unpaid && last.Sub(begun) < closedFor/2 {
			t.Errorf("%s: %d polls, the last after %s", state, polls, last.Sub(begun))
		}
	}
}
