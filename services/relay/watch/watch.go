// Package watch posts events about the messages of a client to webhooks that the client has registered, such as a
// server of push notifications.
//
// Registrations are in a JetStream bucket that every process follows; events are in a stream that all processes consume
// together. Delivery is at least once, for up to three days.
package watch

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/relay/clientauth"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

const (
	bucketName   = "RELAY_WATCHES"
	streamName   = "RELAY_WEBHOOKS"
	consumerName = "webhooks"
	subject      = "relay.webhook"
	callTimeout  = 5 * time.Second
	// followPause is the pause before registrations are read again after a failure.
	followPause = time.Second
	// clientLimit is how many registrations one client may have.
	clientLimit = 64
	// topicLimit bounds the stored topics of one client.
	topicLimit = 1000
	// refreshAfter is how old a stored subscription is when it is stored again; the bucket forgets it after MaxLifetime.
	refreshAfter = 24 * time.Hour
	// rereadAfter is how often all registrations are read again, without those that the bucket has forgotten.
	rereadAfter = 24 * time.Hour
	// MaxLifetime is the longest lifetime of a registration.
	MaxLifetime = 30 * 24 * time.Hour
	eventAge    = 3 * 24 * time.Hour
	eventBytes  = 256 << 20

	keySeed      = "key"
	prefixWatch  = "watch."
	prefixTopics = "topics."
)

// Types of registrations.
const (
	TypeSubscriber = "subscriber"
	TypePublisher  = "publisher"
)

// Status is an event in the life of a message.
type Status string

// Statuses of messages: stored, not acknowledged for queuedAfter, and acknowledged.
const (
	Accepted  Status = "accepted"
	Queued    Status = "queued"
	Delivered Status = "delivered"
)

// ErrTooMany means that a client has the maximum number of registrations.
var ErrTooMany = errors.New("the client has too many registrations")

// Registration is a webhook of a client.
type Registration struct {
	// Client is the did:key of the client, and Service the URL of the server that it registered with.
	Client  string   `json:"client"`
	Service string   `json:"service"`
	Type    string   `json:"type"`
	URL     string   `json:"url"`
	Tags    []uint32 `json:"tags"`
	// Statuses are those that are reported.
	Statuses []Status `json:"statuses"`
	// Expires is in Unix seconds.
	Expires int64 `json:"expires"`
}

// Watches holds the registrations, and stores and posts events.
type Watches struct {
	kv       jetstream.KeyValue
	js       jetstream.JetStream
	clock    clock.Clock
	log      *slog.Logger
	key      ed25519.PrivateKey
	fetch    *fetch.Client
	mailbox  *mailbox.Store
	consumer jetstream.Consumer

	replicas int
	// reread is rereadAfter, except in tests.
	reread time.Duration

	mu sync.RWMutex
	registrations
}

// registrations are those of the bucket.
type registrations struct {
	// watches are the registrations by client, and by their key in the bucket; topics are the subscriptions of watched
	// clients, and when they were stored.
	watches map[mailbox.Publisher]map[string]Registration
	topics  map[mailbox.Topic]map[mailbox.Publisher]time.Time
	counts  map[mailbox.Publisher]int
}

func newRegistrations() registrations {
	return registrations{
		watches: map[mailbox.Publisher]map[string]Registration{}, topics: map[mailbox.Topic]map[mailbox.Publisher]time.Time{}, counts: map[mailbox.Publisher]int{},
	}
}

// Config configures webhooks.
type Config struct {
	// Replicas is how many copies of its streams a cluster keeps.
	Replicas int
	// Fetch posts the events.
	Fetch *fetch.Client
	// Mailbox is the store of the messages.
	Mailbox *mailbox.Store
	Clock   clock.Clock
	Log     *slog.Logger
}

// Open reads the registrations, and follows them until ctx ends.
func Open(ctx context.Context, conn *nats.Conn, cfg Config) (*Watches, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	w := &Watches{
		js: js, clock: cfg.Clock, log: cfg.Log, fetch: cfg.Fetch, mailbox: cfg.Mailbox, replicas: cfg.Replicas, reread: rereadAfter,
		registrations: newRegistrations(),
	}
	call, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if w.kv, err = w.openBucket(call); err != nil {
		return nil, err
	}
	if w.consumer, err = w.openEvents(call); err != nil {
		return nil, err
	}
	if w.key, err = w.openKey(call); err != nil {
		return nil, err
	}
	return w, nil
}

// openKey returns the relay's key, which the first process generates.
func (w *Watches) openKey(ctx context.Context) (ed25519.PrivateKey, error) {
	seed := make([]byte, ed25519.SeedSize)
	if _, err := rand.Read(seed); err != nil {
		return nil, err
	}
	_, err := w.kv.Create(ctx, keySeed, seed)
	if errors.Is(err, jetstream.ErrKeyExists) {
		entry, err := w.kv.Get(ctx, keySeed)
		if err != nil || len(entry.Value()) != ed25519.SeedSize {
			return nil, fmt.Errorf("the relay's key: %w", err)
		}
		return ed25519.NewKeyFromSeed(entry.Value()), nil
	}
	return ed25519.NewKeyFromSeed(seed), err
}

// Relay returns the did:key of the relay, which signs the events.
func (w *Watches) Relay() string { return clientauth.ClientOf(w.key).String() }

// PublicKey returns the relay's public key in hex digits.
func (w *Watches) PublicKey() string {
	client := clientauth.ClientOf(w.key)
	return hex.EncodeToString(client[:])
}

// openBucket returns the bucket, and creates it if it is absent.
func (w *Watches) openBucket(ctx context.Context) (jetstream.KeyValue, error) {
	kv, err := w.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucketName, TTL: MaxLifetime, Replicas: w.replicas})
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", bucketName, err)
	}
	return kv, nil
}

// openEvents returns the consumer of the events, and creates it and their stream if they are absent.
func (w *Watches) openEvents(ctx context.Context) (jetstream.Consumer, error) {
	stream, err := w.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: streamName, Subjects: []string{subject}, Retention: jetstream.WorkQueuePolicy, MaxAge: eventAge, MaxBytes: eventBytes,
		Discard: jetstream.DiscardOld, Replicas: w.replicas, Duplicates: mailbox.Duplicates,
	})
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", streamName, err)
	}
	consumer, err := stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxAckPending: 256,
	})
	if err != nil {
		return nil, fmt.Errorf("consumer of %s: %w", streamName, err)
	}
	return consumer, nil
}

// restoreEvents returns a new consumer of the events if the server lost the old one; nil if it did not.
func (w *Watches) restoreEvents(ctx context.Context) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := w.js.Consumer(ctx, streamName, consumerName)
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) {
		return w.openEvents(ctx)
	}
	return nil, err
}

// Follow updates the registrations until ctx ends. After a failure it reads all of them again.
func (w *Watches) Follow(ctx context.Context) error {
	for {
		err := w.followOnce(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			continue
		}
		w.log.WarnContext(ctx, "relay: registrations of webhooks are not followed", "error", err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followPause):
		}
		if err := w.restoreBucket(ctx); err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "relay: the bucket of webhooks is not open", "error", err)
		}
	}
}

// followOnce reads the registrations and updates them until ctx ends, they are to be read again, or NATS ends the watch, as it does when a server lost
// the bucket.
func (w *Watches) followOnce(ctx context.Context) error {
	changes, err := w.kv.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = changes.Stop() }()
	// The stored entries come first, and then nil.
	found, complete := newRegistrations(), false
	again := time.NewTimer(w.reread)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-again.C:
			return nil
		case entry, open := <-changes.Updates():
			switch {
			case !open:
				return errors.New("the watch ended")
			case entry == nil:
				w.mu.Lock()
				w.registrations, complete = found, true
				w.mu.Unlock()
			case complete:
				w.apply(entry.Key(), entry.Value(), entry.Created(), entry.Operation() == jetstream.KeyValuePut)
			default:
				found.apply(entry.Key(), entry.Value(), entry.Created(), entry.Operation() == jetstream.KeyValuePut)
			}
		}
	}
}

// restoreBucket creates the bucket again if the server lost it, with the relay's key, which all processes share.
func (w *Watches) restoreBucket(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	kv, err := w.openBucket(ctx)
	if err != nil {
		return err
	}
	if _, err := kv.Create(ctx, keySeed, w.key.Seed()); err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
		return fmt.Errorf("the relay's key: %w", err)
	}
	return nil
}

// apply applies one change of the bucket, which was made at a time.
func (w *Watches) apply(key string, value []byte, at time.Time, exists bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.registrations.apply(key, value, at, exists)
}

// apply applies one change of the bucket, which was made at a time.
func (g *registrations) apply(key string, value []byte, at time.Time, exists bool) {
	if rest, ok := strings.CutPrefix(key, prefixTopics); ok {
		clientText, topicText, _ := strings.Cut(rest, ".")
		client, ok := parsePublisher(clientText)
		topic, valid := mailbox.ParseTopic(topicText)
		if ok && valid {
			g.setTopic(client, topic, at, exists)
		}
		return
	}
	clientText, _, _ := strings.Cut(strings.TrimPrefix(key, prefixWatch), ".")
	client, ok := parsePublisher(clientText)
	if !ok || !strings.HasPrefix(key, prefixWatch) {
		return
	}
	var r Registration
	if !exists || json.Unmarshal(value, &r) != nil {
		delete(g.watches[client], key)
		if len(g.watches[client]) == 0 {
			delete(g.watches, client)
		}
		return
	}
	if g.watches[client] == nil {
		g.watches[client] = map[string]Registration{}
	}
	g.watches[client][key] = r
}

// setTopic records that at a time, it was stored that a watched client subscribes to a topic, or no longer does.
func (g *registrations) setTopic(client mailbox.Publisher, topic mailbox.Topic, at time.Time, subscribed bool) {
	_, known := g.topics[topic][client]
	switch {
	case subscribed && known:
		g.topics[topic][client] = at
	case subscribed:
		if g.topics[topic] == nil {
			g.topics[topic] = map[mailbox.Publisher]time.Time{}
		}
		g.topics[topic][client] = at
		g.counts[client]++
	case known:
		delete(g.topics[topic], client)
		if len(g.topics[topic]) == 0 {
			delete(g.topics, topic)
		}
		if g.counts[client]--; g.counts[client] == 0 {
			delete(g.counts, client)
		}
	}
}

// Register stores a registration, and replaces an equal one. The error wraps [ErrTooMany], or is that of the server.
func (w *Watches) Register(ctx context.Context, r Registration) error {
	key := watchKey(r.Client, r.Type, r.URL)
	client := mailbox.PublisherOf(r.Client)
	w.mu.RLock()
	_, again := w.watches[client][key]
	many := len(w.watches[client]) >= clientLimit
	w.mu.RUnlock()
	if many && !again {
		return ErrTooMany
	}
	value, err := json.Marshal(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := w.kv.Put(ctx, key, value); err != nil {
		return err
	}
	w.apply(key, value, w.clock.Now(), true)
	return nil
}

// Unregister removes a registration.
func (w *Watches) Unregister(ctx context.Context, client, kind, url string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	key := watchKey(client, kind, url)
	// The bucket keeps a mark of every deletion.
	_, err := w.kv.Get(ctx, key)
	if err == nil {
		err = w.kv.Delete(ctx, key)
	}
	if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return err
	}
	w.apply(key, nil, w.clock.Now(), false)
	return nil
}

// Subscribed records that a watched client subscribes to a topic, or no longer does. For other clients it does nothing, and neither for a subscription
// that was stored in the last day.
func (w *Watches) Subscribed(ctx context.Context, client mailbox.Publisher, topic mailbox.Topic, subscribed bool) {
	w.mu.RLock()
	watched := false
	for _, r := range w.watches[client] {
		watched = watched || r.Type == TypeSubscriber
	}
	at, known := w.topics[topic][client]
	many := w.counts[client] >= topicLimit
	w.mu.RUnlock()
	isStored := known && w.clock.Now().Sub(at) < refreshAfter
	if !subscribed && !known || subscribed && (isStored || !watched || many && !known) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	key := prefixTopics + hex.EncodeToString(client[:]) + "." + topic.String()
	var err error
	if subscribed {
		_, err = w.kv.Put(ctx, key, nil)
	} else {
		err = w.kv.Delete(ctx, key)
	}
	if err != nil {
		w.log.WarnContext(ctx, "relay: a watched subscription is not stored", "error", err)
		return
	}
	w.apply(key, nil, w.clock.Now(), subscribed)
}

// interested returns the registrations for which a status of a message is reported.
func (w *Watches) interested(m mailbox.Message, status Status) (found []Registration) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	now := w.clock.Now().Unix()
	add := func(client mailbox.Publisher, kind string) {
		for _, r := range w.watches[client] {
			if r.Type == kind && r.Expires > now && slices.Contains(r.Statuses, status) && slices.Contains(r.Tags, m.Tag) {
				found = append(found, r)
			}
		}
	}
	add(m.Publisher, TypePublisher)
	for client := range w.topics[m.Topic] {
		if client != m.Publisher {
			add(client, TypeSubscriber)
		}
	}
	return found
}

// Watches reports whether events of a topic or of a publisher may have to be reported.
func (w *Watches) Watches(topic mailbox.Topic, publisher mailbox.Publisher) bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return len(w.topics[topic]) > 0 || len(w.watches[publisher]) > 0
}

// Any reports whether there is any registration.
func (w *Watches) Any() bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return len(w.watches) > 0
}

func watchKey(client, kind, url string) string {
	who := mailbox.PublisherOf(client)
	sum := sha256.Sum256([]byte(kind + " " + url))
	return prefixWatch + hex.EncodeToString(who[:]) + "." + hex.EncodeToString(sum[:16])
}

func parsePublisher(text string) (p mailbox.Publisher, ok bool) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(p) {
		return p, false
	}
	return mailbox.Publisher(raw), true
}
