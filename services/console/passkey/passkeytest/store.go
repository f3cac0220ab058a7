package passkeytest

import (
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hawser-dev/hawser/services/console/passkey"
)

// start is a moment that is exact to the millisecond.
var start = time.UnixMilli(1_700_000_000_123).UTC()

// RunStore runs the conformance tests on stores that are empty but for two operators.
func RunStore(t *testing.T, open func(t *testing.T) (s passkey.Store, ada, bob string)) {
	key := func(n int, of string) passkey.Passkey {
		return passkey.Passkey{
			ID: fmt.Sprintf("%032x", n), OperatorID: of, Name: "Laptop", Credential: fmt.Appendf(nil, "credential %d", n), PublicKey: []byte{0, 255}, Signatures: 7, BackupEligible: n%2 == 0,
			CreatedAt: start.Add(time.Duration(n) * time.Second),
		}
	}

	t.Run("a challenge is taken once, in its session and before it expires", func(t *testing.T) {
		s, _, _ := open(t)
		for _, hash := range []string{"login", "late"} {
			if err := s.AddChallenge(t.Context(), hash, "", start.Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.AddChallenge(t.Context(), "add", "session", start.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			hash, session string
			at            time.Time
			want          error
		}{
			{"another", "", start, passkey.ErrRefused},
			{"login", "session", start, passkey.ErrRefused},
			{"login", "", start, nil},
			{"login", "", start, passkey.ErrRefused},
			{"late", "", start.Add(time.Minute), passkey.ErrRefused},
			{"add", "", start, passkey.ErrRefused},
			{"add", "another", start, passkey.ErrRefused},
			{"add", "session", start, nil},
		} {
			if err := s.TakeChallenge(t.Context(), tt.hash, tt.session, tt.at); !errors.Is(err, tt.want) {
				t.Errorf("%s in %q: %v, want %v", tt.hash, tt.session, err, tt.want)
			}
		}
	})

	t.Run("what expired is deleted", func(t *testing.T) {
		s, _, _ := open(t)
		for n := range 2 {
			if err := s.AddChallenge(t.Context(), fmt.Sprint(n), "", start.Add(time.Duration(n+1)*time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.DeleteExpired(t.Context(), start.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if err := s.TakeChallenge(t.Context(), "0", "", start); !errors.Is(err, passkey.ErrRefused) {
			t.Errorf("the expired one: %v", err)
		}
		if err := s.TakeChallenge(t.Context(), "1", "", start); err != nil {
			t.Errorf("the other one: %v", err)
		}
	})

	t.Run("a passkey is found by its credential, and listed for its operator", func(t *testing.T) {
		s, ada, bob := open(t)
		first, second, other := key(1, ada), key(2, ada), key(3, bob)
		for _, p := range []passkey.Passkey{first, second, other} {
			if err := s.Add(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := s.Find(t.Context(), second.Credential); err != nil || !reflect.DeepEqual(got, second) {
			t.Errorf("%+v, %v; want %+v", got, err, second)
		}
		if got, err := s.List(t.Context(), ada); err != nil || !reflect.DeepEqual(got, []passkey.Passkey{second, first}) {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := s.Find(t.Context(), []byte("another")); !errors.Is(err, passkey.ErrRefused) {
			t.Errorf("an unknown credential: %v", err)
		}
		taken := key(4, bob)
		taken.Credential = first.Credential
		if err := s.Add(t.Context(), taken); !errors.Is(err, passkey.ErrRefused) {
			t.Errorf("a credential of somebody else: %v", err)
		}
	})

	t.Run("an operator removes own passkeys only", func(t *testing.T) {
		s, ada, bob := open(t)
		p := key(1, ada)
		if err := s.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Remove(t.Context(), bob, p.ID); !errors.Is(err, passkey.ErrUnknown) {
			t.Errorf("by another: %v", err)
		}
		if got, err := s.Remove(t.Context(), ada, p.ID); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := s.Find(t.Context(), p.Credential); !errors.Is(err, passkey.ErrRefused) {
			t.Errorf("it is still there: %v", err)
		}
	})

	t.Run("there are at most ten", func(t *testing.T) {
		s, ada, bob := open(t)
		for n := range 10 {
			if err := s.Add(t.Context(), key(n+1, ada)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Add(t.Context(), key(11, ada)); !errors.Is(err, passkey.ErrFull) {
			t.Errorf("the eleventh: %v", err)
		}
		if err := s.Add(t.Context(), key(12, bob)); err != nil {
			t.Errorf("of another operator: %v", err)
		}
	})

	t.Run("the counter goes on, or never counts", func(t *testing.T) {
		s, ada, _ := open(t)
		counts, not := key(1, ada), key(2, ada)
		not.Signatures = 0
		for _, p := range []passkey.Passkey{counts, not} {
			if err := s.Add(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		for _, tt := range []struct {
			of    passkey.Passkey
			count uint32
			want  error
		}{
			{counts, 7, passkey.ErrCopied},
			{counts, 0, passkey.ErrCopied},
			{counts, 1<<32 - 1, nil},
			{not, 0, nil},
			{not, 0, nil},
			{not, 1, nil},
			{not, 0, passkey.ErrCopied},
		} {
			if err := s.Use(t.Context(), tt.of.ID, tt.count, start); !errors.Is(err, tt.want) {
				t.Errorf("%s at %d: %v, want %v", tt.of.ID, tt.count, err, tt.want)
			}
		}
		if got, err := s.Find(t.Context(), counts.Credential); err != nil || got.Signatures != 1<<32-1 || !got.UsedAt.Equal(start) {
			t.Errorf("%+v, %v", got, err)
		}
	})

	t.Run("of several logins with one counter, one succeeds", func(t *testing.T) {
		s, ada, _ := open(t)
		p := key(1, ada)
		if err := s.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		var used atomic.Int32
		var g errgroup.Group
		for range 8 {
			g.Go(func() error {
				err := s.Use(t.Context(), p.ID, 8, start)
				if err == nil {
					used.Add(1)
				} else if !errors.Is(err, passkey.ErrCopied) {
					return err
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil || used.Load() != 1 {
			t.Errorf("%d logins, %v", used.Load(), err)
		}
	})
}
