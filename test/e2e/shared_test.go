package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// The shapes in which a suite runs.
const (
	allInOne = "all in one"
	split    = "a process a service"
	// external is the suite that another program runs: see openExternal.
	external = "external"
)

// eachShape runs a test on the suite of each shape that all tests share. A test that kills its suite starts one of its own.
func eachShape(t *testing.T, test func(t *testing.T, s *suite)) {
	t.Helper()
	shapes := []string{allInOne, split}
	if testing.Short() {
		shapes = []string{allInOne}
	}
	if os.Getenv(urlVariable) != "" {
		shapes = []string{external}
	}
	for _, shape := range shapes {
		t.Run(shape, func(t *testing.T) { test(t, shared(t, shape)) })
	}
}

// skipInShort skips a test that starts several processes, or kills them, where only the quick lane is run.
func skipInShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts or kills processes of its own")
	}
}

// host is the part of testing.TB that starts and stops a suite. A test implements it, and so does the whole test process for shared suites.
type host interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
	Failed() bool
	Cleanup(f func())
	TempDir() string
}

// sharedSuites are the running suites by shape.
var sharedSuites = struct {
	sync.Mutex
	process processHost
	suites  map[string]*suite
}{suites: map[string]*suite{}}

// shared returns the suite of a shape, and starts it when no test has used it before. The copy that is returned keeps what belongs to the test
// apart. When the test fails it prints what the suite logged during the test.
func shared(t *testing.T, shape string) *suite {
	t.Helper()
	if shape == split {
		skipInShort(t)
	}
	sharedSuites.Lock()
	defer sharedSuites.Unlock()
	s := sharedSuites.suites[shape]
	if s == nil {
		host := starting{&sharedSuites.process, t}
		switch shape {
		case split:
			s = startSplit(host)
		case external:
			s = openExternal(host)
		default:
			s = startAllInOne(host, raced, "")
		}
		s.watchLeaks(host)
		sharedSuites.suites[shape] = s
	}
	s.showLogsOf(t)
	return &suite{url: s.url, dir: s.dir, binary: s.binary, config: s.config, gateway: s.gateway, process: s.process}
}

// showLogsOf prints at the end of a failed test what the suite logged since this call, and fails the test when a race was detected meanwhile.
func (s *suite) showLogsOf(t *testing.T) {
	begun := make([]int64, len(s.logs))
	for i, log := range s.logs {
		if info, err := os.Stat(log); err == nil {
			begun[i] = info.Size()
		}
	}
	t.Cleanup(func() {
		for i, log := range s.logs {
			raw, _ := os.ReadFile(log)
			raw = raw[min(begun[i], int64(len(raw))):]
			if bytes.Contains(raw, []byte("DATA RACE")) {
				t.Errorf("the race detector reported in %s:\n%s", filepath.Base(log), raw)
			} else if t.Failed() {
				t.Logf("%s during the test:\n%s", filepath.Base(log), raw)
			}
		}
	})
}

// processHost is the host of suites that end with the test process.
type processHost struct {
	cleanups []func()
	failed   bool
}

func (h *processHost) Helper() {}

func (h *processHost) Cleanup(f func()) { h.cleanups = append(h.cleanups, f) }

func (h *processHost) Failed() bool { return h.failed }

func (h *processHost) Logf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

func (h *processHost) Errorf(format string, args ...any) {
	h.failed = true
	h.Logf(format, args...)
}

// stop ends all suites and reports whether each ended as it should.
func (h *processHost) stop() bool {
	for len(h.cleanups) > 0 {
		last := len(h.cleanups) - 1
		f := h.cleanups[last]
		h.cleanups = h.cleanups[:last]
		f()
	}
	return !h.failed
}

// starting is a processHost while a test starts a suite: that test fails when the suite does not start.
type starting struct {
	*processHost
	t *testing.T
}

func (h starting) Fatal(args ...any) { h.t.Helper(); h.t.Fatal(args...) }

func (h starting) Fatalf(format string, args ...any) { h.t.Helper(); h.t.Fatalf(format, args...) }

func (h starting) TempDir() string {
	dir, err := os.MkdirTemp("", "hawser-e2e-")
	if err != nil {
		h.t.Fatal(err)
	}
	h.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	sharedSuites.process.cleanups = slices.Insert(sharedSuites.process.cleanups, 0, func() {
		reportTraceLeaks(starting{processHost: &sharedSuites.process})
	})
	if !sharedSuites.process.stop() && code == 0 {
		code = 1
	}
	for _, dir := range buildDirs {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}
