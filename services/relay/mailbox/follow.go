package mailbox

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// pendingMessages and pendingBytes bound how many messages wait in this process for a slow follower; dropped
	// messages are read from the stream.
	pendingMessages = 65_536
	pendingBytes    = 32 << 20
	// checkInterval is how often a follower checks whether it missed the last messages of the stream.
	checkInterval = 2 * time.Second
	// followTimeout bounds a request of a follower to the stream, which does not answer while it elects a leader. Live messages wait meanwhile.
	followTimeout = time.Second
	// retryPause is how long a follower waits after the server failed to answer.
	retryPause = 250 * time.Millisecond

	// headerTime is the header with the time at which a message was stored; the server adds it to messages that it
	// republishes.
	headerTime = "Nats-Time-Stamp"
)

// Follower receives every message that is stored after its creation.
type Follower struct {
	store *Store
	live  *nats.Subscription
	// last is the sequence number of the last message that was received from the stream that was created at `created`.
	last    uint64
	created time.Time
	// compared is when the stream was last compared with that of the received messages.
	compared time.Time
}

// Follow returns a follower. [Follower.Run] receives every message that is stored after Follow has returned.
func (s *Store) Follow(ctx context.Context) (*Follower, error) {
	live, err := s.conn.SubscribeSync(liveSubject + "*")
	if err != nil {
		return nil, err
	}
	if err := live.SetPendingLimits(pendingMessages, pendingBytes); err != nil {
		return nil, err
	}
	f := &Follower{store: s, live: live}
	if err := s.conn.FlushTimeout(callTimeout); err != nil {
		return nil, errors.Join(err, live.Unsubscribe())
	}
	if f.last, f.created, err = s.lastSequence(ctx); err != nil {
		return nil, errors.Join(err, live.Unsubscribe())
	}
	return f, nil
}

// Run calls deliver for each message, in the order in which they were stored, until ctx ends. Messages that were lost in
// transit, because the connection was lost or this process was slow, are read from the stream. They may be handled
// after later messages.
func (f *Follower) Run(ctx context.Context, deliver func(Message)) error {
	defer func() { _ = f.live.Unsubscribe() }()
	handle := func(m Message) {
		f.store.topics.add(m.Topic)
		deliver(m)
	}
	for ctx.Err() == nil {
		wait, cancel := context.WithTimeout(ctx, checkInterval)
		msg, err := f.live.NextMsgWithContext(wait)
		cancel()
		switch {
		case err == nil:
			f.receive(ctx, msg, handle)
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrSlowConsumer):
			f.check(ctx, handle)
		default:
			slog.WarnContext(ctx, "relay: stored messages are not received", "error", err)
			pause(ctx, retryPause)
		}
	}
	return nil
}

// receive handles a message, after those before it that did not arrive.
func (f *Follower) receive(ctx context.Context, msg *nats.Msg, handle func(Message)) {
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
	m, ok := decode(strings.TrimPrefix(msg.Subject, liveSubject), msg.Header, msg.Data)
	if !ok {
		return
	}
	m.Sequence = sequence
	if m.PublishedAt, err = time.Parse(time.RFC3339Nano, msg.Header.Get(headerTime)); err != nil {
		m.PublishedAt = time.Now()
	}
	handle(m)
}

// check reads the messages in the stream after the last one that was received.
func (f *Follower) check(ctx context.Context, handle func(Message)) {
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
func (f *Follower) compare(ctx context.Context) (last uint64, err error) {
	f.compared = time.Now()
	requestCtx, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	last, created, err := f.store.lastSequence(requestCtx)
	if err != nil {
		if ctx.Err() == nil {
			slog.WarnContext(ctx, "relay: the stream of mailboxes does not answer", "error", err)
		}
		return 0, err
	}
	if !created.Equal(f.created) {
		f.last, f.created = 0, created
	}
	return last, nil
}

// catchUp handles the messages after the last one up to a sequence number, if they are still stored.
func (f *Follower) catchUp(ctx context.Context, upTo uint64, handle func(Message)) {
	for f.last < upTo && ctx.Err() == nil {
		requestCtx, cancel := context.WithTimeout(ctx, followTimeout)
		m, found, err := f.store.next(requestCtx, mailSubject+">", f.last+1)
		cancel()
		if err != nil {
			slog.WarnContext(ctx, "relay: a missed message is not read", "error", err)
			pause(ctx, retryPause)
			continue
		}
		if !found || m.Sequence > upTo {
			f.last = upTo
			return
		}
		f.last = m.Sequence
		handle(m)
	}
}

// lastSequence returns the sequence number of the newest message, and when the stream was created.
func (s *Store) lastSequence(ctx context.Context) (uint64, time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stream, err := s.open(ctx)
	if err != nil {
		return 0, time.Time{}, err
	}
	info, err := stream.Info(ctx)
	if err != nil {
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			s.reopen()
		}
		return 0, time.Time{}, err
	}
	return info.State.LastSeq, info.Created, nil
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
