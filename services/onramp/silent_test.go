package onramp

import (
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/ramp"
)

func TestATokenThatNobodyNamesMayBeOneOfASellersWhoIsSilent(t *testing.T) {
	for failure, want := range map[error]faultv1.Reason{
		ramp.ErrUnavailable: faultv1.Reason_REASON_ONRAMP_UNAVAILABLE,
		ramp.ErrUnsupported: faultv1.Reason_REASON_ONRAMP_UNSUPPORTED,
	} {
		o, err := marketOf(map[string]int{}, sells("a", known), failing("b", failure)).Options(t.Context(), ramp.Region{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseToken("purchaseCurrency", "DOGE", "", o); fault.From(err).Reason != want {
			t.Errorf("%v: %v", failure, err)
		}
		if _, err := parseNetwork("network", "doge", "USDC", o); fault.From(err).Reason != want {
			t.Errorf("%v: %v", failure, err)
		}
	}
}
