package bus_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
)

func TestServerOfAnOperator(t *testing.T) {
	url := bustest.Server(t)
	bustest.Run(t, func(t testing.TB) *bus.Bus { return bustest.Open(t, bus.Config{URL: url}) })
}

func TestServerInThisProcess(t *testing.T) {
	// Readers of one process share its server, and so its one connection.
	bustest.Run(t, sharing())
}

// sharing returns an open function that returns the same bus at every call of one test.
func sharing() func(t testing.TB) *bus.Bus {
	opened := map[string]*bus.Bus{}
	return func(t testing.TB) *bus.Bus {
		if opened[t.Name()] == nil {
			opened[t.Name()] = bustest.Embedded(t)
		}
		return opened[t.Name()]
	}
}

func TestSubject(t *testing.T) {
	for event, want := range map[protoreflect.FullName]string{
		"hawser.projects.v1.ProjectChanged": "hawser.projects.v1.project_changed",
		"hawser.chains.v1.Head":             "hawser.chains.v1.head",
	} {
		if got := bus.Subject(event); got != want {
			t.Errorf("%s travels on %s, want %s", event, got, want)
		}
	}
}

// TestEventOnTheWire checks the subject, headers and body that readers in other languages depend on.
func TestEventOnTheWire(t *testing.T) {
	url := bustest.Server(t)
	b := bustest.Open(t, bus.Config{URL: url})
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	sub, err := conn.SubscribeSync("hawser.projects.v1.project_changed")
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := b.Publish(t.Context(), &projectsv1.ProjectChanged{Id: "p"}); err != nil {
		t.Fatal(err)
	}
	msg, err := sub.NextMsg(10 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]string{
		"ce-specversion": "1.0",
		"ce-type":        "hawser.projects.v1.ProjectChanged",
		"ce-source":      "/hawser/projects",
		"content-type":   "application/protobuf",
		"Nats-Msg-Id":    msg.Header.Get("ce-id"),
	} {
		if got := msg.Header.Get(header); got != want || got == "" {
			t.Errorf("%s = %q, want %q", header, got, want)
		}
	}
	if _, err := time.Parse(time.RFC3339Nano, msg.Header.Get("ce-time")); err != nil {
		t.Error(err)
	}
	var got projectsv1.ProjectChanged
	if err := proto.Unmarshal(msg.Data, &got); err != nil || got.GetId() != "p" {
		t.Errorf("payload %v, err %v", &got, err)
	}
}

func TestUndecodableEventIsDroppedAtOnce(t *testing.T) {
	url := bustest.Server(t)
	b := bustest.Open(t, bus.Config{URL: url})
	got := make(chan string, 1)
	subscribeIDs(t, b, "strict", got)
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), "hawser.projects.v1.project_changed", []byte{0xff}); err != nil {
		t.Fatal(err)
	}
	if err := b.Publish(t.Context(), &projectsv1.ProjectChanged{Id: "good"}); err != nil {
		t.Fatal(err)
	}
	if id := receive(t, got); id != "good" {
		t.Errorf("handled %q", id)
	}
	consumer, err := js.Consumer(t.Context(), "HAWSER_PROJECTS", "strict")
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for {
		info, err := consumer.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if info.NumAckPending == 0 && info.NumPending == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("still pending: %+v", info)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestOpen(t *testing.T) {
	t.Run("says that no server answers, without the password", func(t *testing.T) {
		_, err := bus.Open(t.Context(), bus.Config{URL: "nats://hawser:hunter2@127.0.0.1:1"})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("a server in this process needs a folder", func(t *testing.T) {
		if _, err := bus.Open(t.Context(), bus.Config{}); err == nil {
			t.Error("it opened")
		}
	})
}

func TestOversizedEventIsRefused(t *testing.T) {
	b := bustest.Embedded(t)
	if err := b.Publish(t.Context(), &projectsv1.ProjectChanged{Id: strings.Repeat("x", 1<<20)}); err == nil {
		t.Error("it was taken")
	}
}
