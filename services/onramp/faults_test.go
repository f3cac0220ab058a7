package onramp

import (
	"fmt"
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/sandbox"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestACheckoutWhoseChainIsAwayIsUnavailable(t *testing.T) {
	for err, want := range map[error]faultv1.Reason{
		fmt.Errorf("%w: refused", ramp.ErrUnavailable): faultv1.Reason_REASON_ONRAMP_UNAVAILABLE,
		sandbox.ErrUnknown: faultv1.Reason_REASON_ORDER_UNKNOWN,
	} {
		if got := fault.From(explainCheckout(err)); got.Reason != want {
			t.Errorf("%v: %v, want %v", err, got.Reason, want)
		}
	}
}

func TestALimitIsTheVisitorsBusinessAndNotTheLogs(t *testing.T) {
	got := fault.From(explain("amount", &ramp.LimitError{}))
	if got.Reason != faultv1.Reason_REASON_ONRAMP_LIMIT || got.Cause != nil {
		t.Errorf("%v because of %v", got.Reason, got.Cause)
	}
}
