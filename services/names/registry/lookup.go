package registry

import (
	"context"
	"errors"
	"slices"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
)

// Answer returns the record that an off-chain ENS lookup requests. The record of an unregistered name is empty.
func (r *Registry) Answer(ctx context.Context, call ens.Call) (ens.Record, error) {
	answer, err := r.answerer(ctx, call.Name)
	if err != nil {
		return nil, err
	}
	records := make([]ens.Record, len(call.Questions))
	for i, q := range call.Questions {
		records[i] = answer(q)
	}
	return call.Answer(records), nil
}

// answerer returns a function that answers questions about a name.
func (r *Registry) answerer(ctx context.Context, name string) (answer func(ens.Question) ens.Record, err error) {
	if account, coin, ok := ens.Account(name); ok {
		shown, err := r.NamesOf(ctx, account)
		return func(q ens.Question) ens.Record { return primaryName(q, shown, account, CoinType(coin).Canonical()) }, err
	}
	found, err := r.Find(ctx, name)
	if _, isAbsent := errors.AsType[*NameError](err); isAbsent {
		return func(q ens.Question) ens.Record { return ens.Empty(q.Kind) }, nil
	}
	return found.answer, err
}

// answer returns the record for a question.
func (r Record) answer(q ens.Question) ens.Record {
	switch q.Kind {
	case ens.Address:
		if account, ok := r.AddressFor(Ether); ok {
			return ens.AddressRecord(account)
		}
	case ens.CoinAddress:
		if account, ok := r.AddressFor(coinOf(q)); ok {
			return ens.BytesRecord(account[:])
		}
	case ens.Text:
		return ens.StringRecord(r.Attributes[q.Key])
	}
	return ens.Empty(q.Kind)
}

// primaryName returns the first name of an account that resolves back to it for the coin type of the question.
func primaryName(q ens.Question, shown []Record, account evm.Address, coin CoinType) ens.Record {
	if q.Kind != ens.PrimaryName {
		return ens.Empty(q.Kind)
	}
	for _, record := range shown {
		if there, ok := record.AddressFor(coin); ok && there == account {
			return ens.StringRecord(string(record.Name))
		}
	}
	return ens.Empty(ens.PrimaryName)
}

// coinOf returns the coin type of the question. If it is out of range, that is 0, which is Bitcoin and never resolves
// here.
func coinOf(q ens.Question) CoinType {
	if !q.CoinType.IsUint64() || q.CoinType.Uint64() > uint64(^CoinType(0)) {
		return 0
	}
	return CoinType(q.CoinType.Uint64()).Canonical()
}

// AddressFor returns the address of a coin type. That of [ens.DefaultEVM], which is for chains without an address
// (ENSIP-19), is the Ethereum address if it is the owner's and a key: on another chain the address of a contract may
// belong to someone else.
func (r Record) AddressFor(coin CoinType) (account evm.Address, ok bool) {
	if coin == ens.DefaultEVM {
		account, ok = r.AddressFor(Ether)
		return account, ok && r.Owner.Proof == signature.Key && account == r.Owner.Address
	}
	i := slices.IndexFunc(r.Addresses, func(a Address) bool { return a.CoinType == coin })
	if i < 0 {
		return account, false
	}
	return r.Addresses[i].Address, true
}
