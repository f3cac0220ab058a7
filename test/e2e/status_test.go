package e2e

import (
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/freeport"
)

// status runs `hawser status` against the process at s.url, and returns its exit code.
func (s *suite) status(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	cmd := exec.Command(s.binary, append([]string{"status"}, args...)...)
	cmd.Env = environment(s.gateway)
	raw, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), string(raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0, string(raw)
}

func TestTheStatusOfASuiteIsThatOfAllItsServices(t *testing.T) {
	eachShape(t, func(t *testing.T, s *suite) {
		var described statusv1.Suite
		seenSoon(t, "everything is well", func() bool {
			code, out := s.status(t, "-json")
			return protojson.Unmarshal([]byte(out), &described) == nil && code == 0
		})
		services, nodes := map[string]bool{}, map[string]statusv1.NodeState{}
		for _, p := range described.GetProcesses() {
			for _, service := range p.GetServices() {
				services[service.GetName()] = service.GetReady()
			}
			for _, c := range p.GetChains() {
				nodes[c.GetChainId()] = c.GetNodes()[0].GetState()
			}
		}
		for _, name := range []string{
			"gateway", "access", "activity", "analytics", "auth", "balances", "bitcoin", "bundler", "chains", "convert", "directory", "handoff", "names", "nfts", "onramp", "preview", "projects",
			"sessions", "updates", "wallet", "webhooks", "outbox",
		} {
			if !services[name] {
				t.Errorf("%s is not said to be ready: %v", name, services)
			}
		}
		for _, chain := range []string{devChain, "eip155:31338"} {
			if nodes[chain] != statusv1.NodeState_NODE_STATE_UP {
				t.Errorf("the node of %s is %s", chain, nodes[chain])
			}
		}
	})
}

func TestTheStatusNamesAReplicaThatIsUnavailable(t *testing.T) {
	s := shared(t, split)
	dead := freeport.Address()
	second := s.twin(t, func(config string) string {
		return regexp.MustCompile(`(?m)^  names: (\S+)$`).ReplaceAllString(config, "  names: ${1},"+dead)
	})
	seenSoon(t, "the replica is missed, and nothing else", func() bool {
		code, out := second.status(t)
		return code == 1 && strings.HasSuffix(out, "\nLook at:\n  names at "+dead+": it does not answer\n")
	})
}
