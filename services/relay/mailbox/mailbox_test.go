package mailbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
)

func TestWhatEarlierVersionsStoredIsDeleted(t *testing.T) {
	store, _ := openFollowed(t)
	if _, err := store.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: oldStream, Subjects: []string{"relay.webhooks.*"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := store.js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: oldBucket}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := Open(t.Context(), store.conn, store.cfg); err != nil {
			t.Fatal(err)
		}
		if _, err := store.js.Stream(t.Context(), oldStream); !errors.Is(err, jetstream.ErrStreamNotFound) {
			t.Errorf("the stream: %v", err)
		}
		if _, err := store.js.KeyValue(t.Context(), oldBucket); !errors.Is(err, jetstream.ErrBucketNotFound) {
			t.Errorf("the bucket: %v", err)
		}
	}
}

func TestDeletingTwiceIsNoError(t *testing.T) {
	conn, err := bustest.Embedded(t).Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := Open(t.Context(), conn, Config{MaxBytes: 64 << 20, Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	sequence, err := store.Publish(t.Context(), Message{Body: "m", Tag: 1}, time.Minute)
	if err != nil || sequence == 0 {
		t.Fatalf("stored as %d, %v", sequence, err)
	}
	for range 2 {
		if err := store.Delete(t.Context(), sequence); err != nil {
			t.Error(err)
		}
	}
	if again, err := store.Publish(t.Context(), Message{Body: "m", Tag: 1}, time.Minute); err != nil || again != sequence {
		t.Errorf("the same message was stored again as %d, %v, first as %d", again, err, sequence)
	}
	if b, err := store.Read(t.Context(), Topic{}, 0, 1); err != nil || len(b.Messages) > 0 {
		t.Errorf("a deleted message is found: %v", err)
	}
}

func TestAMessageIsStoredForItsTTL(t *testing.T) {
	store, _ := openFollowed(t)
	sequence, err := store.Publish(t.Context(), Message{Body: "m", Tag: 1}, 90*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := store.js.Stream(t.Context(), streamName)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := stream.GetMsg(t.Context(), sequence)
	if err != nil {
		t.Fatal(err)
	}
	if ttl := stored.Header.Get(jetstream.MsgTTLHeader); ttl != "90s" {
		t.Errorf("it is stored for %s, want 90s", ttl)
	}
}

func TestAStoredMessageThatIsNotOfTheRelayIsSkipped(t *testing.T) {
	store, follower := openFollowed(t)
	topic := Topic{1}
	for _, header := range []nats.Header{
		{},
		{headerTag: {"1"}, headerPublisher: {strings.Repeat("A", 400)}},
	} {
		if _, err := store.js.PublishMsg(t.Context(), &nats.Msg{Subject: mailSubject + topic.String(), Header: header}); err != nil {
			t.Fatal(err)
		}
	}
	want, err := store.Publish(t.Context(), Message{Topic: topic, Body: "m", Tag: 1}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := store.Read(t.Context(), topic, 0, BatchMessages); err != nil || len(b.Messages) != 1 || b.Messages[0].Sequence != want {
		t.Errorf("read %+v, %v; want message %d", b, err, want)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	got := uint64(0)
	if err := follower.Run(ctx, func(m Message) { got = m.Sequence; cancel() }); err != nil || got != want {
		t.Errorf("followed to message %d, %v; want message %d", got, err, want)
	}
}

func TestAMessageThatIsPublishedWhileTheServerIsDownIsStoredOnce(t *testing.T) {
	url, restart := bustest.RestartableServer(t)
	conn, err := bustest.Open(t, bus.Config{URL: url}).Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := Open(t.Context(), conn, Config{MaxBytes: 64 << 20, Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	type stored struct {
		sequence uint64
		err      error
	}
	published := make(chan stored, 1)
	restart(func() {
		failed := make(chan struct{}, 1)
		store.pause = func(ctx context.Context, d time.Duration) {
			select {
			case failed <- struct{}{}:
			default:
			}
			pause(ctx, d)
		}
		go func() {
			sequence, err := store.Publish(t.Context(), Message{Body: "m", Tag: 1}, time.Minute)
			published <- stored{sequence, err}
		}()
		<-failed
	})
	if got := <-published; got.err != nil || got.sequence != 1 {
		t.Errorf("stored as %d, %v", got.sequence, got.err)
	}
	if last, _, err := store.own()[0].lastSequence(t.Context()); err != nil || last != 1 {
		t.Errorf("%d messages are stored, %v", last, err)
	}
}

// TestMessagesOfANewStreamAreFollowedWithoutAPause deletes the stream after some messages. Those of the new stream have numbers that the follower has
// seen, and arrive without a pause, in which it would compare the streams.
func TestMessagesOfANewStreamAreFollowedWithoutAPause(t *testing.T) {
	store, follower := openFollowed(t)
	publish := func(body string) {
		t.Helper()
		if _, err := store.Publish(t.Context(), Message{Body: body, Tag: 1, Topic: Topic{1}}, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	received := make(chan string, 1000)
	ended := make(chan error, 1)
	go func() { ended <- follower.Run(ctx, func(m Message) { received <- m.Body }) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	const before = 200
	for i := range before {
		publish(fmt.Sprint("before ", i))
		<-received
	}
	if err := store.js.DeleteStream(t.Context(), streamName); err != nil {
		t.Fatal(err)
	}
	publish("first")
	got := map[string]bool{}
	for i := 0; !got["first"]; i++ {
		if i == before/2 {
			t.Fatalf("the first message of the new stream is not received among the %d after it; received %v", i, got)
		}
		publish(fmt.Sprint("after ", i))
		select {
		case body := <-received:
			got[body] = true
		case <-time.After(checkInterval / 10):
		}
	}
}

// openFollowed returns a store on a broker of its own, and a follower of its messages.
func openFollowed(t *testing.T) (*Store, *Follower) {
	t.Helper()
	conn, err := bustest.Embedded(t).Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := Open(t.Context(), conn, Config{MaxBytes: 64 << 20, Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	follower, err := store.Follow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return store, follower
}
