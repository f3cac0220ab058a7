// Package holdings reads what accounts hold and what it is worth, and caches it until the chain has a new block.
package holdings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// parallelChains bounds how many chains one request reads concurrently.
	parallelChains = 8
	// everywhereTimeout bounds a request for all chains, so that a slow chain does not delay the others.
	everywhereTimeout = 5 * time.Second
	// maxUnlisted and unlistedLifetime bound the cache of tokens outside the lists. An address that is not a token is read again after
	// notTokenLifetime, because a token may be deployed there, and the node may not have had its block.
	maxUnlisted      = 10_000
	unlistedLifetime = 24 * time.Hour
	notTokenLifetime = time.Minute
)

// ErrUnavailable means that the requested chain, or every requested chain, could not be read.
var ErrUnavailable = errors.New("no chain could be read")

// UnknownChainError is the error of a chain, by CAIP-2 id, that is not in the network table.
type UnknownChainError struct{ ID string }

func (e *UnknownChainError) Error() string { return "no chain " + e.ID + " here" }

// NotTokenError is the error of a forced address that is not a token.
type NotTokenError struct{ ID string }

func (e *NotTokenError) Error() string { return e.ID + " is not a token" }

// Query says which holdings to read.
type Query struct {
	Owner    evm.Address
	Currency string
	// ChainID is a CAIP-2 id; empty for every active chain.
	ChainID string
	// Forced tokens are read past the cache and listed with a zero balance too.
	Forced []TokenRef
	// Watched means that a client watches the owner: the account is read past the cache.
	Watched bool
}

// TokenRef is a token in the caller's spelling.
type TokenRef struct {
	Asset prices.Asset
	// ID is its CAIP-10 id in the caller's spelling.
	ID string
}

// Reader reads what accounts hold.
type Reader struct {
	Networks Networks
	Nodes    NodeReader
	Tokens   TokenList
	Prices   Pricer
	Logs     PoolLogs
	Touched  Touched
	// Local lists the local development chains by CAIP-2 id: they are read although they are testnets.
	Local func() []string
	Clock clock.Clock
	// Timeout bounds one read of one chain.
	Timeout time.Duration

	Cache *Cache[[]Holding]
	// refreshing shares one read of a chain's feeds among concurrent callers.
	refreshing routine.Flights
	// listed has the names of listed tokens, a [spam.ListedNames] by [Network].
	listed sync.Map
	// unlisted caches what contracts outside the lists are.
	unlisted *cache.Cache[prices.Asset, fact]
	// failedHoldings are chains whose holdings could not be read recently, and failedPrices those whose prices could not.
	failedHoldings, failedPrices *failedChains
}

// NewReader adds the caches to r. Holdings are cached for lifetime.
func NewReader(r *Reader, lifetime time.Duration) *Reader {
	r.Cache = NewCache(lifetime, func(list []Holding) []Holding { return list })
	r.failedHoldings, r.failedPrices = newFailedChains(r.Clock), newFailedChains(r.Clock)
	r.unlisted = cache.New(cache.Options[prices.Asset, fact]{
		MaxEntries: maxUnlisted,
		Lifetime:   unlistedLifetime,
	})
	return r
}

// Holdings lists the holdings of an account, sorted. The list is shared: it must not be changed. The error is an [UnknownChainError] or a
// [NotTokenError], or wraps [ErrUnavailable].
func (r *Reader) Holdings(ctx context.Context, q Query) ([]Holding, error) {
	networks, err := r.Networks.Networks(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	forced, err := byChain(networks, q.Forced)
	if err != nil {
		return nil, err
	}
	selected, read, err := r.scope(networks, q.ChainID)
	if err != nil {
		return nil, err
	}
	holdings, err := read(ctx, selected, q, forced)
	if err != nil {
		return nil, err
	}
	more, err := r.readForced(ctx, networks, selected, q, forced)
	if err != nil {
		return nil, err
	}
	if len(more) == 0 {
		return holdings, nil
	}
	holdings = slices.Concat(holdings, more)
	Sort(holdings)
	return holdings, nil
}

// reading reads the holdings of an owner on some chains, sorted.
type reading func(ctx context.Context, selected []Network, q Query, forced map[string][]TokenRef) ([]Holding, error)

// scope returns the chains to read, the named one or all active ones, and the function that reads them.
func (r *Reader) scope(networks []Network, chainID string) ([]Network, reading, error) {
	if chainID == "" {
		return r.active(networks), r.readAllChains, nil
	}
	n, ok := onChain(networks, chainID)
	if !ok {
		return nil, nil, &UnknownChainError{chainID}
	}
	return []Network{n}, r.readOne, nil
}

// byChain groups tokens by chain, without duplicates.
func byChain(networks []Network, list []TokenRef) (map[string][]TokenRef, error) {
	sorted := map[string][]TokenRef{}
	for _, t := range list {
		chainID := t.Asset.Chain
		if _, ok := onChain(networks, chainID); !ok {
			return nil, &UnknownChainError{chainID}
		}
		if !slices.ContainsFunc(sorted[chainID], func(o TokenRef) bool { return o.Asset == t.Asset }) {
			sorted[chainID] = append(sorted[chainID], t)
		}
	}
	return sorted, nil
}

func onChain(networks []Network, chainID string) (Network, bool) {
	i := slices.IndexFunc(networks, func(n Network) bool { return n.ChainID == chainID })
	if i < 0 {
		return Network{}, false
	}
	return networks[i], true
}

// readOne reads the one requested chain.
func (r *Reader) readOne(ctx context.Context, selected []Network, q Query, forced map[string][]TokenRef) ([]Holding, error) {
	return r.readChain(ctx, selected[0], q, forced[selected[0].ChainID])
}

// readForced reads the forced tokens of chains that are not requested.
func (r *Reader) readForced(ctx context.Context, networks, selected []Network, q Query, forced map[string][]TokenRef) ([]Holding, error) {
	var holdings []Holding
	for chainID, list := range forced {
		if _, done := onChain(selected, chainID); done {
			continue
		}
		n, _ := onChain(networks, chainID)
		more, err := r.read(ctx, n, q, list, nil)
		if err != nil {
			return nil, err
		}
		holdings = append(holdings, more...)
	}
	return holdings, nil
}

// readAllChains reads all requested chains concurrently. A chain that fails is left out, and skipped for a while, unless all fail.
func (r *Reader) readAllChains(ctx context.Context, selected []Network, q Query, forced map[string][]TokenRef) ([]Holding, error) {
	soon, cancel := context.WithTimeout(ctx, everywhereTimeout)
	defer cancel()
	results := make([][]Holding, len(selected))
	errs := make([]error, len(selected))
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(parallelChains)
	for i, n := range selected {
		list := forced[n.ChainID]
		if len(list) == 0 && r.failedHoldings.has(n.ChainID) {
			errs[i] = fmt.Errorf("%s failed a moment ago", n.ChainID)
			continue
		}
		g.Go(func() error {
			// A chain that waited behind slow ones did not fail.
			if errs[i] = soon.Err(); errs[i] != nil {
				return nil
			}
			results[i], errs[i] = r.readChain(soon, n, q, list)
			if errs[i] != nil && !isRequestError(errs[i]) && ctx.Err() == nil {
				r.failedHoldings.add(n.ChainID)
			}
			return nil
		})
	}
	_ = g.Wait()
	return partialResult(results, errs)
}

// partialResult joins the results of the chains that could be read. A [NotTokenError] of any chain fails the request.
func partialResult(results [][]Holding, errs []error) ([]Holding, error) {
	var holdings []Holding
	failed := 0
	for i, err := range errs {
		if isRequestError(err) {
			return nil, err
		}
		if err != nil {
			failed++
		}
		holdings = append(holdings, results[i]...)
	}
	if failed > 0 && failed == len(errs) {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, errors.Join(errs...))
	}
	Sort(holdings)
	return holdings, nil
}

func isRequestError(err error) bool { return errors.As(err, new(*NotTokenError)) }

// active returns the chains that a request without a chain reads.
func (r *Reader) active(networks []Network) []Network {
	local := r.Local()
	return slices.DeleteFunc(slices.Clone(networks), func(n Network) bool {
		return !strings.HasPrefix(n.ChainID, "eip155:") || n.Testnet && !slices.Contains(local, n.ChainID)
	})
}

// readChain lists the holdings on one chain, sorted, from the cache unless tokens are forced. The result is shared with the cache.
func (r *Reader) readChain(ctx context.Context, n Network, q Query, forced []TokenRef) ([]Holding, error) {
	key := Key{ChainID: n.ChainID, Owner: q.Owner.String(), Currency: q.Currency}
	head := r.Cache.HeadOf(n.ChainID)
	load := func(ctx context.Context) ([]Holding, error) {
		all := append([]candidate{nativeCandidate(n)}, candidates(n.ChainID, r.Tokens.On(n.ChainID))...)
		holdings, err := r.read(ctx, n, q, forced, append(all, r.discovered(ctx, n, q)...))
		Sort(holdings)
		return holdings, err
	}
	if len(forced) == 0 && !q.Watched {
		return r.Cache.Get(ctx, key, load)
	}
	holdings, err := load(ctx)
	r.Cache.Drop(key)
	if err == nil && len(forced) == 0 {
		r.Cache.Put(key, holdings, head)
	}
	return holdings, err
}

func candidates(chainID string, list []tokens.Token) []candidate {
	all := make([]candidate, len(list))
	for i, t := range list {
		all[i] = tokenCandidate(chainID, t)
		all[i].listed = true
	}
	return all
}

// Rate returns the price of one unit of a currency in US dollars; false if it is unknown.
func (r *Reader) Rate(ctx context.Context, currency string) (float64, bool) {
	r.readPrices(ctx, r.Prices.OtherChains("", currency))()
	return r.Prices.Rate(currency)
}

// AccountCurrency is the currency in which watched accounts are read.
const AccountCurrency = "usd"

// Convert returns the holdings of a chain with prices in another currency.
func (r *Reader) Convert(ctx context.Context, chainID, currency string, holdings []Holding) []Holding {
	if currency == AccountCurrency || len(holdings) == 0 {
		return holdings
	}
	r.readPrices(ctx, r.Prices.OtherChains(chainID, currency))()
	holdings = slices.Clone(holdings)
	for i := range holdings {
		h := &holdings[i]
		h.Price, h.Priced = r.Prices.Price(h.asset, currency, prices.Held(ctx))
		if h.Appraise(); !h.Priced {
			h.Limit = r.Prices.Unpriced(h.asset)
		}
	}
	Sort(holdings)
	return holdings
}
