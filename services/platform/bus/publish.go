package bus

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Publish sends msg and returns when the stream has stored it. For an event that announces a change of state use an
// [Outbox] instead.
func (b *Bus) Publish(ctx context.Context, msg proto.Message) error {
	e, err := newEvent(ctx, b.clock.Now(), msg)
	if err != nil {
		return err
	}
	return b.send(ctx, e)
}

// PublishID is [Bus.Publish] for an event that several replicas detect independently. Within the stream's window of
// duplicates, events with the same id are stored once.
func (b *Bus) PublishID(ctx context.Context, id string, msg proto.Message) error {
	e, err := newEvent(ctx, b.clock.Now(), msg)
	if err != nil {
		return err
	}
	e.id = id
	return b.send(ctx, e)
}

// send stores the event. Within the stream's window of duplicates it is stored once, however often it is sent.
func (b *Bus) send(ctx context.Context, e event) error {
	err := b.sendOnce(ctx, e)
	if errors.Is(err, jetstream.ErrNoStreamResponse) && b.isLost(ctx, e.kind) {
		b.forget(e.kind)
		err = b.sendOnce(ctx, e)
	}
	b.recordStored(ctx, err)
	if err != nil {
		return fmt.Errorf("publish %s: %w", e.kind, err)
	}
	return nil
}

func (b *Bus) sendOnce(ctx context.Context, e event) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := b.stream(ctx, e.kind); err != nil {
		return err
	}
	_, err := b.js.PublishMsg(ctx, e.message())
	return err
}

// isLost reports whether the stream of an event does not exist. It is false while the stream elects a leader.
func (b *Bus) isLost(ctx context.Context, event protoreflect.FullName) bool {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := b.js.Stream(ctx, streamName(service(event)))
	return errors.Is(err, jetstream.ErrStreamNotFound)
}
