package bundler

import "testing"

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
