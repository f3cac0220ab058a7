package socket

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/gobwas/ws"
)

// beatSlots is the number of seconds between two pings of one connection. Clients consider a connection lost after 35
// seconds without a ping.
const beatSlots = 22

// heartbeat pings the connections, a part of them each second.
type heartbeat struct {
	mu    sync.Mutex
	slots [beatSlots]map[*Conn]struct{}
	count int
	next  int
	// closeNew closes a connection that is added after CloseAll was called.
	closeNew func(*Conn)
}

// add adds a connection, and closes it if all were closed before.
func (h *heartbeat) add(c *Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closeNew != nil {
		defer h.closeNew(c)
	}
	least := 0
	for i := range h.slots {
		if len(h.slots[i]) < len(h.slots[least]) {
			least = i
		}
	}
	if h.slots[least] == nil {
		h.slots[least] = map[*Conn]struct{}{}
	}
	h.slots[least][c] = struct{}{}
	h.count++
}

func (h *heartbeat) remove(c *Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.slots {
		if _, ok := h.slots[i][c]; ok {
			delete(h.slots[i], c)
			h.count--
		}
	}
}

func (h *heartbeat) len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count
}

// turn returns the connections to ping now.
func (h *heartbeat) turn() []*Conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	slot := h.slots[h.next]
	h.next = (h.next + 1) % beatSlots
	due := make([]*Conn, 0, len(slot))
	for c := range slot {
		due = append(due, c)
	}
	return due
}

// all returns every connection.
func (h *heartbeat) all() []*Conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.list()
}

// closeFrom makes the heartbeat close connections that are added from now on, and returns those that are open.
func (h *heartbeat) closeFrom(closeNew func(*Conn)) []*Conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closeNew = closeNew
	return h.list()
}

// list returns every connection. The caller holds mu.
func (h *heartbeat) list() []*Conn {
	open := make([]*Conn, 0, h.count)
	for _, slot := range h.slots {
		for c := range slot {
			open = append(open, c)
		}
	}
	return open
}

// Beat pings every connection once in 22 seconds until ctx ends, and ends those that left two pings unanswered.
func (s *Server) Beat(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			s.beat()
		}
	}
}

func (s *Server) beat() {
	for _, c := range s.beats.turn() {
		if c.missed.Add(1) > missedPongs {
			c.abort()
			continue
		}
		c.enqueue(ws.OpPing, nil)
	}
}

// closesPerSecond is how fast connections are closed if they are few.
const closesPerSecond = 500

// CloseAll closes every connection in random order, distributed over a period at most, so that clients do not all reconnect to other replicas at once. It
// returns when all have ended, or closeTimeout after the period. A connection that is accepted afterwards is closed at once.
func (s *Server) CloseAll(status Status, reason string, over time.Duration) {
	open := s.beats.closeFrom(func(c *Conn) { c.Close(status, reason) })
	if len(open) == 0 {
		return
	}
	rand.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	over = min(over, time.Duration(len(open))*time.Second/closesPerSecond)
	start := time.Now()
	for i, c := range open {
		if due := start.Add(over * time.Duration(i) / time.Duration(len(open))); time.Until(due) > time.Millisecond {
			time.Sleep(time.Until(due))
		}
		c.Close(status, reason)
	}
	end := time.Now().Add(closeTimeout)
	for s.Len() > 0 && time.Now().Before(end) {
		time.Sleep(10 * time.Millisecond)
	}
	for _, c := range s.beats.all() {
		c.abort()
	}
}
