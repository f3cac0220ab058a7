package limit

import (
	"errors"
	"math"
	"runtime/debug"
	"sync"
)

// DefaultMemory is the budget of a process without a memory limit, in bytes.
const DefaultMemory = 160 << 20

// ErrMemory is returned when a caller's bytes exceed its share of a [Memory].
var ErrMemory = errors.New("too many bytes are in work for this caller at once")

// Memory is the number of bytes that a process may hold for its callers at once: bodies, answers of nodes, and what waits
// for slow readers. It is safe for concurrent use.
//
// A caller may hold as much as is left free (the dynamic threshold of Choudhury and Hahne, 1998, with a factor of one): one caller alone has
// half of the budget, n greedy callers have 1/(n+1) each, and as much stays for the next one.
type Memory struct {
	total int64

	mu   sync.Mutex
	used int64
	// refused counts calls of Grow that returned ErrMemory.
	refused int64
	held    map[Caller]int64
}

// NewMemory returns a budget of this many bytes.
func NewMemory(total int64) *Memory {
	return &Memory{total: total, held: map[Caller]int64{}}
}

// ProcessMemory returns a budget of a third of the memory limit of this process (GOMEMLIMIT), or of [DefaultMemory] if
// it has none.
func ProcessMemory() *Memory {
	if most := debug.SetMemoryLimit(-1); most < math.MaxInt64 {
		return NewMemory(most / 3)
	}
	return NewMemory(DefaultMemory)
}

// Used returns how many bytes are held.
func (m *Memory) Used() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}

// Hold returns an empty hold for a caller. A nil Memory has no limit.
func (m *Memory) Hold(c Caller) *Bytes {
	return &Bytes{memory: m, caller: c}
}

// Bytes is what one request, connection or queue holds of a [Memory]. It is safe for concurrent use.
type Bytes struct {
	memory *Memory
	caller Caller

	mu   sync.Mutex
	held int64
}

// Grow takes n more bytes before they are allocated. It takes none and returns [ErrMemory] if the caller would hold more than
// is left free.
func (b *Bytes) Grow(n int64) error {
	m := b.memory
	if m == nil || n <= 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held[b.caller]+n > m.total-m.used-n {
		m.refused++
		return ErrMemory
	}
	m.held[b.caller] += n
	m.used += n
	b.held += n
	return nil
}

// Shrink gives back n bytes, at most those that are held.
func (b *Bytes) Shrink(n int64) {
	m := b.memory
	if m == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	n = min(n, b.held)
	if n <= 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	b.held -= n
	m.used -= n
	if m.held[b.caller] -= n; m.held[b.caller] == 0 {
		delete(m.held, b.caller)
	}
}

// Release gives back all bytes. The hold can be used again.
func (b *Bytes) Release() {
	b.Shrink(math.MaxInt64)
}
