package relay

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// projects has one enabled project and one disabled project. Each lookup takes a while.
type projects struct{}

const disabled = "00000000000000000000000000000002"

func (projects) GetProject(_ context.Context, r *projectsv1.GetProjectRequest, _ ...grpc.CallOption) (*projectsv1.GetProjectResponse, error) {
	time.Sleep(100 * time.Millisecond)
	switch r.GetId() {
	case relaytest.Project:
		return &projectsv1.GetProjectResponse{Project: &projectsv1.Project{Id: r.GetId(), Enabled: true, AllowedOrigins: []string{"shop.test"}}}, nil
	case disabled:
		return &projectsv1.GetProjectResponse{Project: &projectsv1.Project{Id: r.GetId()}}, nil
	default:
		return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_PROJECT_UNKNOWN, "", "no such project")
	}
}

// start runs a relay on a bus, and returns its address as ws://host:port and a function that stops it.
func start(t testing.TB, b *bus.Bus, change ...func(*Config)) (address string, stop func()) {
	t.Helper()
	return startWithin(t, b, nil, change...)
}

// startWithin runs a relay as start does, with a budget of memory.
func startWithin(t testing.TB, b *bus.Bus, memory *limit.Memory, change ...func(*Config)) (address string, stop func()) {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Drain = 0
	for _, c := range change {
		c(&cfg)
	}
	ctx, cancel := context.WithCancel(t.Context())
	service, err := New(ctx, cfg, Deps{Bus: b, Projects: projects{}, Clock: clock.System{}, Log: slog.Default(), Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service.Handler)
	ended := make(chan error, 1)
	go func() { ended <- service.Work(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		server.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return strings.Replace(server.URL, "http://", "ws://", 1), stop
}

// withoutWork returns a relay that does not deliver: it has no follower.
func withoutWork(t *testing.T, change ...func(*Config)) *server {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Drain = 0
	for _, c := range change {
		c(&cfg)
	}
	b := bustest.Embedded(t)
	conn, err := b.Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := mailbox.Open(t.Context(), conn, mailbox.Config{MaxBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(cfg, Deps{Bus: b, Projects: projects{}, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}, store)
	t.Cleanup(s.stop)
	return s
}

// A relay that no longer delivers must end, so that it is started again, and not keep its connections.
func TestARelayWhoseDeliveryFailsEnds(t *testing.T) {
	s := withoutWork(t)
	follower, err := s.store.Follow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	topic := mailbox.Topic{1}
	s.hub.Attach(topic, nil) // delivering to it panics
	ended := make(chan error, 1)
	go func() { ended <- s.work(t.Context(), follower) }()
	if _, err := s.store.Publish(t.Context(), mailbox.Message{Topic: topic, Body: "text"}, time.Minute); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it ended without an error")
		}
	case <-time.After(10 * time.Second):
		t.Error("it runs, and delivers nothing")
	}
}

func TestTwoClientsTalk(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	pairing, session := relaytest.Topic(), relaytest.Topic()

	page.MustCall(t, "wc_proposeSession", map[string]any{"pairingTopic": pairing, "sessionProposal": "proposal", "ttl": 300, "correlationId": 1})
	wallet.Subscribe(t, pairing)
	if d := wallet.Next(t); d.Data.Message != "proposal" || d.Data.Tag != 1100 || d.Data.Topic != pairing || d.ID != wire.SubscriptionID(pairing, wallet.Name()) {
		t.Errorf("the wallet got %+v", d)
	}
	wallet.MustCall(t, "wc_approveSession", map[string]any{
		"pairingTopic": pairing, "sessionTopic": session, "sessionProposalResponse": "response", "sessionSettlementRequest": "settlement",
	})
	if d := page.Next(t); d.Data.Message != "response" || d.Data.Tag != 1101 {
		t.Errorf("the page got %+v", d)
	}
	page.Subscribe(t, session)
	if d := page.Next(t); d.Data.Message != "settlement" || d.Data.Tag != 1102 {
		t.Errorf("the page got %+v", d)
	}
	for i := range 20 {
		page.Publish(t, session, fmt.Sprint("request ", i), 1108)
		if d := wallet.Next(t); d.Data.Message != fmt.Sprint("request ", i) {
			t.Errorf("the wallet got %+v", d)
		}
		wallet.Publish(t, session, fmt.Sprint("result ", i), 1109)
		if d := page.Next(t); d.Data.Message != fmt.Sprint("result ", i) {
			t.Errorf("the page got %+v", d)
		}
	}
}

func TestAMessageWaitsForASubscriber(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page := relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	page.Subscribe(t, topic)
	var want []string
	for i := range 10 {
		want = append(want, fmt.Sprint(i))
		page.Publish(t, topic, want[i], 1108)
	}
	wallet := relaytest.Dial(t, address, relaytest.Options{})
	wallet.Subscribe(t, topic)
	var got []string
	for range want {
		got = append(got, wallet.Next(t).Data.Message)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the wallet got %q", got)
	}
	select {
	case d := <-page.Deliveries:
		t.Errorf("the page got its own message %+v", d)
	case <-time.After(50 * time.Millisecond):
	}
}
