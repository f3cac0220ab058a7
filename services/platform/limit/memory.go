package limit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
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
// A network may hold as much as is left free, see [Held]; the suite's own calls, those of callers without a network, four times as much. A part of the suite
// that holds bytes for long or many at once has a share of its own, like a network ([Memory.HoldOwn]).
//
// Bytes are counted once, where they are read. What decodes them holds a copy for a moment, and caches are not counted, so a budget is a quarter of what
// a process has: a test of gateway/cmd/hawser adds up the rest.
type Memory struct {
	total int64

	mu   sync.Mutex
	used int64
	// refused counts calls of Grow that returned ErrMemory or ErrFull.
	refused int64
	held    Held
	// own is what the parts of the suite hold, by name.
	own map[string]int64
}

// NewMemory returns a budget of this many bytes.
func NewMemory(total int64) *Memory {
	return &Memory{total: total, held: Held{}, own: map[string]int64{}}
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
	return &Bytes{memory: m, share: share{caller: c}, most: most}
}

// HoldOwn returns an empty hold for the named part of the suite, whose bytes do not count as those of its own calls.
func (m *Memory) HoldOwn(part string) *Bytes {
	return &Bytes{memory: m, share: share{part: part}, most: math.MaxInt64}
}

// take takes n bytes for a share.
func (m *Memory) take(s share, n int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	free := m.total - m.used - n
	if free < 0 {
		m.refused++
		return ErrFull
	}
	if !m.allows(s, n, free) {
		m.refused++
		return ErrMemory
	}
	m.used += n
	m.add(s, n)
	return nil
}

func (m *Memory) give(s share, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used -= n
	m.add(s, -n)
}

// allows reports whether a share may have n more bytes, if this many are free after it. The lock is held.
func (m *Memory) allows(s share, n, free int64) bool {
	switch {
	case s.part != "":
		return m.own[s.part]+n <= free
	case !s.caller.Network.IsValid():
		free *= ownFactor
	}
	return m.held.Allows(s.caller, n, free)
}

// add adds n, which may be negative, to what a share has. The lock is held.
func (m *Memory) add(s share, n int64) {
	if s.part == "" {
		m.held.Add(s.caller, n)
		return
	}
	if m.own[s.part] += n; m.own[s.part] == 0 {
		delete(m.own, s.part)
	}
}

// share is whose part of a [Memory] bytes are: a caller's, or that of a part of the suite.
type share struct {
	caller Caller
	part   string
}

// Bytes is what one request, connection or queue holds of a [Memory]. It is safe for concurrent use. A nil hold has no limit.
type Bytes struct {
	memory *Memory
	share  share
	most   int64

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
		if err := b.memory.take(b.share, n); err != nil {
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
		b.memory.give(b.share, n)
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
		if err := b.Grow(expected); err != nil {
			return nil, err
		}
		reading.taken = expected
		into.Grow(int(expected) + bytes.MinRead)
	}
	if _, err := into.ReadFrom(reading); err != nil {
		b.Shrink(reading.taken)
		return nil, err
	}
	b.Shrink(reading.taken - reading.read)
	return into.Bytes(), nil
}

// Reader returns a reader that takes each part of r before it is passed on, and fails with the error of [Bytes.Grow].
func (b *Bytes) Reader(r io.Reader) io.Reader { return &growing{reader: r, bytes: b} }

// growing takes the bytes that are read, beyond those that were taken before.
type growing struct {
	reader      io.Reader
	bytes       *Bytes
	taken, read int64
}

func (g *growing) Read(p []byte) (int, error) {
	n, err := g.reader.Read(p)
	g.read += int64(n)
	if more := g.read - g.taken; more > 0 {
		if refused := g.bytes.Grow(more); refused != nil {
			return 0, refused
		}
		g.taken = g.read
	}
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
