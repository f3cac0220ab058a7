// Package namestest has the conformance tests of [registry.Store].
package namestest

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
)

// ChangesPerHour is the limit of changes of one account in the store that is passed to [RunStore].
const ChangesPerHour = 20

// start is a time at a full hour.
var start = time.UnixMilli(1_700_002_800_000).UTC()

// RunStore runs the conformance tests on an empty store. Its limit of changes per account must be [ChangesPerHour].
func RunStore(t *testing.T, s registry.Store) {
	t.Run("returns a record as it was inserted", func(t *testing.T) {
		r := Record("first.hawser.id", 1)
		insert(t, s, r)
		wantKept(t, s, r)
	})

	t.Run("stores the extremes of every value", func(t *testing.T) {
		r := Record("extremes.hawser.id", 2)
		r.Attributes = registry.Attributes{"bio": "Ünïcödé 🚢 'quoted' \"twice\" {}", "url": "https://example.org/?a=1&b=2"}
		r.Owner.Proof = signature.Contract
		r.Addresses = []registry.Address{{CoinType: 60, Address: signaturetest.NewAccount(3).Address(), SetAt: start}, {CoinType: 0xffff_ffff, SetAt: start}}
		insert(t, s, r)
		wantKept(t, s, r)
	})

	t.Run("a name that is not registered is not found, changed or released", func(t *testing.T) {
		const unknown = "unknown.hawser.id"
		_, found := s.Find(t.Context(), unknown)
		_, changed := s.Update(t.Context(), unknown, Change(unknown, registry.SetAttributes, 1), func(*registry.Record) error { return nil })
		deleted := s.Delete(t.Context(), unknown, Change(unknown, registry.Released, 1), func(registry.Record) error { return nil })
		for doing, err := range map[string]error{"find": found, "update": changed, "delete": deleted} {
			if !errors.Is(err, registry.ErrUnregistered) {
				t.Errorf("%s: %v", doing, err)
			}
		}
	})

	t.Run("refuses a second owner, and keeps the first", func(t *testing.T) {
		first := Record("twice.hawser.id", 4)
		insert(t, s, first)
		second := Record("twice.hawser.id", 5)
		if err := s.Insert(t.Context(), second, Change(second.Name, registry.Registered, 5)); !errors.Is(err, registry.ErrTaken) {
			t.Errorf("err = %v", err)
		}
		wantKept(t, s, first)
	})

	t.Run("an update stores and returns the changed record", func(t *testing.T) {
		r := Record("changed.hawser.id", 6)
		insert(t, s, r)
		want := Record("changed.hawser.id", 7)
		want.Attributes, want.UpdatedAt = registry.Attributes{"bio": "new"}, start.Add(time.Minute)
		want.Addresses = []registry.Address{{CoinType: 60, Address: signaturetest.NewAccount(8).Address(), SetAt: start.Add(time.Second)}}
		got, err := s.Update(t.Context(), r.Name, Change(r.Name, registry.SetAttributes, 6), func(r *registry.Record) error {
			*r = want
			return nil
		})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("returned %+v, %v", got, err)
		}
		wantKept(t, s, want)
	})

	t.Run("a failed update stores nothing, and its text may be used again", func(t *testing.T) {
		r := Record("steady.hawser.id", 9)
		insert(t, s, r)
		c := Change(r.Name, registry.SetAttributes, 9)
		_, err := s.Update(t.Context(), r.Name, c, func(r *registry.Record) error {
			r.Attributes = registry.Attributes{"bio": "never"}
			return registry.ErrNotOwner
		})
		if !errors.Is(err, registry.ErrNotOwner) {
			t.Errorf("err = %v", err)
		}
		wantKept(t, s, r)
		if _, err := s.Update(t.Context(), r.Name, c, func(*registry.Record) error { return nil }); err != nil {
			t.Error(err)
		}
	})

	t.Run("a signed text is accepted once, also after the name has a new owner", func(t *testing.T) {
		r := Record("replayed.hawser.id", 10)
		insert(t, s, r)
		c := Change(r.Name, registry.SetAddress, 10)
		keep := func(*registry.Record) error { return nil }
		if _, err := s.Update(t.Context(), r.Name, c, keep); err != nil {
			t.Fatal(err)
		}
		c.Signature = []byte("signed anew")
		if _, err := s.Update(t.Context(), r.Name, c, keep); !errors.Is(err, registry.ErrUsed) {
			t.Errorf("again: %v", err)
		}
		if err := s.Delete(t.Context(), r.Name, Change(r.Name, registry.Released, 10), func(registry.Record) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if err := s.Insert(t.Context(), r, Change(r.Name, registry.Registered, 10)); !errors.Is(err, registry.ErrUsed) {
			t.Errorf("registered again: %v", err)
		}
		if _, err := s.Find(t.Context(), r.Name); !errors.Is(err, registry.ErrUnregistered) {
			t.Errorf("a refused registration was kept: %v", err)
		}
	})

	t.Run("an account has a limit of changes in each hour", func(t *testing.T) {
		r := Record("busy.hawser.id", 11)
		insert(t, s, r)
		c := Change(r.Name, registry.SetAttributes, 11)
		change := func(n int) error {
			c.Message = fmt.Sprintf("change %d", n)
			_, err := s.Update(t.Context(), r.Name, c, func(*registry.Record) error { return nil })
			return err
		}
		for n := 1; n < ChangesPerHour; n++ {
			if err := change(n); err != nil {
				t.Fatal(err)
			}
		}
		if err := change(ChangesPerHour); !errors.Is(err, registry.ErrLimited) {
			t.Errorf("one too many: %v", err)
		}
		c.At = c.At.Add(time.Hour)
		if err := change(ChangesPerHour); err != nil {
			t.Errorf("an hour later: %v", err)
		}
	})

	t.Run("lists the names of an account, the oldest first, up to the limit", func(t *testing.T) {
		for n, name := range []registry.Name{"third.hawser.id", "second.hawser.id", "oldest.hawser.id"} {
			r := Record(name, 12)
			r.RegisteredAt = start.Add(-time.Duration(n) * time.Minute)
			insert(t, s, r)
		}
		got, err := s.OwnedBy(t.Context(), signaturetest.NewAccount(12).Address(), 2)
		if err != nil || len(got) != 2 || got[0].Name != "oldest.hawser.id" || got[1].Name != "second.hawser.id" || len(got[0].Addresses) != 2 {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err := s.OwnedBy(t.Context(), signaturetest.NewAccount(13).Address(), 2); err != nil || len(got) != 0 {
			t.Errorf("of another project: %+v, %v", got, err)
		}
	})

	t.Run("lists names that the account signed for before transferred ones", func(t *testing.T) {
		given, own := Record("given.hawser.id", 14), Record("own.hawser.id", 14)
		given.Owner.Proof, given.RegisteredAt = "", start.Add(-time.Hour)
		insert(t, s, given)
		insert(t, s, own)
		got, err := s.OwnedBy(t.Context(), signaturetest.NewAccount(14).Address(), 1)
		if err != nil || len(got) != 1 || got[0].Name != own.Name {
			t.Errorf("the first: %+v, %v", got, err)
		}
		got, err = s.OwnedBy(t.Context(), signaturetest.NewAccount(14).Address(), 2)
		if err != nil || len(got) != 2 || got[0].Name != own.Name || got[1].Name != given.Name {
			t.Errorf("both: %+v, %v", got, err)
		}
	})

	t.Run("reports which names are registered", func(t *testing.T) {
		got, err := s.Registered(t.Context(), []registry.Name{"first.hawser.id", "unknown.hawser.id", "replayed.hawser.id"})
		if err != nil || !reflect.DeepEqual(got, map[registry.Name]bool{"first.hawser.id": true}) {
			t.Errorf("%v, %v", got, err)
		}
	})

	t.Run("of a thousand registrations of a hundred names a hundred succeed", func(t *testing.T) {
		const wanted, rivals = 100, 10
		var g errgroup.Group
		won := make(chan registry.Record, wanted*rivals)
		for n := range wanted * rivals {
			g.Go(func() error {
				r := Record(registry.Name(fmt.Sprintf("race%d.hawser.id", n%wanted)), 1000+n)
				err := s.Insert(t.Context(), r, Change(r.Name, registry.Registered, 1000+n))
				if err == nil {
					won <- r
				} else if !errors.Is(err, registry.ErrTaken) {
					return err
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		close(won)
		if len(won) != wanted {
			t.Errorf("%d winners", len(won))
		}
		for r := range won {
			wantKept(t, s, r)
		}
	})

	t.Run("a name is taken back if it is the registration that was seen", func(t *testing.T) {
		r := Record("taken.hawser.id", 40)
		insert(t, s, r)
		for behaviour, at := range map[string]time.Time{"another registration": start.Add(time.Millisecond), "no time": {}} {
			if _, err := s.Take(t.Context(), r.Name, at, start.Add(time.Hour)); !errors.Is(err, registry.ErrUnregistered) {
				t.Errorf("%s: %v", behaviour, err)
			}
		}
		wantKept(t, s, r)
		if got, err := s.Take(t.Context(), r.Name, r.RegisteredAt, start.Add(time.Hour)); err != nil || !reflect.DeepEqual(got, r) {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := s.Find(t.Context(), r.Name); !errors.Is(err, registry.ErrUnregistered) {
			t.Errorf("it is still there: %v", err)
		}
		again := Record(r.Name, 41)
		again.RegisteredAt = start.Add(2 * time.Hour)
		insert(t, s, again)
		if _, err := s.Take(t.Context(), r.Name, again.RegisteredAt, start.Add(3*time.Hour)); err != nil {
			t.Errorf("once more: %v", err)
		}
	})

	t.Run("labels are blocked once, and found by their skeleton", func(t *testing.T) {
		for n, label := range []string{"cargo", "anchor", "buoy"} {
			want := registry.Block{Label: label, Skeleton: "like-" + label, At: start.Add(time.Duration(n) * time.Second)}
			for range 2 {
				if got, err := s.AddBlock(t.Context(), want); err != nil || got != want {
					t.Errorf("%+v, %v; want %+v", got, err, want)
				}
			}
			later := want
			later.At = start.Add(time.Hour)
			if got, err := s.AddBlock(t.Context(), later); err != nil || got != want {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
		}
		var labels []string
		for after := ""; ; {
			page, err := s.ListBlocks(t.Context(), after, 2)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			for _, b := range page {
				labels = append(labels, b.Label)
			}
			after = page[len(page)-1].Label
		}
		if !reflect.DeepEqual(labels, []string{"anchor", "buoy", "cargo"}) {
			t.Errorf("%q", labels)
		}
		for range 2 {
			if err := s.RemoveBlock(t.Context(), "buoy"); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.Blocked(t.Context(), []string{"like-anchor", "like-buoy", "anchor"})
		if err != nil || !reflect.DeepEqual(got, map[string]bool{"like-anchor": true}) {
			t.Errorf("%v, %v", got, err)
		}
	})
}

// Record is a name of an account.
func Record(name registry.Name, account int) registry.Record {
	owner := signaturetest.NewAccount(account).Address()
	return registry.Record{
		Name: name, Owner: registry.Owner{Address: owner, CoinType: 60, Proof: signature.Key}, Attributes: registry.Attributes{},
		Addresses:    []registry.Address{{CoinType: 60, Address: owner, SetAt: start}, {CoinType: 0x8000_7a69, Address: owner, SetAt: start}},
		RegisteredAt: start, UpdatedAt: start,
	}
}

// Change is an account's change of a name.
func Change(name registry.Name, action registry.Action, account int) registry.Change {
	return registry.Change{
		Name: name, Action: action, Message: string(action) + " " + string(name), Signature: []byte("signed"), At: start,
		By: registry.Signer{Address: signaturetest.NewAccount(account).Address(), CoinType: 60, Proof: signature.Key},
	}
}

func insert(t *testing.T, s registry.Store, r registry.Record) {
	t.Helper()
	c := Change(r.Name, registry.Registered, 0)
	c.By = registry.Signer(r.Owner)
	if err := s.Insert(t.Context(), r, c); err != nil {
		t.Fatal(err)
	}
}

func wantKept(t *testing.T, s registry.Store, want registry.Record) {
	t.Helper()
	got, err := s.Find(t.Context(), want.Name)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("kept %+v, %v; want %+v", got, err, want)
	}
}
