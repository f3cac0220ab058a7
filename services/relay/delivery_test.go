package relay

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

// A reply must not overtake the answer to the message that it replies to, because SDKs then lose acknowledgements.
func TestAnAnswerComesBeforeTheReplyToTheMessage(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	page.Subscribe(t, topic)
	wallet.Subscribe(t, topic)
	const rounds = 200
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range rounds {
			d := <-wallet.Deliveries
			if _, err := wallet.Call("irn_publish", relaytest.Publication(topic, "reply to "+d.Data.Message, 2)); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for i := range rounds {
		id := fmt.Sprint(1_800_000_000_000_000 + i)
		frame := fmt.Sprintf(`{"id":%s,"jsonrpc":"2.0","method":"irn_publish","params":{"topic":%q,"message":%q,"ttl":300,"tag":1}}`, id, topic, id)
		if _, err := page.Request(id, []byte(frame)); err != nil {
			t.Fatal(err)
		}
		page.Next(t)
		order := page.Order()
		if answer, reply := slices.Index(order, "answer "+id), slices.Index(order, "delivery reply to "+id); answer < 0 || reply < answer {
			t.Fatalf("the answer came at %d and the reply at %d", answer, reply)
		}
	}
	<-done
}

func TestAMessageIsGoneOnceItIsAcknowledged(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	wallet.Subscribe(t, topic)
	page.Publish(t, topic, "request", 1108)
	page.Publish(t, topic, "proposal", 1100)
	wallet.Next(t)
	wallet.Next(t)
	eventually(t, "the acknowledged request is gone, and the proposal is there", func() bool {
		return slices.Equal(mailboxOf(t, address, topic), []string{"proposal"})
	})
	// A client that acknowledged the proposal does not receive it again.
	again := relaytest.Dial(t, address, relaytest.Options{Key: wallet.Key})
	again.Subscribe(t, topic)
	again.Subscribe(t, relaytest.Topic())
	select {
	case d := <-again.Deliveries:
		t.Errorf("it got %+v", d)
	case <-time.After(50 * time.Millisecond):
	}
}

func TestAMessageThatIsNotAcknowledgedIsDeliveredAgain(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{Silent: true})
	topic := relaytest.Topic()
	wallet.Subscribe(t, topic)
	page.Publish(t, topic, "request", 1108)
	wallet.Next(t)
	wallet.Close()
	again := relaytest.Dial(t, address, relaytest.Options{Key: wallet.Key})
	again.Subscribe(t, topic)
	if d := again.Next(t); d.Data.Message != "request" {
		t.Errorf("it got %+v", d)
	}
}

func TestAnAcknowledgementOfWhatWasNotDeliveredDeletesNothing(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page, thief := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	page.Publish(t, topic, "request", 1108)
	for sequence := range 5 {
		thief.Acknowledge(fmt.Appendf(nil, "%d", 1_000_000_000_000_000+sequence))
	}
	thief.Subscribe(t, relaytest.Topic())
	eventually(t, "the mailbox has the message", func() bool { return slices.Equal(mailboxOf(t, address, topic), []string{"request"}) })
}

func TestEqualMessagesAreStoredOnce(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page := relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	for range 3 {
		page.Publish(t, topic, "again", 1)
	}
	eventually(t, "the mailbox has the message", func() bool { return slices.Equal(mailboxOf(t, address, topic), []string{"again"}) })
}

func TestEveryTabOfAClientGetsTheMessage(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page := relaytest.Dial(t, address, relaytest.Options{})
	first := relaytest.Dial(t, address, relaytest.Options{})
	second := relaytest.Dial(t, address, relaytest.Options{Key: first.Key})
	topic := relaytest.Topic()
	first.Subscribe(t, topic)
	second.Subscribe(t, topic)
	page.Publish(t, topic, "for both", 1)
	for _, tab := range []*relaytest.Client{first, second} {
		if d := tab.Next(t); d.Data.Message != "for both" {
			t.Errorf("a tab got %+v", d)
		}
	}
}

// Subscribing reads the mailbox while messages are published. No message may be lost, or delivered twice on one
// connection.
func TestSubscribingWhileMessagesArePublished(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	for range 10 {
		page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{Silent: true})
		topic := relaytest.Topic()
		const messages = 60
		var publishing sync.WaitGroup
		publishing.Go(func() {
			for i := range messages {
				if _, err := page.Call("irn_publish", relaytest.Publication(topic, fmt.Sprint(i), 1)); err != nil {
					t.Error(err)
				}
			}
		})
		time.Sleep(time.Millisecond)
		wallet.Subscribe(t, topic)
		var got []string
		for range messages {
			got = append(got, wallet.Next(t).Data.Message)
		}
		publishing.Wait()
		for i, message := range got {
			if message != fmt.Sprint(i) {
				t.Fatalf("the deliveries are %q", got)
			}
		}
		wallet.Close()
		page.Close()
	}
}

func TestReplicasDeliverWhatTheOtherStored(t *testing.T) {
	first, second := twoRelays(t)
	page, wallet := relaytest.Dial(t, first, relaytest.Options{}), relaytest.Dial(t, second, relaytest.Options{})
	topic := relaytest.Topic()
	wallet.Subscribe(t, topic)
	page.Subscribe(t, topic)
	for i := range 50 {
		page.Publish(t, topic, fmt.Sprint(i), 1)
		if d := wallet.Next(t); d.Data.Message != fmt.Sprint(i) {
			t.Fatalf("the wallet got %+v", d)
		}
		wallet.Publish(t, topic, fmt.Sprint("to ", i), 1)
		if d := page.Next(t); d.Data.Message != fmt.Sprint("to ", i) {
			t.Fatalf("the page got %+v", d)
		}
	}
}

// While the NATS server is down, publishing fails. Stored messages are delivered once it is back, including live
// messages that were lost in transit.
func TestTheServerOfMailboxesIsRestarted(t *testing.T) {
	server, restart := bustest.RestartableServer(t)
	b := bustest.Open(t, bus.Config{URL: server})
	address, _ := start(t, b)
	other, _ := start(t, bustest.Open(t, bus.Config{URL: server}))
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, other, relaytest.Options{})
	topic := relaytest.Topic()
	wallet.Subscribe(t, topic)
	page.Publish(t, topic, "before", 1)
	wallet.Next(t)
	restart(func() {
		answer, err := page.Call("irn_publish", relaytest.Publication(topic, "meanwhile", 1))
		if err != nil || answer.Error == nil || answer.Error.Code != -32603 {
			t.Errorf("meanwhile it was answered %+v, %v", answer, err)
		}
	})
	eventually(t, "messages are stored again", func() bool {
		answer, err := page.Call("irn_publish", relaytest.Publication(topic, "after", 1))
		return err == nil && answer.Error == nil
	})
	for {
		d := wallet.Next(t)
		if d.Data.Message == "after" {
			return
		}
		if !strings.HasPrefix(d.Data.Message, "meanwhile") {
			t.Fatalf("the wallet got %+v", d)
		}
	}
}

// A server that lost its data has new streams.
func TestTheServerOfMailboxesForgets(t *testing.T) {
	server, forget := bustest.ForgetfulServer(t)
	address, _ := start(t, bustest.Open(t, bus.Config{URL: server}))
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	wallet.Subscribe(t, topic)
	for i := range 5 {
		page.Publish(t, topic, fmt.Sprint(i), 1)
		wallet.Next(t)
	}
	forget()
	eventually(t, "messages are stored again", func() bool {
		answer, err := page.Call("irn_publish", relaytest.Publication(topic, "after", 1))
		return err == nil && answer.Error == nil
	})
	if d := wallet.Next(t); d.Data.Message != "after" {
		t.Errorf("the wallet got %+v", d)
	}
}

func TestStoppingClosesConnectionsAsGoingAway(t *testing.T) {
	b := bustest.Embedded(t)
	address, stop := start(t, b)
	c := relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	c.Publish(t, topic, "kept", 1)
	stop()
	if closed := <-c.Closed; closed.Code != 1001 {
		t.Errorf("closed with %v", closed)
	}
	// The next process has the contents of the mailboxes.
	address, _ = start(t, b)
	eventually(t, "the mailbox has the message", func() bool { return slices.Equal(mailboxOf(t, address, topic), []string{"kept"}) })
}

// A client sends its next messages without waiting for the answers. Those of one topic arrive in the order in which they were sent.
func TestMessagesThatAreSentWithoutWaitingArriveInOrder(t *testing.T) {
	for _, streams := range []int{1, 4} {
		address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.Streams = streams })
		page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
		const topics, each = 5, 40
		next := map[string]int{}
		var names []string
		for range topics {
			topic := relaytest.Topic()
			names = append(names, topic)
			wallet.Subscribe(t, topic)
		}
		answers := make(chan error, topics*each)
		for i := range each {
			for n, topic := range names {
				id := fmt.Sprint(1_000_000 + i*topics + n)
				frame := fmt.Appendf(nil, `{"id":%s,"jsonrpc":"2.0","method":"irn_publish","params":{"topic":%q,"message":"%d","ttl":300,"tag":1}}`, id, topic, i)
				sent := make(chan struct{})
				go func() { answers <- answered(page.RequestThen(id, frame, func() { close(sent) })) }()
				<-sent
			}
		}
		for range topics * each {
			if err := <-answers; err != nil {
				t.Fatal(err)
			}
			d := wallet.Next(t)
			if want := fmt.Sprint(next[d.Data.Topic]); d.Data.Message != want {
				t.Fatalf("with %d streams the wallet got %s of topic %s, want %s", streams, d.Data.Message, d.Data.Topic, want)
			}
			next[d.Data.Topic]++
		}
	}
}

// answered returns the error of an answer.
func answered(answer relaytest.Answer, err error) error {
	if err == nil && answer.Error != nil {
		err = fmt.Errorf("the relay answered %+v", *answer.Error)
	}
	return err
}

// The number of streams is changed while messages wait. A client gets all of them, and acknowledges them where they are.
func TestMessagesWaitThroughAnUpgradeToMoreStreams(t *testing.T) {
	b := bustest.Embedded(t)
	var topics []string
	for range 20 {
		topics = append(topics, relaytest.Topic())
	}
	for _, streams := range []int{1, 4} {
		address, stop := start(t, b, func(c *Config) { c.Streams = streams })
		page := relaytest.Dial(t, address, relaytest.Options{})
		for _, topic := range topics {
			page.Publish(t, topic, fmt.Sprint("of ", streams), 1)
		}
		stop()
	}
	address, _ := start(t, b, func(c *Config) { c.Streams = 4 })
	wallet := relaytest.Dial(t, address, relaytest.Options{})
	wallet.MustCall(t, "irn_batchSubscribe", map[string]any{"topics": topics})
	got := map[string][]string{}
	for range 2 * len(topics) {
		d := wallet.Next(t)
		got[d.Data.Topic] = append(got[d.Data.Topic], d.Data.Message)
	}
	for _, topic := range topics {
		if !slices.Equal(got[topic], []string{"of 1", "of 4"}) {
			t.Errorf("topic %s has %q", topic, got[topic])
		}
		eventually(t, "acknowledged messages are deleted from both streams", func() bool { return len(mailboxOf(t, address, topic)) == 0 })
	}
}
