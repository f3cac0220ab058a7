package limit

import "math"

// Attempts are requests for one answer to several servers, of which one is kept. All their bytes are taken from the memory, but only those of the
// largest count against the maximum of the hold. It is safe for concurrent use.
type Attempts struct {
	of *Bytes
	// largest is what the largest attempt counts, and open are the holds that were not kept. They are guarded by the lock of the hold.
	largest int64
	open    []*Bytes
	closed  bool
}

// Attempts returns attempts at an answer whose bytes the hold takes over. Call [Attempts.Close] when one was kept, or all failed.
func (b *Bytes) Attempts() *Attempts { return &Attempts{of: b} }

// Hold returns the hold of another attempt; nil, which has no limit, if the answer has none.
func (a *Attempts) Hold() *Bytes {
	if a.of == nil {
		return nil
	}
	a.of.mu.Lock()
	defer a.of.mu.Unlock()
	b := &Bytes{memory: a.of.memory, share: a.of.share, most: math.MaxInt64, attempts: a}
	a.open = append(a.open, b)
	return b
}

// grow counts an attempt of n bytes.
func (a *Attempts) grow(n int64) error {
	a.of.mu.Lock()
	defer a.of.mu.Unlock()
	more := max(0, n-a.largest)
	if a.closed || !a.of.fits(more) {
		return ErrTooMuch
	}
	a.of.attempted += more
	a.largest += more
	return nil
}

// Keep gives the bytes of an attempt to the hold of the answer, and closes the other attempts.
func (a *Attempts) Keep(b *Bytes) {
	if a.of != nil && b != nil {
		b.mu.Lock()
		kept := b.held
		b.held, b.closed = 0, true
		b.mu.Unlock()
		a.of.adopt(kept)
	}
	a.Close()
}

// adopt holds n bytes that were taken from the memory by an attempt.
func (b *Bytes) adopt(n int64) {
	b.mu.Lock()
	b.held += n
	closed := b.closed
	b.mu.Unlock()
	if closed {
		b.Release()
	}
}

// Close gives back the bytes of the attempts that were not kept.
func (a *Attempts) Close() {
	if a.of == nil {
		return
	}
	a.of.mu.Lock()
	open := a.open
	a.of.attempted -= a.largest
	a.open, a.largest, a.closed = nil, 0, true
	a.of.mu.Unlock()
	for _, b := range open {
		b.Close()
	}
}
