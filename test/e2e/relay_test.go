package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

// killedRelay is a relay in a process of its own that is killed and started again while clients publish and subscribe.
type killedRelay struct {
	*suite
	address string

	mu           sync.Mutex
	acknowledged []string
	delivered    map[string]bool
}

func TestARelayThatIsKilledLosesNoAcknowledgedMessage(t *testing.T) {
	skipInShort(t)
	t.Parallel()
	s := &suite{url: "http://" + freeport.Address(), dir: t.TempDir(), binary: hawser.binary(t, plain)}
	k := &killedRelay{suite: s, address: "ws://" + s.address() + "/v1/relay", delivered: map[string]bool{}}
	s.gateway = s.write(t, "relay.yaml", fmt.Sprintf(
		"data_dir: %s\nprojects: {seed: [{id: %q, name: Test}]}\nrelay: {connects_per_second: 10000, connect_burst: 10000}\n", filepath.Join(s.dir, "data"), relaytest.Project)+
		listeners{gateway: s.address()}.section())
	s.restart(t)
	s.wait(t)

	topics := make([]string, 20)
	for i := range topics {
		topics[i] = relaytest.Topic()
	}
	stop := make(chan struct{})
	var running sync.WaitGroup
	for n := range 4 {
		running.Go(func() { k.publish(stop, n, topics) })
		// Every second topic has a subscriber all the time; the others are read in the end.
		running.Go(func() { k.subscribe(stop, topics[:10]) })
	}
	for range killCount(t) {
		time.Sleep(time.Duration(200+rand.IntN(400)) * time.Millisecond)
		s.kill(t)
		s.restart(t)
		s.wait(t)
	}
	close(stop)
	running.Wait()

	last, err := relaytest.DialContext(t.Context(), k.address, relaytest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer last.Close()
	last.MustCall(t, "irn_batchSubscribe", map[string]any{"topics": topics})
	k.read(last, 2*time.Second)
	lost := 0
	for _, message := range k.acknowledged {
		if !k.delivered[message] {
			lost++
		}
	}
	if lost > 0 || len(k.acknowledged) < 20 {
		t.Errorf("%d of %d acknowledged messages were lost", lost, len(k.acknowledged))
	}
	t.Logf("%d messages were acknowledged", len(k.acknowledged))
}

// dial connects again and again until stop.
func (k *killedRelay) dial(stop <-chan struct{}, options relaytest.Options) *relaytest.Client {
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		if c, err := relaytest.DialContext(context.Background(), k.address, options); err == nil {
			return c
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// publish publishes until stop, and records what was acknowledged.
func (k *killedRelay) publish(stop <-chan struct{}, n int, topics []string) {
	var c *relaytest.Client
	defer func() {
		if c != nil {
			c.Close()
		}
	}()
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		case <-time.After(time.Millisecond):
		}
		if c == nil {
			if c = k.dial(stop, relaytest.Options{}); c == nil {
				return
			}
		}
		message := fmt.Sprintf("message %d of %d", i, n)
		answer, err := c.Call("irn_publish", relaytest.Publication(topics[rand.IntN(len(topics))], message, 1108))
		switch {
		case err != nil:
			c.Close()
			c = nil
		case answer.Error == nil:
			k.mu.Lock()
			k.acknowledged = append(k.acknowledged, message)
			k.mu.Unlock()
		}
	}
}

// subscribe subscribes until stop, again after each kill, and records what was delivered.
func (k *killedRelay) subscribe(stop <-chan struct{}, topics []string) {
	key := relaytest.NewKey()
	for {
		c := k.dial(stop, relaytest.Options{Key: key})
		if c == nil {
			return
		}
		if _, err := c.Call("irn_batchSubscribe", map[string]any{"topics": topics}); err != nil {
			c.Close()
		}
		k.readUntil(c, stop)
	}
}

// readUntil takes deliveries until the connection ends, or until stop. What the client has acknowledged by then is taken as well.
func (k *killedRelay) readUntil(c *relaytest.Client, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			c.Close()
			stop = nil
		case d := <-c.Deliveries:
			k.note(d)
		case <-c.Closed:
			for len(c.Deliveries) > 0 {
				k.note(<-c.Deliveries)
			}
			return
		}
	}
}

// read takes deliveries until none comes for a while.
func (k *killedRelay) read(c *relaytest.Client, idle time.Duration) {
	for {
		select {
		case d := <-c.Deliveries:
			k.note(d)
		case <-time.After(idle):
			return
		}
	}
}

func (k *killedRelay) note(d relaytest.Delivery) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.delivered[strings.TrimSpace(d.Data.Message)] = true
}
