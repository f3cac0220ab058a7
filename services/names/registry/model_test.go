package registry_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
)

// held is the state of a name in the model.
type held struct {
	owner, addressFor int
	bio               string
	signedFor         bool
	since             time.Time
}

// Whatever changes a few accounts make to a few names in any order, the registry must give the same answers as a map.
func TestRegistryMatchesAMapModel(t *testing.T) {
	w := newWorld(t, func(c *names.Config) { c.ChangesPerHour = 0 })
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		labels := []string{fmt.Sprintf("one-%d", run), fmt.Sprintf("two-%d", run)}
		accounts := []signaturetest.Account{signaturetest.NewAccount(run * 3), signaturetest.NewAccount(run*3 + 1), signaturetest.NewAccount(run*3 + 2)}
		model := map[string]*held{}
		var used []func() error

		name := func() string { return rapid.SampledFrom(labels).Draw(rt, "label") + ".hawser.id" }
		account := func(role string) int { return rapid.IntRange(0, 2).Draw(rt, role) }
		sign := func(by int, f fields) registry.Envelope {
			w.clock.Pass(time.Second)
			return w.signed(accounts[by], f)
		}
		// expect compares an answer with the permissions of the account in the model, and applies accepted changes to
		// the model.
		expect := func(err error, n string, by int, accepted func(h *held)) bool {
			h := model[n]
			switch {
			case h == nil:
				same(rt, err, registry.ErrUnregistered)
			case h.owner != by:
				same(rt, err, registry.ErrNotOwner)
			default:
				same(rt, err, nil)
				h.signedFor = true
				accepted(h)
				return true
			}
			return false
		}
		actions := map[string]func(*rapid.T){
			"register": func(*rapid.T) {
				n, by := name(), account("by")
				_, err := w.Register(t.Context(), sign(by, fields{"name": n, "attributes": fields{"bio": "new"}}))
				if model[n] != nil {
					same(rt, err, registry.ErrTaken)
					return
				}
				same(rt, err, nil)
				model[n] = &held{owner: by, addressFor: by, bio: "new", signedFor: true, since: w.clock.Now()}
			},
			"attributes": func(*rapid.T) {
				n, by, bio := name(), account("by"), rapid.StringMatching(`[a-z]{1,5}`).Draw(rt, "bio")
				e := sign(by, fields{"attributes": fields{"bio": bio}})
				_, err := w.SetAttributes(t.Context(), n, e)
				if expect(err, n, by, func(h *held) { h.bio = bio }) {
					used = append(used, func() error { _, err := w.SetAttributes(t.Context(), n, e); return err })
				}
			},
			"address": func(*rapid.T) {
				n, by, to := name(), account("by"), account("to")
				_, err := w.SetAddress(t.Context(), n, sign(by, fields{"coin_type": ether, "address": accounts[to].Address().String()}))
				expect(err, n, by, func(h *held) { h.addressFor = to })
			},
			"transfer": func(*rapid.T) {
				n, by, to := name(), account("by"), account("to")
				e := sign(by, fields{"transfer": n, "to": accounts[to].Address().String(), "coin_type": ether})
				_, err := w.Transfer(t.Context(), n, e)
				expect(err, n, by, func(h *held) { h.owner, h.addressFor, h.bio, h.signedFor = to, to, "", false })
			},
			"release": func(*rapid.T) {
				n, by := name(), account("by")
				err := w.Release(t.Context(), n, sign(by, fields{"release": n}))
				expect(err, n, by, func(*held) { delete(model, n) })
			},
			"replay": func(*rapid.T) {
				if len(used) == 0 {
					return
				}
				// The name may have a new owner by this time; in any case the text must be refused.
				err := rapid.SampledFrom(used).Draw(rt, "text")()
				if _, stale := errors.AsType[*registry.StaleError](err); !stale && !errors.Is(err, registry.ErrUsed) &&
					!errors.Is(err, registry.ErrNotOwner) && !errors.Is(err, registry.ErrUnregistered) {
					rt.Fatalf("a text counted twice: %v", err)
				}
			},
			"": func(*rapid.T) {
				for _, n := range labels {
					lookUp(rt, t, w, n+".hawser.id", model[n+".hawser.id"], accounts)
				}
				for i, a := range accounts {
					if got, want := w.shownAs(t, a.Address()), shown(model, i); !slices.Equal(got, want) {
						rt.Fatalf("account %d is shown as %v, want %v", i, got, want)
					}
				}
			},
		}
		rt.Repeat(actions)
	})
}

func lookUp(rt *rapid.T, t *testing.T, w *world, name string, want *held, accounts []signaturetest.Account) {
	got, err := w.Find(t.Context(), name)
	if want == nil {
		same(rt, err, registry.ErrUnregistered)
		return
	}
	same(rt, err, nil)
	addressFor := map[evm.Address]bool{}
	for _, a := range got.Addresses {
		addressFor[a.Address] = true
	}
	if got.Owner.Address != accounts[want.owner].Address() || got.Attributes["bio"] != want.bio || !addressFor[accounts[want.addressFor].Address()] || len(addressFor) != 1 {
		rt.Fatalf("%s is %+v, want %+v", name, got, *want)
	}
}

// shown returns the names by which the model shows an account, the oldest first.
func shown(model map[string]*held, account int) (all []string) {
	for _, n := range slices.Sorted(maps.Keys(model)) {
		if h := model[n]; h.owner == account && h.addressFor == account && h.signedFor {
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return model[a].since.Compare(model[b].since) })
	return all
}

func same(rt *rapid.T, got, want error) {
	if want == nil && got != nil || !errors.Is(got, want) {
		rt.Fatalf("err = %v, want %v", got, want)
	}
}
