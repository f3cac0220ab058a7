package finalcache

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// errBroken is the error of a store that fails.
var errBroken = errors.New("broken")

// fake is a store in memory that can fail, hang, and wait.
type fake struct {
	mu      sync.Mutex
	entries map[Key]Entry
	finds   int
	fails   bool
	// hangs holds calls until it is closed, whatever their deadline.
	hangs chan struct{}
}

func (f *fake) wait() error {
	f.mu.Lock()
	hangs, fails := f.hangs, f.fails
	f.mu.Unlock()
	if hangs != nil {
		<-hangs
	}
	if fails {
		return errBroken
	}
	return nil
}

func (f *fake) Find(_ context.Context, keys []Key, each func(Entry) bool) error {
	f.mu.Lock()
	f.finds++
	f.mu.Unlock()
	if err := f.wait(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, key := range keys {
		if e, ok := f.entries[key]; ok && !each(e) {
			break
		}
	}
	return nil
}

func (f *fake) Add(_ context.Context, entries []Entry, now time.Time) error {
	if err := f.wait(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range entries {
		e.UsedAt = now
		f.entries[e.Key] = e
	}
	return nil
}

func (f *fake) Touch(_ context.Context, keys []Key, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, key := range keys {
		e := f.entries[key]
		e.UsedAt = now
		f.entries[key] = e
	}
	return nil
}

func (*fake) Trim(context.Context, int64) (int64, error)     { return 0, nil }
func (*fake) Sizes(context.Context) (map[string]Size, error) { return nil, nil }

func (f *fake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

// asked returns how often the store was asked.
func (f *fake) asked() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.finds
}

func (f *fake) len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.entries)
}

// started returns a cache of an open store, which ends with the test.
func started(t *testing.T, cfg Config, f *fake) (*Cache, *clocktest.Ahead) {
	t.Helper()
	f.entries = map[Key]Entry{}
	clock := &clocktest.Ahead{}
	c := New(cfg, Deps{Clock: clock, Log: slog.New(slog.DiscardHandler), Open: func(context.Context) (Store, func() error, error) {
		return f, func() error { return nil }, nil
	}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	until(t, func() bool { return c.store.Load() != nil })
	return c, clock
}

func until(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not happen")
		}
	}
}

func entry(n int, size int) Entry {
	return Entry{Key: KeyOf("eip155:1", fmt.Sprint(n)), ChainID: "eip155:1", Result: json.RawMessage(bytes.Repeat([]byte("1"), size))}
}

func read(n int) Read { return Read{Key: entry(n, 0).Key, ChainID: "eip155:1", Method: "eth_getLogs"} }

func TestWhatIsKeptIsFound(t *testing.T) {
	f := &fake{}
	c, clock := started(t, DefaultConfig(), f)
	c.Keep(t.Context(), entry(1, 10))
	until(t, func() bool { return f.len() == 1 })
	got := c.Find(t.Context(), read(1), read(2))
	if len(got) != 1 || string(got[read(1).Key].Result) != "1111111111" {
		t.Errorf("found %v", got)
	}
	clock.Pass(2 * time.Hour)
	kept := got[read(1).Key].UsedAt
	c.Find(t.Context(), read(1))
	until(t, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.entries[read(1).Key].UsedAt.After(kept)
	})
}

func TestAStoreThatFailsIsNotAskedForAWhile(t *testing.T) {
	f := &fake{fails: true}
	c, clock := started(t, DefaultConfig(), f)
	for range 10 {
		if got := c.Find(t.Context(), read(1)); len(got) > 0 {
			t.Fatalf("found %v", got)
		}
	}
	if n := f.asked(); n != breakAfter {
		t.Errorf("it was asked %d times", n)
	}
	clock.Pass(firstBreak)
	f.set(func() { f.fails = false })
	c.Find(t.Context(), read(1))
	c.Find(t.Context(), read(1))
	if n := f.asked(); n != breakAfter+2 {
		t.Errorf("after the break it was asked %d times", n)
	}
}

// The reads return although the store never does.
func TestAStoreThatHangsHoldsNoReadAndFewRoutines(t *testing.T) {
	f := &fake{}
	c, clock := started(t, DefaultConfig(), f)
	hangs := make(chan struct{})
	f.set(func() { f.hangs = hangs })
	for range 5 * concurrentFinds {
		clock.Pass(longestBreak)
		if got := c.Find(t.Context(), read(1)); len(got) > 0 {
			t.Fatalf("found %v", got)
		}
	}
	if n := f.asked(); n > concurrentFinds {
		t.Errorf("%d calls wait for the store", n)
	}
	f.set(func() { f.hangs = nil })
	close(hangs)
	until(t, func() bool { return len(c.finding) == 0 })
}

func TestWhatHasNoRoomIsDropped(t *testing.T) {
	f := &fake{}
	c, _ := started(t, DefaultConfig(), f)
	hangs := make(chan struct{})
	f.set(func() { f.hangs = hangs })
	for n := range 10 * queued {
		c.Keep(t.Context(), entry(n, 1<<10))
	}
	for n := range 100 {
		c.Keep(t.Context(), entry(n, 1<<20))
	}
	c.Keep(t.Context(), entry(-1, 1<<20+1))
	if waiting := c.waiting.Load(); waiting > queuedBytes {
		t.Errorf("%d bytes wait", waiting)
	}
	f.set(func() { f.hangs = nil })
	close(hangs)
	until(t, func() bool { return c.waiting.Load() == 0 })
	if n := f.len(); n == 0 || n > queued+batchSize {
		t.Errorf("%d of %d are kept", n, 10*queued)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.entries[entry(-1, 0).Key]; ok {
		t.Error("a result over the bound is kept")
	}
}

func TestACallerAddsASixteenthOfTheCacheAnHour(t *testing.T) {
	f := &fake{}
	c, clock := started(t, Config{MaxBytes: 16 << 20, MaxEntryBytes: 1 << 20}, f)
	stranger := caller.NewIncomingContext(t.Context(), caller.Caller{Project: "p", Address: "192.0.2.1"})
	elsewhere := caller.NewIncomingContext(t.Context(), caller.Caller{Project: "q", Address: "192.0.2.1"})
	other := caller.NewIncomingContext(t.Context(), caller.Caller{Project: "p", Address: "192.0.2.2"})
	const size = 16<<10 - rowBytes
	fill := func(ctx context.Context, from, to int) {
		for n := from; n < to; n++ {
			c.Keep(ctx, entry(n, size))
			until(t, func() bool { return c.waiting.Load() < queuedBytes/2 })
		}
	}
	fill(stranger, 0, 200)
	until(t, func() bool { return c.waiting.Load() == 0 })
	if n := f.len(); n != 1<<20/(16<<10) {
		t.Errorf("a caller added %d results", n)
	}
	fill(elsewhere, 500, 510)
	fill(other, 1000, 1010)
	fill(t.Context(), 2000, 2200)
	until(t, func() bool { return c.waiting.Load() == 0 })
	if n := f.len(); n != 64+10+200 {
		t.Errorf("with another caller and the suite itself there are %d results", n)
	}
	clock.Pass(time.Hour)
	fill(stranger, 3000, 3001)
	until(t, func() bool { return f.len() == 64+10+200+1 })
}

func TestAWriterGoesOnAfterAFailure(t *testing.T) {
	f := &fake{fails: true}
	c, _ := started(t, DefaultConfig(), f)
	c.Keep(t.Context(), entry(1, 10))
	until(t, func() bool { return c.waiting.Load() == 0 })
	f.set(func() { f.fails = false })
	c.Keep(t.Context(), entry(2, 10))
	until(t, func() bool { return f.len() == 1 })
}

func TestTheRestIsWrittenAtTheEnd(t *testing.T) {
	f := &fake{entries: map[Key]Entry{}}
	c := New(DefaultConfig(), Deps{Clock: &clocktest.Ahead{}, Log: slog.New(slog.DiscardHandler), Open: func(context.Context) (Store, func() error, error) {
		return f, func() error { return nil }, nil
	}})
	for n := range 300 {
		c.Keep(t.Context(), entry(n, 10))
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	until(t, func() bool { return c.store.Load() != nil })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || f.len() != 300 {
		t.Errorf("%d are written, %v", f.len(), err)
	}
}

func TestTheStoreIsOpenedAgainUntilItOpens(t *testing.T) {
	f, tries := &fake{entries: map[Key]Entry{}}, 0
	c := New(DefaultConfig(), Deps{Clock: &clocktest.Ahead{}, Log: slog.New(slog.DiscardHandler), Open: func(context.Context) (Store, func() error, error) {
		if tries++; tries == 1 {
			return nil, nil, errBroken
		}
		return f, func() error { return nil }, nil
	}})
	if got := c.Find(t.Context(), read(1)); got != nil {
		t.Errorf("found %v before the store is open", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	until(t, func() bool { return c.store.Load() != nil })
	cancel()
	<-ended
}

func TestEncodedResultsAreReadAsTheyWere(t *testing.T) {
	for _, text := range []string{"", `"0x1"`, string(bytes.Repeat([]byte("ab"), 300_000)), "\x00\xff"} {
		got, err := decode(encode(json.RawMessage(text)))
		if err != nil || string(got) != text {
			t.Errorf("%.10q: %d bytes, %v", text, len(got), err)
		}
	}
	for _, damaged := range [][]byte{{9}, {deflated}, {deflated, 1, 2, 3}, encode(bytes.Repeat([]byte("a"), mostDecoded+1))} {
		if _, err := decode(damaged); err == nil {
			t.Errorf("%.10x is read", damaged)
		}
	}
}
