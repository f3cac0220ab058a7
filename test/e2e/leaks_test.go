package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// leaks are what the tests of this process know that no log, trace or metric may hold, and the traces that the suites exported.
var leaks = struct {
	sync.Mutex
	private map[string]string // what it is, by its text
	traces  bytes.Buffer
}{private: map[string]string{
	treasuryKey:     "key of the sandbox",
	paymasterKey:    "key of the paymaster",
	executorKeys[0]: "key of an executor",
	executorKeys[1]: "key of an executor",
}}

// mostTraces bounds the traces that are kept, in bytes.
const mostTraces = 256 << 20

// leastPrivate is how long a text must be to be looked for: a shorter one may be part of anything.
const leastPrivate = 16

// keepPrivate adds a text that nothing that the suites print, export or measure may contain. A short text, or one that is short but for the zeros with
// which contracts fill numbers and texts, is not looked for.
func keepPrivate(what, text string) {
	if !isTelling(text) {
		return
	}
	leaks.Lock()
	defer leaks.Unlock()
	leaks.private[text] = what
}

// isTelling reports whether a text cannot be part of something else by chance.
func isTelling(text string) bool {
	return len(strings.Trim(strings.TrimPrefix(text, "0x"), "0")) >= leastPrivate
}

// collector receives the traces of all suites, as an OpenTelemetry collector does.
var collector = sync.OnceValue(func() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			if unzipped, err := gzip.NewReader(r.Body); err == nil {
				body = unzipped
			}
		}
		leaks.Lock()
		defer leaks.Unlock()
		if leaks.traces.Len() < mostTraces {
			_, _ = leaks.traces.ReadFrom(body)
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
})

// watchLeaks makes a suite log everything and export its traces, and looks for what is private in its logs and metrics before it is stopped.
func (s *suite) watchLeaks(h host) {
	h.Cleanup(func() {
		for _, log := range s.logs {
			raw, err := os.ReadFile(log)
			if err != nil {
				h.Errorf("read %s: %v", log, err)
			}
			reportLeaks(h, "the log "+log, raw)
		}
		for _, address := range s.metrics {
			res, err := http.Get("http://" + address + "/metrics")
			if err != nil {
				continue // a test has killed that process
			}
			raw, _ := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if !bytes.Contains(raw, []byte("go_goroutines")) {
				h.Errorf("http://%s/metrics has no metrics", address)
			}
			reportLeaks(h, "the metrics of "+address, raw)
		}
	})
}

// reportTraceLeaks looks for what is private in the traces of all suites, once they were stopped.
func reportTraceLeaks(h host) {
	leaks.Lock()
	traces := slices.Clone(leaks.traces.Bytes())
	leaks.Unlock()
	reportLeaks(h, "the traces", traces)
}

// email is the form of an address, without those of documentation that is in descriptions of errors.
var email = regexp.MustCompile(`[\w.+%-]+@[\w-]+\.(?:example|test|org|com)\b`)

func reportLeaks(h host, where string, dump []byte) {
	leaks.Lock()
	private := maps.Clone(leaks.private)
	leaks.Unlock()
	for _, found := range findLeaks(private, dump) {
		h.Errorf("%s has %s", where, found)
	}
}

// findLeaks returns what a dump has of private texts, and the first email.
func findLeaks(private map[string]string, dump []byte) (found []string) {
	for text, what := range private {
		for form, leaked := range formsOf(text) {
			if at := bytes.Index(dump, leaked); at >= 0 {
				found = append(found, fmt.Sprintf("a %s in %s: …%s…", what, form, around(dump, at, len(leaked))))
			}
		}
	}
	if at := email.FindIndex(dump); at != nil {
		found = append(found, fmt.Sprintf("an email: %s", dump[at[0]:at[1]]))
	}
	return found
}

// formsOf returns a text in the forms in which it may leak; of a text in hex also its bytes.
func formsOf(text string) map[string][]byte {
	digits := strings.TrimPrefix(text, "0x")
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw) < leastPrivate {
		return map[string][]byte{"text": []byte(text), "base64": []byte(base64.RawStdEncoding.EncodeToString([]byte(text)))}
	}
	return map[string][]byte{
		"text": []byte(strings.ToLower(digits)), "upper case": []byte(strings.ToUpper(digits)),
		"base64":                 []byte(base64.RawStdEncoding.EncodeToString([]byte(text))),
		"bytes":                  raw,
		"base64 of its bytes":    []byte(base64.RawStdEncoding.EncodeToString(raw)),
		"base64url of its bytes": []byte(base64.RawURLEncoding.EncodeToString(raw)),
	}
}

// around returns the printable text beside a place.
func around(dump []byte, at, length int) []byte {
	part := dump[max(0, at-60):min(len(dump), at+length+60)]
	return bytes.Map(func(r rune) rune {
		if r < ' ' || r == 0xfffd {
			return '.'
		}
		return r
	}, part)
}
