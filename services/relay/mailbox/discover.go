package mailbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// unusedTime is how long a stream of another layout was empty and unused before it is deleted: longer than an upgrade takes, in which some replicas
// still publish to it.
const unusedTime = 24 * time.Hour

// discover notes which streams of other layouts exist, and returns those that were not known.
func (s *Store) discover(ctx context.Context) (found []*stream, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	names := s.js.StreamNames(ctx, jetstream.WithStreamListSubject(mailSubject+">"))
	s.mu.Lock()
	defer s.mu.Unlock()
	known := *s.known.Load()
	for name := range names.Name() {
		if slot, ok := slotOfName(name); ok && known[slot] == nil {
			known[slot] = newStream(s.js, slot)
			found = append(found, known[slot])
		}
	}
	if err := names.Err(); err != nil {
		return nil, fmt.Errorf("streams of mailboxes: %w", err)
	}
	s.known.Store(&known)
	return found, nil
}

// forget forgets a stream of another layout that does not exist any more.
func (s *Store) forget(one *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := *s.known.Load()
	if known[one.slot] == one {
		known[one.slot] = nil
	}
	s.known.Store(&known)
}

// all returns the streams that exist.
func (s *Store) all() (streams []*stream) {
	for _, one := range s.known.Load() {
		if one != nil {
			streams = append(streams, one)
		}
	}
	return streams
}

// removeUnused deletes the streams of other layouts that have been empty and unused for unusedTime.
func (s *Store) removeUnused(ctx context.Context, now time.Time) {
	for _, one := range s.all() {
		if one.config != nil {
			continue
		}
		info, err := one.info(ctx)
		if err == nil && isUnused(info, now) {
			if err = s.js.DeleteStream(ctx, one.name); err == nil {
				err = jetstream.ErrStreamNotFound
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, jetstream.ErrStreamNotFound):
			s.forget(one)
		default:
			slog.WarnContext(ctx, "relay: a stream of another number of streams is not checked", "stream", one.name, "error", err)
		}
	}
}

// isUnused reports whether a stream has no messages, and had none for unusedTime.
func isUnused(info *jetstream.StreamInfo, now time.Time) bool {
	since := info.Created
	if info.State.LastTime.After(since) {
		since = info.State.LastTime
	}
	return info.State.Msgs == 0 && now.Sub(since) > unusedTime
}
