// Package mailbox stores the messages of the wallet-connect relay in JetStream: one subject per topic, one TTL per message. The topics are distributed over
// the streams of a layout by their hash. Every process that follows the streams receives each message once it is stored.
//
// A process publishes to the streams of its own layout, which is how many it is configured to have, and reads those of every layout that exists. So
// messages that were stored in another number of streams stay readable until they are acknowledged or their TTL has passed, and replicas with different
// numbers deliver each other's messages. A stream of another layout is deleted after it has been empty and unused for a day.
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
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
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
	// Sequence identifies the message among those of all topics. It is 0 until the message is stored. [Store.Position] orders the messages of a topic.
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
	// MaxBytes bounds all mailboxes together. Each stream has an equal part.
	MaxBytes int64
	// Streams is how many streams the topics are distributed over, as [IsLayout] allows; 0 is 1.
	Streams int
	// Replicas is how many servers of a cluster store each stream.
	Replicas int
}

// Store is all mailboxes. It is safe for concurrent use.
type Store struct {
	conn   *nats.Conn
	js     jetstream.JetStream
	cfg    Config
	topics *topics
	// accounts is the key of [Store.AccountOf].
	accounts accountKey
	// pause waits between two attempts to publish.
	pause func(context.Context, time.Duration)

	mu sync.Mutex
	// known has the streams that exist, by their slots. The array is replaced, not changed.
	known atomic.Pointer[[slots]*stream]
}

// Open creates the streams, or updates them to this version's limits, and deletes what only earlier versions used.
func Open(ctx context.Context, conn *nats.Conn, cfg Config) (*Store, error) {
	cfg.Streams = max(1, cfg.Streams)
	if !IsLayout(cfg.Streams) {
		return nil, fmt.Errorf("%d streams are not a power of two up to %d", cfg.Streams, MaxStreams)
	}
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	s := &Store{conn: conn, js: js, cfg: cfg, topics: newTopics(), pause: pause}
	var known [slots]*stream
	for slot := cfg.Streams - 1; slot < 2*cfg.Streams-1; slot++ {
		known[slot] = newOwnStream(js, slot, cfg)
		if _, err := known[slot].open(ctx); err != nil {
			return nil, err
		}
	}
	s.known.Store(&known)
	if _, err := s.discover(ctx); err != nil {
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

// own returns the streams to which this process publishes.
func (s *Store) own() []*stream { return s.known.Load()[s.cfg.Streams-1 : 2*s.cfg.Streams-1] }

// streamsOf returns the streams that may have messages of a topic, in the order in which they are read: those of other layouts, which are older or are
// about to be, and then the one to which this process publishes.
func (s *Store) streamsOf(topic Topic) (all []*stream) {
	known := s.known.Load()
	for streams := 1; streams <= MaxStreams; streams *= 2 {
		if one := known[slotOf(streams, topic)]; one != nil && streams != s.cfg.Streams {
			all = append(all, one)
		}
	}
	return append(all, known[slotOf(s.cfg.Streams, topic)])
}

// Position returns where the message of a number is among the messages of its topic: those with a lower position are read before it. Positions are of
// this process and are above 0.
func (s *Store) Position(sequence uint64) uint64 {
	slot, _ := splitNumber(sequence)
	if streams, _ := layoutOf(slot); streams == s.cfg.Streams {
		return sequence | ownBit
	}
	return sequence
}

// MaxBody is the longest body that the server takes, in bytes.
func (s *Store) MaxBody() int64 { return s.conn.MaxPayload() - headerBytes }

// Ready returns an error if a stream to which this process publishes does not answer.
func (s *Store) Ready(ctx context.Context) error {
	own := s.own()
	var errs []error
	for _, answer := range routine.Collect(ctx, len(own), func(i int) (uint64, error) {
		last, _, err := own[i].lastSequence(ctx)
		return last, err
	}) {
		errs = append(errs, answer.Err)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("mailboxes: %w", err)
	}
	return nil
}

// Publish stores a message for the time ttl, at least a second, and returns its sequence number. If an equal message
// was stored in the last two minutes, it returns that message's sequence number: a client may publish again because the
// answer was lost. While the server does not answer, the message is sent again for up to 10 seconds. The error wraps
// [ErrFull], [ErrNoRoom] or [ErrTooLarge], or is the server's.
func (s *Store) Publish(ctx context.Context, m Message, ttl time.Duration) (uint64, error) {
	to := s.known.Load()[slotOf(s.cfg.Streams, m.Topic)]
	giveBack, err := to.usage.admit(m.Account, int64(len(m.Body)+len(m.Attestation)), ttl)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	for first := true; ; first = false {
		stored, err := to.publish(ctx, m, ttl)
		if first && isNotStored(stored, err) {
			giveBack()
		}
		switch {
		case err == nil:
			return numberOf(to.slot, stored.Sequence), nil
		case !isUnanswered(err) || ctx.Err() != nil:
			return 0, err
		}
		if errors.Is(err, jetstream.ErrNoStreamResponse) && to.isLost(ctx) {
			to.reopen()
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

// publish sends a message once.
func (s *stream) publish(ctx context.Context, m Message, ttl time.Duration) (*jetstream.PubAck, error) {
	if _, err := s.open(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	topic := m.Topic.String()
	msg := &nats.Msg{Subject: s.mail + topic, Data: []byte(m.Body), Header: nats.Header{
		headerTag:                      []string{strconv.FormatUint(uint64(m.Tag), 10)},
		headerPublisher:                []string{base64.RawStdEncoding.EncodeToString(m.Publisher[:])},
		headerAccount:                  []string{m.Account.String()},
		jetstream.MsgTTLHeader:         []string{strconv.FormatInt(int64(ttl/time.Second), 10) + "s"},
		jetstream.MsgIDHeader:          []string{messageID(topic, m.Body)},
		jetstream.ExpectedStreamHeader: []string{s.name},
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

// Delete removes a message. If the message does not exist, that is not an error.
func (s *Store) Delete(ctx context.Context, sequence uint64) error {
	slot, inStream := splitNumber(sequence)
	if slot >= slots || s.known.Load()[slot] == nil {
		return nil
	}
	at := s.known.Load()[slot]
	if err := at.delete(ctx, inStream); !at.isGone(err) {
		return err
	}
	return nil
}

// decode decodes a stored message, without its number.
func decode(subject string, header nats.Header, body []byte) (m Message, ok bool) {
	m.Topic, ok = topicOfSubject(subject)
	tag, err := strconv.ParseUint(header.Get(headerTag), 10, 32)
	m.Tag = uint32(tag)
	publisher, decodeErr := base64.RawStdEncoding.DecodeString(header.Get(headerPublisher))
	n := copy(m.Publisher[:], publisher)
	m.Attestation, m.Body = header.Get(headerAttestation), string(body)
	return m, ok && err == nil && decodeErr == nil && n == len(publisher) && n == len(m.Publisher)
}
