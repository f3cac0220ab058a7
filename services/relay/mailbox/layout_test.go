package mailbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
)

// openStreams opens a store of a number of streams.
func openStreams(t *testing.T, conn *nats.Conn, streams int) *Store {
	t.Helper()
	store, err := Open(t.Context(), conn, Config{MaxBytes: 64 << 20, Streams: streams, Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func connectEmbedded(t *testing.T) *nats.Conn {
	t.Helper()
	conn, err := bustest.Embedded(t).Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func mustPublish(t *testing.T, s *Store, topic Topic, body string) uint64 {
	t.Helper()
	number, err := s.Publish(t.Context(), Message{Topic: topic, Body: body, Tag: 1}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// bodies reads a mailbox to its end, in batches of one message and in larger ones, which must be equal.
func bodies(t *testing.T, s *Store, topic Topic) (all []string) {
	t.Helper()
	for i, most := range []int{1, 3, BatchMessages} {
		var got []string
		for from, more := uint64(0), true; more; {
			b, err := s.Read(t.Context(), topic, from, most)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range b.Messages {
				if got = append(got, m.Body); m.Topic != topic || m.PublishedAt.IsZero() {
					t.Errorf("read %+v of topic %s", m, topic)
				}
			}
			from, more = b.Next, b.More
		}
		if i > 0 && !slices.Equal(got, all) {
			t.Errorf("in batches of %d: %q, of fewer %q", most, got, all)
		}
		all = got
	}
	return all
}

// following runs a follower and returns a function that waits until it has delivered all of some messages.
func following(t *testing.T, s *Store) (await func(bodies ...string)) {
	t.Helper()
	f, err := s.Follow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	received := map[string]bool{}
	ended := make(chan error, 1)
	go func() {
		ended <- f.Run(ctx, func(m Message) {
			mu.Lock()
			defer mu.Unlock()
			received[m.Body] = true
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return func(bodies ...string) {
		t.Helper()
		missing := func(body string) bool { return !received[body] }
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			mu.Lock()
			left := slices.IndexFunc(bodies, missing)
			mu.Unlock()
			if left < 0 {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%q is not delivered", bodies[left])
			}
		}
	}
}

func TestSlotsOfLayoutsAreTheirOwnAndNumbersAreExactInJavaScript(t *testing.T) {
	names, subjects := map[string]bool{}, map[string]bool{}
	for slot := range slots {
		names[nameOf(slot)], subjects[tokensOf(slot)] = true, true
		if got, ok := slotOfName(nameOf(slot)); !ok || got != slot {
			t.Errorf("%s is slot %d, %t", nameOf(slot), got, ok)
		}
		streams, part := layoutOf(slot)
		if !IsLayout(streams) || part < 0 || part >= streams || streams-1+part != slot {
			t.Errorf("slot %d is part %d of %d", slot, part, streams)
		}
	}
	if len(names) != slots || len(subjects) != slots {
		t.Errorf("%d names and %d subjects for %d slots", len(names), len(subjects), slots)
	}
	const firstID = 1_000_000_000_000_000
	if last := firstID + numberOf(slots-1, sequenceMask); last >= 1<<53 {
		t.Errorf("the id %d is not exact in JavaScript", last)
	}
	for _, n := range []int{0, -1, 3, 6, 32} {
		if IsLayout(n) {
			t.Errorf("%d streams are a layout", n)
		}
	}
}

func TestTopicsAreDistributedEvenly(t *testing.T) {
	const topics = 100_000
	for streams := 1; streams <= MaxStreams; streams *= 2 {
		counts := make([]int, streams)
		for n := range topics {
			counts[partOf(streams, numbered(n))]++
		}
		for part, n := range counts {
			if n < topics/streams*8/10 || n > topics/streams*12/10 {
				t.Errorf("part %d of %d has %d of %d topics", part, streams, n, topics)
			}
		}
	}
}

func TestMailboxesOfOneStreamAndOfFour(t *testing.T) {
	for _, c := range []struct{ streams, replicas int }{{1, 1}, {4, 1}, {4, 3}} {
		t.Run(fmt.Sprintf("%d streams of %d copies", c.streams, c.replicas), func(t *testing.T) {
			conn := connectEmbedded(t)
			if c.replicas > 1 {
				url, _ := bustest.Cluster(t, c.replicas)
				conn, _ = bustest.Open(t, bus.Config{URL: url}).Shared()
			}
			store, err := Open(t.Context(), conn, Config{MaxBytes: 64 << 20, Streams: c.streams, Replicas: c.replicas})
			if err != nil {
				t.Fatal(err)
			}
			await := following(t, store)
			const topics, each = 40, 5
			var all []string
			numbers := map[uint64]string{}
			for i := range each {
				for n := range topics {
					body := fmt.Sprint(n, ".", i)
					all = append(all, body)
					numbers[mustPublish(t, store, numbered(n), body)] = body
				}
			}
			if len(numbers) != topics*each {
				t.Fatalf("%d messages have %d numbers", topics*each, len(numbers))
			}
			await(all...)
			for n := range topics {
				want := make([]string, each)
				for i := range want {
					want[i] = fmt.Sprint(n, ".", i)
				}
				if got := bodies(t, store, numbered(n)); !slices.Equal(got, want) {
					t.Errorf("topic %d has %q, want %q", n, got, want)
				}
				if !store.MayHave(numbered(n)) {
					t.Errorf("topic %d has messages and is not known", n)
				}
			}
			again := mustPublish(t, store, numbered(0), "0.0")
			if numbers[again] != "0.0" {
				t.Errorf("an equal message was stored again as %d", again)
			}
			if m, found, err := store.Get(t.Context(), numbered(0), again); err != nil || !found || m.Body != "0.0" || m.Sequence != again {
				t.Errorf("got %+v, %t, %v", m, found, err)
			}
			if _, found, err := store.Get(t.Context(), numbered(1), again); err != nil || found {
				t.Errorf("a message of another topic: found %t, %v", found, err)
			}
			for number := range numbers {
				for range 2 {
					if err := store.Delete(t.Context(), number); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got := bodies(t, store, numbered(3)); len(got) > 0 {
				t.Errorf("%q are left after all were deleted", got)
			}
			for i := range subjectLimit {
				mustPublish(t, store, Topic{7}, fmt.Sprint("full ", i))
			}
			if _, err := store.Publish(t.Context(), Message{Topic: Topic{7}, Body: "one more"}, time.Minute); !errors.Is(err, ErrFull) {
				t.Errorf("a message for a full mailbox: %v", err)
			}
			if err := store.Ready(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// A batch ends where it has many bytes, and the next one goes on from there.
func TestABatchHasNotManyMoreBytesThanFit(t *testing.T) {
	store := openStreams(t, connectEmbedded(t), 1)
	large := string(make([]byte, batchBytes/2))
	for i := range 5 {
		mustPublish(t, store, Topic{1}, fmt.Sprint(i, large))
	}
	b, err := store.Read(t.Context(), Topic{1}, 0, BatchMessages)
	if err != nil || len(b.Messages) != 2 || !b.More {
		t.Errorf("%d messages, more %t, %v; want 2 of 5", len(b.Messages), b.More, err)
	}
	if got := bodies(t, store, Topic{1}); len(got) != 5 {
		t.Errorf("%d messages were read, want 5", len(got))
	}
}

// The number of streams is changed while messages wait, up and down. They are read before newer ones, delivered once, and can be deleted.
func TestMessagesWaitThroughAChangeOfTheNumberOfStreams(t *testing.T) {
	conn := connectEmbedded(t)
	const topics = 20
	var want []string
	numbers := map[uint64]int{}
	for i, streams := range []int{1, 4, 2, 4} {
		store := openStreams(t, conn, streams)
		want = append(want, fmt.Sprint(i))
		for n := range topics {
			numbers[mustPublish(t, store, numbered(n), fmt.Sprint(i))] = n
		}
		if err := store.listTopics(t.Context()); err != nil {
			t.Fatal(err)
		}
		for n := range topics {
			got := bodies(t, store, numbered(n))
			slices.Sort(got)
			if !slices.Equal(got, want) || !store.MayHave(numbered(n)) {
				t.Errorf("with %d streams topic %d has %q, want %q", streams, n, got, want)
			}
		}
	}
	if len(numbers) != topics*len(want) {
		t.Errorf("%d messages have %d numbers", topics*len(want), len(numbers))
	}
	store := openStreams(t, conn, 1)
	for number, n := range numbers {
		if m, found, err := store.Get(t.Context(), numbered(n), number); err != nil || !found || m.Sequence != number {
			t.Errorf("message %d: %+v, %t, %v", number, m, found, err)
		}
		if err := store.Delete(t.Context(), number); err != nil {
			t.Error(err)
		}
	}
	for n := range topics {
		if got := bodies(t, store, numbered(n)); len(got) > 0 {
			t.Errorf("topic %d has %q after all were deleted", n, got)
		}
	}
}

func TestMessagesOfTheOldNumberOfStreamsAreReadFirst(t *testing.T) {
	for _, change := range [][2]int{{1, 4}, {4, 1}, {4, 8}} {
		conn := connectEmbedded(t)
		old, next := openStreams(t, conn, change[0]), openStreams(t, conn, change[1])
		for _, body := range []string{"first", "second"} {
			mustPublish(t, old, Topic{1}, body)
		}
		third := mustPublish(t, next, Topic{1}, "third")
		fresh := openStreams(t, conn, change[1])
		if got := bodies(t, fresh, Topic{1}); !slices.Equal(got, []string{"first", "second", "third"}) {
			t.Errorf("from %d to %d streams: %q", change[0], change[1], got)
		}
		if b, err := fresh.Read(t.Context(), Topic{1}, fresh.Position(third), BatchMessages); err != nil || len(b.Messages) != 1 || b.Messages[0].Body != "third" {
			t.Errorf("from %d to %d streams, from the third message on: %+v, %v", change[0], change[1], b, err)
		}
	}
}

// During a rolling upgrade some replicas have another number of streams. Those that started before the others' streams existed find them.
func TestReplicasWithDifferentNumbersOfStreamsDeliverEachOthersMessages(t *testing.T) {
	conn := connectEmbedded(t)
	one := openStreams(t, conn, 1)
	awaitOne := following(t, one)
	four := openStreams(t, conn, 4)
	awaitFour := following(t, four)
	var all []string
	for n := range 20 {
		for i, s := range []*Store{one, four} {
			body := fmt.Sprint(n, " of ", i)
			all = append(all, body)
			mustPublish(t, s, numbered(n), body)
		}
	}
	awaitOne(all...)
	awaitFour(all...)
	for n := range 20 {
		for _, s := range []*Store{one, four} {
			if got := bodies(t, s, numbered(n)); len(got) != 2 {
				t.Errorf("topic %d has %q", n, got)
			}
		}
	}
}

// What waits in another number of streams takes its part of the store.
func TestMessagesInOtherStreamsCount(t *testing.T) {
	conn := connectEmbedded(t)
	old := openStreams(t, conn, 1)
	a := account("p", 1)
	body := string(make([]byte, 16<<10))
	stored := int64(0)
	for n := range 400 {
		if _, err := old.Publish(t.Context(), Message{Topic: numbered(n), Body: body, Account: a}, time.Minute); err != nil {
			break
		}
		stored += int64(len(body))
	}
	four := openStreams(t, conn, 4)
	if err := four.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	counted := int64(0)
	for _, one := range four.own() {
		counted += one.usage.now.network(a.Networks[0])
	}
	if counted < stored || four.Used() < old.Used()*0.9 {
		t.Errorf("%d of %d bytes are counted for the network, %.3f of the store is used, %.3f before", counted, stored, four.Used(), old.Used())
	}
	sum := 0.0
	for _, used := range four.UsedByStream() {
		sum += used / 4
	}
	if sum < four.Used()*0.99 || sum > four.Used()*1.01 {
		t.Errorf("the streams have %.3f, together %.3f", sum, four.Used())
	}
}

func TestAStreamOfAnotherLayoutIsDeletedWhenItIsUnused(t *testing.T) {
	conn := connectEmbedded(t)
	old := openStreams(t, conn, 1)
	number := mustPublish(t, old, Topic{1}, "waits")
	store := openStreams(t, conn, 2)
	exists := func() bool {
		_, err := store.js.Stream(t.Context(), streamName)
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			t.Fatal(err)
		}
		return err == nil
	}
	later := time.Now().Add(2 * unusedTime)
	if store.removeUnused(t.Context(), later); !exists() {
		t.Fatal("a stream with a message was deleted")
	}
	if err := store.Delete(t.Context(), number); err != nil {
		t.Fatal(err)
	}
	if store.removeUnused(t.Context(), time.Now()); !exists() {
		t.Fatal("a stream was deleted that had a message a moment ago")
	}
	if store.removeUnused(t.Context(), later); exists() {
		t.Error("an unused stream was not deleted")
	}
	for _, one := range store.own() {
		if one.isLost(t.Context()) {
			t.Errorf("%s was deleted", one.name)
		}
	}
	if got := bodies(t, store, Topic{1}); len(got) > 0 {
		t.Errorf("the mailbox has %q", got)
	}
	// A replica that still has the old number makes the stream again, and its messages are read.
	mustPublish(t, old, Topic{1}, "new")
	if _, err := store.discover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := bodies(t, store, Topic{1}); !slices.Equal(got, []string{"new"}) {
		t.Errorf("the mailbox has %q", got)
	}
}
