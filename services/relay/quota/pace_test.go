package quota

import (
	"testing"
	"time"
)

func TestThoseThatComeAtOnceHaveTurnsOneAfterTheOther(t *testing.T) {
	p := newPace(1000, 10*time.Second)
	now := time.Unix(1_700_000_000, 0)
	const come = 15_000
	last, atOnce, longest := time.Duration(0), 0, 0
	for range come {
		wait := p.reserve(now)
		if wait < last {
			t.Fatalf("one that came later waits %s, one before it %s", wait, last)
		}
		switch last = wait; wait {
		case 0:
			atOnce++
		case 10 * time.Second:
			longest++
		}
	}
	if atOnce < 500 || atOnce > 502 {
		t.Errorf("%d had their turns at once, want those of half a second", atOnce)
	}
	if want := come - 500 - 10_000; longest < want-2 || longest > want+2 {
		t.Errorf("%d wait for the longest time, want %d", longest, want)
	}
	// Those that waited for the longest time took no turns, so that the queue is no longer than that.
	if wait := p.reserve(now.Add(10*time.Second + p.early)); wait > 10*time.Millisecond {
		t.Errorf("after all turns one waits %s", wait)
	}
}

func TestOneThatComesAloneDoesNotWait(t *testing.T) {
	p := newPace(1000, 10*time.Second)
	now := time.Unix(1_700_000_000, 0)
	for i := range 10_000 {
		if wait := p.reserve(now.Add(time.Duration(i) * time.Millisecond)); wait != 0 {
			t.Fatalf("number %d waits %s", i, wait)
		}
	}
}
