package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
)

// reportingLog is a log that reports its first record: the message and the error.
type reportingLog struct {
	slog.Handler
	noticed chan string
}

func (reportingLog) Enabled(context.Context, slog.Level) bool { return true }

func (w reportingLog) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "error" {
			text += ": " + a.Value.String()
		}
		return true
	})
	select {
	case w.noticed <- text:
	default:
	}
	return nil
}

func TestAProcessThatStartsBeforeItsNATSServerWaitsForIt(t *testing.T) {
	url, restart := bustest.RestartableServer(t)
	c, err := load(newFlags("run"), []string{"-target", "directory", "-bus.url", url, "-data_dir", t.TempDir(), "-listen.grpc", "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	log := reportingLog{slog.DiscardHandler, make(chan string, 1)}
	opened := make(chan error, 1)
	var noticed string
	restart(func() {
		go func() {
			s, _, err := openWithRetries(t.Context(), c, slog.New(log))
			if err == nil {
				err = s.close()
			}
			opened <- err
		}()
		noticed = <-log.noticed
	})
	if err := <-opened; err != nil || !strings.HasPrefix(noticed, "the start failed and is tried again: NATS: ") {
		t.Errorf("%v after %q", err, noticed)
	}
}

func TestAGatewayThatStartsBeforeItsStreamsHaveALeaderWaitsForThem(t *testing.T) {
	url, elect := bustest.ServerWithoutStreams(t)
	peers := map[string]string{}
	for _, name := range serviceNames() {
		peers[name] = "127.0.0.1:1"
	}
	list, err := json.Marshal(peers)
	if err != nil {
		t.Fatal(err)
	}
	c, err := load(newFlags("run"), []string{"-target", "gateway", "-bus.url", url, "-data_dir", t.TempDir(), "-peers", string(list)})
	if err != nil {
		t.Fatal(err)
	}
	log := reportingLog{slog.DiscardHandler, make(chan string, 1)}
	opened := make(chan error, 1)
	go func() {
		s, handler, err := openWithRetries(t.Context(), c, slog.New(log))
		if err == nil && handler == nil {
			err = errors.New("there is no gateway")
		}
		if s != nil {
			err = errors.Join(err, s.close())
		}
		opened <- err
	}()
	select {
	case noticed := <-log.noticed:
		if !strings.HasPrefix(noticed, "the start failed and is tried again: gateway: ") {
			t.Error(noticed)
		}
	case err := <-opened:
		t.Fatalf("it ended at once: %v", err)
	}
	elect()
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

func TestAProcessDoesNotWaitForWhatItHasWithinItself(t *testing.T) {
	var c Config
	if c.isUnavailable(context.DeadlineExceeded) {
		t.Error("it waits for a server that it runs itself")
	}
}
