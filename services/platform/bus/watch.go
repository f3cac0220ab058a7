package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// checkInterval is how often the streams that this process reads are checked.
	checkInterval = time.Second
	// failingFor is how long a failure to store an event counts if nothing was published since.
	failingFor = 10 * time.Second
	// failuresToReopen is how many events in a row the server inside this process must fail to store before it is
	// reopened, and reopenPause is the shortest time between two attempts to reopen it.
	failuresToReopen = 2
	reopenPause      = 10 * time.Second
)

// watch repairs streams until the bus closes: readers continue when a server lost their stream, and the embedded server
// continues once a full disk has room again. JetStream does neither by itself.
func (b *Bus) watch() {
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	for {
		select {
		case <-b.closing.Done():
			return
		case <-tick.C:
		case <-b.reconnected:
		}
		if b.embedded != nil {
			b.reopenServer()
		}
		if !b.conn.IsConnected() {
			continue
		}
		for owner, readers := range b.readersByOwner() {
			_ = routine.Call(b.closing, func() error { b.checkStream(owner, readers); return nil })
		}
	}
}

// checkNow requests a check of the streams.
func (b *Bus) checkNow() {
	select {
	case b.reconnected <- struct{}{}:
	default:
	}
}

func (b *Bus) readersByOwner() map[string][]*reader {
	b.mu.Lock()
	defer b.mu.Unlock()
	grouped := map[string][]*reader{}
	for r := range b.readers {
		owner := service(r.event)
		grouped[owner] = append(grouped[owner], r)
	}
	return grouped
}

// checkStream makes the readers of a lost stream read its replacement.
func (b *Bus) checkStream(owner string, readers []*reader) {
	ctx, cancel := context.WithTimeout(b.closing, callTimeout)
	defer cancel()
	received := make([]uint64, len(readers)) // before the stream is requested, so that an event of this moment does not count as a loss
	for i, r := range readers {
		received[i] = r.last.Load()
	}
	var now jetstream.StreamInfo
	stream, err := b.js.Stream(ctx, streamName(owner))
	switch {
	case err == nil:
		now = *stream.CachedInfo()
	case !errors.Is(err, jetstream.ErrStreamNotFound):
		return // the server does not know
	}
	var stranded, kept []*reader
	for i, r := range readers {
		if b.isStranded(r, received[i], now) {
			stranded = append(stranded, r)
		} else {
			kept = append(kept, r)
		}
	}
	if b.hasDiscarded(owner, now) && len(kept) > 0 {
		slog.Warn("the NATS server discarded events while this process was away", "stream", streamName(owner))
		for _, r := range kept {
			r.catchUp()
		}
	}
	if len(stranded) == 0 {
		return
	}
	if b.recordLost(owner, errors.New("the stream is another")) {
		slog.Warn("the NATS server lost events: readers continue with the new stream", "stream", streamName(owner))
	}
	for _, r := range stranded {
		if err := b.resubscribe(ctx, r, now); err != nil {
			b.recordLost(owner, err)
			return
		}
	}
	b.recordRead(owner)
	for _, r := range stranded {
		r.catchUp()
	}
}

// hasDiscarded reports whether a stream no longer has events that were stored after the last check, which its bounds discard while this process is away
// for long.
func (b *Bus) hasDiscarded(owner string, now jetstream.StreamInfo) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	last, checked := b.seen[owner]
	b.seen[owner] = now.State.LastSeq
	return checked && now.State.FirstSeq > last+1 && now.State.LastSeq > last
}

// isStranded reports whether r reads an older stream than the current one, or has received events that the current
// stream does not have.
func (b *Bus) isStranded(r *reader, received uint64, now jetstream.StreamInfo) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !r.created.Equal(now.Created) || now.State.LastSeq < received
}

// resubscribe makes r read the replacement of its stream: from its start if it was created again, and from its end if
// it is an older copy.
func (b *Bus) resubscribe(ctx context.Context, r *reader, now jetstream.StreamInfo) error {
	b.forget(r.event)
	stream, err := b.stream(ctx, r.event)
	if err != nil {
		return err
	}
	b.mu.Lock()
	stop, sameStream := r.stop, r.created.Equal(now.Created)
	b.mu.Unlock()
	stop()
	if sameStream {
		r.last.Store(now.State.LastSeq)
	} else {
		r.last.Store(0)
	}
	return b.open(ctx, r, stream, stream.CachedInfo().Created)
}

// recordLost stores why a stream cannot be read, and reports whether it could be read before.
func (b *Bus) recordLost(owner string, why error) (first bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	first = b.lost[owner] == nil
	b.lost[owner] = why
	return first
}

// recordRead stores that a stream can be read again.
func (b *Bus) recordRead(owner string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.lost, owner)
}

// catchUp calls Missed of the reader. No event is handled meanwhile.
func (r *reader) catchUp() {
	if r.options.Missed == nil {
		return
	}
	r.busy.Lock()
	defer r.busy.Unlock()
	ctx, cancel := context.WithTimeout(r.reading, handleTimeout)
	defer cancel()
	r.options.Missed(ctx)
}

// storing records failures to store events. [Bus.mu] guards it.
type storing struct {
	// failures counts failures since the last stored event; at is when the last one was, and err its error.
	failures int
	at       time.Time
	err      error
	reopened time.Time
}

// failure returns why events are not stored; nil if they are, or if the last failure was long ago.
func (s storing) failure(now time.Time) error {
	if s.failures < failuresToReopen || now.Sub(s.at) > failingFor {
		return nil
	}
	return fmt.Errorf("events are not stored: %w", s.err)
}

// recordStored records whether publishing an event succeeded, unless it was cancelled or the event is being stored.
func (b *Bus) recordStored(ctx context.Context, err error) {
	if err != nil && ctx.Err() != nil || isInProcess(err) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.storing.failures = 0
		return
	}
	b.storing.failures++
	b.storing.at, b.storing.err = b.clock.Now(), err
}

// reopenServer reopens the server inside this process when it no longer stores events and the disk has room. After a
// full disk the server does not store events again by itself.
func (b *Bus) reopenServer() {
	b.mu.Lock()
	now := b.clock.Now()
	due := b.storing.failures >= failuresToReopen && now.Sub(b.storing.reopened) >= reopenPause
	b.mu.Unlock()
	if !due || !b.embedded.hasRoom() {
		return
	}
	slog.Warn("the NATS server in this process does not store events: opening it again")
	err := b.embedded.reopen()
	if err != nil {
		slog.Error("the NATS server in this process does not open", "error", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.storing.reopened = b.clock.Now()
	if err == nil {
		b.storing.failures = 0
		b.streams = map[string]jetstream.Stream{}
	}
}
