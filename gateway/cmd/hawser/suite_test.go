package main

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
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
