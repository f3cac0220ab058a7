package prices

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// searchLifetime is how long the list of a token's pools is cached.
	searchLifetime = 10 * time.Minute
	// usedLifetime is how long the pools of a token are read with the feeds after an account with the token was read.
	usedLifetime = 10 * time.Minute
	// maxSearches bounds the tokens of one search, and maxPoolReads the pools that are read with the feeds.
	maxSearches  = 50
	maxPoolReads = 16
	// maxPoolTokens bounds the cached tokens. Of more, an eighth is dropped: first those that no account held, then those whose last use is longest ago.
	maxPoolTokens = 20_000
)

// Unit is a token contract and its number of decimals.
type Unit struct {
	Token    evm.Address
	Decimals uint8
}

// PoolSearch is a search for the pools of tokens at the factories of a chain.
type PoolSearch struct {
	// Queries are the queries to make; empty if no search is due.
	Queries []evm.Query

	chain     string
	tokens    []Unit
	poolCalls []poolCall // of each query but the last, which reads the supply of the tokens
}

// poolCall is the argument of one query of a search.
type poolCall struct {
	token, anchor Unit
	fee           uint32
	spacing       int32
}

// poolTable caches the pools of tokens and their prices. It is safe for concurrent use.
type poolTable struct {
	exchanges map[string]exchanges
	clock     clock.Clock

	mu     sync.Mutex
	tokens map[Asset]*tokenPools
}

// tokenPools holds the pools of a token.
type tokenPools struct {
	// searched, used and read are the times of the last search, of the last read of an account with the token, and of the last read of the
	// pools.
	searched, used, read time.Time
	pools                []pool
	// young are those of the pools that were created within the last hour, as the last search found.
	young map[evm.Address]bool
	// held is set if an account was read that holds the token, not only its price.
	held bool
	// supply is the total supply in base units.
	supply float64
	// price is that of the deepest pool; nil if none was deep enough, which unpriced says.
	price    *Price
	unpriced string
}

func newPoolTable(x map[string]exchanges, c clock.Clock) *poolTable {
	return &poolTable{exchanges: x, clock: c, tokens: map[Asset]*tokenPools{}}
}

// search marks tokens as used and returns the search for those whose list of pools has expired. held is set for tokens that an account holds.
func (b *poolTable) search(chainID string, tokens []Unit, held bool) PoolSearch {
	x := b.exchanges[chainID]
	if len(x.v2)+len(x.v3) == 0 {
		return PoolSearch{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s := PoolSearch{chain: chainID}
	for _, u := range tokens {
		t := b.use(Asset{chainID, u.Token}, held)
		if x.isAnchor(u.Token) || b.clock.Now().Sub(t.searched) < searchLifetime || len(s.tokens) == maxSearches {
			continue
		}
		s.tokens = append(s.tokens, u)
		s.add(x, u)
	}
	if len(s.tokens) > 0 {
		s.Queries = append(s.Queries, evm.Query{Call: totalSupply, Keep: 32, Targets: s.contracts()})
	}
	return s
}

// contracts returns the tokens that pools are searched for.
func (s PoolSearch) contracts() []evm.Address {
	list := make([]evm.Address, len(s.tokens))
	for i, u := range s.tokens {
		list[i] = u.Token
	}
	return list
}

// use returns the cache entry of a token and marks it as used.
func (b *poolTable) use(asset Asset, held bool) *tokenPools {
	t := b.tokens[asset]
	if t == nil {
		if len(b.tokens) >= maxPoolTokens {
			b.evict()
		}
		t = &tokenPools{}
		b.tokens[asset] = t
	}
	t.used, t.held = b.clock.Now(), t.held || held
	return t
}

// evict drops an eighth of the tokens.
func (b *poolTable) evict() {
	assets := slices.SortedFunc(maps.Keys(b.tokens), func(a, o Asset) int {
		x, y := b.tokens[a], b.tokens[o]
		if x.held != y.held {
			if y.held {
				return -1
			}
			return 1
		}
		return x.used.Compare(y.used)
	})
	for _, asset := range assets[:maxPoolTokens/8] {
		delete(b.tokens, asset)
	}
}

// add adds one query per fee and anchor, to all factories with that fee.
func (s *PoolSearch) add(x exchanges, token Unit) {
	for _, anchor := range x.anchors {
		pair := [][]byte{evm.Word(token.Token), evm.Word(anchor.Token)}
		for _, fee := range slices.Sorted(maps.Keys(x.v2)) {
			s.Queries = append(s.Queries, evm.Query{Call: joined(getPair, pair...), Keep: 32, Targets: x.v2[fee]})
			s.poolCalls = append(s.poolCalls, poolCall{token, anchor, fee, 0})
		}
		for _, fee := range slices.Sorted(maps.Keys(x.v3)) {
			call := joined(getPool, append(pair, signedWord(int32(fee)))...)
			s.Queries = append(s.Queries, evm.Query{Call: call, Keep: 32, Targets: x.v3[fee]})
			s.poolCalls = append(s.poolCalls, poolCall{token, anchor, fee, dex.UsualSpacing(fee)})
		}
	}
}

// Factories returns the factories that the search asks.
func (s PoolSearch) Factories() (list []evm.Address) {
	for i := range s.poolCalls {
		list = append(list, s.Queries[i].Targets...)
	}
	slices.SortFunc(list, func(a, b evm.Address) int { return a.Cmp(b) })
	return slices.Compact(list)
}

// Tokens returns the tokens and anchors of the search.
func (s PoolSearch) Tokens() (list []evm.Address) {
	for _, p := range s.poolCalls {
		list = append(list, p.token.Token, p.anchor.Token)
	}
	slices.SortFunc(list, func(a, b evm.Address) int { return a.Cmp(b) })
	return slices.Compact(list)
}

// storeYoung records which pools are young.
func (b *poolTable) storeYoung(s PoolSearch, young map[evm.Address]bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, u := range s.tokens {
		t := b.tokens[Asset{s.chain, u.Token}]
		if t == nil {
			continue
		}
		found := map[evm.Address]bool{}
		for _, p := range t.pools {
			if young[p.address] {
				found[p.address] = true
				t.read = time.Time{} // A price may be that of the young pool.
			}
		}
		t.young = found
	}
}

// storePools stores the answers to a search, and reports whether it found a pool.
func (b *poolTable) storePools(s PoolSearch, answers [][]evm.Answer) (found bool) {
	if len(s.Queries) == 0 || len(answers) != len(s.Queries) {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	supplies := answers[len(s.poolCalls)]
	for i, u := range s.tokens {
		if t := b.tokens[Asset{s.chain, u.Token}]; t != nil {
			t.searched, t.read, t.pools = b.clock.Now(), time.Time{}, nil
			supply, _ := supplies[i].Amount()
			t.supply, _ = new(big.Float).SetInt(cmp.Or(supply, new(big.Int))).Float64()
		}
	}
	for i, p := range s.poolCalls {
		t := b.tokens[Asset{s.chain, p.token.Token}]
		for _, a := range answers[i] {
			address, ok := a.Address()
			if ok && t != nil && address != (evm.Address{}) {
				t.pools = append(t.pools, pool{address: address, token: p.token, anchor: p.anchor, fee: p.fee, spacing: p.spacing})
				found = true
			}
		}
	}
	return found
}
