package watch

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/relay/clientauth"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

// interrupted is a bucket whose watches fail as NATS lets them fail: the first cannot be opened, and the second ends before its first entry.
type interrupted struct {
	jetstream.KeyValue
	opened int
}

func (b *interrupted) WatchAll(ctx context.Context, options ...jetstream.WatchOpt) (jetstream.KeyWatcher, error) {
	b.opened++
	if b.opened == 1 {
		return nil, errors.New("no answer")
	}
	w, err := b.KeyValue.WatchAll(ctx, options...)
	if err == nil && b.opened == 2 {
		err = w.Stop()
	}
	return w, err
}

// process opens the registrations as one process of the relay does.
func process(t *testing.T) func() *Watches {
	t.Helper()
	conn, err := bustest.Embedded(t).Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	return func() *Watches {
		w, err := Open(t.Context(), conn, Config{Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
}

// follow runs Follow until the test ends.
func follow(t *testing.T, w *Watches) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Follow(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// registration is a registration of a new client.
func registration(t *testing.T) (Registration, mailbox.Publisher) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := clientauth.ClientOf(key).String()
	return Registration{Client: client, Type: TypePublisher, URL: "https://push.test/" + client, Expires: time.Now().Add(time.Hour).Unix()}, mailbox.PublisherOf(client)
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: never", what)
		}
	}
}

func TestRegistrationsAreFollowedAgainAfterAFailure(t *testing.T) {
	open := process(t)
	ours, theirs := open(), open()
	ours.kv = &interrupted{KeyValue: ours.kv}
	follow(t, ours)
	r, client := registration(t)
	if err := theirs.Register(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the registration of another process", func() bool { return ours.Watches(mailbox.Topic{}, client) })
	if err := theirs.Unregister(t.Context(), r.Client, r.Type, r.URL); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "its removal", func() bool { return !ours.Any() })
}

func TestRegistrationsAreFollowedAfterTheBucketWasLost(t *testing.T) {
	open := process(t)
	ours, theirs := open(), open()
	follow(t, ours)
	lost, lostClient := registration(t)
	if err := theirs.Register(t.Context(), lost); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the first registration", func() bool { return ours.Watches(mailbox.Topic{}, lostClient) })
	if err := ours.js.DeleteKeyValue(t.Context(), bucketName); err != nil {
		t.Fatal(err)
	}
	r, client := registration(t)
	waitFor(t, "a new bucket", func() bool { return theirs.Register(t.Context(), r) == nil })
	waitFor(t, "a registration in the new bucket", func() bool { return ours.Watches(mailbox.Topic{}, client) })
	if ours.Watches(mailbox.Topic{}, lostClient) {
		t.Error("a registration that was lost is still reported")
	}
	if again := open(); again.PublicKey() != ours.PublicKey() {
		t.Error("the relay has two keys")
	}
}

// TestASubscriptionIsStoredAgainBeforeItExpires subscribes a watched client on two days: the bucket forgets what was not stored for 30 days.
func TestASubscriptionIsStoredAgainBeforeItExpires(t *testing.T) {
	w, ahead := process(t)(), &clocktest.Ahead{}
	w.clock = ahead
	r, client := registration(t)
	r.Type = TypeSubscriber
	if err := w.Register(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	topic := mailbox.Topic{1}
	stored := func() uint64 {
		t.Helper()
		w.Subscribed(t.Context(), client, topic, true)
		entry, err := w.kv.Get(t.Context(), prefixTopics+hex.EncodeToString(client[:])+"."+topic.String())
		if err != nil {
			t.Fatal(err)
		}
		return entry.Revision()
	}
	first := stored()
	if again := stored(); again != first {
		t.Error("a subscription of the same day is stored again")
	}
	ahead.Pass(refreshAfter + time.Minute)
	if again := stored(); again == first {
		t.Error("a subscription of the next day is not stored again")
	}
}

func TestRegistrationsThatTheBucketForgotAreForgotten(t *testing.T) {
	w := process(t)()
	w.reread = 50 * time.Millisecond
	follow(t, w)
	expired, expiredClient := registration(t)
	kept, keptClient := registration(t)
	for _, r := range []Registration{expired, kept} {
		if err := w.Register(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	// The server removes an old entry without a mark.
	stream, err := w.js.Stream(t.Context(), "KV_"+bucketName)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Purge(t.Context(), jetstream.WithPurgeSubject("$KV."+bucketName+"."+watchKey(expired.Client, expired.Type, expired.URL))); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the end of the old registration", func() bool { return !w.Watches(mailbox.Topic{}, expiredClient) })
	if !w.Watches(mailbox.Topic{}, keptClient) {
		t.Error("the other registration is forgotten")
	}
}

// TestTheRemovalOfAnUnknownRegistrationStoresNothing removes what was never registered: any client can do so for any number of webhooks.
func TestTheRemovalOfAnUnknownRegistrationStoresNothing(t *testing.T) {
	w := process(t)()
	newest := func() uint64 {
		t.Helper()
		stream, err := w.js.Stream(t.Context(), "KV_"+bucketName)
		if err != nil {
			t.Fatal(err)
		}
		return stream.CachedInfo().State.LastSeq
	}
	r, _ := registration(t)
	before := newest()
	if err := w.Unregister(t.Context(), r.Client, r.Type, r.URL); err != nil {
		t.Fatal(err)
	}
	if after := newest(); after != before {
		t.Errorf("%d entries were stored", after-before)
	}
	if err := w.Register(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := w.Unregister(t.Context(), r.Client, r.Type, r.URL); err != nil || w.Any() {
		t.Errorf("a registration is not removed: %v", err)
	}
}
