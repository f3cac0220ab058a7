// Package consoletest has the conformance tests of [console.Store].
package consoletest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hawser-dev/hawser/services/console"
)

// start is a moment that is exact to the millisecond.
var start = time.UnixMilli(1_700_000_000_123).UTC()

// id returns an id of 32 digits.
func id(n int) string { return fmt.Sprintf("%032x", n) }

// RunStore runs the conformance tests on stores that are empty.
func RunStore(t *testing.T, open func(t *testing.T) console.Store) {
	enter := func(t *testing.T, s console.Store, n int, name string, role console.Role) console.Operator {
		t.Helper()
		got, err := s.Enter(t.Context(), console.Operator{ID: id(n), Name: name, Role: role, CreatedAt: start})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	session := func(n int, at time.Time) console.Session {
		return console.Session{ID: id(n), Hash: fmt.Sprintf("hash %d", n), Address: "192.0.2.1", Browser: "Firefox", CreatedAt: at, UsedAt: at}
	}
	signIn := func(t *testing.T, s console.Store, of string, n int, at time.Time, previous string) console.Session {
		t.Helper()
		link := fmt.Sprintf("link %d", n)
		if err := s.AddLink(t.Context(), of, link, at.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		begun := session(n, at)
		got, err := s.Redeem(t.Context(), link, previous, begun, at)
		if err != nil || got.ID != of {
			t.Fatalf("%+v, %v", got, err)
		}
		begun.OperatorID = of
		return begun
	}

	t.Run("an operator is entered once by name", func(t *testing.T) {
		s := open(t)
		first := enter(t, s, 1, "Ada", console.Owner)
		if again := enter(t, s, 2, "Ada", console.Viewer); again != first {
			t.Errorf("%+v, want %+v", again, first)
		}
		enter(t, s, 3, "Bob", console.Support)
		all, err := s.ListOperators(t.Context())
		if err != nil || len(all) != 2 || all[0] != first || all[1].Name != "Bob" || all[1].Role != console.Support {
			t.Errorf("%+v, %v", all, err)
		}
	})

	t.Run("of several logins with one link, one succeeds", func(t *testing.T) {
		s := open(t)
		ada := enter(t, s, 1, "Ada", console.Owner)
		if err := s.AddLink(t.Context(), ada.ID, "link", start.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		var signedIn atomic.Int32
		var g errgroup.Group
		for n := range 8 {
			g.Go(func() error {
				switch _, err := s.Redeem(t.Context(), "link", "", session(n+10, start), start); {
				case err == nil:
					signedIn.Add(1)
					return nil
				case errors.Is(err, console.ErrLink):
					return nil
				default:
					return err
				}
			})
		}
		if err := g.Wait(); err != nil || signedIn.Load() != 1 {
			t.Errorf("%d signed in, %v", signedIn.Load(), err)
		}
	})

	t.Run("a link that is unknown or expired signs nobody in", func(t *testing.T) {
		s := open(t)
		ada := enter(t, s, 1, "Ada", console.Owner)
		if err := s.AddLink(t.Context(), ada.ID, "link", start.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		for link, at := range map[string]time.Time{"another": start, "link": start.Add(time.Minute)} {
			if _, err := s.Redeem(t.Context(), link, "", session(10, at), at); !errors.Is(err, console.ErrLink) {
				t.Errorf("%s: %v", link, err)
			}
		}
		if _, _, err := s.FindSession(t.Context(), "hash 10"); !errors.Is(err, console.ErrAbsent) {
			t.Errorf("a session was stored: %v", err)
		}
	})

	t.Run("a session is found with its operator, and a login ends the one before", func(t *testing.T) {
		s := open(t)
		ada := enter(t, s, 1, "Ada", console.Owner)
		first := signIn(t, s, ada.ID, 10, start, "")
		got, of, err := s.FindSession(t.Context(), first.Hash)
		if err != nil || got != first || of != ada {
			t.Errorf("%+v of %+v, %v; want %+v", got, of, err, first)
		}
		second := signIn(t, s, ada.ID, 11, start.Add(time.Second), first.Hash)
		if _, _, err := s.FindSession(t.Context(), first.Hash); !errors.Is(err, console.ErrAbsent) {
			t.Errorf("the first session is still there: %v", err)
		}
		if err := s.Touch(t.Context(), second, start.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		got, of, err = s.FindSession(t.Context(), second.Hash)
		if err != nil || !got.UsedAt.Equal(start.Add(time.Hour)) || !of.UsedAt.Equal(start.Add(time.Hour)) {
			t.Errorf("used at %s and %s, %v", got.UsedAt, of.UsedAt, err)
		}
	})

	t.Run("an operator ends own sessions only", func(t *testing.T) {
		s := open(t)
		ada, bob := enter(t, s, 1, "Ada", console.Owner), enter(t, s, 2, "Bob", console.Viewer)
		ofAda := signIn(t, s, ada.ID, 10, start, "")
		if err := s.EndSession(t.Context(), bob.ID, ofAda.ID); err != nil {
			t.Fatal(err)
		}
		if list, err := s.ListSessions(t.Context(), ada.ID); err != nil || len(list) != 1 || list[0] != ofAda {
			t.Errorf("%+v, %v", list, err)
		}
		if err := s.EndSession(t.Context(), ada.ID, ofAda.ID); err != nil {
			t.Fatal(err)
		}
		if list, err := s.ListSessions(t.Context(), ada.ID); err != nil || len(list) != 0 {
			t.Errorf("%+v, %v", list, err)
		}
	})

	t.Run("the sessions and the links of an operator are bounded", func(t *testing.T) {
		s := open(t)
		ada := enter(t, s, 1, "Ada", console.Owner)
		for n := range 25 {
			signIn(t, s, ada.ID, 10+n, start.Add(time.Duration(n)*time.Second), "")
		}
		list, err := s.ListSessions(t.Context(), ada.ID)
		if err != nil || len(list) != 20 || list[0].ID != id(34) || list[19].ID != id(15) {
			t.Errorf("%d sessions, %v", len(list), err)
		}
		for n := range 25 {
			if err := s.AddLink(t.Context(), ada.ID, fmt.Sprintf("more %02d", n), start.Add(time.Duration(n)*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		valid := 0
		for n := range 25 {
			if _, err := s.Redeem(t.Context(), fmt.Sprintf("more %02d", n), "", session(100+n, start), start.Add(-time.Second)); err == nil {
				valid++
			}
		}
		if valid != 20 {
			t.Errorf("%d links are valid", valid)
		}
	})

	t.Run("the last owner stays", func(t *testing.T) {
		s := open(t)
		ada, bob := enter(t, s, 1, "Ada", console.Owner), enter(t, s, 2, "Bob", console.Viewer)
		if _, _, err := s.SetRole(t.Context(), ada.ID, console.Viewer); !errors.Is(err, console.ErrLastOwner) {
			t.Errorf("demoted: %v", err)
		}
		if _, err := s.Remove(t.Context(), ada.ID); !errors.Is(err, console.ErrLastOwner) {
			t.Errorf("removed: %v", err)
		}
		if _, _, err := s.SetRole(t.Context(), ada.ID, console.Owner); err != nil {
			t.Errorf("an owner stays one: %v", err)
		}
		before, after, err := s.SetRole(t.Context(), bob.ID, console.Owner)
		if err != nil || before.Role != console.Viewer || after.Role != console.Owner || after.ID != bob.ID {
			t.Errorf("%+v, %+v, %v", before, after, err)
		}
		signIn(t, s, ada.ID, 10, start, "")
		if removed, err := s.Remove(t.Context(), ada.ID); err != nil || removed != ada {
			t.Errorf("%+v, %v", removed, err)
		}
		if _, _, err := s.FindSession(t.Context(), "hash 10"); !errors.Is(err, console.ErrAbsent) {
			t.Errorf("a session outlives its operator: %v", err)
		}
		for _, err := range []error{second(s.Remove(t.Context(), ada.ID)), third(s.SetRole(t.Context(), ada.ID, console.Owner))} {
			if !errors.Is(err, console.ErrUnknown) {
				t.Errorf("an operator who is gone: %v", err)
			}
		}
	})

	t.Run("two owners who demote each other leave one", func(t *testing.T) {
		s := open(t)
		ada, bob := enter(t, s, 1, "Ada", console.Owner), enter(t, s, 2, "Bob", console.Owner)
		var g errgroup.Group
		for _, o := range []console.Operator{ada, bob} {
			g.Go(func() error {
				if _, _, err := s.SetRole(t.Context(), o.ID, console.Viewer); !errors.Is(err, console.ErrLastOwner) {
					return err
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		all, err := s.ListOperators(t.Context())
		owners := 0
		for _, o := range all {
			if o.Role == console.Owner {
				owners++
			}
		}
		if err != nil || owners != 1 {
			t.Errorf("%d owners, %v", owners, err)
		}
	})

	t.Run("there are at most 200 operators", func(t *testing.T) {
		s := open(t)
		for n := range 200 {
			enter(t, s, n+1, fmt.Sprintf("operator %d", n), console.Viewer)
		}
		if _, err := s.Enter(t.Context(), console.Operator{ID: id(999), Name: "one more", Role: console.Viewer, CreatedAt: start}); !errors.Is(err, console.ErrFull) {
			t.Errorf("err = %v", err)
		}
	})

	t.Run("the operator of an identity is added once, and gets the role of each login", func(t *testing.T) {
		s := open(t)
		enter(t, s, 1, "ada@example.org", console.Owner)
		arrive := func(n int, name string, role console.Role, subject string) (before, after console.Operator) {
			t.Helper()
			before, after, err := s.Arrive(t.Context(), "https://id.example", subject, console.Operator{ID: id(n), Name: name, Role: role, Issuer: "https://id.example", CreatedAt: start}, "", session(n+100, start))
			if err != nil {
				t.Fatal(err)
			}
			return before, after
		}
		// The name of somebody else is not the way to be somebody else.
		before, ada := arrive(2, "ada@example.org", console.Viewer, "ada")
		if before.ID != "" || ada.ID != id(2) || ada.Name != "ada@example.org (2)" || ada.Role != console.Viewer || ada.Issuer != "https://id.example" {
			t.Errorf("%+v, then %+v", before, ada)
		}
		before, again := arrive(3, "ada@example.org", console.Changer, "ada")
		if before != ada || again.ID != ada.ID || again.Role != console.Changer || again.Name != ada.Name {
			t.Errorf("%+v, then %+v", before, again)
		}
		if _, other := arrive(4, "ada@example.org", console.Viewer, "other"); other.ID != id(4) || other.Name != "ada@example.org (3)" {
			t.Errorf("%+v", other)
		}
		if _, of, err := s.FindSession(t.Context(), "hash 103"); err != nil || of != again {
			t.Errorf("%+v, %v", of, err)
		}
		if _, _, err := s.SetRole(t.Context(), ada.ID, console.Owner); !errors.Is(err, console.ErrProvided) {
			t.Errorf("another role: %v", err)
		}
		if err := s.Expel(t.Context(), "https://id.example", "ada"); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{102, 103} {
			if _, _, err := s.FindSession(t.Context(), fmt.Sprintf("hash %d", n)); !errors.Is(err, console.ErrAbsent) {
				t.Errorf("session %d goes on: %v", n, err)
			}
		}
		if _, _, err := s.FindSession(t.Context(), "hash 104"); err != nil {
			t.Errorf("that of another: %v", err)
		}
		if _, err := s.Remove(t.Context(), ada.ID); err != nil {
			t.Fatal(err)
		}
		if before, back := arrive(5, "ada@example.org", console.Viewer, "ada"); before.ID != "" || back.ID != id(5) {
			t.Errorf("%+v, then %+v", before, back)
		}
	})

	t.Run("what has ended is deleted", func(t *testing.T) {
		s := open(t)
		ada := enter(t, s, 1, "Ada", console.Owner)
		old, idle, live := signIn(t, s, ada.ID, 10, start, ""), signIn(t, s, ada.ID, 11, start.Add(2*time.Hour), ""), signIn(t, s, ada.ID, 12, start.Add(2*time.Hour), "")
		for _, used := range []console.Session{old, live} {
			if err := s.Touch(t.Context(), used, start.Add(3*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.DeleteExpired(t.Context(), start.Add(3*time.Hour), start.Add(150*time.Minute), start.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if list, err := s.ListSessions(t.Context(), ada.ID); err != nil || len(list) != 1 || list[0].ID != live.ID {
			t.Errorf("%+v, %v; %s was idle", list, err, idle.ID)
		}
	})
}

func second[A any](_ A, err error) error { return err }

func third[A, B any](_ A, _ B, err error) error { return err }
