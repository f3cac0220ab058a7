package e2e

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// soon bounds how long a change may take to reach a gateway in a test. The documented second is not tested, because a build server may be busy.
const soon = 15 * time.Second

func TestAProjectMadeOnTheCommandLineIsHeardByARunningSuite(t *testing.T) {
	eachShape(t, func(t *testing.T, s *suite) {
		id := "abcdefabcdefabcdefabcdefabcdefab"
		if got := s.requestAs(t, id); got != http.StatusUnauthorized {
			t.Fatalf("before it was made: status %d", got)
		}
		s.project(t, "create", "-id", id, "-name", "Late", "-origin", "https://*.example.org")
		s.answers(t, id, http.StatusOK)
		s.project(t, "disable", id)
		s.answers(t, id, http.StatusUnauthorized)
		s.project(t, "enable", id)
		s.answers(t, id, http.StatusOK)
	})
}

// A suite that is killed again and again while projects are made must have every project that it acknowledged, and one that was disabled must stay so.
func TestNoAcknowledgedProjectIsLostOverKills(t *testing.T) {
	skipInShort(t)
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Parallel()
		s := startAllInOne(t, plain, "store: {dsn: "+quoted(dsn)+"}\n")
		s.config = s.write(t, "cli.yaml", "data_dir: "+s.dir+"\nstore: {dsn: "+quoted(dsn)+"}\n")
		var enabled, disabled []string
		for range 3 {
			done := make(chan struct{})
			go func() {
				defer close(done)
				for range 2 {
					if id, ok := s.tryCreate(t); ok {
						enabled = append(enabled, id)
					}
				}
				id, ok := s.tryCreate(t)
				if !ok {
					return
				}
				// The gateway may have its copy when the project is disabled.
				_, _ = s.tryRequestAs(id)
				if err := s.cli("project", "disable", id).Run(); err == nil {
					disabled = append(disabled, id)
				}
			}()
			time.Sleep(rand.N(300 * time.Millisecond))
			s.kill(t)
			<-done
			s.restart(t)
			s.wait(t)
		}
		if len(enabled) == 0 || len(disabled) == 0 {
			t.Fatalf("%d projects were made, and %d more disabled", len(enabled), len(disabled))
		}
		for _, id := range enabled {
			s.answers(t, id, http.StatusOK)
		}
		for _, id := range disabled {
			s.answers(t, id, http.StatusUnauthorized)
		}
	})
}

func (s *suite) tryCreate(t *testing.T) (string, bool) {
	out, err := s.cli("project", "create", "-json", "-any-origin", "-name", "Under fire").Output()
	if err != nil {
		t.Logf("not acknowledged: %v", err)
		return "", false
	}
	var made struct{ ID string }
	if err := json.Unmarshal(out, &made); err != nil || made.ID == "" {
		t.Errorf("printed %s", out)
		return "", false
	}
	return made.ID, true
}

// project runs `hawser project` with the suite's own configuration.
func (s *suite) project(t *testing.T, args ...string) {
	t.Helper()
	if out, err := s.cli(append([]string{"project"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("hawser project %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (s *suite) cli(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), s.binary, args...)
	cmd.Env = environment(s.config)
	return cmd
}

// requestAs sends a JSON-RPC request in the name of a project.
func (s *suite) requestAs(t *testing.T, id string) int {
	t.Helper()
	status, err := s.tryRequestAs(id)
	if err != nil {
		t.Fatal(err)
	}
	return status
}

// tryRequestAs is requestAs of a suite that may not be there.
func (s *suite) tryRequestAs(id string) (status int, err error) {
	keepPrivate("project id", id)
	res, err := http.Post(s.url+"/v1?chainId=eip155:31337&projectId="+id, "application/json",
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`))
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode, nil
}

func (s *suite) answers(t *testing.T, id string, want int) {
	t.Helper()
	var got int
	for deadline := time.Now().Add(soon); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if got = s.requestAs(t, id); got == want {
			return
		}
	}
	t.Fatalf("project %s: status %d, want %d", id, got, want)
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
