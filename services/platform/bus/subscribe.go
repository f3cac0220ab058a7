package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/propagation"
	"google.golang.org/protobuf/proto"
)

// handleTimeout bounds one call of a handler; the server waits a little longer before it gives the event to another reader.
const (
	handleTimeout = 25 * time.Second
	ackWait       = 30 * time.Second
)

// fetchWait is how long one request for an event stays open. It is not broken off, because an event on its way would be lost
// until ackWait is over: it bounds how long closing takes.
const fetchWait = 500 * time.Millisecond

// defaultRetries is how long a failed event rests before each further attempt.
var defaultRetries = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute}

// SubscribeOptions say who reads.
type SubscribeOptions struct {
	// Durable names a group of readers that share the work: each event goes to one of them, and waits while all are away. With no
	// name the reader is on its own and hears every event from now on: what a cache in each replica needs.
	Durable string
	// Retries are the pauses before further attempts at an event whose handler failed; nil means about a quarter of an hour in all.
	// After the last one the event is logged and dropped. A reader without a durable name does not retry.
	Retries []time.Duration
}

// Subscribe calls handle, one event at a time, for each T until ctx ends or the bus closes. When it returns, every event
// published from now on will be heard. An event that does not decode is logged and dropped.
func Subscribe[T proto.Message](ctx context.Context, b *Bus, opts SubscribeOptions, handle func(context.Context, T) error) error {
	var zero T
	kind := zero.ProtoReflect().Descriptor().FullName()
	if opts.Retries == nil {
		opts.Retries = defaultRetries
	}
	s := &subscription{kind: string(kind), retries: opts.Retries, handle: func(ctx context.Context, data []byte) error {
		msg := zero.ProtoReflect().New().Interface().(T)
		if err := proto.Unmarshal(data, msg); err != nil {
			return errors.Join(errUndecodable, err)
		}
		return handle(ctx, msg)
	}}
	stream, err := b.stream(ctx, kind)
	if err != nil {
		return fmt.Errorf("subscribe to %s: %w", kind, err)
	}
	if opts.Durable == "" {
		err = b.listen(ctx, stream, Subject(kind), s)
	} else {
		err = b.share(ctx, stream, Subject(kind), opts.Durable, s)
	}
	if err != nil {
		return fmt.Errorf("subscribe to %s: %w", kind, err)
	}
	return nil
}

// listen delivers every event from now on to s.
func (b *Bus) listen(ctx context.Context, stream jetstream.Stream, subject string, s *subscription) error {
	call, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	info, err := stream.Info(call)
	if err != nil {
		return err
	}
	consumer, err := stream.OrderedConsumer(call, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{subject},
		// "From now" as a number, so that a reader that reconnects before its first event misses none.
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:   info.State.LastSeq + 1,
	})
	if err != nil {
		return err
	}
	reading, end := b.reading(ctx)
	consuming, err := consumer.Consume(func(msg jetstream.Msg) { s.hear(reading, msg) })
	if err != nil {
		end()
		return err
	}
	b.subscriptions.Go(func() {
		defer end()
		<-reading.Done()
		consuming.Stop()
		<-consuming.Closed()
		s.busy.Lock()
		defer s.busy.Unlock()
	})
	return nil
}

// share delivers to s the events that no other reader of the name has. It asks for one at a time: an event fetched ahead would wait
// here, its time to be acknowledged running, while another reader is idle.
func (b *Bus) share(ctx context.Context, stream jetstream.Stream, subject, name string, s *subscription) error {
	call, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	consumer, err := stream.CreateOrUpdateConsumer(call, jetstream.ConsumerConfig{
		Durable:       name,
		FilterSubject: subject,
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       ackWait,
	})
	if err != nil {
		return err
	}
	reading, end := b.reading(ctx)
	b.subscriptions.Go(func() {
		defer end()
		for reading.Err() == nil {
			msg, err := consumer.Next(jetstream.FetchMaxWait(fetchWait))
			switch {
			case err == nil:
				s.work(reading, msg)
			case errors.Is(err, nats.ErrTimeout), errors.Is(err, jetstream.ErrNoMessages):
			case !b.conn.IsConnected():
				rest(reading, fetchWait)
			case reading.Err() == nil:
				slog.WarnContext(reading, "events not fetched", "event", s.kind, "error", err)
				rest(reading, fetchWait)
			}
		}
	})
	return nil
}

// reading ends with ctx or when the bus closes.
func (b *Bus) reading(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(b.closing, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// rest waits for d or until ctx ends.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

var errUndecodable = errors.New("the event does not decode")

// subscription is what one reader does with its events.
type subscription struct {
	kind    string
	retries []time.Duration
	handle  func(context.Context, []byte) error
	// busy is held while the handler of a reader without a name runs.
	busy sync.Mutex
}

// hear handles an event that is delivered once, whatever comes of it.
func (s *subscription) hear(ctx context.Context, msg jetstream.Msg) {
	s.busy.Lock()
	defer s.busy.Unlock()
	if ctx.Err() != nil {
		return
	}
	if err := s.call(ctx, msg); err != nil && ctx.Err() == nil {
		slog.ErrorContext(ctx, "event not handled", s.attributes(msg, "error", err)...)
	}
}

// work handles an event that is delivered until it is acknowledged, and ends one that would come for ever.
func (s *subscription) work(ctx context.Context, msg jetstream.Msg) {
	if ctx.Err() != nil {
		s.giveBack(ctx, msg)
		return
	}
	attempt := 1
	if meta, err := msg.Metadata(); err == nil {
		attempt = int(meta.NumDelivered)
	}
	// A handler that takes its process down never gets to fail: count what was delivered, not what was answered.
	if attempt > len(s.retries)+1 {
		s.drop(ctx, msg, errors.New("every attempt ended without an answer"))
		return
	}
	err := s.call(ctx, msg)
	switch {
	case err == nil:
		err = msg.Ack()
	case ctx.Err() != nil:
		s.giveBack(ctx, msg)
		return
	case errors.Is(err, errUndecodable), attempt > len(s.retries):
		s.drop(ctx, msg, err)
		return
	default:
		slog.WarnContext(ctx, "event failed", s.attributes(msg, "attempt", attempt, "error", err)...)
		err = msg.NakWithDelay(s.retries[attempt-1])
	}
	if err != nil {
		slog.WarnContext(ctx, "event not answered", s.attributes(msg, "error", err)...)
	}
}

// giveBack lets another reader have the event now; without it the event would rest until its time to be acknowledged is over.
func (s *subscription) giveBack(ctx context.Context, msg jetstream.Msg) {
	if err := msg.Nak(); err != nil {
		slog.WarnContext(ctx, "event not given back", s.attributes(msg, "error", err)...)
	}
}

func (s *subscription) drop(ctx context.Context, msg jetstream.Msg, cause error) {
	slog.ErrorContext(ctx, "event dropped", s.attributes(msg, "error", cause)...)
	if err := msg.TermWithReason("dropped"); err != nil {
		slog.WarnContext(ctx, "event not answered", s.attributes(msg, "error", err)...)
	}
}

// call runs the handler in the trace that the event belongs to; a panic is the handler's failure, not the process's.
func (s *subscription) call(ctx context.Context, msg jetstream.Msg) (err error) {
	ctx = traceContext.Extract(ctx, propagation.MapCarrier{headerTraceParent: msg.Headers().Get(headerTraceParent)})
	ctx, cancel := context.WithTimeout(ctx, handleTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			slog.ErrorContext(ctx, "event handler panicked", s.attributes(msg, "panic", p, "stack", string(debug.Stack()))...)
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return s.handle(ctx, msg.Data())
}

func (s *subscription) attributes(msg jetstream.Msg, more ...any) []any {
	return append([]any{"event", s.kind, "event_id", msg.Headers().Get(headerID)}, more...)
}
