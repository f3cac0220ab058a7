package mailbox

import (
	"context"
	"encoding/binary"
	"testing"
	"time"
)

func numbered(n int) (t Topic) {
	binary.BigEndian.PutUint64(t[:], uint64(n))
	return t
}

func TestAFilterHasWhatWasAddedAndFewOthers(t *testing.T) {
	const added, others = 100_000, 100_000
	topics := newTopics()
	topics.begin()
	for n := range added {
		topics.add(numbered(n))
	}
	topics.end(true)
	for n := range added {
		if !topics.mayHave(numbered(n)) {
			t.Fatalf("topic %d was added and is not there", n)
		}
	}
	wrong := 0
	for n := range others {
		if topics.mayHave(numbered(added + n)) {
			wrong++
		}
	}
	if wrong > others/1000 {
		t.Errorf("%d of %d other topics are there", wrong, others)
	}
}

func TestATopicMayHaveMessagesUntilAllAreListed(t *testing.T) {
	store, _ := openFollowed(t)
	if !store.MayHave(Topic{1}) {
		t.Error("a topic was empty before the topics were listed")
	}
	if err := store.listTopics(t.Context()); err != nil {
		t.Fatal(err)
	}
	if store.MayHave(Topic{1}) {
		t.Error("a topic of an empty store may have messages")
	}
}

func TestTopicsAreKnownFromTheStoreAndFromTheFollower(t *testing.T) {
	store, follower := openFollowed(t)
	publish := func(topic Topic) {
		t.Helper()
		if _, err := store.Publish(t.Context(), Message{Topic: topic, Body: "m", Tag: 1}, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	publish(Topic{1})
	if err := store.listTopics(t.Context()); err != nil {
		t.Fatal(err)
	}
	publish(Topic{2})
	ctx, stop := context.WithCancel(t.Context())
	received := map[Topic]bool{}
	err := follower.Run(ctx, func(m Message) {
		if !store.MayHave(m.Topic) {
			t.Errorf("topic %s is not known when its message is delivered", m.Topic)
		}
		if received[m.Topic] = true; len(received) == 2 {
			stop()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, topic := range []Topic{{1}, {2}} {
		if !store.MayHave(topic) {
			t.Errorf("topic %s has a message, and is not known", topic)
		}
	}
	if store.MayHave(Topic{3}) {
		t.Error("a topic without messages may have some")
	}
}

func TestTopicsThatAreAddedDuringAListAreInIt(t *testing.T) {
	topics := newTopics()
	topics.begin()
	topics.add(Topic{1})
	topics.end(true)
	topics.begin()
	topics.add(Topic{2})
	topics.end(false)
	for _, topic := range []Topic{{1}, {2}} {
		if !topics.mayHave(topic) {
			t.Errorf("topic %s is missing", topic)
		}
	}
	topics.begin()
	topics.add(Topic{3})
	topics.end(true)
	if topics.mayHave(Topic{1}) || !topics.mayHave(Topic{3}) {
		t.Error("a new list did not replace the old one")
	}
}
