package holdings

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// plan is one read of one chain: the queries of one round trip, and the places of their answers.
type plan struct {
	subjects []candidate
	// unknown are the indexes of candidates of which only the address is known.
	unknown []int
	batch   prices.Batch
}

// read reads the balances of candidates and forced tokens on one chain, in one round trip. The error wraps [ErrUnavailable] or is a
// [NotTokenError].
func (r *Reader) read(ctx context.Context, n Network, q Query, forced []TokenRef, subjects []candidate) ([]Holding, error) {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	p := r.plan(n, forced, subjects)
	queries, at := p.queries(q.Owner)
	pricesRead := r.readPrices(ctx, r.Prices.OtherChains(n.ChainID, q.Currency))
	reading, err := r.Nodes.Read(ctx, n.ChainID, queries)
	pricesRead()
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrUnavailable, n.ChainID, err)
	}
	r.Prices.Store(p.batch, reading.Answers[at.prices:at.facts], reading.At)
	if err := r.applyFacts(&p, reading.Answers[at.facts:]); err != nil {
		return nil, err
	}
	price := func(a prices.Asset) (prices.Price, bool) { return r.Prices.Price(a, q.Currency, prices.Held(ctx)) }
	r.pricePools(ctx, n.ChainID, p.unpriced(reading.Answers, price), true)
	return p.holdings(reading.Answers, price, r.visibilityOn(n))
}

// plan adds the forced tokens to the candidates.
func (r *Reader) plan(n Network, forced []TokenRef, subjects []candidate) plan {
	p := plan{subjects: subjects}
	for i, s := range subjects {
		if s.nameless {
			p.unknown = append(p.unknown, i)
		}
	}
	for _, f := range forced {
		i := slices.IndexFunc(p.subjects, func(s candidate) bool { return s.asset == f.Asset })
		if i >= 0 {
			p.subjects[i].force(f)
			continue
		}
		s, known := r.find(n, f)
		if !known {
			p.unknown = append(p.unknown, len(p.subjects))
		}
		p.subjects = append(p.subjects, s)
	}
	p.batch = r.Prices.Due(n.ChainID)
	return p
}

// force marks a candidate as forced, with the caller's spelling of its id.
func (s *candidate) force(f TokenRef) {
	s.forced = true
	if s.id != "" {
		s.id = f.ID
	}
}

// find describes a forced token that is not a candidate yet; false if its name must be read from its contract.
func (r *Reader) find(n Network, f TokenRef) (candidate, bool) {
	s := candidate{asset: f.Asset, id: f.ID, forced: true}
	if f.Asset.Address == evm.Native {
		s = nativeCandidate(n)
		s.forced = true
		return s, true
	}
	if t, listed := r.Tokens.Find(n.ChainID, f.Asset.Address); listed {
		s = tokenCandidate(n.ChainID, t)
		s.listed = true
		s.force(f)
		return s, true
	}
	if t, _ := r.fact(f.Asset); t != nil {
		s = tokenCandidate(n.ChainID, *t)
		s.force(f)
		return s, true
	}
	return s, false
}

// places are the indexes where the parts of the answers begin; balances begin at 0.
type places struct{ prices, facts int }

// queries returns the queries: native balance, token balances, prices, then name, symbol and decimals of unknown tokens.
func (p plan) queries(owner evm.Address) ([]evm.Query, places) {
	var contracts, unknown []evm.Address
	for _, s := range p.subjects {
		if s.asset.Address != evm.Native {
			contracts = append(contracts, s.asset.Address)
		}
	}
	for _, i := range p.unknown {
		unknown = append(unknown, p.subjects[i].asset.Address)
	}
	queries := []evm.Query{evm.NativeBalance(owner), evm.TokenBalances(owner, contracts)}
	at := places{prices: len(queries)}
	queries = append(queries, p.batch.Queries...)
	at.facts = len(queries)
	if len(unknown) > 0 {
		queries = append(queries, evm.TokenFacts(unknown)...)
	}
	return queries, at
}

// applyFacts fills in and stores what unknown tokens returned. A contract that is not a token is an error only if the caller forced it.
func (r *Reader) applyFacts(p *plan, answers [][]evm.Answer) error {
	if len(p.unknown) == 0 {
		return nil
	}
	for k, fact := range evm.ReadTokenFacts(answers) {
		s := &p.subjects[p.unknown[k]]
		if fact == nil && s.forced {
			return &NotTokenError{ID: s.id}
		}
		r.storeFact(s.asset, fact)
		if fact == nil {
			s.nothing = true
			continue
		}
		s.name, s.symbol, s.decimals = fact.Name, fact.Symbol, fact.Decimals
	}
	return nil
}

// fact is what a contract outside the lists returned.
type fact struct {
	// token is nil if the contract is not a token.
	token *tokens.Token
	read  time.Time
}

// fact returns what a contract outside the lists is, nil if it is not a token; false if it must be read.
func (r *Reader) fact(asset prices.Asset) (*tokens.Token, bool) {
	known, ok := r.unlisted.Get(asset)
	if !ok || known.token == nil && r.Clock.Now().Sub(known.read) >= notTokenLifetime {
		return nil, false
	}
	return known.token, true
}

// storeFact stores what a contract outside the lists returned; nil if it is not a token.
func (r *Reader) storeFact(asset prices.Asset, f *evm.TokenFact) {
	known := fact{read: r.Clock.Now()}
	if f != nil {
		known.token = &tokens.Token{Address: asset.Address, Name: f.Name, Symbol: f.Symbol, Decimals: f.Decimals}
	}
	r.unlisted.Set(asset, known)
}

// holdings returns the holdings of all candidates, without those whose balance could not be read.
func (p plan) holdings(answers [][]evm.Answer, price pricing, j Visibility) ([]Holding, error) {
	native, contracts := answers[0][0], answers[1]
	var holdings []Holding
	for _, s := range p.subjects {
		answer := native
		if s.asset.Address != evm.Native {
			answer, contracts = contracts[0], contracts[1:]
		}
		units, known := answer.Amount()
		if s.asset.Address == evm.Native && !known {
			return nil, fmt.Errorf("%w: the node gave no native balance", ErrUnavailable)
		}
		h, ok := s.holding(units, known, price)
		if !ok {
			continue
		}
		if !h.Priced {
			h.Limit = j.Unpriced(s.asset)
		}
		if !s.listed {
			h.Hidden = j.HiddenBecause(s.asset, h)
		}
		holdings = append(holdings, h)
	}
	return holdings, nil
}

// readPrices starts to read the feeds of other chains; wait returns when they are read. A chain that fails leaves its prices unknown and is not
// read again for a while.
func (r *Reader) readPrices(ctx context.Context, chainIDs []string) (wait func()) {
	var wg routine.WaitGroup
	for _, chainID := range chainIDs {
		if r.failedPrices.has(chainID) {
			continue
		}
		wg.Go(ctx, func() {
			if r.refresh(ctx, chainID) != nil && ctx.Err() == nil {
				r.failedPrices.add(chainID)
			}
		})
	}
	return wg.Wait
}

// refresh reads the feeds of one chain if they are stale. Concurrent callers share one read.
func (r *Reader) refresh(ctx context.Context, chainID string) error {
	flight := r.refreshing.DoChan(ctx, chainID, func() (any, error) {
		batch := r.Prices.Due(chainID)
		if len(batch.Queries) == 0 {
			return nil, nil
		}
		// Others may wait for the same read, so the first caller does not cancel it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pricesTimeout)
		defer cancel()
		reading, err := r.Nodes.Read(ctx, chainID, batch.Queries)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrUnavailable, chainID, err)
		}
		r.Prices.Store(batch, reading.Answers, reading.At)
		return nil, nil
	})
	select {
	case <-ctx.Done():
		return ctx.Err()
	case result := <-flight:
		return result.Err
	}
}

// skipFailedFor is how long a failed chain is skipped by requests that do not depend on it.
const skipFailedFor = 10 * time.Second

// failedChains are the chains that failed recently, so that not every request waits for them.
type failedChains struct {
	clock clock.Clock

	mu    sync.Mutex
	until map[string]time.Time
}

func newFailedChains(c clock.Clock) *failedChains {
	return &failedChains{clock: c, until: map[string]time.Time{}}
}

// has reports whether the chain failed recently.
func (r *failedChains) has(chainID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.clock.Now().Before(r.until[chainID])
}

// add records a failure of the chain.
func (r *failedChains) add(chainID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until[chainID] = r.clock.Now().Add(skipFailedFor)
}
