// Package authtest has the conformance tests of [auth.Store].
package authtest

import (
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hawser-dev/hawser/services/auth"
)

// start is a moment that is exact to the millisecond.
var start = time.UnixMilli(1_700_000_000_123).UTC()

// RunStore runs the conformance tests on an empty store.
func RunStore(t *testing.T, s auth.Store) {
	site := auth.Site{Project: "00000000000000000000000000000001", Origin: "https://shop.example:8443"}

	t.Run("a nonce is returned as it was stored, once", func(t *testing.T) {
		want := auth.Nonce{Value: "first", TokenHash: "aa", Site: site, Expires: start}
		insertNonce(t, s, want)
		insertNonce(t, s, auth.Nonce{Value: "second", TokenHash: "bb", Site: site, Expires: start})
		if got, err := s.TakeNonce(t.Context(), "first"); err != nil || got != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
		if _, err := s.TakeNonce(t.Context(), "first"); !errors.Is(err, auth.ErrNonce) {
			t.Errorf("the second time: %v", err)
		}
		if got, err := s.TakeNonce(t.Context(), "second"); err != nil || got.Value != "second" {
			t.Errorf("another nonce: %+v, %v", got, err)
		}
	})

	t.Run("only one of several concurrent calls gets the nonce", func(t *testing.T) {
		insertNonce(t, s, auth.Nonce{Value: "wanted", TokenHash: "aa", Site: site, Expires: start})
		var taken atomic.Int32
		var g errgroup.Group
		for range 8 {
			g.Go(func() error {
				_, err := s.TakeNonce(t.Context(), "wanted")
				if err == nil {
					taken.Add(1)
				} else if !errors.Is(err, auth.ErrNonce) {
					return err
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil || taken.Load() != 1 {
			t.Errorf("%d calls got it, %v", taken.Load(), err)
		}
	})

	session := auth.Session{
		TokenHash: "hash", Site: site, Domain: "shop.example:8443", Address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
		ChainID: "eip155:1", ChainIDs: []string{"eip155:1", "eip155:10"}, AllChains: true, IssuedAt: start, Expires: start.Add(time.Hour),
	}

	t.Run("a session is returned as it was stored", func(t *testing.T) {
		insertSession(t, s, session)
		if got, err := s.FindSession(t.Context(), "hash"); err != nil || !reflect.DeepEqual(got, session) {
			t.Errorf("%+v, %v; want %+v", got, err, session)
		}
		if _, err := s.FindSession(t.Context(), "other"); !errors.Is(err, auth.ErrSession) {
			t.Errorf("a token that is not known: %v", err)
		}
	})

	t.Run("a session is deleted by its own project only", func(t *testing.T) {
		if err := s.DeleteSession(t.Context(), "00000000000000000000000000000002", "hash"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.FindSession(t.Context(), "hash"); err != nil {
			t.Errorf("another project deleted it: %v", err)
		}
		for range 2 {
			if err := s.DeleteSession(t.Context(), site.Project, "hash"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.FindSession(t.Context(), "hash"); !errors.Is(err, auth.ErrSession) {
			t.Errorf("after it was deleted: %v", err)
		}
	})

	t.Run("only expired rows are deleted", func(t *testing.T) {
		insertNonce(t, s, auth.Nonce{Value: "old", Site: site, Expires: start})
		insertNonce(t, s, auth.Nonce{Value: "new", Site: site, Expires: start.Add(time.Millisecond)})
		for hash, expires := range map[string]time.Time{"old": start, "new": start.Add(time.Millisecond)} {
			kept := session
			kept.TokenHash, kept.Expires = hash, expires
			insertSession(t, s, kept)
		}
		if err := s.DeleteExpired(t.Context(), start); err != nil {
			t.Fatal(err)
		}
		if _, err := s.TakeNonce(t.Context(), "old"); !errors.Is(err, auth.ErrNonce) {
			t.Errorf("expired nonce: %v", err)
		}
		if _, err := s.TakeNonce(t.Context(), "new"); err != nil {
			t.Errorf("nonce: %v", err)
		}
		if _, err := s.FindSession(t.Context(), "old"); !errors.Is(err, auth.ErrSession) {
			t.Errorf("expired session: %v", err)
		}
		if _, err := s.FindSession(t.Context(), "new"); err != nil {
			t.Errorf("session: %v", err)
		}
	})
}

func insertNonce(t *testing.T, s auth.Store, n auth.Nonce) {
	t.Helper()
	if err := s.InsertNonce(t.Context(), n); err != nil {
		t.Fatal(err)
	}
}

func insertSession(t *testing.T, s auth.Store, n auth.Session) {
	t.Helper()
	if err := s.InsertSession(t.Context(), n); err != nil {
		t.Fatal(err)
	}
}
