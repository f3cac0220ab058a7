// Package mailbox stores the messages of the wallet-connect relay in one JetStream stream: one subject per topic, one
// TTL per message. Every process that follows the stream receives each message once it is stored.
package mailbox

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// streamName and the subjects are used only by the relay.
	streamName  = "RELAY_MAILBOX"
	mailSubject = "relay.mail."
	liveSubject = "relay.live."
	callTimeout = 5 * time.Second
	// publishTimeout bounds all attempts to publish a message. Servers elect the leader of a stream within 9 s.
	publishTimeout = 10 * time.Second
	// attemptTimeout bounds one attempt.
	attemptTimeout = 2 * time.Second
	subjectLimit   = 256
	// headerBytes is the room for the headers of a message beside its body.
	headerBytes = 16 << 10

	headerTag         = "Tag"
	headerPublisher   = "Publisher"
	headerAttestation = "Attestation"
)

// Duplicates is the period in which equal messages are stored once. Clients repeat a publication for a minute if they
// receive no answer.
const Duplicates = 2 * time.Minute

// MaxTTL is the longest time that a message may be kept.
const MaxTTL = 30 * 24 * time.Hour

// JetStream error codes that callers can handle. codeInProcess means that the message was sent before and not enough
// replicas have stored it yet.
const (
	codeSubjectFull = 10077
	codeInProcess   = 10158
	reasonSubject   = "maximum messages per subject exceeded"
)

// Errors of [Store.Publish].
var (
	// ErrFull means that the mailbox of the topic has the maximum number of messages.
	ErrFull = errors.New("the mailbox is full")
	// ErrTooLarge means that the NATS server does not accept messages of this size.
	ErrTooLarge = errors.New("the message is too large")
)

// Topic is a 32-byte topic.
type Topic [32]byte

// String returns the topic in lower-case hex digits.
func (t Topic) String() string { return hex.EncodeToString(t[:]) }

// ParseTopic parses 64 hex digits of either case.
func ParseTopic(text string) (Topic, bool) {
	var t Topic
	if len(text) != 2*len(t) {
		return t, false
	}
	_, err := hex.Decode(t[:], []byte(text))
	return t, err == nil
}

// Publisher identifies the client that published a message by a hash.
type Publisher [16]byte

// PublisherOf returns the publisher of a client id.
func PublisherOf(client string) Publisher {
	sum := sha256.Sum256([]byte(client))
	return Publisher(sum[:])
}

// Message is a message of a topic.
type Message struct {
	// Sequence numbers the messages of all topics in the order in which they were stored. It is 0 until the message is stored.
	Sequence uint64
	Topic    Topic
	// Body is opaque to the relay: ciphertext in base64.
	Body        string
	Tag         uint32
	Publisher   Publisher
	Attestation string
	// Account is whose share of the store the message takes. It is not read again.
	Account     Account
	PublishedAt time.Time
}

// Config configures a store.
type Config struct {
	// MaxBytes bounds the stream.
	MaxBytes int64
	// Replicas is how many servers of a cluster store the stream.
	Replicas int
}

// Store is the stream of all mailboxes. It is safe for concurrent use.
type Store struct {
	conn   *nats.Conn
	js     jetstream.JetStream
	cfg    Config
	usage  *usage
	topics *topics
	// accounts is the key of [Store.AccountOf].
	accounts accountKey
	// pause waits between two attempts to publish.
	pause func(context.Context, time.Duration)

	mu     sync.Mutex
	stream jetstream.Stream
}

// Open creates the stream, or updates it to this version's limits, and deletes what only earlier versions used.
func Open(ctx context.Context, conn *nats.Conn, cfg Config) (*Store, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	s := &Store{conn: conn, js: js, cfg: cfg, usage: newUsage(cfg.MaxBytes), topics: newTopics(), pause: pause}
	if _, err = s.open(ctx); err != nil {
		return nil, err
	}
	if err := removeOld(ctx, js); err != nil {
		slog.WarnContext(ctx, "relay: what an earlier version stored is not deleted", "error", err)
	}
	s.accounts, err = openKey(ctx, js, cfg.Replicas)
	return s, err
}

// AccountOf returns the account of a caller. It is the same in all processes of an installation.
func (s *Store) AccountOf(c limit.Caller) Account { return s.accounts.of(c) }

// open returns the stream, created on first use.
func (s *Store) open(ctx context.Context) (jetstream.Stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stream != nil {
		return s.stream, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stream, err := s.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name:                 streamName,
		Description:          "mailboxes of the wallet-connect relay",
		Subjects:             []string{mailSubject + "*"},
		MaxAge:               MaxTTL,
		MaxBytes:             s.cfg.MaxBytes,
		MaxMsgsPerSubject:    subjectLimit,
		Discard:              jetstream.DiscardNew,
		DiscardNewPerSubject: true,
		AllowMsgTTL:          true,
		Duplicates:           Duplicates,
		RePublish:            &jetstream.RePublish{Source: mailSubject + ">", Destination: liveSubject + ">"},
		Replicas:             s.cfg.Replicas,
		// A copy may be behind, and messages that it does not have yet would be missed.
		AllowDirect: s.cfg.Replicas == 1,
	})
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", streamName, err)
	}
	s.stream = stream
	return stream, nil
}

// reopen makes the next call create the stream again, for a server that lost it.
func (s *Store) reopen() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stream = nil
}

// MaxBody is the longest body that the server takes, in bytes.
func (s *Store) MaxBody() int64 { return s.conn.MaxPayload() - headerBytes }

// Ready returns an error if the stream does not answer.
func (s *Store) Ready(ctx context.Context) error {
	if _, _, err := s.lastSequence(ctx); err != nil {
		return fmt.Errorf("mailboxes: %w", err)
	}
	return nil
}

// Publish stores a message for the time ttl, at least a second, and returns its sequence number. If an equal message
// was stored in the last two minutes, it returns that message's sequence number: a client may publish again because the
// answer was lost. While the server does not answer, the message is sent again for up to 10 seconds. The error wraps
// [ErrFull], [ErrNoRoom] or [ErrTooLarge], or is the server's.
func (s *Store) Publish(ctx context.Context, m Message, ttl time.Duration) (uint64, error) {
	giveBack, err := s.usage.admit(m.Account, int64(len(m.Body)+len(m.Attestation)), ttl)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	for first := true; ; first = false {
		stored, err := s.publish(ctx, m, ttl)
		if first && isNotStored(stored, err) {
			giveBack()
		}
		switch {
		case err == nil:
			return stored.Sequence, nil
		case !isUnanswered(err) || ctx.Err() != nil:
			return 0, err
		}
		if errors.Is(err, jetstream.ErrNoStreamResponse) && s.isLost(ctx) {
			s.reopen()
		}
		s.pause(ctx, retryPause)
	}
}

// isNotStored reports whether the first attempt to publish a message has certainly not stored it.
func isNotStored(stored *jetstream.PubAck, err error) bool {
	if err == nil {
		return stored.Duplicate
	}
	_, refused := errors.AsType[*jetstream.APIError](err)
	return !isUnanswered(err) && (refused || errors.Is(err, ErrTooLarge))
}

// isUnanswered reports whether an attempt may have failed because the connection was lost, or because the stream had no
// leader or no quorum.
func isUnanswered(err error) bool {
	if refused, ok := errors.AsType[*jetstream.APIError](err); ok {
		return refused.ErrorCode == codeInProcess
	}
	for _, unanswered := range []error{
		jetstream.ErrNoStreamResponse, context.DeadlineExceeded, nats.ErrTimeout, nats.ErrDisconnected, nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded,
	} {
		if errors.Is(err, unanswered) {
			return true
		}
	}
	return false
}

// isLost reports whether the stream does not exist. It is false while the stream elects a leader.
func (s *Store) isLost(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	_, err := s.js.Stream(ctx, streamName)
	return errors.Is(err, jetstream.ErrStreamNotFound)
}

// publish sends a message once.
func (s *Store) publish(ctx context.Context, m Message, ttl time.Duration) (*jetstream.PubAck, error) {
	if _, err := s.open(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	topic := m.Topic.String()
	msg := &nats.Msg{Subject: mailSubject + topic, Data: []byte(m.Body), Header: nats.Header{
		headerTag:                      []string{strconv.FormatUint(uint64(m.Tag), 10)},
		headerPublisher:                []string{base64.RawStdEncoding.EncodeToString(m.Publisher[:])},
		headerAccount:                  []string{m.Account.String()},
		jetstream.MsgTTLHeader:         []string{strconv.FormatInt(int64(ttl/time.Second), 10) + "s"},
		jetstream.MsgIDHeader:          []string{messageID(topic, m.Body)},
		jetstream.ExpectedStreamHeader: []string{streamName},
	}}
	if m.Attestation != "" {
		msg.Header[headerAttestation] = []string{m.Attestation}
	}
	stored, err := s.js.PublishMsg(ctx, msg)
	var refused *jetstream.APIError
	switch {
	case errors.Is(err, nats.ErrMaxPayload):
		return nil, fmt.Errorf("%w: %w", ErrTooLarge, err)
	case errors.As(err, &refused) && refused.ErrorCode == codeSubjectFull && strings.Contains(refused.Description, reasonSubject):
		return nil, fmt.Errorf("%w: %w", ErrFull, err)
	}
	return stored, err
}

func messageID(topic, body string) string {
	h := sha256.New()
	h.Write([]byte(topic))
	h.Write([]byte(body))
	return base64.RawStdEncoding.EncodeToString(h.Sum(nil))
}

// Next returns the first message of a topic whose sequence number is at least from; false if there is none.
func (s *Store) Next(ctx context.Context, topic Topic, from uint64) (Message, bool, error) {
	return s.next(ctx, mailSubject+topic.String(), from)
}

// next returns the first message of the relay under a subject. Others, which a different client of the broker stored, are skipped.
func (s *Store) next(ctx context.Context, subject string, from uint64) (Message, bool, error) {
	for {
		raw, err := s.nextRaw(ctx, subject, from)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return Message{}, false, nil
		}
		if err != nil {
			return Message{}, false, err
		}
		m, ok := decode(strings.TrimPrefix(raw.Subject, mailSubject), raw.Header, raw.Data)
		if ok {
			m.Sequence, m.PublishedAt = raw.Sequence, raw.Time
			return m, true, nil
		}
		slog.WarnContext(ctx, "relay: a stored message is not one of the relay", "sequence", raw.Sequence)
		from = raw.Sequence + 1
	}
}

// nextRaw reads the first stored message under a subject whose sequence number is at least from, without decoding it. The error wraps
// [jetstream.ErrMsgNotFound] if there is none.
func (s *Store) nextRaw(ctx context.Context, subject string, from uint64) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stream, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := stream.GetMsg(ctx, max(from, 1), jetstream.WithGetMsgSubject(subject))
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, nats.ErrNoResponders) {
		s.reopen()
	}
	return raw, err
}

// Delete removes a message. If the message does not exist, that is not an error.
func (s *Store) Delete(ctx context.Context, sequence uint64) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stream, err := s.open(ctx)
	if err != nil {
		return err
	}
	err = stream.DeleteMsg(ctx, sequence)
	if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		// The server has several errors for a message that does not exist.
		if _, gone := stream.GetMsg(ctx, sequence); errors.Is(gone, jetstream.ErrMsgNotFound) {
			return nil
		}
	}
	return err
}

// decode decodes a stored message, without its sequence number.
func decode(topic string, header nats.Header, body []byte) (m Message, ok bool) {
	m.Topic, ok = ParseTopic(topic)
	tag, err := strconv.ParseUint(header.Get(headerTag), 10, 32)
	m.Tag = uint32(tag)
	publisher, decodeErr := base64.RawStdEncoding.DecodeString(header.Get(headerPublisher))
	n := copy(m.Publisher[:], publisher)
	m.Attestation, m.Body = header.Get(headerAttestation), string(body)
	return m, ok && err == nil && decodeErr == nil && n == len(publisher) && n == len(m.Publisher)
}
