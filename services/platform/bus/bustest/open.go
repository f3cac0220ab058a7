package bustest

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/hawser-dev/hawser/services/platform/bus"
)

// Embedded opens a bus whose server lives in this process, for the length of the test.
func Embedded(t testing.TB) *bus.Bus {
	t.Helper()
	return Open(t, bus.Config{Dir: t.TempDir()})
}

// Open opens a bus for the length of the test.
func Open(t testing.TB, cfg bus.Config) *bus.Bus {
	t.Helper()
	b, err := bus.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// Server starts a NATS server on a loopback port for the length of the test and returns its URL.
func Server(t testing.TB) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server does not answer")
	}
	return s.ClientURL()
}
