package bus

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Bounds of every stream: how much a disconnected reader can catch up on, and how long a repeated event id is
// recognised.
const (
	streamMaxAge     = 3 * 24 * time.Hour
	streamMaxBytes   = 256 << 20
	duplicatesWindow = 10 * time.Minute
)

// stream returns the stream of the service that owns event, created or brought to this version's bounds on first use.
func (b *Bus) stream(ctx context.Context, event protoreflect.FullName) (jetstream.Stream, error) {
	owner := service(event)
	if s, ok := b.known(owner); ok {
		return s, nil
	}
	// Not with mu, which readiness needs: a cluster that elects its leaders does not answer for seconds.
	b.creating.Lock()
	defer b.creating.Unlock()
	if s, ok := b.known(owner); ok {
		return s, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	s, err := b.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name:       streamName(owner),
		Subjects:   []string{owner + ".>"},
		MaxAge:     streamMaxAge,
		MaxBytes:   streamMaxBytes,
		Duplicates: duplicatesWindow,
		Replicas:   b.replicas,
		// A server that does not know it ignores it, and stores the events of a batch one by one.
		AllowAtomicPublish: true,
	})
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", streamName(owner), err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.streams[owner] = s
	return s, nil
}

// known returns the stream of a service if it was created before.
func (b *Bus) known(owner string) (jetstream.Stream, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.streams[owner]
	return s, ok
}

// forget makes the next use of the stream create it again, for a server that lost it.
func (b *Bus) forget(event protoreflect.FullName) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.streams, service(event))
}

// streamName returns the stream of a service: HAWSER_PROJECTS for hawser.projects.
func streamName(owner string) string {
	return strings.ToUpper(strings.ReplaceAll(owner, ".", "_"))
}
