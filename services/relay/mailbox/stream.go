package mailbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// stream is one JetStream stream of mailboxes. It is safe for concurrent use.
type stream struct {
	js   jetstream.JetStream
	slot int
	name string
	// mail and live are the subjects of its messages, without their topics.
	mail, live string
	// config is nil for a stream of another layout, which this process reads, and does not create.
	config *jetstream.StreamConfig
	// usage counts what is stored for accounts in this part of the topics, in this layout and others; nil for a stream of another layout.
	usage *usage

	mu sync.Mutex
	// opened is nil until the first use, and after the server lost the stream.
	opened jetstream.Stream
}

// newStream returns the stream of a slot, of another layout.
func newStream(js jetstream.JetStream, slot int) *stream {
	return &stream{js: js, slot: slot, name: nameOf(slot), mail: mailSubject + tokensOf(slot), live: liveSubject + tokensOf(slot)}
}

// newOwnStream returns the stream of a slot to which this process publishes. Each stream of a layout has an equal part of the bytes.
func newOwnStream(js jetstream.JetStream, slot int, cfg Config) *stream {
	s := newStream(js, slot)
	maxBytes := cfg.MaxBytes / int64(cfg.Streams)
	s.usage = newUsage(maxBytes, cfg.Streams)
	s.config = &jetstream.StreamConfig{
		Name:                 s.name,
		Description:          "mailboxes of the wallet-connect relay",
		Subjects:             []string{s.mail + "*"},
		MaxAge:               MaxTTL,
		MaxBytes:             maxBytes,
		MaxMsgsPerSubject:    subjectLimit,
		Discard:              jetstream.DiscardNew,
		DiscardNewPerSubject: true,
		AllowMsgTTL:          true,
		Duplicates:           Duplicates,
		RePublish:            &jetstream.RePublish{Source: s.mail + ">", Destination: s.live + ">"},
		Replicas:             cfg.Replicas,
		// A copy may be behind, and messages that it does not have yet would be missed.
		AllowDirect: cfg.Replicas <= 1,
	}
	return s
}

// open returns the stream, created on first use if this process publishes to it.
func (s *stream) open(ctx context.Context) (jetstream.Stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened != nil {
		return s.opened, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var opened jetstream.Stream
	var err error
	if s.config != nil {
		opened, err = s.js.CreateOrUpdateStream(ctx, *s.config)
	} else {
		opened, err = s.js.Stream(ctx, s.name)
	}
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", s.name, err)
	}
	s.opened = opened
	return opened, nil
}

// reopen makes the next call open the stream again, for a server that lost it.
func (s *stream) reopen() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = nil
}

// isGone reports whether an error says that a stream of another layout does not exist any more. It was empty for long before it was deleted.
func (s *stream) isGone(err error) bool {
	return s.config == nil && errors.Is(err, jetstream.ErrStreamNotFound)
}

// isLost reports whether the stream does not exist. It is false while the stream elects a leader.
func (s *stream) isLost(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	_, err := s.js.Stream(ctx, s.name)
	return errors.Is(err, jetstream.ErrStreamNotFound)
}

// info asks the server for the state of the stream.
func (s *stream) info(ctx context.Context) (*jetstream.StreamInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	opened, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	info, err := opened.Info(ctx)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		s.reopen()
	}
	return info, err
}

// lastSequence returns the sequence number of the newest message, and when the stream was created.
func (s *stream) lastSequence(ctx context.Context) (uint64, time.Time, error) {
	info, err := s.info(ctx)
	if err != nil {
		return 0, time.Time{}, err
	}
	return info.State.LastSeq, info.Created, nil
}

// get reads the first stored message under a subject whose sequence number is at least from, without decoding it. The error wraps
// [jetstream.ErrMsgNotFound] if there is none.
func (s *stream) get(ctx context.Context, subject string, from uint64) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	opened, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := opened.GetMsg(ctx, max(from, 1), jetstream.WithGetMsgSubject(subject))
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, nats.ErrNoResponders) {
		s.reopen()
	}
	return raw, err
}

// delete removes a message. If the message does not exist, that is not an error.
func (s *stream) delete(ctx context.Context, sequence uint64) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	opened, err := s.open(ctx)
	if err != nil {
		return err
	}
	err = opened.DeleteMsg(ctx, sequence)
	if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		// The server has several errors for a message that does not exist.
		if _, gone := opened.GetMsg(ctx, sequence); errors.Is(gone, jetstream.ErrMsgNotFound) {
			return nil
		}
	}
	return err
}
