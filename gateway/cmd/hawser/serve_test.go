package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// asHawser is the environment variable that makes this test binary run as hawser.
const asHawser = "HAWSER_TEST_AS_HAWSER"

func TestMain(m *testing.M) {
	if os.Getenv(asHawser) != "" {
		os.Exit(hawser(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	// A cache's housekeeper ends when the cache is collected.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/maypok86/otter/v2.periodicCleanUp[...]"))
}

// testTimeout is how long the suite may take before a test fails.
const testTimeout = 30 * time.Second

func TestSuiteInOneProcess(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		dir := t.TempDir()
		first := startSuite(t, dir)

		code, out, errOut := ask(t, "health", "-listen.metrics", first.metrics)
		if code != exitOK || out != "ready\n" {
			t.Errorf("hawser health: exit %d: %s", code, errOut)
		}

		// The command line acts as another process: it uses the database, and no bus.
		shop := one(t, "project", "create", "-json", "-origin", "https://shop.test")
		first.wantStatus(t, shop.ID, "https://shop.test", http.StatusOK)
		first.wantStatus(t, shop.ID, "https://evil.test", http.StatusForbidden)
		one(t, "project", "disable", shop.ID, "-json")
		first.wantStatus(t, shop.ID, "https://shop.test", http.StatusUnauthorized)
		one(t, "project", "enable", shop.ID, "-json")
		one(t, "project", "set", shop.ID, "-json", "-any-origin")
		first.wantStatus(t, shop.ID, "https://evil.test", http.StatusOK)
		first.stop(t)

		// What was acknowledged outlives the process.
		second := startSuite(t, dir)
		second.wantStatus(t, shop.ID, "https://evil.test", http.StatusOK)
		second.stop(t)
	})
}

func TestAPortInUseIsReportedInOneLine(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for _, key := range []string{"gateway", "frame", "relay", "console", "metrics"} {
		code, _, errOut := ask(t, onAnyPort("-listen."+key, busy.Addr().String())...)
		want := fmt.Sprintf("hawser: listen.%s: another process listens on %s\n", key, busy.Addr())
		if code != exitFailed || errOut != want {
			t.Errorf("exit %d: %s", code, errOut)
		}
	}
}

func TestAMistakeOfTheOperatorIsReportedInOneLine(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for mistake, tt := range map[string]struct {
		args []string
		want string
	}{
		"a port alone":           {[]string{"-listen.gateway", "8080"}, `-listen.gateway: "8080" is not an address such as :8080 or 127.0.0.1:8080`},
		"a port of letters":      {[]string{"-listen.gateway", ":http-x"}, `-listen.gateway: ":http-x" is not an address such as :8080 or 127.0.0.1:8080`},
		"a folder below a file":  {[]string{"-data_dir", filepath.Join(file, "data")}, "-data_dir: " + filepath.Join(file, "data") + " cannot be written to: not a directory"},
		"a folder that is none":  {[]string{"-data_dir", file}, "-data_dir: " + file + " cannot be written to: not a directory"},
		"a folder not made here": {[]string{"-data_dir", "/proc/hawser"}, "data_dir: /proc/hawser cannot be written to: no such file or directory"},
		"a database elsewhere":   {[]string{"-data_dir", dir, "-store.dsn", "/proc/hawser/x.db"}, "-store.dsn: there is no folder /proc/hawser: make it, or mend the path"},
		"an unset variable":      {[]string{"-data_dir", dir, "-chains.nodes", `{"eip155:1": ["https://node.example/${HAWSER_NO_SUCH}"]}`}, "-chains.nodes: chains.nodes[eip155:1]: rpc node 1: HAWSER_NO_SUCH is not set in the environment"},
	} {
		t.Run(mistake, func(t *testing.T) {
			code, _, errOut := ask(t, onAnyPort(tt.args...)...)
			if code != exitFailed || errOut != "hawser: "+tt.want+"\n" {
				t.Errorf("exit %d: %s\nwant %s", code, errOut, tt.want)
			}
		})
	}
}

func TestTwoProcessesDoNotShareAFolder(t *testing.T) {
	t.Setenv("HAWSER_STORE_DSN", storetest.SQLite(t))
	dir := t.TempDir()
	first := startSuite(t, dir)
	code, _, errOut := ask(t, onAnyPort("-data_dir", dir)...)
	want := "hawser: NATS: start NATS server: another process uses " + filepath.Join(dir, "nats") + "\n"
	if code != exitFailed || errOut != want {
		t.Errorf("exit %d: %s", code, errOut)
	}
	first.stop(t)
}

func TestStoppingLetsCallsEnd(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	entered, release := make(chan struct{}), make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- serveHTTP(ctx, l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(entered)
			<-release
			_, _ = io.WriteString(w, "whole")
		}), nil, drainTimeout)
	}()
	answered := make(chan string, 1)
	go func() { answered <- fetch(t, "http://"+l.Addr().String(), "") }()
	<-entered
	stop()
	waitUntil(t, "new calls are refused", func() bool {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	close(release)
	if got := <-answered; got != "200 whole" {
		t.Errorf("the call that ran was answered %q", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// onAnyPort returns arguments of `hawser run`, before which every listener that has a default port gets any that is free.
func onAnyPort(args ...string) (all []string) {
	for _, key := range []string{"gateway", "frame", "relay", "metrics"} {
		all = append(all, "-listen."+key, "127.0.0.1:0")
	}
	return append(all, args...)
}

// runningSuite is `hawser` in this process.
type runningSuite struct {
	gateway, metrics string
	cancel           context.CancelFunc
	done             chan int
	errOut           *bytes.Buffer
}

// startSuite runs everything with its state in dir and returns when it is ready.
func startSuite(t *testing.T, dir string) *runningSuite {
	t.Helper()
	s := &runningSuite{gateway: freeport.Address(), metrics: freeport.Address(), done: make(chan int, 1), errOut: new(bytes.Buffer)}
	t.Setenv("HAWSER_CONFIG", "")
	ctx, cancel := context.WithCancel(t.Context())
	s.cancel = cancel
	go func() {
		args := onAnyPort("-data_dir", dir, "-listen.gateway", s.gateway, "-listen.metrics", s.metrics, "-log.level", "error", "-chains.nodes", nodes)
		s.done <- hawser(ctx, args, io.Discard, s.errOut)
	}()
	t.Cleanup(cancel)
	waitUntil(t, "the suite is ready", func() bool {
		select {
		case code := <-s.done:
			t.Fatalf("it ended with exit code %d: %s", code, s.errOut)
		default:
		}
		return fetch(t, "http://"+s.metrics+"/ready", "") == "200 ready\n"
	})
	return s
}

func (s *runningSuite) stop(t *testing.T) {
	t.Helper()
	s.cancel()
	select {
	case code := <-s.done:
		if code != exitOK {
			t.Errorf("exit %d: %s", code, s.errOut)
		}
	case <-time.After(testTimeout):
		t.Fatal("it does not stop")
	}
}

// nodes serve one chain, whose id the suite answers without a request to a node.
const nodes = `{"eip155:1": ["http://127.0.0.1:1"]}`

// wantStatus waits until the project's call from a page is answered so.
func (s *runningSuite) wantStatus(t *testing.T, id, origin string, want int) {
	t.Helper()
	url := "http://" + s.gateway + "/v1?chainId=eip155:1&projectId=" + id
	waitUntil(t, fmt.Sprintf("a page of %s is answered %d", origin, want), func() bool {
		return strings.HasPrefix(fetch(t, url, origin), fmt.Sprint(want))
	})
}

// fetch requests the chain id and returns status and body, or the error.
func fetch(t *testing.T, url, origin string) string {
	method, body := http.MethodGet, ""
	if origin != "" {
		method, body = http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Origin", origin)
	// A connection that stays open would outlive the test.
	req.Close = true
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s", res.StatusCode, raw)
}

func waitUntil(t *testing.T, what string, done func() bool) {
	t.Helper()
	waitFor(t, testTimeout, what, done)
}

// waitFor waits until done, or fails the test after a time.
func waitFor(t *testing.T, most time.Duration, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(most)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("not so after %s: %s", most, what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestCallsThatDoNotEndAreCutAndSaidSo(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	entered, release := make(chan struct{}), make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- serveHTTP(ctx, l, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			close(entered)
			<-release
		}), nil, 50*time.Millisecond)
	}()
	go func() {
		if res, err := http.Get("http://" + l.Addr().String()); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-entered
	stop()
	if err := <-served; err == nil || err.Error() != "calls that were still open after 50ms were cut" {
		t.Errorf("%v", err)
	}
	close(release)
}

func TestAFreshSuiteHasNoProjectThatAnybodyKnows(t *testing.T) {
	t.Setenv("HAWSER_STORE_DSN", storetest.SQLite(t))
	s := startSuite(t, t.TempDir())
	s.wantStatus(t, "00000000000000000000000000000001", "https://shop.test", http.StatusUnauthorized)
	s.stop(t)
}
