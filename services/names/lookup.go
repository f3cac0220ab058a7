package names

import (
	"context"
	"errors"
	"slices"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/signature"
)

// Answer is what a name says to questions of the Ethereum Name Service. A name that nobody has says nothing, which is an answer too.
func (r *Registry) Answer(ctx context.Context, call ens.Call) (ens.Record, error) {
	says, err := r.listen(ctx, call.Name)
	if err != nil {
		return nil, err
	}
	records := make([]ens.Record, len(call.Questions))
	for i, q := range call.Questions {
		records[i] = says(q)
	}
	return call.Answer(records), nil
}

// listen finds what a name says, whatever it is asked.
func (r *Registry) listen(ctx context.Context, name string) (says func(ens.Question) ens.Record, err error) {
	if account, coin, ok := ens.Account(name); ok {
		shown, err := r.NamesOf(ctx, account)
		return func(q ens.Question) ens.Record { return primaryName(q, shown, account, CoinType(coin).canonical()) }, err
	}
	found, err := r.Find(ctx, name)
	if _, isAbsent := errors.AsType[*NameError](err); isAbsent {
		return func(q ens.Question) ens.Record { return ens.Empty(q.Kind) }, nil
	}
	return found.says, err
}

// says is what the name says to a question.
func (r Record) says(q ens.Question) ens.Record {
	switch q.Kind {
	case ens.Address:
		if account, ok := r.leadsTo(ether); ok {
			return ens.AddressRecord(account)
		}
	case ens.CoinAddress:
		if account, ok := r.leadsTo(coinOf(q)); ok {
			return ens.BytesRecord(account[:])
		}
	case ens.Text:
		return ens.StringRecord(r.Attributes[q.Key])
	}
	return ens.Empty(q.Kind)
}

// primaryName is the first name that an account is shown by and that leads back to it for the coin in question.
func primaryName(q ens.Question, shown []Record, account evm.Address, coin CoinType) ens.Record {
	if q.Kind != ens.PrimaryName {
		return ens.Empty(q.Kind)
	}
	for _, record := range shown {
		if there, ok := record.leadsTo(coin); ok && there == account {
			return ens.StringRecord(string(record.Name))
		}
	}
	return ens.Empty(ens.PrimaryName)
}

// coinOf is the coin type in question; 0, which is Bitcoin's and leads nowhere here, where it is none of ours.
func coinOf(q ens.Question) CoinType {
	if !q.CoinType.IsUint64() || q.CoinType.Uint64() > uint64(^CoinType(0)) {
		return 0
	}
	return CoinType(q.CoinType.Uint64()).canonical()
}

// leadsTo is where the name leads for a coin type. On chains of which nothing is said (ENSIP-19) that is the owner whom it leads to on Ethereum,
// if that is a key: a contract may be somebody else's there.
func (r Record) leadsTo(coin CoinType) (account evm.Address, ok bool) {
	if coin == ens.DefaultEVM {
		account, ok = r.leadsTo(ether)
		return account, ok && r.Owner.Proof == signature.Key && account == r.Owner.Address
	}
	i := slices.IndexFunc(r.Addresses, func(a Address) bool { return a.CoinType == coin })
	if i < 0 {
		return account, false
	}
	return r.Addresses[i].Address, true
}
