package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

// handleTimeout bounds one call of a handler; the server waits a little longer before it gives the event to another reader.
const (
	handleTimeout = 25 * time.Second
	ackWait       = 30 * time.Second
)

// fetchWait is how long one request for an event stays open. Such a request is not cancelled, because an event in
// transit would then be delayed by ackWait, so fetchWait bounds how long closing takes.
const fetchWait = 500 * time.Millisecond

// defaultRetries are the pauses before each further attempt at a failed event.
var defaultRetries = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute}

// SubscribeOptions configure a subscription.
type SubscribeOptions struct {
	// Durable is the name of a group of subscribers that share the work: each event is delivered to one of them, and is
	// kept while none is connected. A subscriber without a name receives every event from now on, as a cache in each
	// replica needs.
	Durable string
	// Retries are the pauses before further attempts at an event whose handler failed; nil means about a quarter of an hour in all.
	// After the last one the event is logged and dropped. A reader without a durable name does not retry.
	Retries []time.Duration
	// Missed is called when the server lost events that this subscriber may not have received, so that caches can be cleared; nil if the next
	// event has the whole state.
	Missed func(ctx context.Context)
	// InOrder delivers an event only after the one before it was handled or dropped, whichever reader of the group has it. Without it, events
	// overtake one whose handler failed. It needs a durable name.
	InOrder bool
}

// Subscribe calls handle, one event at a time, for each T until ctx ends or the bus closes. When it returns, every event
// published from now on will be received. An event that does not decode is logged and dropped.
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
	if err := b.read(ctx, &reader{subscription: s, event: kind, options: opts}); err != nil {
		return fmt.Errorf("subscribe to %s: %w", kind, err)
	}
	return nil
}

// reader is a subscription with its place in a stream.
type reader struct {
	*subscription
	event   protoreflect.FullName
	options SubscribeOptions
	// reading ends with the subscription.
	reading context.Context

	// created is when the stream being read was created. [Bus.mu] guards created and stop.
	created time.Time
	// stop ends reading that stream, and waits until it has ended.
	stop func()
}

// read starts r, and ends it with ctx or when the bus closes.
func (b *Bus) read(ctx context.Context, r *reader) error {
	call, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stream, err := b.stream(call, r.event)
	if err != nil {
		return err
	}
	info, err := stream.Info(call)
	if err != nil {
		return err
	}
	var end func()
	r.reading, end = b.readingUntil(ctx)
	// Store "from now" as a number, so that a reader that reconnects before its first event misses none.
	r.last.Store(info.State.LastSeq)
	if err := b.open(call, r, stream, info.Created); err != nil {
		end()
		return err
	}
	b.mu.Lock()
	b.readers[r] = struct{}{}
	b.mu.Unlock()
	b.subscriptions.Go(r.reading, func() {
		defer end()
		<-r.reading.Done()
		b.mu.Lock()
		delete(b.readers, r)
		stop := r.stop
		b.mu.Unlock()
		stop()
		r.busy.Lock()
		defer r.busy.Unlock()
	})
	return nil
}

// open starts reading the stream that was created at a time, after the last event that was received.
func (b *Bus) open(ctx context.Context, r *reader, stream jetstream.Stream, created time.Time) (err error) {
	var stop func()
	if r.options.Durable == "" {
		stop, err = b.listen(ctx, stream, r)
	} else {
		stop, err = b.share(ctx, stream, r)
	}
	if err != nil {
		return err
	}
	b.mu.Lock()
	r.created, r.stop = created, stop
	b.mu.Unlock()
	if r.reading.Err() != nil {
		stop() // it ended meanwhile, and nothing else stops it
	}
	return nil
}

// listen delivers every event after the last to r.
func (b *Bus) listen(ctx context.Context, stream jetstream.Stream, r *reader) (stop func(), err error) {
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{Subject(r.event)},
		DeliverPolicy:  jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:    r.last.Load() + 1,
	})
	if err != nil {
		return nil, err
	}
	consuming, err := consumer.Consume(func(msg jetstream.Msg) { r.handleOnce(r.reading, msg) })
	if err != nil {
		return nil, err
	}
	return func() {
		consuming.Stop()
		<-consuming.Closed()
	}, nil
}

// share delivers to r the events that no other reader of the group has. It fetches one at a time: the acknowledgement
// timeout of an event fetched ahead would already run while another reader is idle.
func (b *Bus) share(ctx context.Context, stream jetstream.Stream, r *reader) (stop func(), err error) {
	cfg := jetstream.ConsumerConfig{
		Durable:       r.options.Durable,
		FilterSubject: Subject(r.event),
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       ackWait,
	}
	if r.options.InOrder {
		cfg.MaxAckPending = 1
	}
	consumer, err := stream.CreateOrUpdateConsumer(ctx, cfg)
	if err != nil {
		return nil, err
	}
	reading, end := context.WithCancel(r.reading)
	var fetching routine.WaitGroup
	fetching.Go(reading, func() {
		for reading.Err() == nil {
			msg, err := consumer.Next(jetstream.FetchMaxWait(fetchWait))
			switch {
			case err == nil:
				r.work(reading, msg)
			case errors.Is(err, nats.ErrTimeout), errors.Is(err, jetstream.ErrNoMessages):
			case !b.conn.IsConnected():
				pause(reading, fetchWait)
			case reading.Err() == nil:
				slog.DebugContext(reading, "events not fetched", "event", r.kind, "error", err)
				b.checkNow()
				pause(reading, fetchWait)
			}
		}
	})
	return func() {
		end()
		fetching.Wait()
	}, nil
}

// readingUntil ends with ctx or when the bus closes.
func (b *Bus) readingUntil(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(b.closing, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

var errUndecodable = errors.New("the event does not decode")

// subscription is a reader's handler and its state.
type subscription struct {
	kind    string
	retries []time.Duration
	handle  func(context.Context, []byte) error
	// busy is held while the handler of a reader without a name runs.
	busy sync.Mutex
	// last is the sequence number of the last event that was received.
	last atomic.Uint64
}

// handleOnce handles an event that is delivered once, whether the handler fails or not.
func (s *subscription) handleOnce(ctx context.Context, msg jetstream.Msg) {
	s.busy.Lock()
	defer s.busy.Unlock()
	if ctx.Err() != nil {
		return
	}
	if meta, err := msg.Metadata(); err == nil {
		s.last.Store(meta.Sequence.Stream)
	}
	if err := s.call(ctx, msg); err != nil && ctx.Err() == nil {
		slog.ErrorContext(ctx, "event not handled", s.attributes(msg, "error", err)...)
	}
}

// work handles an event that is redelivered until it is acknowledged, and drops one that has failed too often.
func (s *subscription) work(ctx context.Context, msg jetstream.Msg) {
	if ctx.Err() != nil {
		s.release(ctx, msg)
		return
	}
	attempt := 1
	if meta, err := msg.Metadata(); err == nil {
		attempt = int(meta.NumDelivered)
	}
	// A handler that crashes the process never returns an error, so deliveries are counted, not failures.
	if attempt > len(s.retries)+1 {
		s.drop(ctx, msg, errors.New("every attempt ended without an answer"))
		return
	}
	err := s.call(ctx, msg)
	switch {
	case err == nil:
		err = msg.Ack()
	case ctx.Err() != nil:
		s.release(ctx, msg)
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

// release returns the event to the group now; otherwise it would be redelivered only after ackWait.
func (s *subscription) release(ctx context.Context, msg jetstream.Msg) {
	if err := msg.Nak(); err != nil {
		slog.WarnContext(ctx, "event not released", s.attributes(msg, "error", err)...)
	}
}

func (s *subscription) drop(ctx context.Context, msg jetstream.Msg, cause error) {
	slog.ErrorContext(ctx, "event dropped", s.attributes(msg, "error", cause)...)
	if err := msg.TermWithReason("dropped"); err != nil {
		slog.WarnContext(ctx, "event not answered", s.attributes(msg, "error", err)...)
	}
}

// call runs the handler in the event's trace. A panic counts as an error of the handler.
func (s *subscription) call(ctx context.Context, msg jetstream.Msg) (err error) {
	ctx = traceContext.Extract(ctx, propagation.MapCarrier{headerTraceParent: msg.Headers().Get(headerTraceParent)})
	ctx, cancel := context.WithTimeout(ctx, handleTimeout)
	defer cancel()
	ctx, span := otel.Tracer("github.com/hawser-dev/hawser").Start(ctx, s.kind, trace.WithSpanKind(trace.SpanKindConsumer))
	defer span.End()
	defer func() {
		if p := recover(); p != nil {
			err = routine.Recovered(ctx, p)
		}
		if err != nil {
			span.SetStatus(codes.Error, "the event was not handled")
		}
	}()
	return s.handle(ctx, msg.Data())
}

func (s *subscription) attributes(msg jetstream.Msg, more ...any) []any {
	return append([]any{"event", s.kind, "event_id", msg.Headers().Get(headerID)}, more...)
}
