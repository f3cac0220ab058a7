package bus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/bus"
)

func TestAnAddressThatDoesNotParseIsReportedWithoutItsPassword(t *testing.T) {
	for _, address := range []string{"nats://hawser:s3cret%zz@nats:4222", "nats://a:4222, nats://hawser:s3cret/x@nats:4222"} {
		faults := bus.Config{URL: address, Replicas: 1}.Check()
		if len(faults) != 1 || strings.Contains(fmt.Sprint(faults), "s3cret") {
			t.Errorf("%v", faults)
		}
	}
	for _, address := range []string{"", "nats", "nats:4222", "nats://a:4222, nats://hawser:secret@b:4222", "tls://nats"} {
		if faults := (bus.Config{URL: address, Replicas: 1}).Check(); len(faults) > 0 {
			t.Errorf("%q: %v", address, faults)
		}
	}
}
