package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

const (
	// delivery is the name under which the times from a publisher to a subscriber are recorded.
	delivery = "relay delivery"
	// topics is how many mailboxes there are.
	topics = 16
	// sessionRequest is the tag of a message that leaves its mailbox once it is acknowledged.
	sessionRequest = 1108
)

// mail publishes messages and receives them: through two clients each.
type mail struct {
	world    *world
	recorder *recorder
	topics   []string
	// publishers have a connection each, which is nil until it is used.
	publishers [2]publisher

	mu sync.Mutex
	// acknowledged are the messages whose publication was acknowledged, sent all that may have been published.
	acknowledged, sent map[string]bool
	// delivered are the messages that arrived. A channel of waiting is closed when its message arrives.
	delivered map[string]bool
	waiting   map[string]chan struct{}

	// requests are pending, and deliveries are being waited for.
	requests, deliveries sync.WaitGroup
}

// publisher is a client that connects when it has something to publish.
type publisher struct {
	mu     sync.Mutex
	client *relaytest.Client
}

func newMail(w *world, r *recorder) *mail {
	m := &mail{world: w, recorder: r, acknowledged: map[string]bool{}, sent: map[string]bool{}, delivered: map[string]bool{}, waiting: map[string]chan struct{}{}}
	for range topics {
		m.topics = append(m.topics, relaytest.Topic())
	}
	return m
}

// dial connects to the relay through either gateway.
func (m *mail) dial(ctx context.Context, key ed25519.PrivateKey) (*relaytest.Client, error) {
	gateway := m.world.gateways[rand.IntN(len(m.world.gateways))]
	return relaytest.DialContext(ctx, "ws"+strings.TrimPrefix(gateway, "http")+"/v1/relay", relaytest.Options{Key: key})
}

// connected returns the publisher's connection.
func (p *publisher) connected(ctx context.Context, m *mail) (*relaytest.Client, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.client != nil {
		return p.client, nil
	}
	// Other publications wait for this: it takes less time than a request may.
	ctx, cancel := context.WithTimeout(ctx, requestTimeout/4)
	defer cancel()
	var err error
	p.client, err = m.dial(ctx, nil)
	return p.client, err
}

// drop ends a connection that does not work.
func (p *publisher) drop(c *relaytest.Client) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.Close()
	if p.client == c {
		p.client = nil
	}
}

// publish publishes a message, and records when its subscriber got it.
func (a *acknowledged) publish() call {
	return call{"relay publish", 12, func(ctx context.Context) verdict {
		m := a.mail
		begun := time.Now()
		p := &m.publishers[rand.IntN(len(m.publishers))]
		client, err := p.connected(ctx, m)
		if err != nil {
			return refused("no connection")
		}
		message := fmt.Sprintf("message %d", a.next.Add(1))
		came := make(chan struct{})
		m.mu.Lock()
		m.sent[message], m.waiting[message] = true, came
		m.mu.Unlock()
		type answered struct {
			relaytest.Answer
			err error
		}
		answers := make(chan answered, 1)
		m.requests.Go(func() {
			answer, err := client.Call("irn_publish", relaytest.Publication(m.topics[rand.IntN(len(m.topics))], message, sessionRequest))
			answers <- answered{answer, err}
		})
		select {
		case a := <-answers:
			switch {
			case a.err != nil:
				p.drop(client)
				return refused("the connection ended")
			case a.Error != nil:
				return refused("error %d", a.Error.Code)
			}
		case <-ctx.Done():
			p.drop(client)
			return refused("no answer in time")
		}
		m.mu.Lock()
		m.acknowledged[message] = true
		m.mu.Unlock()
		m.deliveries.Go(func() { m.untilDelivered(message, came, begun) })
		return right
	}}
}

// untilDelivered records how long a message took to its subscriber.
func (m *mail) untilDelivered(message string, came <-chan struct{}, begun time.Time) {
	select {
	case <-came:
		m.recorder.add(sample{delivery, begun, time.Since(begun), right})
	case <-time.After(requestTimeout):
		m.recorder.add(sample{delivery, begun, requestTimeout, refused("not delivered in time")})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.waiting, message)
}

// close ends the connections, and waits for what is pending.
func (m *mail) close() {
	for i := range m.publishers {
		p := &m.publishers[i]
		p.mu.Lock()
		if p.client != nil {
			p.client.Close()
		}
		p.mu.Unlock()
	}
	m.requests.Wait()
	m.deliveries.Wait()
}

// receive subscribes to all topics until ctx ends, again whenever the connection ends.
func (m *mail) receive(ctx context.Context) {
	key := relaytest.NewKey()
	for ctx.Err() == nil {
		if err := m.receiveOnce(ctx, key); err != nil {
			pause(ctx, 100*time.Millisecond)
		}
	}
}

func (m *mail) receiveOnce(ctx context.Context, key ed25519.PrivateKey) error {
	dialling, cancel := context.WithTimeout(ctx, requestTimeout/2)
	defer cancel()
	client, err := m.dial(dialling, key)
	if err != nil {
		return err
	}
	subscribed := make(chan error, 1)
	var subscribing sync.WaitGroup
	defer subscribing.Wait()
	defer client.Close()
	subscribing.Go(func() {
		answer, err := client.Call("irn_batchSubscribe", map[string]any{"topics": m.topics})
		if err == nil && answer.Error != nil {
			err = errors.New(answer.Error.Message)
		}
		subscribed <- err
	})
	tooLate := time.After(requestTimeout / 2)
	for {
		select {
		case err := <-subscribed:
			if err != nil {
				return err
			}
			tooLate = nil
		case d := <-client.Deliveries:
			m.note(d)
		case <-client.Closed:
			// What the client has acknowledged counts.
			for len(client.Deliveries) > 0 {
				m.note(<-client.Deliveries)
			}
			return errors.New("the connection ended")
		case <-tooLate:
			return errors.New("not subscribed in time")
		case <-ctx.Done():
			return nil
		}
	}
}

// note records a delivery.
func (m *mail) note(d relaytest.Delivery) {
	m.mu.Lock()
	defer m.mu.Unlock()
	message := d.Data.Message
	if !m.sent[message] {
		m.recorder.add(sample{delivery, time.Now(), 0, wrong("a message was delivered that was not published: %q", message)})
		return
	}
	if came, ok := m.waiting[message]; ok && !m.delivered[message] {
		close(came)
	}
	m.delivered[message] = true
}

// undelivered returns the acknowledged messages that did not come.
func (m *mail) undelivered() (messages []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for message := range m.acknowledged {
		if !m.delivered[message] {
			messages = append(messages, message)
		}
	}
	return messages
}
