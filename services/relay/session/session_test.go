package session

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/quota"
	"github.com/hawser-dev/hawser/services/relay/receipt"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
	"github.com/hawser-dev/hawser/services/relay/socket"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// connection is a session, and its client, which acknowledges what it receives. The test subscribes and delivers messages itself.
type connection struct {
	*Session
	wallet *relaytest.Client
	topic  mailbox.Topic
}

// connect opens a connection whose client may send this many requests.
func connect(t *testing.T, requests float64) connection {
	t.Helper()
	nats, err := bustest.Embedded(t).Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := mailbox.Open(t.Context(), nats, mailbox.Config{MaxBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	receipts := receipt.New(t.Context(), store, log)
	go func() { _ = receipts.Run(t.Context()) }()
	limits := quota.Limits{Requests: limit.Rate{Name: "requests", PerSecond: 0.001, Burst: requests}, Topics: limit.Share{Name: "topics", Each: 100, Total: 1000}}
	sessions := New(t.Context(), Deps{Store: store, Receipts: receipts, Quota: quota.New(limits, nil, nil, clock.System{}), Clock: clock.System{}, Log: log})
	sockets, opened := socket.NewServer(t.Context()), make(chan *Session, 1)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := Identity{Name: "wallet", Publisher: mailbox.PublisherOf("wallet"), Caller: limit.CallerOf("p", "192.0.2.1")}
		_ = sockets.Accept(w, r, 1<<20, sessions.Quota.Memory(who.Caller), func(c *socket.Conn) socket.Peer {
			s := sessions.Open(c, who)
			opened <- s
			return acknowledger{s}
		})
	}))
	t.Cleanup(web.Close)
	wallet := relaytest.Dial(t, strings.Replace(web.URL, "http://", "ws://", 1), relaytest.Options{})
	return connection{Session: <-opened, wallet: wallet, topic: mailbox.Topic{9}}
}

// acknowledger is the peer of a client that sends only acknowledgements.
type acknowledger struct{ session *Session }

func (a acknowledger) Receive(frame []byte) {
	if m, failure := wire.Parse(frame); failure == nil && m.Acknowledged {
		if sequence, ok := wire.Sequence(m.ID); ok {
			a.session.Acknowledge(sequence)
		}
	}
}
func (acknowledger) ReceiveTooLarge([]byte) {}
func (acknowledger) ReceiveBusy([]byte)     {}
func (a acknowledger) Closed()              { a.session.Close() }

// publish stores a message and returns it as the follower would.
func (c connection) publish(t *testing.T, body string) mailbox.Message {
	t.Helper()
	sequence, err := c.shared.Store.Publish(t.Context(), mailbox.Message{Topic: c.topic, Body: body, Tag: 1}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	m, found, err := c.shared.Store.Get(t.Context(), c.topic, sequence)
	if err != nil || !found {
		t.Fatalf("%t, %v", found, err)
	}
	return m
}

// deliver sends a message as the hub does.
func (c connection) deliver(m mailbox.Message) { c.Deliver(NewDelivery(m)) }

// subscribe subscribes to topics, without reading their mailboxes.
func (c connection) subscribe(t *testing.T, topics ...mailbox.Topic) {
	t.Helper()
	for _, topic := range topics {
		if !c.Subscribe(topic) {
			t.Fatal("the session may have no more topics")
		}
	}
}

// read subscribes to topics and reads their mailboxes.
func (c connection) read(t *testing.T, topics ...mailbox.Topic) {
	t.Helper()
	c.subscribe(t, topics...)
	c.ReadMailboxes(topics)
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so: %s", what)
		}
	}
}

// awaitDeleted returns when the mailbox has no message up to this one: they were acknowledged.
func (c connection) awaitDeleted(t *testing.T, last mailbox.Message) {
	t.Helper()
	eventually(t, "the messages are acknowledged", func() bool {
		b, err := c.shared.Store.Read(t.Context(), c.topic, 0, 1)
		return err == nil && (len(b.Messages) == 0 || b.Messages[0].Sequence > last.Sequence)
	})
}

// awaitRead returns when the mailbox of the topic was read.
func (c connection) awaitRead(t *testing.T) {
	t.Helper()
	eventually(t, "the mailbox is read", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.topics[c.topic] == nil
	})
}

// Under load a message may arrive from NATS after it was read from its mailbox, delivered and acknowledged.
func TestAMessageThatWasReadFromItsMailboxIsNotDeliveredAgain(t *testing.T) {
	c := connect(t, 100)
	first := c.publish(t, "first")
	c.read(t, c.topic)
	if d := c.wallet.Next(t); d.Data.Message != "first" {
		t.Fatalf("the wallet got %+v", d)
	}
	c.awaitDeleted(t, first)
	c.deliver(first)
	c.deliver(c.publish(t, "second"))
	if d := c.wallet.Next(t); d.Data.Message != "second" {
		t.Errorf("the wallet got %q again", d.Data.Message)
	}
}

// Another tab of the client may acknowledge a message, which deletes it, while this one's mailbox is still being read.
func TestAMessageThatArrivesWhileTheMailboxIsReadIsDelivered(t *testing.T) {
	c := connect(t, 100)
	c.subscribe(t, c.topic)
	first, second := c.publish(t, "first"), c.publish(t, "second")
	c.deliver(first)
	if err := c.shared.Store.Delete(t.Context(), first.Sequence); err != nil {
		t.Fatal(err)
	}
	c.deliver(second)
	c.readMailbox(t.Context(), c.topic)
	c.deliver(c.publish(t, "third"))
	var got []string
	for range 3 {
		got = append(got, c.wallet.Next(t).Data.Message)
	}
	if !slices.Equal(got, []string{"first", "second", "third"}) {
		t.Errorf("the wallet got %q", got)
	}
}

// A client may subscribe to more messages than its rate allows to read at once.
func TestAcknowledgementsAreReceivedWhileAMailboxWaitsForTheRate(t *testing.T) {
	c := connect(t, 2)
	var stored []mailbox.Message
	for i := range 5 {
		stored = append(stored, c.publish(t, fmt.Sprint(i)))
	}
	// Each read but the first takes a request.
	const delivered = 3
	c.read(t, c.topic)
	for range delivered {
		c.wallet.Next(t)
	}
	c.awaitDeleted(t, stored[delivered-1])
	c.wallet.Close()
	c.shared.Wait()
}

// A client may repeat subscriptions while their mailboxes wait to be read, and end them.
func TestEachMailboxWaitsOnceToBeRead(t *testing.T) {
	c := connect(t, 1)
	c.shared.Quota.TakeRequests(t.Context(), c.Caller, 1)
	c.publish(t, "first")
	c.read(t, c.topic)
	c.wallet.Next(t)
	topics := []mailbox.Topic{c.topic, {1}, {2}, {3}}
	for range 3 {
		c.read(t, topics...)
	}
	waiting := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.unread)
	}
	if n := waiting(); n != len(topics) {
		t.Errorf("%d mailboxes wait, want %d", n, len(topics))
	}
	for _, topic := range topics {
		c.Unsubscribe(topic)
	}
	if n := waiting(); n != 0 {
		t.Errorf("%d mailboxes wait without a subscription", n)
	}
}

// A subscription that is repeated while its mailbox is being read makes it be read again.
func TestAMailboxIsReadAgainForARepeatedSubscription(t *testing.T) {
	c := connect(t, 1000)
	c.read(t, c.topic)
	c.awaitRead(t)
	for range 200 {
		c.read(t, c.topic)
	}
	c.shared.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if state, subscribed := c.topics[c.topic]; !subscribed || state != nil || c.stopReading != nil {
		t.Errorf("after all was read: subscribed %t, %+v", subscribed, state)
	}
}

// When a relay starts again, clients subscribe to all their topics at once, and most of their mailboxes are empty.
func TestAnEmptyMailboxIsNotRead(t *testing.T) {
	c := connect(t, 1000)
	c.publish(t, "stored")
	go func() { _ = c.shared.Store.ListTopics(t.Context()) }()
	empty := []mailbox.Topic{{1}, {2}, {3}}
	eventually(t, "the topics are listed", func() bool { return !c.shared.Store.MayHave(empty[0]) })
	c.subscribe(t, empty...)
	c.deliver(mailbox.Message{Sequence: 7, Topic: empty[2], Body: "new"})
	c.ReadMailboxes(empty)
	c.mu.Lock()
	unread := slices.Clone(c.unread)
	for _, topic := range empty[:2] {
		if c.topics[topic] != nil {
			t.Errorf("topic %s is being read", topic)
		}
	}
	c.mu.Unlock()
	if slices.Contains(unread, empty[0]) || slices.Contains(unread, empty[1]) {
		t.Errorf("the mailboxes of %v wait to be read", unread)
	}
	if d := c.wallet.Next(t); d.Data.Message != "new" {
		t.Errorf("the wallet got %q, want the message that was stored since it subscribed", d.Data.Message)
	}
	c.read(t, c.topic)
	if d := c.wallet.Next(t); d.Data.Message != "stored" {
		t.Errorf("the wallet got %q, want the message in the mailbox", d.Data.Message)
	}
}

// More messages may arrive while a mailbox is read than the session keeps. The others are read from it.
func TestMessagesThatArriveWhileTheMailboxIsReadAreAllDelivered(t *testing.T) {
	c := connect(t, 1000)
	c.subscribe(t, c.topic)
	const all = 2 * arrivedLimit
	var want, got []string
	for i := range all {
		m := c.publish(t, fmt.Sprint(i))
		want = append(want, m.Body)
		c.deliver(m)
		if i < arrivedLimit/2 {
			// Another connection acknowledged it.
			if err := c.shared.Store.Delete(t.Context(), m.Sequence); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.readMailbox(t.Context(), c.topic)
	for range all {
		got = append(got, c.wallet.Next(t).Data.Message)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the wallet got %q", got)
	}
}

// A client that sends requests all the time still receives messages: each waits only for the requests that were there when it arrived.
func TestAMessageDoesNotWaitForLaterRequests(t *testing.T) {
	c := connect(t, 1000)
	c.read(t, c.topic)
	c.awaitRead(t)
	first, second := c.Answering(), c.Answering()
	c.deliver(c.publish(t, "first"))
	third := c.Answering()
	c.deliver(c.publish(t, "second"))
	c.Answered(first, false)
	held := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.held)
	}
	if n := held(); n != 2 {
		t.Errorf("%d messages wait, want both", n)
	}
	c.Answered(second, false)
	if d := c.wallet.Next(t); d.Data.Message != "first" || held() != 1 {
		t.Errorf("the wallet got %q, and %d messages wait", d.Data.Message, held())
	}
	c.Answered(third, true)
	if d := c.wallet.Next(t); d.Data.Message != "second" || held() != 0 {
		t.Errorf("the wallet got %q, and %d messages wait", d.Data.Message, held())
	}
}
