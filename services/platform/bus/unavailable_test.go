package bus_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/freeport"
)

func TestErrorsOfServersThatDoNotAnswer(t *testing.T) {
	_, unreachable := nats.Connect("nats://" + freeport.Address())
	conn, err := nats.Connect(bustest.Server(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	// A stream that is electing its leader gives the same response as one that does not exist.
	_, unled := js.Publish(t.Context(), "nobody.stores.this", nil)
	_, refused := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "TEST", Replicas: 3})
	slow, err := nats.Connect(conn.ConnectedUrl(), nats.Timeout(time.Nanosecond))
	if err == nil {
		slow.Close()
	}
	_, unknown := js.Stream(t.Context(), "TEST")
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"no server listens":            {unreachable, true},
		"the server takes too long":    {err, true},
		"the stream has no leader":     {unled, true},
		"the server went away":         {fmt.Errorf("limits: %w", nats.ErrDisconnected), true},
		"it has not come back":         {nats.ErrReconnectBufExceeded, true},
		"the server refuses a stream":  {refused, false},
		"too few servers":              {&jetstream.APIError{Code: 400, ErrorCode: 10005, Description: "no suitable peers for placement"}, true},
		"the server has no stream yet": {fmt.Errorf("subscribe: %w", unknown), true},
		"an error of the caller":       {errors.New("no such file"), false},
	} {
		if got := bus.IsUnavailable(test.err); test.err == nil || got != test.want {
			t.Errorf("%s: IsUnavailable(%v) is %v", name, test.err, got)
		}
	}
}

// Readiness does not wait for a stream that is being created, which takes seconds while a cluster elects its leaders.
func TestReadinessDoesNotWaitForAStream(t *testing.T) {
	url, elect := bustest.ServerWithoutStreams(t)
	b := bustest.Open(t, bus.Config{URL: url})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	started := make(chan struct{})
	go func() {
		close(started)
		ended <- b.Publish(ctx, &projectsv1.ProjectChanged{Id: "x"})
	}()
	<-started
	for range 3 {
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case err := <-ended:
		t.Errorf("publishing ended before readiness was known: %v", err)
	default:
	}
	cancel()
	<-ended
	elect()
}
