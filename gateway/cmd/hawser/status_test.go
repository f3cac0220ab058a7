package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestStatusOfOneProcess(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		s := startSuite(t, t.TempDir())

		code, out, errOut := ask(t, "status", "-listen.metrics", s.metrics, "-probe=false")
		if code != exitOK || errOut != "" || !strings.HasSuffix(out, "\nAll is well.\n") {
			t.Errorf("exit %d: %s%s", code, errOut, out)
		}
		kind, _, _ := strings.Cut(dsn, "://")
		if kind != "postgres" {
			kind = "sqlite"
		}
		for _, want := range []string{
			"all " + s.metrics + " dev ", " answers\n", "gateway " + s.metrics + " accepts requests\n", "names " + s.metrics + " accepts requests\n",
			fmt.Sprintf("%s %s answers all applied (%d parts)\n", kind, s.metrics, len(versionTables(t, dsn))), "inside the process " + s.metrics + " - events flow\n",
			"HAWSER_PROJECTS ", "1 of 1 hawser takes messages\n", "eip155:1 " + s.metrics + " 1 127.0.0.1:1 not probed yet - - - - -\n",
		} {
			if !strings.Contains(squeezed(out), want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}

		// Its node is a port without a listener.
		code, out, errOut = ask(t, "status", "-at", s.metrics)
		if want := "eip155:1 " + s.metrics + " 1 127.0.0.1:1 down - - - 0.00 unreachable, 0s ago\n"; code != exitDegraded || !strings.Contains(squeezed(out), want) {
			t.Errorf("exit %d, no %q in\n%s", code, want, out)
		}
		if want := "hawser: degraded: node 1 of eip155:1, 127.0.0.1:1, is down\n"; errOut != want {
			t.Errorf("%q", errOut)
		}

		code, out, _ = ask(t, "status", "-json", "-at", s.metrics)
		var suite statusv1.Suite
		if err := protojson.Unmarshal([]byte(out), &suite); err != nil || code != exitDegraded || len(suite.GetProcesses()) != 1 {
			t.Errorf("exit %d, %v: %s", code, err, out)
		}
		s.stop(t)
	})
}

func TestStatusOfAProcessThatDoesNotAnswer(t *testing.T) {
	nobody := freeport.Address()
	code, out, errOut := ask(t, "status", "-at", nobody)
	if want := "hawser: no process answers at " + nobody + "\n"; code != exitUnknown || out != "" || errOut != want {
		t.Errorf("exit %d: %q, %s", code, errOut, out)
	}
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	at := strings.TrimPrefix(other.URL, "http://")
	if code, _, errOut := ask(t, "status", "-at", at); code != exitUnknown || errOut != "hawser: the process at "+at+" answers 404 Not Found\n" {
		t.Errorf("exit %d: %q", code, errOut)
	}
}

func TestStatusWithoutAnAnswerIsNoAnswerAboutTheSuite(t *testing.T) {
	for behaviour, args := range map[string][]string{
		"a setting that is wrong":     {"-names.lookup_timeout=soon"},
		"a setting that there is not": {"-names.colour=red"},
		"a file that there is not":    {"-config=" + t.TempDir() + "/none.yaml"},
		"an address that is none":     {"-at=metrics"},
		"a listener that is off":      {"-listen.metrics="},
	} {
		if code, out, errOut := ask(t, append([]string{"status"}, args...)...); code != exitUnknown || out != "" || !strings.HasPrefix(errOut, "hawser: ") {
			t.Errorf("%s: exit %d, %q, %q", behaviour, code, out, errOut)
		}
	}
	t.Setenv("HAWSER_STORE_CONNECTIONS", "-1")
	if code, out, errOut := ask(t, "status"); code != exitUnknown || out != "" || !strings.Contains(errOut, "connections") {
		t.Errorf("a configuration that does not pass its checks: exit %d, %q, %q", code, out, errOut)
	}
}

func TestStatusNamesANATSServerThatIsUnavailable(t *testing.T) {
	url, stop := bustest.Cluster(t, 3)
	t.Setenv("HAWSER_STORE_DSN", storetest.SQLite(t))
	t.Setenv("HAWSER_BUS_URL", url)
	t.Setenv("HAWSER_BUS_REPLICAS", "3")
	s := startSuite(t, t.TempDir())
	status := func() (int, string) {
		code, out, _ := ask(t, "status", "-at", s.metrics, "-probe=false")
		return code, squeezed(out)
	}
	untilWithin(t, time.Minute, "every stream has its copies", func() bool {
		code, out := status()
		return code == exitOK && strings.Contains(out, " 3 of 3 ")
	})
	stop(1)
	untilWithin(t, time.Minute, "the server is missed", func() bool {
		code, out := status()
		return code == exitDegraded && strings.Contains(out, " takes messages, without n1\n") && strings.Contains(out, "\n stream HAWSER_PROJECTS has 2 of 3 copies\n")
	})
	s.stop(t)
}

// squeezed returns a text with one space in place of several, because the widths of columns depend on addresses.
func squeezed(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		cells := strings.Join(strings.Fields(line), " ")
		if strings.HasPrefix(line, " ") {
			cells = " " + cells
		}
		lines = append(lines, cells)
	}
	return strings.Join(lines, "\n")
}

func untilWithin(t *testing.T, most time.Duration, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(most); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so after %s: %s", most, what)
		}
	}
}
