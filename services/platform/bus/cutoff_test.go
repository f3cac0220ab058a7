package bus_test

import (
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
)

// A server that the network cut off from its cluster still accepts connections, but answers no requests.
func TestAServerThatIsCutOffFromItsClusterIsLeft(t *testing.T) {
	t.Parallel()
	whole, restart := bustest.RestartableServer(t)
	cutOff, start, clients := bustest.CutOffServer(t)
	b := bustest.Open(t, bus.Config{URL: whole + "," + cutOff})
	received, _ := subscribeLosing(t, b, "")
	restart(func() {
		start()
		// The bus is connected to the only server that runs, which has no cluster.
		for deadline := time.Now().Add(20 * time.Second); clients() == 0; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the bus does not connect to the server that is left")
			}
		}
	})
	publishIDs(t, b, "1")
	if got := receive(t, received); got != "1" {
		t.Errorf("received %q", got)
	}
	waitUntilReady(t, b)
}
