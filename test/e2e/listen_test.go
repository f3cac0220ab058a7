package e2e

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/freeport"
)

// anyPort is the address of a listener that no test connects to.
const anyPort = "127.0.0.1:0"

// listeners are the addresses that other processes connect to. A listener without an address has any free port.
type listeners struct{ gateway, grpc string }

// section returns the section of a configuration with every listener that has a default port, so that a test never listens where `make up` does.
// It is the last section of a configuration: see twin.
func (l listeners) section() string {
	var s strings.Builder
	fmt.Fprintf(&s, "listen:\n  gateway: %s\n  relay: %s\n  frame: %s\n  metrics: %s\n", cmp.Or(l.gateway, anyPort), anyPort, anyPort, freeport.Address())
	if l.grpc != "" {
		fmt.Fprintf(&s, "  grpc: %s\n", l.grpc)
	}
	return s.String()
}

// twin starts a second gateway beside s, with its configuration after a change.
func (s *suite) twin(t *testing.T, change func(config string) string) *suite {
	t.Helper()
	raw, err := os.ReadFile(s.gateway)
	if err != nil {
		t.Fatal(err)
	}
	shared, _, found := strings.Cut(string(raw), "listen:\n")
	if !found {
		t.Fatalf("%s does not say where the gateway listens", s.gateway)
	}
	twin := &suite{url: "http://" + freeport.Address(), dir: t.TempDir(), binary: s.binary, config: s.config}
	twin.gateway = twin.write(t, "gateway.yaml", change(shared)+listeners{gateway: twin.address()}.section())
	twin.restart(t)
	twin.wait(t)
	return twin
}
