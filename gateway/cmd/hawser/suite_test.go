package main

import (
	"context"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
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
