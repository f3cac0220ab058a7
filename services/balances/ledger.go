package balances

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/tokens"
)

const (
	// parallelChains bounds how many chains one request reads at once.
	parallelChains = 8
	// everywhereTimeout bounds a request for every chain: one slow chain must not hold back the others.
	everywhereTimeout = 5 * time.Second
	// strangers bounds how many tokens outside the lists are remembered, and for how long.
	strangers         = 10_000
	strangersLifetime = 24 * time.Hour
)

// ErrUnavailable is what callers get when a chain, or every chain asked, could not be read.
var ErrUnavailable = errors.New("no chain could be read")

// UnknownChainError says that a chain, by CAIP-2 id, is not in the network table.
type UnknownChainError struct{ ID string }

func (e *UnknownChainError) Error() string { return "no chain " + e.ID + " here" }

// NotTokenError says that a forced address is no token.
type NotTokenError struct{ ID string }

func (e *NotTokenError) Error() string { return e.ID + " is not a token" }

// Ask is one question for holdings.
type Ask struct {
	Owner    evm.Address
	Currency string
	// ChainID is a CAIP-2 id; empty for every active chain.
	ChainID string
	// Forced tokens are read anew and listed even when nothing of them is held.
	Forced []TokenRef
	// Watched says that a page watches the owner.
	Watched bool
}

// TokenRef names a token as the caller spells it.
type TokenRef struct {
	Asset prices.Asset
	// ID is its CAIP-10 id as the caller spells it.
	ID string
}

// ledger answers what accounts hold.
type ledger struct {
	networks Networks
	reader   Reader
	tokens   TokenList
	prices   Pricer
	touched  Touched
	// local names the local development chains, by CAIP-2 id: they are asked although their coins have no value.
	local func() []string
	clock clock.Clock
	// timeout bounds one reading of one chain.
	timeout time.Duration

	cache *holdingsCache
	// refreshing lets those who want the feeds of a chain at the same time share one reading.
	refreshing routine.Flights
	// strangers are tokens outside the lists; nil for a contract that is none.
	strangers *otter.Cache[prices.Asset, *tokens.Token]
	// slow are chains whose holdings, and mute those whose prices, could not be read a moment ago.
	slow, mute *restingChains
}

// newLedger completes l with what it keeps itself; holdings are kept for lifetime.
func newLedger(l *ledger, lifetime time.Duration) *ledger {
	l.cache = newHoldingsCache(lifetime)
	l.slow, l.mute = newRestingChains(l.clock), newRestingChains(l.clock)
	l.strangers = otter.Must(&otter.Options[prices.Asset, *tokens.Token]{
		MaximumSize:      strangers,
		ExpiryCalculator: otter.ExpiryWriting[prices.Asset, *tokens.Token](strangersLifetime),
	})
	return l
}

// Holdings lists what an account holds, sorted. The error is an [UnknownChainError] or a [NotTokenError], or wraps
// [ErrUnavailable].
func (l *ledger) Holdings(ctx context.Context, ask Ask) ([]Holding, error) {
	networks, err := l.networks.Networks(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	forced, err := byChain(networks, ask.Forced)
	if err != nil {
		return nil, err
	}
	asked, read, err := l.scope(networks, ask.ChainID)
	if err != nil {
		return nil, err
	}
	holdings, err := read(ctx, asked, ask, forced)
	if err != nil {
		return nil, err
	}
	more, err := l.besides(ctx, networks, asked, ask, forced)
	if err != nil {
		return nil, err
	}
	holdings = append(holdings, more...)
	sortHoldings(holdings)
	return holdings, nil
}

// reading reads what an owner holds on some chains.
type reading func(ctx context.Context, asked []Network, ask Ask, forced map[string][]TokenRef) ([]Holding, error)

// scope is which chains are asked, and how: the one named, or all that are active.
func (l *ledger) scope(networks []Network, chainID string) ([]Network, reading, error) {
	if chainID == "" {
		return l.active(networks), l.everywhere, nil
	}
	n, ok := onChain(networks, chainID)
	if !ok {
		return nil, nil, &UnknownChainError{chainID}
	}
	return []Network{n}, l.there, nil
}

// byChain sorts tokens by chain, each once.
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

// there reads the one chain that was asked for.
func (l *ledger) there(ctx context.Context, asked []Network, ask Ask, forced map[string][]TokenRef) ([]Holding, error) {
	holdings, err := l.on(ctx, asked[0], ask, forced[asked[0].ChainID])
	return slices.Clone(holdings), err
}

// besides reads the tokens that are forced on chains not asked for.
func (l *ledger) besides(ctx context.Context, networks, asked []Network, ask Ask, forced map[string][]TokenRef) ([]Holding, error) {
	var holdings []Holding
	for chainID, list := range forced {
		if _, done := onChain(asked, chainID); done {
			continue
		}
		n, _ := onChain(networks, chainID)
		more, err := l.read(ctx, n, ask, list, nil)
		if err != nil {
			return nil, err
		}
		holdings = append(holdings, more...)
	}
	return holdings, nil
}

// everywhere reads every chain asked at once. One that fails is left out, and rests a while, unless all do.
func (l *ledger) everywhere(ctx context.Context, asked []Network, ask Ask, forced map[string][]TokenRef) ([]Holding, error) {
	soon, cancel := context.WithTimeout(ctx, everywhereTimeout)
	defer cancel()
	results := make([][]Holding, len(asked))
	errs := make([]error, len(asked))
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(parallelChains)
	for i, n := range asked {
		list := forced[n.ChainID]
		if len(list) == 0 && l.slow.has(n.ChainID) {
			errs[i] = fmt.Errorf("%s failed a moment ago", n.ChainID)
			continue
		}
		g.Go(func() error {
			results[i], errs[i] = l.on(soon, n, ask, list)
			if errs[i] != nil && !isMistake(errs[i]) && ctx.Err() == nil {
				l.slow.add(n.ChainID)
			}
			return nil
		})
	}
	_ = g.Wait()
	return whatAnswered(results, errs)
}

// whatAnswered joins the results of the chains that answered; a token that is none is the caller's mistake on any of them.
func whatAnswered(results [][]Holding, errs []error) ([]Holding, error) {
	var holdings []Holding
	failed := 0
	for i, err := range errs {
		if isMistake(err) {
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
	return holdings, nil
}

func isMistake(err error) bool { return errors.As(err, new(*NotTokenError)) }

// active are the chains that are asked when no chain is named.
func (l *ledger) active(networks []Network) []Network {
	local := l.local()
	return slices.DeleteFunc(slices.Clone(networks), func(n Network) bool {
		return !strings.HasPrefix(n.ChainID, "eip155:") || n.Testnet && !slices.Contains(local, n.ChainID)
	})
}

// on lists what the owner holds on one chain: from the cache, unless tokens are forced.
func (l *ledger) on(ctx context.Context, n Network, ask Ask, forced []TokenRef) ([]Holding, error) {
	key := cacheKey{chainID: n.ChainID, owner: ask.Owner, currency: ask.Currency}
	load := func(ctx context.Context) ([]Holding, error) {
		all := append([]subject{nativeSubject(n)}, subjects(n.ChainID, l.tokens.On(n.ChainID))...)
		return l.read(ctx, n, ask, forced, append(all, l.discovered(ctx, n, ask)...))
	}
	if len(forced) == 0 {
		return l.cache.get(ctx, key, load)
	}
	holdings, err := load(ctx)
	l.cache.drop(key)
	return holdings, err
}

func subjects(chainID string, list []tokens.Token) []subject {
	all := make([]subject, len(list))
	for i, t := range list {
		all[i] = tokenSubject(chainID, t)
		all[i].listed = true
	}
	return all
}
