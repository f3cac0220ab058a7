package gateway

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/hawser-dev/hawser/"

// The gateway forwards; it must not depend on a service or on a database.
func TestTheGatewayImportsNoServiceAndNoDatabase(t *testing.T) {
	allowed := []string{"platform/", "onchain/caip"}
	for _, dep := range list(t, "-deps", ".", "./console") {
		rest, ours := strings.CutPrefix(dep, module+"services/")
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

func TestAPackageOfTheGatewayImportsOnlyThoseBelowIt(t *testing.T) {
	// From the lowest to the gateway itself.
	order := []string{"access", "rest", "marks", "rpc", "jsonrpc", "socket", "pages", "frame", "handoff", "console", ""}
	level := func(path string) int {
		name, _ := strings.CutPrefix(path, module+"gateway")
		return slices.Index(order, strings.TrimPrefix(name, "/"))
	}
	imports := 0
	for _, dep := range list(t, "-deps", ".", "./console") {
		if !strings.HasPrefix(dep, module+"gateway") {
			continue
		}
		if level(dep) < 0 {
			t.Errorf("%s has no place in the order", dep)
		}
		for _, imported := range list(t, "-f", `{{join .Imports "\n"}}`, dep) {
			if !strings.HasPrefix(imported, module+"gateway") {
				continue
			}
			imports++
			if level(imported) >= level(dep) {
				t.Errorf("%s imports %s", dep, imported)
			}
		}
	}
	if imports < len(order)-1 {
		t.Errorf("%d imports were found", imports)
	}
}

// list returns the lines that go list prints.
func list(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}
