package cache

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

func entriesOf[K comparable, V any](c *Cache[K, V]) *otter.Cache[any, any] {
	return c.table.(otterTable).entries
}

func TestEntriesAreSetAndDeleted(t *testing.T) {
	c := New(Options[string, int]{})
	if got, ok := c.Get("a"); ok || got != 0 {
		t.Errorf("no entry: got %d, %v", got, ok)
	}
	if previous, ok := c.Swap("a", 1); ok || previous != 0 {
		t.Errorf("the first value replaced %d, %v", previous, ok)
	}
	if previous, ok := c.Swap("a", 2); !ok || previous != 1 {
		t.Errorf("the second value replaced %d, %v", previous, ok)
	}
	c.Set("b", 3)
	c.Set("c", 4)
	c.Delete("b")
	if _, ok := c.Get("b"); ok {
		t.Error("a deleted entry was found")
	}
	if got, ok := c.Get("a"); !ok || got != 2 {
		t.Errorf("beside a deleted entry: got %d, %v", got, ok)
	}
	c.Clear()
	for _, key := range []string{"a", "c"} {
		if _, ok := c.Get(key); ok {
			t.Errorf("%s was found in an empty cache", key)
		}
	}
}

// failure is an error whose nil pointer is not a nil error.
type failure struct{}

func (*failure) Error() string { return "failure" }

func TestNilIsAValue(t *testing.T) {
	pointers := New(Options[string, *int]{})
	pointers.Set("a", nil)
	if got, ok := pointers.Get("a"); !ok || got != nil {
		t.Errorf("pointer: got %v, %v", got, ok)
	}
	lists := New(Options[string, []byte]{})
	lists.Set("a", nil)
	if got, ok := lists.Get("a"); !ok || got != nil {
		t.Errorf("list: got %v, %v", got, ok)
	}
	var weighed, timed []error
	faults := New(Options[error, error]{
		MaxWeight:  10,
		Weigh:      func(key, value error) uint32 { weighed = append(weighed, key, value); return 1 },
		LifetimeOf: func(value error) time.Duration { timed = append(timed, value); return time.Hour },
	})
	typed := error((*failure)(nil))
	for _, value := range []error{nil, typed, context.Canceled, nil} {
		faults.Set(nil, value)
		if got, ok := faults.Get(nil); !ok || any(got) != any(value) {
			t.Errorf("interface: got %#v, %v, want %#v", got, ok, value)
		}
		loaded, err := faults.GetOrLoad(t.Context(), context.Canceled, func(context.Context) (error, error) { return value, nil })
		if err != nil || any(loaded) != any(value) {
			t.Errorf("loaded interface: got %#v, %v, want %#v", loaded, err, value)
		}
		faults.Delete(context.Canceled)
	}
	if previous, ok := faults.Swap(nil, typed); !ok || previous != nil {
		t.Errorf("swapped: got %#v, %v", previous, ok)
	}
	if len(weighed) == 0 || weighed[0] != nil || weighed[1] != nil || len(timed) == 0 || timed[0] != nil {
		t.Errorf("weighed %v, timed %v", weighed, timed)
	}
}

func TestKeysAreEqualByValue(t *testing.T) {
	type key struct {
		chain string
		owner [20]byte
	}
	c := New(Options[key, key]{MaxEntries: 10})
	for i := range byte(4) {
		c.Set(key{"eip155:1", [20]byte{i}}, key{fmt.Sprint(i), [20]byte{i}})
	}
	for i := range byte(4) {
		want := key{fmt.Sprint(i), [20]byte{i}}
		if got, ok := c.Get(key{"eip155:" + fmt.Sprint(1), [20]byte{i}}); !ok || got != want {
			t.Errorf("got %v, %v, want %v", got, ok, want)
		}
	}
}

func TestEntriesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		same := New(Options[string, bool]{Lifetime: time.Minute})
		byValue := New(Options[string, bool]{LifetimeOf: func(found bool) time.Duration {
			if found {
				return time.Hour
			}
			return time.Second
		}})
		forever := New(Options[string, bool]{})
		defer entriesOf(same).StopAllGoroutines()
		defer entriesOf(byValue).StopAllGoroutines()
		same.Set("a", true)
		byValue.Set("found", true)
		byValue.Set("absent", false)
		forever.Set("a", true)
		if left, ok := same.ExpiresAfter("a"); !ok || left != time.Minute {
			t.Errorf("new: left %s, %v", left, ok)
		}
		time.Sleep(time.Minute - 1)
		for _, expected := range []struct {
			cache *Cache[string, bool]
			key   string
			kept  bool
		}{{same, "a", true}, {byValue, "found", true}, {byValue, "absent", false}, {forever, "a", true}} {
			if _, ok := expected.cache.Get(expected.key); ok != expected.kept {
				t.Errorf("%s: found %v", expected.key, ok)
			}
		}
		if left, ok := same.ExpiresAfter("a"); !ok || left != 1 {
			t.Errorf("a read prolonged an entry: left %s, %v", left, ok)
		}
		time.Sleep(time.Nanosecond)
		if _, ok := same.Get("a"); ok {
			t.Error("an entry outlived its lifetime")
		}
		if _, ok := same.ExpiresAfter("a"); ok {
			t.Error("an expired entry has time left")
		}
		same.Set("b", true)
		time.Sleep(time.Minute - 1)
		same.Set("b", true)
		time.Sleep(time.Minute - 1)
		if _, ok := same.Get("b"); !ok {
			t.Error("a write did not prolong an entry")
		}
		time.Sleep(time.Hour)
		if _, ok := byValue.Get("found"); ok {
			t.Error("an entry outlived the lifetime of its value")
		}
		if _, ok := forever.Get("a"); !ok {
			t.Error("an entry without a lifetime expired")
		}
	})
}

// found returns how many of the keys below n are in the cache.
func found(c *Cache[int, int], n int) (count int) {
	entriesOf(c).CleanUp()
	for key := range n {
		if _, ok := c.Get(key); ok {
			count++
		}
	}
	return count
}

func TestNumberAndWeightAreBounded(t *testing.T) {
	const n = 1000
	numbered := New(Options[int, int]{MaxEntries: 100})
	weighed := New(Options[int, int]{MaxWeight: 100, Weigh: func(key, value int) uint32 { return uint32(value) }})
	unbounded := New(Options[int, int]{})
	for key := range n {
		numbered.Set(key, 10)
		weighed.Set(key, 10)
		unbounded.Set(key, 10)
	}
	if got := found(numbered, n); got != 100 {
		t.Errorf("%d entries, want 100", got)
	}
	if got := found(weighed, n); got != 10 {
		t.Errorf("%d entries of a tenth of the weight", got)
	}
	if got := found(unbounded, n); got != n {
		t.Errorf("%d entries, want all", got)
	}
	weighed.Set(n, 101)
	entriesOf(weighed).CleanUp()
	if _, ok := weighed.Get(n); ok {
		t.Error("an entry above the bound was kept")
	}
}

func TestOptionsThatExcludeEachOther(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a bound of weight without weights was accepted")
		}
	}()
	New(Options[int, int]{MaxWeight: 1})
}

func TestConcurrentCallsShareOneLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options[string, int]{MaxEntries: 10})
		var loads atomic.Int64
		load := func(context.Context) (int, error) {
			time.Sleep(time.Second)
			return int(loads.Add(1)), nil
		}
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() {
				if got, err := c.GetOrLoad(t.Context(), "a", load); err != nil || got != 1 {
					t.Errorf("got %d, %v", got, err)
				}
			})
		}
		group.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			synctest.Wait()
			if _, err := c.GetOrLoad(ctx, "a", load); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a caller whose context ended: %v", err)
			}
		})
		group.Wait()
		if got, ok := c.Get("a"); !ok || got != 1 {
			t.Errorf("kept %d, %v", got, ok)
		}
		if got, err := c.GetOrLoad(t.Context(), "b", load); err != nil || got != 2 {
			t.Errorf("another key: got %d, %v", got, err)
		}
	})
}

func TestLoadThatFailsIsNotKept(t *testing.T) {
	c := New(Options[string, *int]{MaxEntries: 10, Lifetime: time.Hour})
	broken := errors.New("broken")
	if got, err := c.GetOrLoad(t.Context(), "a", func(context.Context) (*int, error) { return nil, broken }); !errors.Is(err, broken) || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if _, ok := c.Get("a"); ok {
		t.Error("a failure was kept")
	}
	if got, err := c.GetOrLoad(t.Context(), "a", func(context.Context) (*int, error) { return nil, nil }); err != nil || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := c.GetOrLoad(t.Context(), "a", func(context.Context) (*int, error) { return nil, broken }); err != nil || got != nil {
		t.Errorf("a nil value was not kept: got %v, %v", got, err)
	}
}

func TestValueIsLoadedAgainIfItsKeyWasDeletedMeanwhile(t *testing.T) {
	c := New(Options[string, int]{MaxEntries: 10})
	loads := 0
	got, err := c.GetOrLoad(t.Context(), "a", func(context.Context) (int, error) {
		if loads++; loads == 1 {
			done := make(chan struct{})
			go func() { defer close(done); c.Delete("a") }()
			<-done
		}
		return loads, nil
	})
	if err != nil || got != 2 {
		t.Errorf("got %d, %v", got, err)
	}
}

func TestLifetimesAreOfTheClock(t *testing.T) {
	now := clocktest.StoppedAt(time.Unix(1_700_000_000, 0))
	c := New(Options[string, int]{MaxEntries: 10, Lifetime: time.Hour, Clock: now})
	c.Set("a", 1)
	now.Pass(time.Hour - time.Second)
	if got, ok := c.Get("a"); !ok || got != 1 {
		t.Errorf("before the hour: got %d, %v", got, ok)
	}
	now.Pass(2 * time.Second)
	if got, ok := c.Get("a"); ok {
		t.Errorf("after the hour: got %d", got)
	}
}
