package buy

import (
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestALimitErrorHasNoCauseToLog(t *testing.T) {
	got := fault.From(Explain("amount", &ramp.LimitError{}))
	if got.Reason != faultv1.Reason_REASON_ONRAMP_LIMIT || got.Cause != nil {
		t.Errorf("%v because of %v", got.Reason, got.Cause)
	}
}
