// Package solana reads what accounts of Solana hold and what it is worth.
package solana

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/balances/holdings"
	"github.com/hawser-dev/hawser/services/balances/solprices"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/spam"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// maxUnlisted bounds the tokens outside the lists that are returned.
	maxUnlisted = 500
	// pricesTimeout bounds a read of prices alone.
	pricesTimeout = 2 * time.Second
	// everywhereTimeout bounds a request for all chains.
	everywhereTimeout = 5 * time.Second
)

// TokenList returns the listed tokens; [tokens.Lists] implements it.
type TokenList interface {
	Mints(chainID string) []tokens.Mint
	Mint(chainID string, mint svm.Address) (tokens.Mint, bool)
}

// Asset is a token in the caller's spelling.
type Asset struct {
	solprices.Asset
	// ID is its CAIP-10 id in the caller's spelling.
	ID string
}

// Query says which holdings to read.
type Query struct {
	Owner    svm.Address
	Currency string
	// ChainID is a CAIP-2 id; empty for every active chain.
	ChainID string
	// Forced tokens are read past the cache and listed with a zero balance too.
	Forced []Asset
	// Watched means that a client watches the owner: the account is read past the cache.
	Watched bool
}

// List is what an account holds.
type List struct {
	Holdings []holdings.Holding
	// More is set if the account holds further tokens, which are not listed.
	More bool
}

// Reader reads what accounts hold. Amounts and prices are of the confirmed state.
type Reader struct {
	Networks holdings.Networks
	Connect  func(chainID string) chainclient.Transport
	Facts    *svm.Facts
	Tokens   TokenList
	Prices   *solprices.Table
	// Rate returns the price of one unit of a currency in US dollars; false if it is unknown.
	Rate func(ctx context.Context, currency string) (float64, bool)
	// Local lists the local development chains by CAIP-2 id: they are read although they are testnets.
	Local func() []string
	Clock clock.Clock
	// Timeout bounds one read of one chain.
	Timeout time.Duration
	Cache   *holdings.Cache[List]
}

// Holdings lists the holdings of an account, sorted. The error is a [holdings.UnknownChainError] or a [holdings.NotTokenError], or wraps
// [holdings.ErrUnavailable].
func (r *Reader) Holdings(ctx context.Context, q Query) (List, error) {
	networks, err := r.Networks.Networks(ctx)
	if err != nil {
		return List{}, fmt.Errorf("%w: %w", holdings.ErrUnavailable, err)
	}
	for _, f := range q.Forced {
		if _, served := find(networks, f.Chain); !served {
			return List{}, &holdings.UnknownChainError{ID: f.Chain}
		}
	}
	if q.ChainID != "" {
		n, served := find(networks, q.ChainID)
		if !served {
			return List{}, &holdings.UnknownChainError{ID: q.ChainID}
		}
		return r.chain(ctx, n, q)
	}
	return r.everywhere(ctx, networks, q)
}

// everywhere reads all active chains concurrently. A chain that fails is left out, unless all fail.
func (r *Reader) everywhere(ctx context.Context, networks []holdings.Network, q Query) (List, error) {
	ctx, cancel := context.WithTimeout(ctx, everywhereTimeout)
	defer cancel()
	local := r.Local()
	networks = slices.DeleteFunc(slices.Clone(networks), func(n holdings.Network) bool {
		return !strings.HasPrefix(n.ChainID, "solana:") || n.Testnet && !slices.Contains(local, n.ChainID)
	})
	lists, errs := make([]List, len(networks)), make([]error, len(networks))
	var wg routine.WaitGroup
	for i, n := range networks {
		wg.Go(ctx, func() { lists[i], errs[i] = r.chain(ctx, n, q) }, func(err error) { errs[i] = err })
	}
	wg.Wait()
	var all List
	for i, l := range lists {
		if errs[i] != nil && !slices.Contains(errs, nil) {
			return List{}, errs[i]
		}
		all.Holdings, all.More = append(all.Holdings, l.Holdings...), all.More || l.More
	}
	holdings.Sort(all.Holdings)
	return all, nil
}

func find(networks []holdings.Network, chainID string) (holdings.Network, bool) {
	i := slices.IndexFunc(networks, func(n holdings.Network) bool { return n.ChainID == chainID })
	if i < 0 {
		return holdings.Network{}, false
	}
	return networks[i], true
}

// chain lists the holdings on one chain, from the cache unless tokens are forced or the account is watched.
func (r *Reader) chain(ctx context.Context, n holdings.Network, q Query) (List, error) {
	key := holdings.Key{ChainID: n.ChainID, Owner: q.Owner.String(), Currency: q.Currency}
	head := r.Cache.HeadOf(n.ChainID)
	load := func(ctx context.Context) (List, error) { return r.read(ctx, n, q) }
	if len(q.Forced) == 0 && !q.Watched {
		list, err := r.Cache.Get(ctx, key, load)
		list.Holdings = slices.Clone(list.Holdings)
		return list, err
	}
	list, err := load(ctx)
	r.Cache.Drop(key)
	if err == nil && len(q.Forced) == 0 {
		r.Cache.Put(key, list, head)
	}
	list.Holdings = slices.Clone(list.Holdings)
	return list, err
}

// read reads the holdings on one chain: the account and the price accounts in two concurrent batches, then the new
// tokens, and the pools of tokens without a price.
func (r *Reader) read(ctx context.Context, n holdings.Network, q Query) (List, error) {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	feeds := r.readFeeds(ctx, n.ChainID)
	owned, err := svm.ReadOwned(ctx, r.Connect(n.ChainID), q.Owner)
	feeds()
	if err != nil {
		return List{}, fmt.Errorf("%w: %s: %w", holdings.ErrUnavailable, n.ChainID, err)
	}
	list := List{More: owned.More}
	held, more := r.selected(n.ChainID, owned.Units, q.Forced)
	list.More = list.More || more
	described, err := r.describe(ctx, n.ChainID, held)
	if err != nil {
		return List{}, fmt.Errorf("%w: %s: %w", holdings.ErrUnavailable, n.ChainID, err)
	}
	r.readPools(ctx, n.ChainID, held, described)
	native := holdings.Holding{
		ChainID: n.ChainID, Native: true, Address: n.ChainID + ":" + svm.Native.String(), Name: n.Name, Symbol: n.Symbol, Decimals: n.Decimals,
		Units: new(big.Int).SetUint64(owned.Lamports),
	}
	if owned.Lamports > 0 || forced(q.Forced, n.ChainID, svm.Native) {
		list.Holdings = append(list.Holdings, r.priced(ctx, native, svm.Native))
	}
	names := r.listedNames(n)
	for _, mint := range held {
		d, isToken := described[mint]
		if !isToken && forced(q.Forced, n.ChainID, mint) {
			return List{}, &holdings.NotTokenError{ID: n.ChainID + ":" + mint.String()}
		}
		if !isToken || d.nft {
			continue
		}
		h := holdings.Holding{
			ChainID: n.ChainID, Address: n.ChainID + ":" + mint.String(), Name: d.name, Symbol: d.symbol, Icon: d.icon, Decimals: d.decimals,
			Units: new(big.Int).SetUint64(owned.Units[mint]),
		}
		h = r.priced(ctx, h, mint)
		if !d.listed {
			h.Hidden = r.hiddenBecause(names, h, mint)
		}
		list.Holdings = append(list.Holdings, h)
	}
	list.Holdings = r.Convert(ctx, q.Currency, list.Holdings)
	return list, nil
}

func forced(list []Asset, chainID string, mint svm.Address) bool {
	return slices.ContainsFunc(list, func(f Asset) bool { return f.Chain == chainID && f.Mint == mint })
}

// selected returns the tokens to list: those of the token lists, the forced ones, and further ones up to maxUnlisted.
// The further ones are selected by address, so that every read returns the same.
func (r *Reader) selected(chainID string, units map[svm.Address]uint64, extra []Asset) (held []svm.Address, more bool) {
	var unlisted []svm.Address
	for mint := range units {
		if _, listed := r.Tokens.Mint(chainID, mint); listed {
			held = append(held, mint)
		} else if !forced(extra, chainID, mint) {
			unlisted = append(unlisted, mint)
		}
	}
	for _, f := range extra {
		if f.Chain == chainID && f.Mint != svm.Native && !slices.Contains(held, f.Mint) {
			held = append(held, f.Mint)
		}
	}
	slices.SortFunc(unlisted, func(a, b svm.Address) int { return bytes.Compare(a[:], b[:]) })
	more = len(unlisted) > maxUnlisted
	return append(held, unlisted[:min(len(unlisted), maxUnlisted)]...), more
}

// description holds the facts about a token.
type description struct {
	name, symbol, icon string
	decimals           uint8
	listed, nft        bool
}

// describe returns descriptions of tokens by mint, without accounts that are not mints.
func (r *Reader) describe(ctx context.Context, chainID string, mints []svm.Address) (map[svm.Address]description, error) {
	all := map[svm.Address]description{}
	var unlisted []svm.Address
	for _, mint := range mints {
		if t, listed := r.Tokens.Mint(chainID, mint); listed {
			all[mint] = description{name: t.Name, symbol: t.Symbol, icon: t.Icon, decimals: t.Decimals, listed: true}
		} else {
			unlisted = append(unlisted, mint)
		}
	}
	facts, err := r.Facts.Read(ctx, chainID, unlisted)
	for mint, f := range facts {
		all[mint] = description{name: f.Name, symbol: f.Symbol, decimals: f.Decimals, nft: f.NFT}
	}
	return all, err
}

// listedNames returns the names and symbols of the listed tokens and of the native currency.
func (r *Reader) listedNames(n holdings.Network) spam.ListedNames {
	names := spam.ListedNames{}
	names.Add(n.Name, n.Symbol)
	for _, t := range r.Tokens.Mints(n.ChainID) {
		names.Add(t.Name, t.Symbol)
	}
	return names
}

// hiddenBecause returns the reason to hide a token outside the lists; empty to show it.
func (r *Reader) hiddenBecause(names spam.ListedNames, h holdings.Holding, mint svm.Address) string {
	if wrong := names.Warning(h.Name, h.Symbol); wrong != "" {
		return wrong
	}
	if !h.Priced && r.Prices.Unsellable(solprices.Asset{Chain: h.ChainID, Mint: mint}) {
		return holdings.HiddenNoLiquidity
	}
	return ""
}
