package limit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net/netip"
	"runtime/debug"
	"sync"
)

const (
	// DefaultMemory is the budget of a process without a memory limit, in bytes.
	DefaultMemory = 160 << 20
	// memoryPart is the part of the memory limit that is the budget, as a divisor.
	memoryPart = 4
	// ownFactor is how many times as much as is left the suite's own calls may hold. They are bounded where they are made.
	ownFactor = 4
)

var (
	// ErrMemory is returned when a caller's bytes exceed its share of a [Memory].
	ErrMemory = errors.New("too many bytes are in work for this caller at once")
	// ErrFull is returned when a [Memory] has not as many bytes left. It wraps ErrMemory.
	ErrFull = fullError{}
	// ErrTooMuch is returned when one hold would exceed its maximum.
	ErrTooMuch = errors.New("too many bytes for one request")
)

type fullError struct{}

func (fullError) Error() string { return "too many bytes are in work for all callers at once" }

func (fullError) Unwrap() error { return ErrMemory }

// IsSpent reports whether err is a refusal of bytes: [ErrMemory], [ErrFull] or [ErrTooMuch].
func IsSpent(err error) bool { return errors.Is(err, ErrMemory) || errors.Is(err, ErrTooMuch) }

// Memory is the number of bytes that a process may hold for its callers at once: bodies, answers of nodes, and what waits
// for slow readers. It is safe for concurrent use.
//
// A network may hold as much as is left free, whatever its projects are (the dynamic threshold of Choudhury and Hahne, 1998, with a factor of one): one
// caller alone has half of the budget, n greedy callers have 1/(n+1) each, and as much stays for the next one. The IPv6 networks around it may hold
// twice (/56) and four times (/48) as much as is left, and the suite's own calls, those of the zero [Caller], four times. A part of the suite that holds
// bytes for long or many at once has a share of its own, like a network ([Memory.HoldOwn]).
//
// Bytes are counted once, where they are read. What decodes them holds a copy for a moment, and caches are not counted, so a budget is a quarter of what
// a process has: a test of gateway/cmd/hawser adds up the rest.
type Memory struct {
	total int64

	mu   sync.Mutex
	used int64
	// refused counts calls of Grow that returned ErrMemory or ErrFull.
	refused int64
	held    map[holder]int64
}

// holder is what has a share: a network, or a part of the suite.
type holder struct {
	network netip.Prefix
	part    string
}

// NewMemory returns a budget of this many bytes.
func NewMemory(total int64) *Memory {
	return &Memory{total: total, held: map[holder]int64{}}
}

// ProcessMemory returns a budget of a quarter of the memory limit of this process (GOMEMLIMIT), or of [DefaultMemory] if
// it has none.
func ProcessMemory() *Memory {
	if most := debug.SetMemoryLimit(-1); most < math.MaxInt64 {
		return NewMemory(most / memoryPart)
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
func (m *Memory) Hold(c Caller) *Bytes { return m.HoldAtMost(c, math.MaxInt64) }

// HoldAtMost is Hold for at most this many bytes, which a nil Memory bounds as well.
func (m *Memory) HoldAtMost(c Caller, most int64) *Bytes {
	var holders []holder
	for _, network := range c.networks() {
		holders = append(holders, holder{network: network})
	}
	factor := int64(1)
	if c == (Caller{}) {
		factor = ownFactor
	}
	return &Bytes{memory: m, holders: holders, factor: factor, most: most}
}

// HoldOwn returns an empty hold for the named part of the suite, whose bytes do not count as those of its own calls.
func (m *Memory) HoldOwn(part string) *Bytes {
	return &Bytes{memory: m, holders: []holder{{part: part}}, factor: 1, most: math.MaxInt64}
}

// take takes n bytes for holders, of which each may hold twice as much as the one before.
func (m *Memory) take(holders []holder, factor, n int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	free := m.total - m.used - n
	if free < 0 {
		m.refused++
		return ErrFull
	}
	for _, h := range holders {
		if m.held[h]+n > factor*free {
			m.refused++
			return ErrMemory
		}
		factor *= 2
	}
	m.used += n
	for _, h := range holders {
		m.held[h] += n
	}
	return nil
}

func (m *Memory) give(holders []holder, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used -= n
	for _, h := range holders {
		if m.held[h] -= n; m.held[h] == 0 {
			delete(m.held, h)
		}
	}
}

// Bytes is what one request, connection or queue holds of a [Memory]. It is safe for concurrent use. A nil hold has no limit.
type Bytes struct {
	memory *Memory
	// holders are counted for the bytes, of which the first may hold factor times as much as is left.
	holders []holder
	factor  int64
	most    int64

	// attempts is set for one of several attempts at an answer.
	attempts *Attempts

	mu     sync.Mutex
	held   int64
	closed bool
	// attempted is what attempts hold that may become bytes of this hold.
	attempted int64
}

// fits reports whether n more bytes are within the maximum. The lock is held.
func (b *Bytes) fits(n int64) bool { return !b.closed && b.held+b.attempted <= b.most-n }

// Grow takes n more bytes before they are allocated. It takes none and returns [ErrMemory] if the caller would hold more than
// is left free, [ErrFull] if less than n is left, and [ErrTooMuch] if the hold would exceed its maximum.
func (b *Bytes) Grow(n int64) error {
	if b == nil || n <= 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.fits(n) {
		return ErrTooMuch
	}
	if b.attempts != nil {
		if err := b.attempts.grow(b.held + n); err != nil {
			return err
		}
	}
	if b.memory != nil {
		if err := b.memory.take(b.holders, b.factor, n); err != nil {
			return err
		}
	}
	b.held += n
	return nil
}

// Shrink gives back n bytes, at most those that are held.
func (b *Bytes) Shrink(n int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	n = min(n, b.held)
	if n <= 0 {
		return
	}
	b.held -= n
	if b.memory != nil {
		b.memory.give(b.holders, n)
	}
}

// Release gives back all bytes. The hold can be used again.
func (b *Bytes) Release() {
	b.Shrink(math.MaxInt64)
}

// Close gives back all bytes. After that, Grow returns [ErrTooMuch], so that what still works for the hold takes nothing that is never given back.
func (b *Bytes) Close() {
	if b == nil {
		return
	}
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.Release()
}

// ReadAll reads r to its end, at most most+1 bytes, and takes each part before it is kept. expected is the length if it is known, such as
// that of an HTTP response, and otherwise below 0. After an error it gives back what it took.
func (b *Bytes) ReadAll(r io.Reader, expected, most int64) ([]byte, error) {
	reading := &growing{reader: io.LimitReader(r, most+1), bytes: b}
	var into bytes.Buffer
	if expected > 0 && expected <= most {
		into.Grow(int(expected) + bytes.MinRead)
	}
	if _, err := into.ReadFrom(reading); err != nil {
		b.Shrink(reading.taken)
		return nil, err
	}
	return into.Bytes(), nil
}

// Reader returns a reader that takes each part of r before it is passed on, and fails with the error of [Bytes.Grow].
func (b *Bytes) Reader(r io.Reader) io.Reader { return &growing{reader: r, bytes: b} }

// growing takes the bytes that are read.
type growing struct {
	reader io.Reader
	bytes  *Bytes
	taken  int64
}

func (g *growing) Read(p []byte) (int, error) {
	n, err := g.reader.Read(p)
	if refused := g.bytes.Grow(int64(n)); refused != nil {
		return 0, refused
	}
	g.taken += int64(n)
	return n, err
}

type bytesKey struct{}

// WithBytes returns a context whose reads take their bytes from the hold.
func WithBytes(ctx context.Context, b *Bytes) context.Context {
	return context.WithValue(ctx, bytesKey{}, b)
}

// BytesOf returns the hold of [WithBytes], or nil.
func BytesOf(ctx context.Context) *Bytes {
	b, _ := ctx.Value(bytesKey{}).(*Bytes)
	return b
}
