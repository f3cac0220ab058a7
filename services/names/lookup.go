package names

import (
	"context"
	"errors"
	"slices"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/ens"
)

// Answer is what a name says to a question of the Ethereum Name Service. A name that nobody has says nothing, which is an answer too.
func (r *Registry) Answer(ctx context.Context, q ens.Question) (ens.Record, error) {
	if q.Kind == ens.PrimaryName {
		return r.primaryName(ctx, q.Name)
	}
	found, err := r.Find(ctx, q.Name)
	if _, isAbsent := errors.AsType[*NameError](err); isAbsent {
		return ens.Empty(q.Kind), nil
	}
	if err != nil {
		return nil, err
	}
	switch q.Kind {
	case ens.Address:
		if account, ok := found.leadsTo(ether); ok {
			return ens.AddressRecord(account), nil
		}
	case ens.CoinAddress:
		if account, ok := found.leadsTo(coinOf(q)); ok {
			return ens.BytesRecord(account[:]), nil
		}
	case ens.Text:
		return ens.StringRecord(found.Attributes[q.Key]), nil
	}
	return ens.Empty(q.Kind), nil
}

// primaryName is the first name that an account is shown by and that leads back to it on the chain in question.
func (r *Registry) primaryName(ctx context.Context, reverse string) (ens.Record, error) {
	account, coin, ok := ens.Account(reverse)
	if !ok {
		return ens.Empty(ens.PrimaryName), nil
	}
	shown, err := r.NamesOf(ctx, account)
	if err != nil {
		return nil, err
	}
	for _, record := range shown {
		if there, ok := record.leadsTo(CoinType(coin).canonical()); ok && there == account {
			return ens.StringRecord(string(record.Name)), nil
		}
	}
	return ens.Empty(ens.PrimaryName), nil
}

// coinOf is the coin type in question; 0, which is Bitcoin's and leads nowhere here, where it is none of ours.
func coinOf(q ens.Question) CoinType {
	if !q.CoinType.IsUint64() || q.CoinType.Uint64() > uint64(^CoinType(0)) {
		return 0
	}
	return CoinType(q.CoinType.Uint64()).canonical()
}

// leadsTo is where the name leads for a coin type.
func (r Record) leadsTo(coin CoinType) (account evm.Address, ok bool) {
	i := slices.IndexFunc(r.Addresses, func(a Address) bool { return a.CoinType == coin })
	if i < 0 {
		return account, false
	}
	return r.Addresses[i].Address, true
}
