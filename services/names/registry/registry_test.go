package registry_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
)

var alice, bob = signaturetest.NewAccount(1), signaturetest.NewAccount(2)

func TestRegister(t *testing.T) {
	t.Run("a key's name resolves to it on the chain it named and on Ethereum", func(t *testing.T) {
		w := newWorld(t)
		e := w.signed(alice, fields{"name": "alice.hawser.id", "attributes": fields{"bio": "Hello"}})
		e.CoinType, e.Address = devnet, "0x"+strings.ToUpper(alice.Address().String()[2:])
		at := time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
		want := registry.Record{
			Name: "alice.hawser.id", Owner: registry.Owner{Address: alice.Address(), CoinType: devnet, Proof: signature.Key},
			Attributes: registry.Attributes{"bio": "Hello"}, RegisteredAt: at, UpdatedAt: at,
			Addresses: []registry.Address{{CoinType: ether, Address: alice.Address(), SetAt: at}, {CoinType: devnet, Address: alice.Address(), SetAt: at}},
		}
		got, err := w.Register(t.Context(), e)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
		if found, err := w.Find(t.Context(), "alice.hawser.id"); err != nil || !reflect.DeepEqual(found, want) {
			t.Errorf("found %+v, %v", found, err)
		}
	})

	t.Run("both coin types of Ethereum are equal", func(t *testing.T) {
		w := newWorld(t)
		e := w.signed(alice, fields{"name": "alice.hawser.id", "attributes": nil})
		e.CoinType = mainnet
		got, err := w.Register(t.Context(), e)
		if err != nil || len(got.Addresses) != 1 || got.Addresses[0].CoinType != ether {
			t.Errorf("%+v, %v", got, err)
		}
	})

	t.Run("a contract's name resolves to it on its own chain only", func(t *testing.T) {
		w := newWorld(t)
		w.contracts["eip155:31337"] = bob.Address()
		e := registry.Envelope{Message: w.message(fields{"name": "vault.hawser.id"}), Signature: "0x01", CoinType: devnet, Address: bob.Address().String()}
		got, err := w.Register(t.Context(), e)
		if err != nil || len(got.Addresses) != 1 || got.Addresses[0].CoinType != devnet {
			t.Errorf("%+v, %v", got, err)
		}
	})

	t.Run("a name has one owner", func(t *testing.T) {
		w := newWorld(t)
		w.register(t, "alice.hawser.id", alice)
		_, err := w.Register(t.Context(), w.signed(bob, fields{"name": "alice.hawser.id"}))
		wantError(t, err, registry.ErrTaken)
	})

	t.Run("errors are reported in a fixed order", func(t *testing.T) {
		w := newWorld(t)
		w.register(t, "alice.hawser.id", alice)
		wrong := func(f fields, coin registry.CoinType) error {
			e := w.signed(bob, f)
			e.CoinType, e.Signature = coin, alice.Sign(e.Message)
			_, err := w.Register(t.Context(), e)
			return err
		}
		long := fields{"k": "v"}
		wantError(t, wrong(fields{"nam": "x"}, unserved), registry.ErrMessage)
		wantError(t, wrong(fields{"name": "Alice.a.b.c", "timestamp": 1, "attributes": long}, unserved), registry.ErrFormat)
		wantError(t, wrong(fields{"name": "bo.hawser.id", "timestamp": 1, "attributes": long}, unserved), registry.ErrLength)
		wantError(t, wrong(fields{"name": "alice.other.id", "timestamp": 1, "attributes": long}, unserved), registry.ErrZone)
		wantError(t, wrong(fields{"name": "admin.hawser.id", "timestamp": 1, "attributes": long}, unserved), registry.ErrReserved)
		if _, ok := errors.AsType[*registry.CoinTypeError](wrong(fields{"name": "alice.hawser.id", "timestamp": 1, "attributes": long}, unserved)); !ok {
			t.Error("the coin type was not found out")
		}
		wantError(t, wrong(fields{"name": "alice.hawser.id", "timestamp": 1, "attributes": long}, ether), registry.ErrTaken)
		if _, ok := errors.AsType[*registry.StaleError](wrong(fields{"name": "carol.hawser.id", "timestamp": 1, "attributes": long}, ether)); !ok {
			t.Error("the time was not found out")
		}
		if _, ok := errors.AsType[*registry.AttributeError](wrong(fields{"name": "carol.hawser.id", "attributes": long}, ether)); !ok {
			t.Error("the attribute was not found out")
		}
		wantError(t, wrong(fields{"name": "carol.hawser.id"}, ether), signature.ErrWrong)
	})
}

func TestTheTimeOfASignedText(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		age  time.Duration
		fits bool
	}{
		"now":                             {0, true},
		"as long ago as may be":           {5 * time.Minute, true},
		"a second longer ago":             {5*time.Minute + time.Second, false},
		"as far ahead as may be":          {-10 * time.Second, true},
		"a second farther ahead":          {-11 * time.Second, false},
		"in milliseconds, not in seconds": {-time.Duration(1_700_000_000) * time.Second, false},
	} {
		t.Run(behaviour, func(t *testing.T) {
			w := newWorld(t)
			at := w.clock.Now().Add(-tt.age).Unix()
			_, err := w.Register(t.Context(), w.signed(alice, fields{"name": "alice.hawser.id", "timestamp": at}))
			if _, stale := errors.AsType[*registry.StaleError](err); stale == tt.fits || tt.fits && err != nil {
				t.Errorf("err = %v", err)
			}
		})
	}
	t.Run("a timestamp out of range", func(t *testing.T) {
		w := newWorld(t)
		_, err := w.Register(t.Context(), w.signed(alice, fields{"name": "alice.hawser.id", "timestamp": uint64(1<<64 - 1)}))
		if _, stale := errors.AsType[*registry.StaleError](err); !stale {
			t.Errorf("err = %v", err)
		}
	})
}

func TestMessageIsVerifiedByteForByte(t *testing.T) {
	w := newWorld(t)
	spelled := ` { "timestamp" : ` + strings.TrimSuffix(strings.SplitN(w.message(fields{}), ":", 2)[1], "}") + `, "name":"\u0061lice.hawser.id" }`
	e := registry.Envelope{Message: spelled, Signature: alice.Sign(spelled), CoinType: ether, Address: alice.Address().String()}
	altered := e
	altered.Message = strings.Replace(spelled, " {", "{", 1)
	_, err := w.Register(t.Context(), altered)
	wantError(t, err, signature.ErrWrong)
	if got, err := w.Register(t.Context(), e); err != nil || got.Name != "alice.hawser.id" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestInvalidMessagesAreRefused(t *testing.T) {
	w := newWorld(t)
	for behaviour, message := range map[string]string{
		"nothing":                  "",
		"no JSON":                  "alice",
		"no object":                `["alice.hawser.id"]`,
		"no time":                  `{"name":"alice.hawser.id"}`,
		"a time that is text":      `{"name":"alice.hawser.id","timestamp":"1767323045"}`,
		"a time below zero":        `{"name":"alice.hawser.id","timestamp":-1}`,
		"a time with a fraction":   `{"name":"alice.hawser.id","timestamp":1767323045.5}`,
		"attributes of numbers":    `{"name":"alice.hawser.id","attributes":{"bio":1},"timestamp":1767323045}`,
		"the name twice":           `{"name":"alice.hawser.id","name":"bobby.hawser.id","timestamp":1767323045}`,
		"the name twice, by case":  `{"name":"alice.hawser.id","Name":"bobby.hawser.id","timestamp":1767323045}`,
		"an attribute twice":       `{"name":"alice.hawser.id","attributes":{"bio":"a","bio":"b"},"timestamp":1767323045}`,
		"more than a text may say": `{"name":"alice.hawser.id","timestamp":1767323045,"x":"` + strings.Repeat("x", 8<<10) + `"}`,
	} {
		t.Run(behaviour, func(t *testing.T) {
			_, err := w.Register(t.Context(), registry.Envelope{Message: message, Signature: alice.Sign(message), CoinType: ether, Address: alice.Address().String()})
			wantError(t, err, registry.ErrMessage)
		})
	}
}

func TestOnlyTheOwnerMayChangeAName(t *testing.T) {
	w := newWorld(t, func(c *names.Config) { c.ChangesPerHour = 10 })
	w.register(t, "alice.hawser.id", alice)
	const name = "alice.hawser.id"

	t.Run("attributes are replaced as a whole", func(t *testing.T) {
		for _, attributes := range []fields{{"bio": "Hello", "com.github": "alice"}, {"url": "https://example.org"}, {}} {
			got, err := w.SetAttributes(t.Context(), name, w.signed(alice, fields{"attributes": attributes}))
			if err != nil || len(got.Attributes) != len(attributes) {
				t.Errorf("%+v, %v; want %v", got, err, attributes)
			}
		}
	})

	t.Run("an address replaces the one of its coin type, and does not make its account an owner", func(t *testing.T) {
		set, err := w.SetAddress(t.Context(), name, w.signed(alice, fields{"coin_type": mainnet, "address": strings.ToLower(bob.Address().String())}))
		if err != nil || set.Address != bob.Address() || set.CoinType != ether {
			t.Fatalf("%+v, %v", set, err)
		}
		if got, err := w.Find(t.Context(), name); err != nil || len(got.Addresses) != 1 || got.Addresses[0] != set {
			t.Errorf("%+v, %v", got, err)
		}
		_, err = w.SetAttributes(t.Context(), name, w.signed(bob, fields{"attributes": fields{}}))
		wantError(t, err, registry.ErrNotOwner)
		if shown := append(w.shownAs(t, alice.Address()), w.shownAs(t, bob.Address())...); shown != nil {
			t.Errorf("shown: %v", shown)
		}
	})

	t.Run("a text for another name is refused", func(t *testing.T) {
		w.register(t, "other.hawser.id", alice)
		_, err := w.SetAttributes(t.Context(), name, w.signed(alice, fields{"name": "other.hawser.id", "attributes": fields{}}))
		wantError(t, err, registry.ErrOther)
		err = w.Release(t.Context(), name, w.signed(alice, fields{"release": "other.hawser.id"}))
		wantError(t, err, registry.ErrOther)
	})

	t.Run("a text is accepted once", func(t *testing.T) {
		w.clock.Pass(time.Second)
		e := w.signed(alice, fields{"attributes": fields{"bio": "once"}})
		if _, err := w.SetAttributes(t.Context(), name, e); err != nil {
			t.Fatal(err)
		}
		_, err := w.SetAttributes(t.Context(), name, e)
		wantError(t, err, registry.ErrUsed)
		_, err = w.SetAttributes(t.Context(), "other.hawser.id", e)
		wantError(t, err, registry.ErrUsed)
	})

	t.Run("a text of one kind is refused as one of another", func(t *testing.T) {
		_, err := w.SetAddress(t.Context(), name, w.signed(alice, fields{"attributes": fields{}}))
		wantError(t, err, registry.ErrMessage)
		_, err = w.Transfer(t.Context(), name, w.signed(alice, fields{"coin_type": ether, "address": bob.Address().String()}))
		wantError(t, err, registry.ErrMessage)
		wantError(t, w.Release(t.Context(), name, w.signed(alice, fields{"name": name})), registry.ErrMessage)
	})

	t.Run("invalid values are refused with a specific error", func(t *testing.T) {
		_, err := w.SetAddress(t.Context(), name, w.signed(alice, fields{"coin_type": ether, "address": "0x12"}))
		wantError(t, err, evm.ErrAddress)
		_, err = w.SetAddress(t.Context(), name, w.signed(alice, fields{"coin_type": ether, "address": evm.Address{}.String()}))
		wantError(t, err, evm.ErrAddress)
		_, err = w.Transfer(t.Context(), name, w.signed(alice, fields{"transfer": name, "to": evm.Address{}.String(), "coin_type": ether}))
		wantError(t, err, evm.ErrAddress)
		_, err = w.SetAddress(t.Context(), name, w.signed(alice, fields{"coin_type": unserved, "address": bob.Address().String()}))
		if _, ok := errors.AsType[*registry.CoinTypeError](err); !ok {
			t.Errorf("err = %v", err)
		}
		_, err = w.SetAttributes(t.Context(), "nobody.hawser.id", w.signed(alice, fields{"attributes": fields{}}))
		wantError(t, err, registry.ErrUnregistered)
	})

	t.Run("too many changes have to wait", func(t *testing.T) {
		var err error
		for n := 0; n <= 10 && err == nil; n++ {
			_, err = w.SetAttributes(t.Context(), name, w.signed(alice, fields{"attributes": fields{"bio": fmt.Sprint(n)}}))
		}
		wantError(t, err, registry.ErrLimited)
	})
}

func TestReleaseAndTransfer(t *testing.T) {
	const name = "alice.hawser.id"

	t.Run("a released name can be registered by any account", func(t *testing.T) {
		w := newWorld(t)
		w.register(t, name, alice)
		wantError(t, w.Release(t.Context(), name, w.signed(bob, fields{"release": name})), registry.ErrNotOwner)
		if err := w.Release(t.Context(), name, w.signed(alice, fields{"release": name})); err != nil {
			t.Fatal(err)
		}
		_, err := w.Find(t.Context(), name)
		wantError(t, err, registry.ErrUnregistered)
		w.register(t, name, bob)
		if got := w.shownAs(t, bob.Address()); !reflect.DeepEqual(got, []string{name}) || w.shownAs(t, alice.Address()) != nil {
			t.Errorf("bob is shown as %v", got)
		}
	})

	t.Run("a transferred name resolves to its new owner, who is shown by it only after signing", func(t *testing.T) {
		w := newWorld(t)
		w.register(t, name, alice)
		if _, err := w.SetAttributes(t.Context(), name, w.signed(alice, fields{"attributes": fields{"bio": "Alice"}})); err != nil {
			t.Fatal(err)
		}
		got, err := w.Transfer(t.Context(), name, w.signed(alice, fields{"transfer": name, "to": bob.Address().String(), "coin_type": ether}))
		if err != nil || len(got.Attributes) != 0 || len(got.Addresses) != 1 || got.Addresses[0].Address != bob.Address() {
			t.Fatalf("%+v, %v", got, err)
		}
		_, err = w.SetAttributes(t.Context(), name, w.signed(alice, fields{"attributes": fields{}}))
		wantError(t, err, registry.ErrNotOwner)
		if shown := w.shownAs(t, bob.Address()); shown != nil {
			t.Errorf("shown unasked: %v", shown)
		}
		if owned, err := w.OwnedBy(t.Context(), bob.Address()); err != nil || len(owned) != 1 || owned[0].Name != name {
			t.Errorf("owned: %+v, %v", owned, err)
		}
		if _, err = w.SetAttributes(t.Context(), name, w.signed(bob, fields{"attributes": fields{}})); err != nil {
			t.Fatal(err)
		}
		if shown := w.shownAs(t, bob.Address()); !reflect.DeepEqual(shown, []string{name}) {
			t.Errorf("shown: %v", shown)
		}
	})

	t.Run("a contract owns a name on its own chain only", func(t *testing.T) {
		w := newWorld(t)
		w.contracts["eip155:31337"] = bob.Address()
		sign := func(f fields, coin registry.CoinType) registry.Envelope {
			return registry.Envelope{Message: w.message(f), Signature: "0x01", CoinType: coin, Address: bob.Address().String()}
		}
		if _, err := w.Register(t.Context(), sign(fields{"name": name}, devnet)); err != nil {
			t.Fatal(err)
		}
		// Another user deploys a contract at the same address of another chain.
		w.contracts["eip155:1"] = bob.Address()
		_, err := w.SetAttributes(t.Context(), name, sign(fields{"attributes": fields{}}, ether))
		wantError(t, err, registry.ErrNotOwner)
		if _, err = w.SetAttributes(t.Context(), name, sign(fields{"attributes": fields{}}, devnet)); err != nil {
			t.Error(err)
		}
	})
}

func TestSuggest(t *testing.T) {
	w := newWorld(t)
	w.register(t, "alice.hawser.id", alice)
	w.register(t, "alicepay.hawser.id", alice)
	for label, want := range map[string][]registry.Suggestion{
		"alice":                 {{Name: "alice.hawser.id", Taken: true}, free("alice-eth"), free("alice-dao"), free("alicexyz"), free("alice-io")},
		"carol":                 {free("carol"), free("carol-eth"), free("carolpay"), free("carol-dao"), free("carolxyz")},
		"max":                   {{Name: "max.hawser.id"}, free("max-eth"), free("maxpay"), free("max-dao"), free("maxxyz")},
		"admin":                 {{Name: "admin.hawser.id"}, free("admin-eth"), free("adminpay"), free("admin-dao"), free("adminxyz")},
		strings.Repeat("a", 62): {free(strings.Repeat("a", 62))},
	} {
		got, err := w.Suggest(t.Context(), label, "")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", label, got, err, want)
		}
	}
	for label, want := range map[string]error{"ma": registry.ErrLength, "Max": registry.ErrFormat, "max.b": registry.ErrFormat, "": registry.ErrFormat} {
		_, err := w.Suggest(t.Context(), label, "")
		wantError(t, err, want)
	}
	_, err := w.Suggest(t.Context(), "alice", "other.id")
	wantError(t, err, registry.ErrZone)
}

func free(label string) registry.Suggestion {
	return registry.Suggestion{Name: registry.Name(label + ".hawser.id"), Available: true}
}
