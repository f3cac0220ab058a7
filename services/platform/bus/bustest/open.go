package bustest

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Embedded opens a bus whose server runs in this process, for the length of the test.
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
	url, _ := RestartableServer(t)
	return url
}

// RestartableServer is [Server] with a function that stops the server, calls meanwhile, and starts the server again
// with the same data at the same address.
func RestartableServer(t testing.TB) (url string, restart func(meanwhile func())) {
	t.Helper()
	url, restartIn := restartable(t)
	return url, func(meanwhile func()) { restartIn(func(string) { meanwhile() }) }
}

// ForgetfulServer is [Server] with a function that kills the server, deletes its data, and starts it again.
func ForgetfulServer(t testing.TB) (url string, forget func()) {
	t.Helper()
	url, restartIn := restartable(t)
	return url, func() {
		t.Helper()
		restartIn(func(dir string) {
			if err := os.RemoveAll(filepath.Join(dir, "jetstream")); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func restartable(t testing.TB) (url string, restart func(meanwhile func(dir string))) {
	t.Helper()
	dir := t.TempDir()
	running := startServer(t, dir, server.RANDOM_PORT)
	stop := func() {
		running.Shutdown()
		running.WaitForShutdown()
	}
	t.Cleanup(func() { stop() })
	port := running.Addr().(*net.TCPAddr).Port
	return running.ClientURL(), func(meanwhile func(dir string)) {
		t.Helper()
		stop()
		meanwhile(dir)
		running = startServer(t, dir, port)
	}
}

// CutOffServer returns the URL of a cluster member that cannot reach the other members. It has no JetStream. It answers
// once start was called, for the length of the test; clients counts the connections to it.
func CutOffServer(t testing.TB) (url string, start func(), clients func() int) {
	t.Helper()
	nowhere, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = nowhere.Close() })
	reserved, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	others := server.RoutesFromStr("nats://" + nowhere.Addr().String())
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: reserved.Addr().(*net.TCPAddr).Port, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(), ServerName: "cut-off",
		Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: server.RANDOM_PORT}, Routes: others,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	return "nats://" + reserved.Addr().String(), func() {
		t.Helper()
		_ = reserved.Close()
		s.Start()
		if !s.ReadyForConnections(10 * time.Second) {
			t.Fatal("the NATS server does not answer")
		}
	}, s.NumClients
}

func startServer(t testing.TB, dir string, port int) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true, JetStream: true, StoreDir: dir,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server does not answer")
	}
	return s
}

// Outbox opens the outbox of a database.
func Outbox(tb testing.TB, db *store.DB) *bus.Outbox {
	tb.Helper()
	outbox, err := bus.NewOutbox(tb.Context(), db)
	if err != nil {
		tb.Fatal(err)
	}
	return outbox
}

// Relay runs an outbox until the test ends.
func Relay(tb testing.TB, outbox *bus.Outbox, b *bus.Bus) {
	tb.Helper()
	ctx, stop := context.WithCancel(tb.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = outbox.Run(ctx, b)
	}()
	tb.Cleanup(func() { stop(); <-done })
}

// Waiting returns the events of one type that are in the outbox of a database, in the order in which they were written.
func Waiting[T proto.Message](tb testing.TB, db *store.DB) (all []T) {
	tb.Helper()
	var zero T
	kind := string(zero.ProtoReflect().Descriptor().FullName())
	rows, err := db.Reader().QueryContext(tb.Context(), `SELECT data FROM outbox WHERE type = $1 ORDER BY seq`, kind)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var data []byte
		msg := zero.ProtoReflect().New().Interface().(T)
		if err := errors.Join(rows.Scan(&data), proto.Unmarshal(data, msg)); err != nil {
			tb.Fatal(err)
		}
		all = append(all, msg)
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	return all
}
