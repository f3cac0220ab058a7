package sns

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// accountSize is how many bytes of an account are read: a whole SOL record, mint or token account, and the beginning of others.
const accountSize = 1024

// Chain reads names of a chain.
type Chain struct {
	// Send sends requests to the chain's nodes.
	Send chainclient.Transport
	// Now is the time, by which names expire.
	Now time.Time
}

// AddressOf returns the wallet that receives payments to a name; false if there is none that every rule confirms. It
// fails with [resolver.ErrUnavailable] if no node answers.
func (c Chain) AddressOf(ctx context.Context, n Name) (wallet svm.Address, ok bool, err error) {
	wallet, ok, err = c.snsAddress(ctx, n)
	if err != nil || !ok || n.Suffix == SNS {
		return wallet, ok, err
	}
	other, ok, err := c.solAddress(ctx, n.Label)
	if err != nil || !ok || other != wallet {
		return svm.Address{}, false, err
	}
	return wallet, true, nil
}

// snsAddress resolves a name by the SPL Name Service (SNS-IP 5).
func (c Chain) snsAddress(ctx context.Context, n Name) (wallet svm.Address, ok bool, err error) {
	account, parent := n.account()
	nftRecord, mint := wrapping(account)
	recordV2 := nameAccount(recordV2Prefix+solRecord, recordClass, account)
	recordV1 := nameAccount(recordV1Prefix+solRecord, none, account)
	// A single call, so that all accounts are of the same slot.
	found, err := c.read(ctx, account, nftRecord, mint, recordV2, recordV1, parent)
	if err != nil {
		return wallet, false, err
	}
	name, err := parseRegistration(found[0], parent, none)
	if err != nil || n.Sub != "" && !isName(found[5]) {
		return wallet, false, nil
	}
	isWrapped, err := parseWrapping(found[1], account, mint)
	if err != nil {
		return wallet, false, nil
	}
	if isWrapped {
		// The name is in the custody of a program; a wallet as its owner contradicts the wrapping.
		if _, contradicts := asWallet(name.owner); contradicts {
			return wallet, false, nil
		}
		return c.holder(ctx, mint, found[2], svm.TokenProgram)
	}
	destination, err := paid(name, record{recordV2, found[3]}, record{recordV1, found[4]}, account)
	if err != nil {
		return wallet, false, nil
	}
	wallet, ok = asWallet(destination)
	return wallet, ok, nil
}

// record is a record of a name; its account is nil for none.
type record struct {
	address svm.Address
	account *svm.Account
}

// paid returns the destination of the SOL record of a name that is not wrapped, or its owner if it has no such record.
func paid(name registration, v2, v1 record, parent svm.Address) (svm.Address, error) {
	if v2.account != nil {
		r, err := parseRegistration(v2.account, parent, recordClass)
		if err != nil {
			return svm.Address{}, err
		}
		return parseRecordV2(r, name.owner)
	}
	if v1.account != nil {
		r, err := parseRegistration(v1.account, parent, none)
		if err != nil {
			return svm.Address{}, err
		}
		return parseRecordV1(r, v1.address, name.owner)
	}
	return name.owner, nil
}

// isName reports whether an account is a name of two labels.
func isName(a *svm.Account) bool {
	_, err := parseRegistration(a, root, none)
	return err == nil
}

// solAddress resolves a name by the Solana Record Service.
func (c Chain) solAddress(ctx context.Context, label string) (wallet svm.Address, ok bool, err error) {
	record, mint := solAccounts(label)
	found, err := c.read(ctx, record, mint)
	if err != nil {
		return wallet, false, err
	}
	owner, byToken, err := parseSolRecord(found[0], c.Now)
	if err != nil || byToken && owner != mint {
		return wallet, false, nil
	}
	if byToken {
		return c.holder(ctx, mint, found[1], svm.Token2022Program)
	}
	wallet, ok = asWallet(owner)
	return wallet, ok, nil
}

// holder returns the wallet that holds the only unit of a mint.
func (c Chain) holder(ctx context.Context, mint svm.Address, account *svm.Account, program svm.Address) (wallet svm.Address, ok bool, err error) {
	if account == nil || account.Program != program {
		return wallet, false, nil
	}
	if m, err := svm.ParseMint(mint, program, account.Data); err != nil || !m.IsNFT() {
		return wallet, false, nil
	}
	place, ok, err := c.onlyPlace(ctx, mint)
	if err != nil || !ok {
		return wallet, false, err
	}
	found, err := c.read(ctx, place)
	if err != nil || found[0] == nil || found[0].Program != program {
		return wallet, false, err
	}
	held, _, err := svm.ParseHolder(program, found[0].Data)
	if err != nil || held.Mint != mint || held.Units != 1 {
		return wallet, false, nil
	}
	wallet, ok = asWallet(held.Owner)
	return wallet, ok, nil
}

// onlyPlace returns the token account with the only unit of a mint.
func (c Chain) onlyPlace(ctx context.Context, mint svm.Address) (place svm.Address, ok bool, err error) {
	results, err := c.Send.Batch(ctx, chainclient.Call{
		Method: "getTokenLargestAccounts", Params: []any{mint.String(), map[string]string{"commitment": "confirmed"}},
	})
	if err != nil {
		return place, false, unavailable(err)
	}
	var answer struct {
		Value []struct{ Address, Amount string }
	}
	if err := results[0].Decode(&answer); err != nil {
		return place, false, unavailable(err)
	}
	count := 0
	for _, account := range answer.Value {
		if account.Amount == "1" {
			count++
			place, err = svm.ParseAddress(account.Address)
		}
	}
	return place, count == 1 && err == nil, nil
}

// read reads accounts; those that do not exist are nil.
func (c Chain) read(ctx context.Context, addresses ...svm.Address) ([]*svm.Account, error) {
	found, err := svm.ReadAccounts(ctx, c.Send, addresses, accountSize)
	if err != nil {
		return nil, unavailable(err)
	}
	return found, nil
}

func unavailable(err error) error {
	if errors.Is(err, resolver.ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%w: %w", resolver.ErrUnavailable, err)
}

// asWallet returns an account that can have a private key; false for the addresses of programs, which are not on the
// curve.
func asWallet(a svm.Address) (wallet svm.Address, ok bool) {
	if a == none || !a.IsOnCurve() {
		return none, false
	}
	return a, true
}
