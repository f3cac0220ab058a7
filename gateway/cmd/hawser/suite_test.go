package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/projects"
)

func TestAProcessIsNotReadyWhileTheBusIsUnavailable(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	s := &suite{db: db, bus: bustest.Embedded(t), outbox: bustest.Outbox(t, db)}
	outbox := s.publishOutbox()
	if err := outbox.Ready(t.Context()); err != nil {
		t.Errorf("not ready: %v", err)
	}
	if err := s.bus.Close(); err != nil {
		t.Fatal(err)
	}
	if err := outbox.Ready(context.Background()); err == nil {
		t.Error("it says that it is ready")
	}
}

func TestThePartThatIsNotReadyIsLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	s := &suite{mesh: &run.Mesh{}, bus: bustest.Embedded(t), ready: run.ReadyLog{Log: slog.New(slog.NewTextHandler(&log, nil))}}
	ready := s.readyUntil(t.Context())
	if err := ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.bus.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if ready(t.Context()) == nil {
			t.Fatal("it says that it is ready")
		}
	}
	if said := log.String(); strings.Count(said, "\n") != 2 || !strings.Contains(said, `level=WARN msg="not ready" error="not connected to NATS"`) {
		t.Errorf("logged %s", said)
	}
}

// A pod of the gateway that starts while another service is away gets traffic: it answers what does not need that service.
func TestAGatewayAcceptsCallsOnceProjectsAnswer(t *testing.T) {
	address := freeport.Address()
	s := &suite{config: Config{Target: targetGateway}, mesh: &run.Mesh{Peers: map[string]string{projects.Name: address, names.Name: freeport.Address()}}, bus: bustest.Embedded(t), conns: map[string]grpc.ClientConnInterface{}}
	for _, name := range []string{projects.Name, names.Name} {
		conn, err := s.mesh.Conn(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.(io.Closer).Close() })
		s.conns[name] = conn
	}
	accepting := s.acceptingUntil(t.Context())
	if accepting(t.Context()) == nil {
		t.Error("it accepts calls without projects")
	}
	ctx, stop := context.WithCancel(t.Context())
	peer := &run.Mesh{}
	away := errors.New("NATS is away")
	peer.Host(run.Service{Name: projects.Name, Register: func(grpc.ServiceRegistrar) {}, Ready: func(context.Context) error { return away }})
	ended := make(chan error, 1)
	go func() { ended <- peer.Serve(ctx, address) }()
	for end := time.Now().Add(20 * time.Second); accepting(t.Context()) != nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it does not accept calls: %v", accepting(t.Context()))
		}
	}
	s.ready.Log = slog.New(slog.DiscardHandler)
	if s.readyUntil(t.Context())(t.Context()) == nil {
		t.Error("it is ready while names is away")
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Events that wait in the outbox delay no call.
func TestAProcessAcceptsCallsWhileEventsWait(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	s := &suite{db: db, mesh: &run.Mesh{}, bus: bustest.Embedded(t), outbox: bustest.Outbox(t, db)}
	s.mesh.Host(s.publishOutbox())
	if err := s.bus.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.acceptingUntil(t.Context())(t.Context()); err != nil {
		t.Errorf("it does not accept calls: %v", err)
	}
}
