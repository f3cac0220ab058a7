package session

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/quota"
	"github.com/hawser-dev/hawser/services/relay/receipt"
	"github.com/hawser-dev/hawser/services/relay/socket"
)

// metricDelivery is the histogram of the time from storing a message to sending it.
const metricDelivery = "hawser.relay.delivery.duration"

// Identity is a client that was authorized.
type Identity struct {
	// Name is the client id, a did:key.
	Name      string
	Publisher mailbox.Publisher
	Caller    limit.Caller
}

// Deps are what sessions need.
type Deps struct {
	Store    *mailbox.Store
	Receipts *receipt.Receipts
	Quota    *quota.Quota
	Clock    clock.Clock
	Log      *slog.Logger
}

// Sessions is what the sessions of a process share.
type Sessions struct {
	Deps
	ctx context.Context
	// readers are the goroutines that read mailboxes for sessions.
	readers  routine.WaitGroup
	delivery metric.Float64Histogram
}

// New returns what sessions share. They read no mailboxes after ctx has ended.
func New(ctx context.Context, deps Deps) *Sessions {
	// After an error the instrument counts nothing. That must not stop the service.
	delivery, err := otel.Meter("github.com/hawser-dev/hawser").Float64Histogram(metricDelivery, metric.WithUnit("s"), metric.WithDescription("Time from storing a message to sending it"),
		metric.WithExplicitBucketBoundaries(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 10, 60, 600, 86400))
	if err != nil {
		otel.Handle(err)
	}
	return &Sessions{Deps: deps, ctx: ctx, delivery: delivery}
}

// Open returns the session of a connection.
func (s *Sessions) Open(c *socket.Conn, who Identity) *Session {
	return &Session{Identity: who, shared: s, conn: c, bytes: s.Quota.Memory(who.Caller)}
}

// Wait returns when no mailbox is being read.
func (s *Sessions) Wait() { s.readers.Wait() }
