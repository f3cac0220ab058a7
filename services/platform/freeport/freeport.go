// Package freeport finds addresses for servers that tests start and whose address must be known before they listen.
package freeport

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// The ports are below the ephemeral ports of operating systems, and do not overlap with those of the local stacks of
// the page's tests.
const (
	lowest  = 20_000
	highest = 31_999
	// blockSize is how many ports a block has. The first one is its lock.
	blockSize = 16
)

var (
	mu sync.Mutex
	// locks are the listeners on the first ports of this process's blocks. A listener that nothing refers to would be closed.
	locks []net.Listener
	// reserved are the ports that this process may still return.
	reserved []int
)

// Address returns an address of 127.0.0.1 that nothing listens on. It is not returned again, neither in this process
// nor in another one while this one runs. It panics if no port is free.
func Address() string {
	mu.Lock()
	defer mu.Unlock()
	for {
		for len(reserved) > 0 {
			port := reserved[0]
			reserved = reserved[1:]
			if l, err := listen(port); err == nil {
				_ = l.Close()
				return l.Addr().String()
			}
		}
		reserve()
	}
}

// reserve takes a block of ports by listening on its first one until the process ends. The caller holds mu.
func reserve() {
	const blocks = (highest + 1 - lowest) / blockSize
	for range 4 * blocks {
		first := lowest + blockSize*rand.IntN(blocks)
		lock, err := listen(first)
		if err != nil {
			continue
		}
		locks = append(locks, lock)
		for port := first + 1; port < first+blockSize; port++ {
			reserved = append(reserved, port)
		}
		return
	}
	panic(fmt.Sprintf("no block of ports is free between %d and %d", lowest, highest))
}

func listen(port int) (net.Listener, error) {
	return new(net.ListenConfig).Listen(context.Background(), "tcp", fmt.Sprintf("127.0.0.1:%d", port))
}
