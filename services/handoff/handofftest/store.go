// Package handofftest has the conformance tests of [handoff.Store].
package handofftest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hawser-dev/hawser/services/handoff"
)

// start is a moment that is exact to the millisecond.
var start = time.UnixMilli(1_700_000_000_123).UTC()

// RunStore runs the conformance tests on an empty store.
func RunStore(t *testing.T, s handoff.Store) {
	insert := func(t *testing.T, id string) handoff.Handoff {
		t.Helper()
		h := handoff.Handoff{
			ID: id, Project: "00000000000000000000000000000001", Origin: "https://shop.example:8443", Commitment: "aa", SecretHash: "bb", Expires: start.Add(time.Minute),
		}
		if err := s.Insert(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		return h
	}

	t.Run("a hand-off is found as it was stored", func(t *testing.T) {
		want := insert(t, "stored")
		if got, err := s.Find(t.Context(), "stored"); err != nil || got != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
		if _, err := s.Find(t.Context(), "another"); !errors.Is(err, handoff.ErrUnknown) {
			t.Errorf("another: %v", err)
		}
	})

	t.Run("an id is taken once", func(t *testing.T) {
		want := insert(t, "once")
		other := want
		other.SecretHash = "ff"
		if err := s.Insert(t.Context(), other); !errors.Is(err, handoff.ErrStarted) {
			t.Errorf("again: %v", err)
		}
		if got, err := s.Find(t.Context(), "once"); err != nil || got != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	})

	t.Run("hand-offs are counted until they expire, apart for each project", func(t *testing.T) {
		h := handoff.Handoff{Project: "00000000000000000000000000000002", Origin: "https://shop.example", Commitment: "aa", SecretHash: "bb"}
		later := start.Add(time.Hour)
		for n := range 3 {
			h.ID, h.Expires = fmt.Sprintf("counted %d", n), later.Add(time.Duration(n)*time.Millisecond)
			if err := s.Insert(t.Context(), h); err != nil {
				t.Fatal(err)
			}
		}
		for _, tt := range []struct {
			project          string
			now              time.Time
			ofProject, total int
		}{
			{h.Project, later.Add(-time.Millisecond), 3, 3},
			{h.Project, later.Add(time.Millisecond), 1, 1},
			{"00000000000000000000000000000003", later, 0, 2},
			{h.Project, later.Add(2 * time.Millisecond), 0, 0},
		} {
			if ofProject, total, err := s.Count(t.Context(), tt.project, tt.now); err != nil || ofProject != tt.ofProject || total != tt.total {
				t.Errorf("%+v: %d of %d, %v", tt, ofProject, total, err)
			}
		}
	})

	t.Run("the first key claims it, and can do so again", func(t *testing.T) {
		want := insert(t, "first")
		want.PublicKey = "cc"
		for range 2 {
			if got, err := s.Claim(t.Context(), "first", "cc", start); err != nil || got != want {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
		}
		for range 2 {
			if _, err := s.Claim(t.Context(), "first", "dd", start); !errors.Is(err, handoff.ErrClaimed) {
				t.Errorf("another key: %v", err)
			}
		}
		want.Refused = 2
		if got, err := s.Find(t.Context(), "first"); err != nil || got != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	})

	t.Run("one of several concurrent keys is the first", func(t *testing.T) {
		insert(t, "wanted")
		var claimed atomic.Int32
		var g errgroup.Group
		for i := range 8 {
			g.Go(func() error {
				_, err := s.Claim(t.Context(), "wanted", fmt.Sprintf("%02x", i), start)
				if err == nil {
					claimed.Add(1)
				} else if !errors.Is(err, handoff.ErrClaimed) {
					return err
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil || claimed.Load() != 1 {
			t.Errorf("%d keys claimed it, %v", claimed.Load(), err)
		}
		if got, err := s.Find(t.Context(), "wanted"); err != nil || got.Refused != 7 {
			t.Errorf("%+v, %v", got, err)
		}
	})

	t.Run("an expired or unknown hand-off cannot be claimed", func(t *testing.T) {
		insert(t, "expired")
		for _, id := range []string{"expired", "unknown"} {
			if _, err := s.Claim(t.Context(), id, "cc", start.Add(time.Minute)); !errors.Is(err, handoff.ErrUnknown) {
				t.Errorf("%s: %v", id, err)
			}
		}
	})

	t.Run("expired hand-offs are deleted, and only they", func(t *testing.T) {
		insert(t, "old")
		if err := s.DeleteExpired(t.Context(), start.Add(time.Minute-time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Find(t.Context(), "old"); err != nil {
			t.Errorf("before it expired: %v", err)
		}
		if err := s.DeleteExpired(t.Context(), start.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Find(t.Context(), "old"); !errors.Is(err, handoff.ErrUnknown) {
			t.Errorf("after it expired: %v", err)
		}
	})
}
