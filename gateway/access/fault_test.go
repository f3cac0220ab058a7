package access

import (
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
)

func TestEveryReasonHasARESTStatus(t *testing.T) {
	for number := range faultv1.Reason_name {
		r := faultv1.Reason(number)
		if r != faultv1.Reason_REASON_UNSPECIFIED && restStatus[r] == 0 {
			t.Errorf("%s has no status", r)
		}
	}
}
