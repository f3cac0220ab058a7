package freeport_test

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/freeport"
)

// asOther makes the test binary print its addresses, as another process would.
const asOther = "HAWSER_FREEPORT_TEST"

const many = 200

func TestMain(m *testing.M) {
	if os.Getenv(asOther) == "" {
		os.Exit(m.Run())
	}
	_, _ = os.Stdout.WriteString(strings.Join(addresses(), "\n"))
}

func addresses() []string {
	found := make([]string, many)
	for i := range found {
		found[i] = freeport.Address()
	}
	return found
}

func TestAnAddressIsReturnedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, address := range addresses() {
		if seen[address] {
			t.Errorf("%s is returned twice", address)
		}
		seen[address] = true
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Error(err)
			continue
		}
		_ = l.Close()
	}
	for range 5 {
		other := exec.Command(os.Args[0])
		other.Env = append(os.Environ(), asOther+"=1")
		out, err := other.Output()
		if err != nil {
			t.Fatal(err)
		}
		for address := range strings.Lines(string(out)) {
			if seen[strings.TrimSpace(address)] {
				t.Errorf("%s is returned to another process too", address)
			}
		}
	}
}
