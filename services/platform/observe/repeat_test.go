package observe_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/observe"
)

// lines collects log output concurrently.
type lines struct {
	mu  sync.Mutex
	log bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.log.Write(p)
}

// String returns what was logged since its last call.
func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.log.Reset()
	return l.log.String()
}

func logger(t *testing.T, level string) (*slog.Logger, *lines) {
	t.Helper()
	log := &lines{}
	l, err := observe.NewLogger(log, observe.Config{Level: level, Format: "text"})
	if err != nil {
		t.Fatal(err)
	}
	return l, log
}

func TestLinesThatRepeatAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, log := logger(t, "info")
		for range 10_000 {
			l.Warn("call failed", "rpc_method", "/a/B", "error", "x")
		}
		l.Warn("call failed", "rpc_method", "/a/C", "error", "x")
		if n := strings.Count(log.String(), "\n"); n != 21 {
			t.Errorf("%d lines, want 20 of one kind and 1 of another", n)
		}
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if said := log.String(); !strings.Contains(said, "9980 more times in 10s") || strings.Count(said, "\n") != 1 {
			t.Errorf("how many there were: %q", said)
		}
		l.Warn("call failed", "rpc_method", "/a/B", "error", "x")
		if log.String() == "" {
			t.Error("a line after the interval is not written")
		}
	})
}

func TestLinesForDebuggingAreAllWritten(t *testing.T) {
	l, log := logger(t, "debug")
	for range 100 {
		l.Debug("call failed")
	}
	if n := strings.Count(log.String(), "\n"); n != 100 {
		t.Errorf("%d lines", n)
	}
}

func TestKindsOfLinesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, log := logger(t, "info")
		for i := range 5_000 {
			l.Warn(strings.Repeat("x", i))
		}
		if n := strings.Count(log.String(), "\n"); n > 1_100 {
			t.Errorf("%d lines", n)
		}
		time.Sleep(11 * time.Second)
		synctest.Wait()
	})
}

func TestWhatCallersSendIsClipped(t *testing.T) {
	l, log := logger(t, "info")
	l.Warn("call failed", "error", errors.New(strings.Repeat("é", 30_000)), "name", strings.Repeat("y", 60_000))
	if said := log.String(); len(said) > 3_000 || !strings.Contains(said, "(60000 bytes)") {
		t.Errorf("a line of %d bytes", len(said))
	}
	l.Warn("call failed", "name", strings.Repeat("y", 1_010)+" "+id)
	if said := log.String(); strings.Contains(said, id[8:14]) {
		t.Errorf("a project id shows: %s", said)
	}
}

func TestACallersOwnMistakesAreNotTheOperatorsBusiness(t *testing.T) {
	for code, want := range map[codes.Code]string{
		codes.InvalidArgument: "DEBUG", codes.NotFound: "DEBUG", codes.ResourceExhausted: "DEBUG", codes.Unauthenticated: "DEBUG",
		codes.PermissionDenied: "DEBUG", codes.FailedPrecondition: "DEBUG", codes.Canceled: "DEBUG", codes.Unavailable: "WARN", codes.Internal: "ERROR",
	} {
		client, log, _ := observed(t, func(context.Context) (*projectsv1.GetProjectResponse, error) {
			return nil, fault.New(code, faultv1.Reason_REASON_PARAMETER_INVALID, "", "no").Because(errors.New("why"))
		})
		_, _ = client.GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: id})
		if !strings.Contains(log.String(), `"level":"`+want+`"`) {
			t.Errorf("%s: logged %s, want %s", code, log, want)
		}
	}
}
