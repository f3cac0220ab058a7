package e2e

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestEventsAreCountedAndNothingElseOfThemIsStored sends an event with all that AppKit adds to it.
func TestEventsAreCountedAndNothingElseOfThemIsStored(t *testing.T) {
	const address, secret = "0x5e1f00000000000000000000000000000000c0de", "very-secret-query"
	eachShape(t, func(t *testing.T, s *suite) {
		body := `{"events":[{"event":"SEND_INITIATED","url":"https://shop.example/?t=` + secret + `","props":{"address":"` + address + `"},` +
			`"properties":{"token":"` + address + `","amount":"12"}}]}`
		res, err := http.Post(s.url+"/v1/events?projectId="+project, "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Fatalf("status %d", res.StatusCode)
		}
		want := `"event":"SEND_INITIATED","count":1}`
		var out []byte
		for deadline := time.Now().Add(soon); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
			if out, err = s.cli("project", "stats", project, "-json").Output(); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(out), want) {
				break
			}
		}
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in\n%s", want, out)
		}
		files, err := filepath.Glob(filepath.Join(s.dir, "hawser.db*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no database: %v", err)
		}
		for _, file := range append(files, s.logs...) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, private := range []string{address, secret} {
				if bytes.Contains(raw, []byte(private)) {
					t.Errorf("%s holds %s", filepath.Base(file), private)
				}
			}
		}
	})
}
