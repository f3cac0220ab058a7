package registry_test

import (
	"encoding/hex"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestLookupReturnsTheRecordsOfAName(t *testing.T) {
	w := newWorld(t)
	const name = "alice.hawser.id"
	_, err := w.Register(t.Context(), w.signed(alice, fields{"name": name, "attributes": fields{"url": "https://example.org"}}))
	if err != nil {
		t.Fatal(err)
	}
	set := w.signed(alice, fields{"coin_type": devnet, "address": bob.Address().String()})
	if _, err := w.SetAddress(t.Context(), name, set); err != nil {
		t.Fatal(err)
	}
	account := func(a evm.Address) string { return strings.ToLower(a.String()[2:]) }
	here, there := alice.Address(), bob.Address()
	for what, tt := range map[string]struct {
		question ens.Question
		want     ens.Record
	}{
		"its address":                                  {ens.Question{Name: name, Kind: ens.Address}, ens.AddressRecord(here)},
		"its address on Ethereum":                      {coinQuestion(name, int64(ether)), ens.BytesRecord(here[:])},
		"its address on Ethereum, by the EVM rule":     {coinQuestion(name, int64(mainnet)), ens.BytesRecord(here[:])},
		"its address on another chain":                 {coinQuestion(name, int64(devnet)), ens.BytesRecord(there[:])},
		"no address on a chain without one":            {coinQuestion(name, int64(unserved)), ens.BytesRecord(nil)},
		"no address for a coin type without a chain":   {coinQuestion(name, 1<<40), ens.BytesRecord(nil)},
		"what it says":                                 {ens.Question{Name: name, Kind: ens.Text, Key: "url"}, ens.StringRecord("https://example.org")},
		"an empty record for an absent key":            {ens.Question{Name: name, Kind: ens.Text, Key: "avatar"}, ens.StringRecord("")},
		"no content":                                   {ens.Question{Name: name, Kind: ens.ContentHash}, ens.BytesRecord(nil)},
		"nothing for an unsupported kind":              {ens.Question{Name: name, Kind: ens.Other}, ens.None},
		"no address for a name that is not registered": {ens.Question{Name: "nobody.hawser.id", Kind: ens.Address}, ens.AddressRecord(evm.Address{})},
		"no address in another zone":                   {ens.Question{Name: "alice.example.id", Kind: ens.Address}, ens.AddressRecord(evm.Address{})},
		"no address of the zone":                       {ens.Question{Name: "hawser.id", Kind: ens.Address}, ens.AddressRecord(evm.Address{})},
		"the name of its owner":                        {primaryName(account(here) + ".addr"), ens.StringRecord(name)},
		"no name that resolves to another account":     {primaryName(account(here) + ".80007a69"), ens.StringRecord("")},
		"no name for another account":                  {primaryName(account(there) + ".80007a69"), ens.StringRecord("")},
		"its owner on chains without an address":       {coinQuestion(name, ens.DefaultEVM), ens.BytesRecord(here[:])},
		"the name of its owner on those":               {primaryName(account(here) + ".default"), ens.StringRecord(name)},
		"no name of another on those":                  {primaryName(account(there) + ".default"), ens.StringRecord("")},
		"no address of an account":                     {ens.Question{Name: account(here) + ".addr.reverse", Kind: ens.Address}, ens.AddressRecord(evm.Address{})},
		"no name for text that is not an account":      {primaryName("alice.addr"), ens.StringRecord("")},
	} {
		got, err := w.Answer(t.Context(), ens.Call{Name: tt.question.Name, Questions: []ens.Question{tt.question}})
		if err != nil || hex.EncodeToString(got) != hex.EncodeToString(tt.want) {
			t.Errorf("%s: %x, %v; want %x", what, got, err, tt.want)
		}
	}
}

// TestContractAddressIsNotResolvedOnAnotherChain checks that for chains without an address in the name only the account
// of a key is returned (ENSIP-19).
func TestContractAddressIsNotResolvedOnAnotherChain(t *testing.T) {
	const name = "vault.hawser.id"
	w := newWorld(t)
	w.contracts["eip155:1"] = bob.Address()
	e := registry.Envelope{Message: w.message(fields{"name": name}), Signature: "0x01", CoinType: ether, Address: bob.Address().String()}
	if _, err := w.Register(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	w.register(t, "alice.hawser.id", alice)
	if _, err := w.SetAddress(t.Context(), "alice.hawser.id", w.signed(alice, fields{"coin_type": ether, "address": bob.Address().String()})); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{name, "alice.hawser.id"} {
		q := coinQuestion(name, ens.DefaultEVM)
		if got, err := w.Answer(t.Context(), ens.Call{Name: name, Questions: []ens.Question{q}}); err != nil || hex.EncodeToString(got) != hex.EncodeToString(ens.BytesRecord(nil)) {
			t.Errorf("%s: %x, %v", name, got, err)
		}
	}
}

func coinQuestion(name string, coin int64) ens.Question {
	return ens.Question{Name: name, Kind: ens.CoinAddress, CoinType: big.NewInt(coin)}
}

func primaryName(account string) ens.Question {
	return ens.Question{Name: account + ".reverse", Kind: ens.PrimaryName}
}

func TestENSSigners(t *testing.T) {
	const first, second = "ebf54752139227e6e0e4a3190464482530680d0f6fd0fa35b4ea80234cb28ddc", "f6f18490d65cdd446a1c1aa8eb16566f5e4d4aaaf3aa549a788bfb0a4598211e"
	signers := func(t *testing.T, dsn string, keys ...string) []evm.Address {
		t.Helper()
		all, err := names.ENSSigners(t.Context(), names.ENSConfig{Keys: keys}, storetest.Open(t, dsn))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}

	t.Run("is the same for all replicas if none is configured", func(t *testing.T) {
		storetest.EachDSN(t, func(t *testing.T, dsn string) {
			one, other := signers(t, dsn), signers(t, dsn)
			if len(one) != 1 || one[0] != other[0] || one[0] == (evm.Address{}) {
				t.Errorf("%v, %v", one, other)
			}
		})
		if one, other := signers(t, storetest.SQLite(t)), signers(t, storetest.SQLite(t)); one[0] == other[0] {
			t.Errorf("two installations have the same key: %v", one)
		}
	})

	t.Run("is the last of the configured keys, also from a file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(file, []byte(second+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		got := signers(t, storetest.SQLite(t), first, "file:"+file)
		if len(got) != 2 || got[0].String() != "0xe0Ff44FDb999d485DCFe6B0840f0d14EEA8a08A0" || got[1].String() != "0x8c408c9ce6718F4a3AFa7860f2E7B190B25fBDfA" {
			t.Errorf("%v", got)
		}
	})

	t.Run("is not part of the error of an invalid key", func(t *testing.T) {
		bad := names.ENSConfig{Keys: []string{first[1:]}}
		faults := bad.Check()
		if len(faults) == 0 || strings.Contains(faults[0].Error(), first[1:]) {
			t.Errorf("%v", faults)
		}
		_, err := names.ENSSigners(t.Context(), bad, storetest.Open(t, storetest.SQLite(t)))
		if err == nil || strings.Contains(err.Error(), first[1:]) {
			t.Errorf("%v", err)
		}
	})
}
