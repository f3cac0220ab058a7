//go:build cluster

package live

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// frameOrigin is where browsers on the node find the pages of the embedded wallet.
const frameOrigin = "http://wallet.localhost:30081"

// journeys are the browser journeys that are played against the gateway: wallets connect, sign in and send, and payments arrive on streams of open pages.
var journeys = []string{"connect", "signInModal", "send", "activity"}

var passedJourneys = regexp.MustCompile(`(?m)^# pass (\d+)$`)

// browserLack returns why no journey can be made here, or "".
func browserLack() (lack string) {
	for _, program := range []string{"chromium-headless-shell", "chromium"} {
		if _, err := exec.LookPath(program); err == nil {
			return ""
		}
	}
	return "there is no Chromium"
}

// journey makes the journeys on a demo page, which ends with them.
func (c *cluster) journey(t *testing.T, s site) (told string) {
	t.Helper()
	defer func() { _ = s.lifeline.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
	defer cancel()
	args := []string{"--test", "--test-concurrency=1", "--test-reporter=tap"}
	for _, name := range journeys {
		args = append(args, filepath.Join(c.repository(), "test/journeys", name+".e2e.mjs"))
	}
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Env = append(os.Environ(), "HAWSER_E2E_URL="+s.DemoURL)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	passed := passedJourneys.FindSubmatch(output.Bytes())
	if err != nil || passed == nil {
		t.Logf("%s", output.Bytes())
		t.Fatal(err)
	}
	return string(passed[1]) + " journeys in Chromium: wallets connect, sign in, send, and see at once what arrives"
}
