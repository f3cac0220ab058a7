package main

import (
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// asHawser is the environment variable that makes this test binary run as hawser, so that a test can kill it.
const asHawser = "HAWSER_TEST_AS_HAWSER"

func TestKilledAtAnyMomentNoAcknowledgedProjectIsLost(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		dir := t.TempDir()
		enabled, disabled := []string{}, []string{}
		for round := range 3 {
			s, kill := startProcess(t, dir)
			for i := range 4 {
				kept, closed := one(t, "project", "create", "-json"), one(t, "project", "create", "-json")
				enabled, disabled = append(enabled, kept.ID), append(disabled, closed.ID)
				// The gateway has its copy when the project is closed.
				s.wantStatus(t, closed.ID, "https://shop.test", http.StatusOK)
				one(t, "project", "disable", closed.ID, "-json")
				if i == round {
					kill()
					s, kill = startProcess(t, dir)
				}
			}
			for _, id := range enabled {
				s.wantStatus(t, id, "https://shop.test", http.StatusOK)
			}
			for _, id := range disabled {
				s.wantStatus(t, id, "https://shop.test", http.StatusUnauthorized)
			}
			kill()
		}
	})
}

// startProcess runs everything in a process of its own, and returns when it is ready.
func startProcess(t *testing.T, dir string) (s *runningSuite, kill func()) {
	t.Helper()
	s = &runningSuite{gateway: freeport.Address(), metrics: freeport.Address()}
	cmd := exec.CommandContext(t.Context(), os.Args[0],
		"-data_dir", dir, "-listen.gateway", s.gateway, "-listen.metrics", s.metrics, "-listen.relay", "127.0.0.1:0", "-listen.frame", "127.0.0.1:0", "-log.level", "error", "-chains.nodes", nodes)
	cmd.Env = append(os.Environ(), asHawser+"=1")
	said := new(strings.Builder)
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		t.Helper()
		if err := cmd.Process.Kill(); err != nil {
			t.Errorf("it ended by itself: %s", said)
		}
		_ = cmd.Wait()
	}
	waitUntil(t, "the process is ready", func() bool { return fetch(t, "http://"+s.metrics+"/ready", "") == "200 ready\n" })
	return s, kill
}
