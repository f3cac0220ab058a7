package sns

import (
	"errors"
	"testing"

	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

var (
	aliceKey, alice = keyOf(1)
	bobKey, bob     = keyOf(2)
	carol           = wallet(3)
	// escrow is the account of a program.
	escrow = svm.Derive(svm.TokenProgram, []byte("escrow"))
)

// resolves fails the test if a name does not resolve to a wallet; none means that it must resolve to nothing.
func (w *world) resolves(t *testing.T, text string, want svm.Address) {
	t.Helper()
	got, ok, err := w.chain().AddressOf(t.Context(), name(t, text))
	if err != nil || ok != (want != none) || got != want {
		t.Errorf("%s: got %s %v %v, want %s", text, got, ok, err, want)
	}
}

// The cases are those of SNS-IP 5, except that names with a stale record, which SNS-IP 5 resolves to the owner, must
// not resolve.
func TestANameIsPaidWhereSNSIP5Says(t *testing.T) {
	for behaviour, c := range map[string]struct {
		change func(*world, svm.Address)
		want   svm.Address
	}{
		"the owner":                      {func(*world, svm.Address) {}, alice},
		"the holder of the NFT":          {func(w *world, a svm.Address) { w.wrap(a, bob) }, bob},
		"a verified record":              {func(w *world, a svm.Address) { w.recordV2(a, alice, bob, bob, 1, 1) }, bob},
		"a signed record of version 1":   {func(w *world, a svm.Address) { w.recordV1(a, bob, aliceKey) }, bob},
		"version 2 before version 1":     {func(w *world, a svm.Address) { w.recordV1(a, carol, aliceKey); w.recordV2(a, alice, bob, bob, 1, 1) }, bob},
		"the NFT before a record":        {func(w *world, a svm.Address) { w.recordV2(a, alice, carol, carol, 1, 1); w.wrap(a, bob) }, bob},
		"a record of an earlier owner":   {func(w *world, a svm.Address) { w.recordV2(a, carol, bob, bob, 1, 1) }, none},
		"an unconfirmed destination":     {func(w *world, a svm.Address) { w.recordV2(a, alice, alice, bob, 1, 1) }, none},
		"a destination not verified yet": {func(w *world, a svm.Address) { w.recordV2(a, alice, bob, bob, 1, 3) }, none},
		"a record without verification":  {func(w *world, a svm.Address) { w.recordV2(a, alice, bob, bob, 0, 0) }, none},
		"a bad version 2 and version 1":  {func(w *world, a svm.Address) { w.recordV1(a, bob, aliceKey); w.recordV2(a, alice, alice, bob, 1, 1) }, none},
		"a version 1 signed by another":  {func(w *world, a svm.Address) { w.recordV1(a, bob, bobKey) }, none},
		"a version 2 to a program":       {func(w *world, a svm.Address) { w.recordV2(a, alice, escrow, escrow, 1, 1) }, none},
		"an NFT that a program holds":    {func(w *world, a svm.Address) { w.wrap(a, escrow) }, none},
		"an NFT that was burned":         {func(w *world, a svm.Address) { w.wrap(a, bob); _, mint := wrapping(a); w.places[mint] = nil }, none},
		"an NFT with two holders": {func(w *world, a svm.Address) {
			w.wrap(a, bob)
			_, mint := wrapping(a)
			w.places[mint] = append(w.places[mint], w.places[mint]...)
		}, none},
		"a wrapping that names no mint": {func(w *world, a svm.Address) { w.wrap(a, bob); _, mint := wrapping(a); delete(w.accounts, mint) }, none},
		"a wrapped name of a wallet":    {func(w *world, a svm.Address) { w.wrap(a, bob); w.put(a, nameProgram, root[:], alice[:], none[:]) }, none},
		"an account of another program": {func(w *world, a svm.Address) { w.put(a, svm.SystemProgram, root[:], alice[:], none[:]) }, none},
		"an account of another parent":  {func(w *world, a svm.Address) { w.put(a, nameProgram, alice[:], alice[:], none[:]) }, none},
		"an account of another class":   {func(w *world, a svm.Address) { w.put(a, nameProgram, root[:], alice[:], bob[:]) }, none},
		"a name without an owner":       {func(w *world, a svm.Address) { w.put(a, nameProgram, root[:], none[:], none[:]) }, none},
		"a name of a program":           {func(w *world, a svm.Address) { w.put(a, nameProgram, root[:], escrow[:], none[:]) }, none},
		"an account that is cut":        {func(w *world, a svm.Address) { w.put(a, nameProgram, root[:], alice[:]) }, none},
	} {
		t.Run(behaviour, func(t *testing.T) {
			w := newWorld()
			c.change(w, w.register(t, "harbor.sns", alice))
			w.resolves(t, "harbor.sns", c.want)
		})
	}
}

func TestASubdomainBelongsToItsOwnOwner(t *testing.T) {
	w := newWorld()
	w.register(t, "pay.harbor.sns", bob)
	w.resolves(t, "pay.harbor.sns", none) // its parent is not registered
	w.register(t, "harbor.sns", alice)
	w.resolves(t, "pay.harbor.sns", bob)
	w.resolves(t, "other.harbor.sns", none)
}

func TestASolNameResolvesWhileBothRegistriesAgree(t *testing.T) {
	w := newWorld()
	w.register(t, "harbor.sns", alice)
	w.resolves(t, "harbor.sol", none) // only the old registry has it
	w.recordSol("harbor", alice, false, 0)
	w.resolves(t, "harbor.sol", alice)
	w.recordSol("harbor", bob, false, 0)
	w.resolves(t, "harbor.sol", none) // they disagree
	w.recordSol("harbor", alice, false, now.Unix()+1)
	w.resolves(t, "harbor.sol", alice)
	w.recordSol("harbor", alice, false, now.Unix())
	w.resolves(t, "harbor.sol", none) // it has expired
	_, mint := solAccounts("harbor")
	w.recordSol("harbor", mint, true, 0)
	w.resolves(t, "harbor.sol", none) // its NFT is not found
	w.mint(mint, svm.Token2022Program, alice)
	w.resolves(t, "harbor.sol", alice)
	w.mint(mint, svm.TokenProgram, alice)
	w.resolves(t, "harbor.sol", none) // it is a mint of another program
	w.recordSol("harbor", alice, true, 0)
	w.resolves(t, "harbor.sol", none) // it names another mint
	w.recordSol("reef", alice, false, 0)
	w.resolves(t, "reef.sol", none) // only the new registry has it
}

func TestANameIsUnknownWhenNoNodeAnswers(t *testing.T) {
	w := newWorld()
	w.wrap(w.register(t, "harbor.sns", alice), bob)
	w.refused = true
	if _, _, err := w.chain().AddressOf(t.Context(), name(t, "harbor.sns")); !errors.Is(err, resolver.ErrUnavailable) {
		t.Errorf("nodes that do not search holders: %v", err)
	}
	w.down = true
	if _, _, err := w.chain().AddressOf(t.Context(), name(t, "harbor.sns")); !errors.Is(err, resolver.ErrUnavailable) {
		t.Errorf("nodes that are down: %v", err)
	}
}

func TestAnAccountIsShownByAPrimaryNameThatResolvesToIt(t *testing.T) {
	for behaviour, c := range map[string]struct {
		build func(*testing.T, *world)
		want  string
	}{
		"no primary name": {func(t *testing.T, w *world) { w.register(t, "harbor.sns", alice) }, ""},
		"its name":        {func(t *testing.T, w *world) { w.prefer(alice, w.register(t, "harbor.sns", alice)) }, "harbor.sns"},
		"its sub-domain": {func(t *testing.T, w *world) {
			w.register(t, "harbor.sns", bob)
			w.prefer(alice, w.register(t, "pay.harbor.sns", alice))
		}, "pay.harbor.sns"},
		"a name that it holds as an NFT": {func(t *testing.T, w *world) {
			account := w.register(t, "harbor.sns", alice)
			w.wrap(account, alice)
			w.prefer(alice, account)
		}, "harbor.sns"},
		"a name that it sold": {func(t *testing.T, w *world) { w.prefer(alice, w.register(t, "harbor.sns", bob)) }, ""},
		"a name whose record has another address": {func(t *testing.T, w *world) {
			account := w.register(t, "harbor.sns", alice)
			w.recordV2(account, alice, bob, bob, 1, 1)
			w.prefer(alice, account)
		}, ""},
		"a text of another name": {func(t *testing.T, w *world) {
			account := w.register(t, "harbor.sns", alice)
			w.put(reverseAccount(account, none), nameProgram, none[:], none[:], reverseClass[:], length("bank"), []byte("bank"))
			w.prefer(alice, account)
		}, ""},
		"a text that cannot be shown": {func(t *testing.T, w *world) { w.prefer(alice, w.register(t, "hаrbor.sns", alice)) }, ""},
		"a text with a dot": {func(t *testing.T, w *world) {
			account := nameAccount("pay.harbor", none, root)
			w.put(account, nameProgram, root[:], alice[:], none[:])
			w.put(reverseAccount(account, none), nameProgram, none[:], none[:], reverseClass[:], length("pay.harbor"), []byte("pay.harbor"))
			w.prefer(alice, account)
		}, ""},
		"an account of another program": {func(t *testing.T, w *world) {
			account := w.register(t, "harbor.sns", alice)
			w.put(primaryAccount(alice), svm.SystemProgram, []byte{primaryKind}, account[:])
		}, ""},
		"a missing account": {func(_ *testing.T, w *world) { w.prefer(alice, bob) }, ""},
	} {
		t.Run(behaviour, func(t *testing.T) {
			w := newWorld()
			c.build(t, w)
			if got, err := w.chain().PrimaryOf(t.Context(), alice); err != nil || got != c.want {
				t.Errorf("got %q %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestNamesOfOtherFormsAreNotResolved(t *testing.T) {
	for _, text := range []string{"sns", "harbor", "harbor.eth", "a.b.c.sns", "pay.harbor.sol", ".sns", "a..sns"} {
		if n, ok := ParseName(text); ok {
			t.Errorf("%s: got %+v", text, n)
		}
	}
}

// FuzzParsers checks that no account data makes a parser panic, and that truncated or unsigned data is never accepted.
func FuzzParsers(f *testing.F) {
	w := newWorld()
	account, _ := Name{Label: "harbor", Suffix: SNS}.account()
	w.recordV2(account, alice, bob, bob, 1, 1)
	w.recordV1(account, bob, aliceKey)
	w.wrap(account, alice)
	w.recordSol("harbor", alice, false, 0)
	w.prefer(alice, account)
	for _, a := range w.accounts {
		f.Add(a.Data)
	}
	_, mint := wrapping(account)
	f.Fuzz(func(t *testing.T, data []byte) {
		of := func(program svm.Address) *svm.Account { return &svm.Account{Program: program, Data: data} }
		if r, err := parseRegistration(of(nameProgram), account, recordClass); err == nil {
			if to, err := parseRecordV2(r, alice); err == nil && len(data) != headerSize+104 {
				t.Errorf("a record of %d bytes leads to %s", len(data), to)
			}
			if to, err := parseRecordV1(r, bob, alice); err == nil {
				t.Errorf("a record that alice did not sign leads to %s", to)
			}
		}
		if is, err := parseWrapping(of(tokenizer), account, mint); err == nil && (len(data) < 98 || is != (data[0] == wrapped)) {
			t.Errorf("%d bytes: wrapped %v", len(data), is)
		}
		if _, _, err := parseSolRecord(of(recordService), now); err == nil && len(data) < 75 {
			t.Errorf("a record of %d bytes was parsed", len(data))
		}
		if _, err := parsePrimary(of(offers)); err == nil && len(data) < 33 {
			t.Errorf("a primary name of %d bytes was parsed", len(data))
		}
		if label, err := parseReverse(of(nameProgram), none); err == nil && (len(label) > maxLabel || len(data) < headerSize+4) {
			t.Errorf("a text of %d bytes was parsed: %q", len(data), label)
		}
	})
}
