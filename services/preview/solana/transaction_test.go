package solana

import (
	"encoding/base64"
	"errors"
	"slices"
	"testing"

	sol "github.com/gagliardetto/solana-go"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// addressOf returns an address that consists of a repeated byte.
func addressOf(b byte) (a svm.Address) {
	for i := range a {
		a[i] = b
	}
	return a
}

// encode returns the wire format of a transaction that account 1 pays for, with signatures of zeros.
func encode(tb testing.TB, tables map[sol.PublicKey]sol.PublicKeySlice, instructions ...sol.Instruction) []byte {
	tb.Helper()
	t, err := sol.NewTransaction(instructions, sol.Hash{9}, sol.TransactionPayer(addressOf(1)), sol.TransactionAddressTables(tables))
	if err != nil {
		tb.Fatal(err)
	}
	t.Signatures = make([]sol.Signature, t.Message.Header.NumRequiredSignatures)
	raw, err := t.MarshalBinary()
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

func TestATransactionIsParsedAsItWasWritten(t *testing.T) {
	i := sol.NewInstruction(addressOf(5), sol.AccountMetaSlice{sol.Meta(addressOf(2)).SIGNER(), sol.Meta(addressOf(3)).WRITE(), sol.Meta(addressOf(4))}, []byte{7, 8})
	raw := encode(t, nil, i)
	parsed, err := ParseTransaction(raw)
	if err != nil {
		t.Fatal(err)
	}
	if parsed.payer() != addressOf(1) || !parsed.IsSignedBy(addressOf(2)) || parsed.IsSignedBy(addressOf(3)) {
		t.Errorf("got %+v", parsed)
	}
	k, ok := parsed.keysOf(nil)
	if !ok || !slices.Equal(k.writable, []svm.Address{addressOf(1), addressOf(3)}) {
		t.Errorf("the writable accounts are %v", k.writable)
	}
	if got := parsed.instructions[0]; k.all[got.program] != addressOf(5) || k.all[got.accounts[2]] != addressOf(4) || !slices.Equal(got.data, []byte{7, 8}) {
		t.Errorf("the instruction is %+v", got)
	}
	if parsed.wire() != base64.StdEncoding.EncodeToString(raw) {
		t.Error("the transaction is written otherwise")
	}
	again, err := base64.StdEncoding.DecodeString(parsed.messageWith(addressOf(9)))
	if err != nil || !slices.Equal(again[parsed.blockhashAt:parsed.blockhashAt+32], addressOf(9).Bytes()) || len(again) != len(parsed.message) {
		t.Errorf("the message with another blockhash is %x", again)
	}
}

func TestAccountsOfLookupTablesFollowTheOthers(t *testing.T) {
	table := map[sol.PublicKey]sol.PublicKeySlice{addressOf(20): {addressOf(21), addressOf(22), svm.SystemProgram}}
	accounts := sol.AccountMetaSlice{sol.Meta(addressOf(22)).WRITE(), sol.Meta(addressOf(21)), sol.Meta(svm.SystemProgram)}
	parsed, err := ParseTransaction(encode(t, table, sol.NewInstruction(addressOf(5), accounts, nil)))
	if err != nil || !slices.Equal(parsed.tables(), []svm.Address{addressOf(20)}) {
		t.Fatalf("got %+v %v", parsed, err)
	}
	data := make([]byte, tableHeader)
	for _, a := range table[addressOf(20)] {
		data = append(data, a[:]...)
	}
	whole := &svm.Account{Program: svm.LookupTableProgram, Data: data}
	k, ok := parsed.keysOf([]*svm.Account{whole})
	if !ok || !slices.Equal(k.writable, []svm.Address{addressOf(1), addressOf(22)}) || k.all[parsed.instructions[0].accounts[1]] != addressOf(21) {
		t.Errorf("the accounts are %+v", k)
	}
	for name, a := range map[string]*svm.Account{
		"none": nil, "cut": {Program: svm.LookupTableProgram, Data: data[:len(data)-1]}, "of another program": {Program: addressOf(5), Data: data},
	} {
		if _, ok := parsed.keysOf([]*svm.Account{a}); ok {
			t.Errorf("a table that is %s has the accounts", name)
		}
	}
}

func TestBytesThatNoNodeAcceptsAreRefused(t *testing.T) {
	raw := encode(t, nil, sol.NewInstruction(addressOf(5), sol.AccountMetaSlice{sol.Meta(addressOf(2)).WRITE()}, []byte{1}))
	header := 1 + signatureSize
	changed := func(at int, value byte) []byte {
		b := slices.Clone(raw)
		b[at] = value
		return b
	}
	// With one byte less before it, the message has version 0.
	longCount := slices.Concat([]byte{0x81, 0}, make([]byte, signatureSize-1), []byte{versioned}, raw[header:], []byte{0})
	instructions := len(raw) - 6
	for name, b := range map[string][]byte{
		"a number of signatures in two bytes": longCount, "a number of instructions in two bytes": slices.Concat(raw[:instructions], []byte{0x81, 0}, raw[instructions+1:]),
		"a length of data in four bytes": slices.Concat(raw[:len(raw)-2], []byte{0x81, 0x80, 0x80, 0}, raw[len(raw)-1:]),
		"empty":                          {}, "cut": raw[:len(raw)-1], "with more at its end": append(slices.Clone(raw), 0), "too large": make([]byte, MaxSize+1),
		"more signatures than signers": changed(0, 2), "without signers": changed(header, 0), "of another version": changed(header, 0x81),
		"a payer that is read-only": changed(header+1, 1), "an account that is not there": changed(len(raw)-3, 9), "a program that is not there": changed(len(raw)-5, 9),
	} {
		if got, err := ParseTransaction(b); !errors.Is(err, ErrTransaction) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func FuzzParseTransaction(f *testing.F) {
	f.Add(encode(f, nil, sol.NewInstruction(svm.SystemProgram, sol.AccountMetaSlice{sol.Meta(addressOf(1)).WRITE(), sol.Meta(addressOf(2)).WRITE()}, []byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})))
	f.Add(encode(f, nil, sol.NewInstruction(svm.TokenProgram, sol.AccountMetaSlice{sol.Meta(addressOf(3)).WRITE()}, []byte{6, 2, 1})))
	f.Add(encode(f, map[sol.PublicKey]sol.PublicKeySlice{addressOf(20): {addressOf(21)}}, sol.NewInstruction(addressOf(5), sol.AccountMetaSlice{sol.Meta(addressOf(21))}, nil)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		parsed, err := ParseTransaction(raw)
		if err != nil {
			return
		}
		// Neither the accounts nor their contents need to be known.
		statedBy(parsed, keys{}, nil, parsed.payer())
		if again, err := ParseTransaction(raw); err != nil || again.wire() != parsed.wire() {
			t.Errorf("read again: %v", err)
		}
	})
}
