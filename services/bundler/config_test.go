package bundler

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTheURLOfABundlerTakesVariablesOfTheEnvironment(t *testing.T) {
	t.Setenv("BUNDLER_KEY", "hunter2")
	urls, err := Config{Chains: map[string]Chain{"eip155:1": {URL: "https://bundler.example/${BUNDLER_KEY}"}, "eip155:10": {}}}.urls()
	if err != nil || urls["eip155:1"] != "https://bundler.example/hunter2" || urls["eip155:10"] != "" {
		t.Errorf("%v, %v", urls, err)
	}
	_, err = Config{Chains: map[string]Chain{"eip155:1": {URL: "https://bundler.example/${HAWSER_NO_SUCH}"}}}.urls()
	if want := "chains.eip155:1.url: HAWSER_NO_SUCH is not set in the environment"; err == nil || err.Error() != want {
		t.Errorf("received %v\nwant %s", err, want)
	}
}

// Volumes on which an orchestrator mounts secrets are readable by a group.
func TestAFileOfExecutorsMayBeReadableByAGroup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "executors")
	if err := os.WriteFile(path, []byte("# two keys\n\n 0xaa\n0xbb"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o440); err != nil {
		t.Fatal(err)
	}
	if keys, err := (Config{Executors: []string{"0xcc"}, ExecutorsFile: path}).keys(); err != nil || !slices.Equal(keys, []string{"0xcc", "0xaa", "0xbb"}) {
		t.Errorf("%v, %v", keys, err)
	}
}
