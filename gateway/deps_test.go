package gateway

import (
	"os/exec"
	"strings"
	"testing"
)

// The gateway forwards; it must not depend on a service or on a database.
func TestTheGatewayImportsNoServiceAndNoDatabase(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"platform/", "onchain/caip"}
	for dep := range strings.Lines(string(out)) {
		dep = strings.TrimSpace(dep)
		rest, ours := strings.CutPrefix(dep, "github.com/hawser-dev/hawser/services/")
		if ours && !strings.HasPrefix(rest, allowed[0]) && rest != allowed[1] {
			t.Errorf("the gateway imports the service %s", dep)
		}
		for _, banned := range []string{"modernc.org/", "github.com/jackc/pgx", "github.com/nats-io/nats-server"} {
			if strings.HasPrefix(dep, banned) {
				t.Errorf("the gateway imports %s", dep)
			}
		}
	}
}
