package main

import (
	"net"
	"net/http"
	"sync"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// idleConnection is about what a connection holds while it waits for a request, in bytes.
const idleConnection = 16 << 10

// connectionMemory returns where the connections of callers take memory from; nil behind a proxy, which bounds them, and whose address all of them have.
func (s *suite) connectionMemory() *limit.Memory {
	if s.config.Gateway.TrustForwardedFor {
		return nil
	}
	return s.memory
}

// connections take the memory of the connections of a server, until they end or are WebSockets, which take their own.
type connections struct {
	memory *limit.Memory

	mu   sync.Mutex
	held map[net.Conn]*limit.Bytes
}

func newConnections(memory *limit.Memory) *connections {
	return &connections{memory: memory, held: map[net.Conn]*limit.Bytes{}}
}

// changed follows the state of a connection, and closes a new one for which there is no memory.
func (c *connections) changed(conn net.Conn, to http.ConnState) {
	switch to {
	case http.StateNew:
		held := c.memory.Hold(limit.CallerOf("", limit.Address(conn.RemoteAddr().String(), nil, false).String()))
		if held.Grow(idleConnection) != nil {
			_ = conn.Close()
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.held[conn] = held
	case http.StateHijacked, http.StateClosed:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.held[conn].Close()
		delete(c.held, conn)
	}
}
