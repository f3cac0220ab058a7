package e2e

import (
	"os"
	"path/filepath"
	"time"

	"github.com/hawser-dev/hawser/services/platform/freeport"
)

const (
	// urlVariable has the URL of a suite that another program runs, and settingsVariable the folder where that program finds the suite's settings.
	urlVariable      = "HAWSER_E2E_DOOR"
	settingsVariable = "HAWSER_E2E_SETTINGS"
	// installTimeout bounds how long that program may take until its suite runs.
	installTimeout = 18 * time.Minute
)

// openExternal returns the suite that another program runs, such as a cluster. It writes devnet.json, which describes the chains of this process, then
// hawser.yaml, the settings of a suite on those chains, and waits until that program has written the file "running". Tests that need the processes of
// a suite cannot run on it.
func openExternal(t host) *suite {
	t.Helper()
	s := &suite{url: os.Getenv(urlVariable), sellers: freeport.Address(), dir: os.Getenv(settingsVariable)}
	devnet := localChains(t)
	s.write(t, "devnet.json", string(devnet.Raw))
	s.startDev(t, plain, devnet)
	// The file is renamed into place, so that the other program never reads a part of it.
	draft := s.write(t, "hawser.yaml.draft", settings(s.dir, s.url, s.sellers, devnet))
	if err := os.Rename(draft, filepath.Join(s.dir, "hawser.yaml")); err != nil {
		t.Fatal(err)
	}
	running := filepath.Join(s.dir, "running")
	for deadline := time.Now().Add(installTimeout); ; time.Sleep(100 * time.Millisecond) {
		if _, err := os.Stat(running); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s was not written", running)
		}
	}
	s.wait(t)
	return s
}
