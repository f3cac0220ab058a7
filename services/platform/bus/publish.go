package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

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

const (
	// codeInProcess is the error code for an event that was sent before and that not enough replicas have stored yet.
	codeInProcess = 10158
	// inProcessPause is the pause before such an event is sent again.
	inProcessPause = 100 * time.Millisecond
	// inProcessFor is how long an event may be in process: servers elect the leader of a stream within 9 s.
	inProcessFor = 15 * time.Second
)

// send stores the event. Within the stream's window of duplicates it is stored once, however often it is sent, with one exception: a server may keep
// the id of an event that it has lost during an election, and refuse it until the window has passed. Such an event is sent under another id.
func (b *Bus) send(ctx context.Context, e event) error {
	err := b.sendOnce(ctx, e, e.id)
	if errors.Is(err, jetstream.ErrNoStreamResponse) && b.isLost(ctx, e.kind) {
		b.forget(e.kind)
		err = b.sendOnce(ctx, e, e.id)
	}
	if b.isStuck(e.id, err) {
		err = b.sendOnce(ctx, e, e.id+".again")
	}
	b.recordStored(ctx, err)
	if err != nil {
		return fmt.Errorf("publish %s: %w", e.kind, err)
	}
	return nil
}

// sendOnce sends the event under an id, again while it is in process.
func (b *Bus) sendOnce(ctx context.Context, e event, id string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := b.stream(ctx, e.kind); err != nil {
		return err
	}
	msg := e.message()
	msg.Header.Set(jetstream.MsgIDHeader, id)
	for {
		_, err := b.js.PublishMsg(ctx, msg)
		if !isInProcess(err) {
			return err
		}
		pause(ctx, inProcessPause)
		if ctx.Err() != nil {
			return err
		}
	}
}

// isInProcess reports whether err says that an event was sent before and is not stored yet.
func isInProcess(err error) bool {
	refused, ok := errors.AsType[*jetstream.APIError](err)
	return ok && refused.ErrorCode == codeInProcess
}

// isStuck reports whether the event with an id has been in process for longer than it can be, if err says that it still is.
func (b *Bus) isStuck(id string, err error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !isInProcess(err) {
		return false
	}
	if b.inProcess.id != id {
		b.inProcess.id, b.inProcess.since = id, b.clock.Now()
	}
	return b.clock.Now().Sub(b.inProcess.since) >= inProcessFor
}

// isLost reports whether the stream of an event does not exist. It is false while the stream elects a leader.
func (b *Bus) isLost(ctx context.Context, event protoreflect.FullName) bool {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := b.js.Stream(ctx, streamName(service(event)))
	return errors.Is(err, jetstream.ErrStreamNotFound)
}
