package mailbox

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// pendingMessages and pendingBytes bound how many messages wait in this process for a slow follower; dropped
	// messages are read from the stream.
	pendingMessages = 65_536
	pendingBytes    = 32 << 20
	// checkInterval is how often a follower checks whether it missed the last messages of the stream.
	checkInterval = 2 * time.Second
	// removeInterval is how often streams of other layouts are checked for being unused.
	removeInterval = time.Hour
	// followTimeout bounds a request of a follower to the stream, which does not answer while it elects a leader. Live messages wait meanwhile.
	followTimeout = time.Second
	// retryPause is how long a follower waits after the server failed to answer.
	retryPause = 250 * time.Millisecond

	// headerTime is the header with the time at which a message was stored; the server adds it to messages that it
	// republishes.
	headerTime = "Nats-Time-Stamp"
)

// Follower receives every message that is stored after its creation, in all streams.
type Follower struct {
	store   *Store
	streams []*streamFollower
}

// streamFollower is a [Follower] of one stream.
type streamFollower struct {
	store  *Store
	stream *stream
	live   *nats.Subscription
	// last is the sequence number of the last message that was received from the stream that was created at `created`.
	last    uint64
	created time.Time
	// compared is when the stream was last compared with that of the received messages.
	compared time.Time
	// gone says that the stream, which is of another layout, does not exist any more.
	gone bool
}

// Follow returns a follower. [Follower.Run] receives every message that is stored after Follow has returned.
func (s *Store) Follow(ctx context.Context) (*Follower, error) {
	f := &Follower{store: s}
	for _, one := range s.all() {
		of, err := s.follow(one)
		if err != nil {
			return nil, errors.Join(err, f.unsubscribe())
		}
		f.streams = append(f.streams, of)
	}
	if err := s.conn.FlushTimeout(callTimeout); err != nil {
		return nil, errors.Join(err, f.unsubscribe())
	}
	for _, of := range f.streams {
		var err error
		if of.last, of.created, err = of.stream.lastSequence(ctx); err != nil && !of.stream.isGone(err) {
			return nil, errors.Join(err, f.unsubscribe())
		}
	}
	return f, nil
}

// follow subscribes to the messages of a stream.
func (s *Store) follow(one *stream) (*streamFollower, error) {
	live, err := s.conn.SubscribeSync(one.live + "*")
	if err != nil {
		return nil, err
	}
	// A message must fit, or it would be dropped each time.
	bytes := max(pendingBytes/s.cfg.Streams, int(s.conn.MaxPayload())+headerBytes)
	if err := live.SetPendingLimits(pendingMessages/s.cfg.Streams, bytes); err != nil {
		return nil, errors.Join(err, live.Unsubscribe())
	}
	return &streamFollower{store: s, stream: one, live: live}, nil
}

func (f *Follower) unsubscribe() (err error) {
	for _, of := range f.streams {
		err = errors.Join(err, of.live.Unsubscribe())
	}
	return err
}

// Run calls deliver for each message until ctx ends: of one topic in the order in which they were stored, and for those of several streams at once.
// Messages that were lost in transit, because the connection was lost or this process was slow, are read from their stream. They may be handled after
// later messages. Streams of other layouts that appear meanwhile, in an upgrade to another number of streams, are followed from their first message.
func (f *Follower) Run(ctx context.Context, deliver func(Message)) error {
	g, ctx := routine.NewGroup(ctx)
	start := func(of *streamFollower) { g.Go(func() error { of.run(ctx, deliver); return nil }) }
	for _, of := range f.streams {
		start(of)
	}
	g.Go(func() error { f.discoverAll(ctx, start); return nil })
	return g.Wait()
}

// discoverAll starts following streams of other layouts that appear, and deletes those that are not used any more, until ctx ends.
func (f *Follower) discoverAll(ctx context.Context, start func(*streamFollower)) {
	for removed := (time.Time{}); ctx.Err() == nil; pause(ctx, checkInterval) {
		found, err := f.store.discover(ctx)
		for _, one := range found {
			of, subscribeErr := f.store.follow(one)
			if err = errors.Join(err, subscribeErr); subscribeErr != nil {
				// It is found again.
				f.store.forget(one)
				continue
			}
			start(of)
		}
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "relay: streams of mailboxes are not found", "error", err)
		}
		if now := time.Now(); now.Sub(removed) > removeInterval {
			f.store.removeUnused(ctx, now)
			removed = now
		}
	}
}

// run calls deliver for each message of the stream until ctx ends, or the stream does not exist any more.
func (f *streamFollower) run(ctx context.Context, deliver func(Message)) {
	defer func() { _ = f.live.Unsubscribe() }()
	handle := func(m Message) {
		f.store.topics.add(m.Topic)
		deliver(m)
	}
	for ctx.Err() == nil && !f.gone {
		wait, cancel := context.WithTimeout(ctx, checkInterval)
		msg, err := f.live.NextMsgWithContext(wait)
		cancel()
		switch {
		case err == nil:
			f.receive(ctx, msg, handle)
		case ctx.Err() != nil:
			return
		case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrSlowConsumer):
			f.check(ctx, handle)
		default:
			slog.WarnContext(ctx, "relay: stored messages are not received", "stream", f.stream.name, "error", err)
			pause(ctx, retryPause)
		}
	}
}

// receive handles a message, after those before it that did not arrive.
func (f *streamFollower) receive(ctx context.Context, msg *nats.Msg, handle func(Message)) {
	sequence, err := strconv.ParseUint(msg.Header.Get(jetstream.SequenceHeader), 10, 64)
	if err != nil {
		return
	}
	if sequence != f.last+1 && time.Since(f.compared) >= checkInterval {
		// Messages were missed, or already read from the stream, or the stream is a different one.
		_, _ = f.compare(ctx)
	}
	if sequence > f.last+1 {
		f.catchUp(ctx, sequence-1, handle)
	}
	if sequence <= f.last {
		return
	}
	f.last = sequence
	m, ok := decode(msg.Subject, msg.Header, msg.Data)
	if !ok {
		return
	}
	m.Sequence = numberOf(f.stream.slot, sequence)
	if m.PublishedAt, err = time.Parse(time.RFC3339Nano, msg.Header.Get(headerTime)); err != nil {
		m.PublishedAt = time.Now()
	}
	handle(m)
}

// check reads the messages in the stream after the last one that was received.
func (f *streamFollower) check(ctx context.Context, handle func(Message)) {
	if pending, _, err := f.live.Pending(); err != nil || pending > 0 {
		return
	}
	last, err := f.compare(ctx)
	if err != nil {
		pause(ctx, retryPause)
		return
	}
	if last < f.last {
		// The server lost messages of the stream, and gives their numbers to others.
		f.last = 0
	}
	if pending, _, err := f.live.Pending(); err != nil || pending > 0 {
		return
	}
	f.catchUp(ctx, last, handle)
}

// compare returns the sequence number of the newest message of the stream. If the server lost the stream of the received messages, and this is a new
// one, none of its messages count as received.
func (f *streamFollower) compare(ctx context.Context) (last uint64, err error) {
	f.compared = time.Now()
	requestCtx, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	last, created, err := f.stream.lastSequence(requestCtx)
	if err != nil {
		if f.gone = f.stream.isGone(err); f.gone {
			f.store.forget(f.stream)
		} else if ctx.Err() == nil {
			slog.WarnContext(ctx, "relay: a stream of mailboxes does not answer", "stream", f.stream.name, "error", err)
		}
		return 0, err
	}
	if !created.Equal(f.created) {
		f.last, f.created = 0, created
	}
	return last, nil
}

// catchUp handles the messages after the last one up to a sequence number, if they are still stored.
func (f *streamFollower) catchUp(ctx context.Context, upTo uint64, handle func(Message)) {
	for f.last < upTo && ctx.Err() == nil && !f.gone {
		requestCtx, cancel := context.WithTimeout(ctx, followTimeout)
		raws, more, err := f.stream.read(requestCtx, f.store.conn, f.stream.mail+">", f.last+1, BatchMessages)
		cancel()
		if err != nil {
			if f.gone = f.stream.isGone(err); f.gone {
				f.store.forget(f.stream)
				return
			}
			slog.WarnContext(ctx, "relay: missed messages are not read", "stream", f.stream.name, "error", err)
			pause(ctx, retryPause)
			continue
		}
		for _, raw := range raws {
			if raw.Sequence > upTo {
				more = false
				break
			}
			f.last = raw.Sequence
			if m, ok := f.stream.decode(ctx, raw); ok {
				handle(m)
			}
		}
		if !more {
			f.last = upTo
		}
	}
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
