package bustest

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ServerWithoutStreams starts a NATS server that answers for JetStream but leaves every request about a stream
// unanswered, as a cluster does while it elects stream leaders. After elect is called, it answers them.
func ServerWithoutStreams(t testing.TB) (url string, elect func()) {
	t.Helper()
	options := func(denied ...string) *server.Options {
		user := &server.User{Username: "hawser", Password: "test"}
		if len(denied) > 0 {
			user.Permissions = &server.Permissions{Publish: &server.SubjectPermission{Deny: denied}}
		}
		return &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, Users: []*server.User{user}}
	}
	first := options("$JS.API.STREAM.>")
	first.StoreDir = t.TempDir()
	s, err := server.NewServer(first)
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
	address := s.Addr().String()
	return "nats://hawser:test@" + address, func() {
		t.Helper()
		next := options()
		next.StoreDir = first.StoreDir
		if err := s.ReloadOptions(next); err != nil {
			t.Fatal(err)
		}
	}
}
