package prices

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
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
	// maxPoolTokens bounds the cached tokens.
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
	poolCalls []poolCall // of each query
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
	// price is that of the deepest pool; nil if none was deep enough.
	price *Price
}

func newPoolTable(x map[string]exchanges, c clock.Clock) *poolTable {
	return &poolTable{exchanges: x, clock: c, tokens: map[Asset]*tokenPools{}}
}

// search marks tokens as used and returns the search for those whose list of pools has expired.
func (b *poolTable) search(chainID string, tokens []Unit) PoolSearch {
	x := b.exchanges[chainID]
	if len(x.v2)+len(x.v3) == 0 {
		return PoolSearch{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s := PoolSearch{chain: chainID}
	for _, u := range tokens {
		t := b.use(Asset{chainID, u.Token})
		if t == nil || x.isAnchor(u.Token) || b.clock.Now().Sub(t.searched) < searchLifetime || len(s.tokens) == maxSearches {
			continue
		}
		s.tokens = append(s.tokens, u)
		s.add(x, u)
	}
	return s
}

// use returns the cache entry of a token and marks it as used; nil if the cache is full.
func (b *poolTable) use(asset Asset) *tokenPools {
	now := b.clock.Now()
	t := b.tokens[asset]
	if t == nil && len(b.tokens) >= maxPoolTokens {
		maps.DeleteFunc(b.tokens, func(_ Asset, t *tokenPools) bool { return now.Sub(t.used) > usedLifetime })
	}
	if t == nil && len(b.tokens) < maxPoolTokens {
		t = &tokenPools{}
		b.tokens[asset] = t
	}
	if t != nil {
		t.used = now
	}
	return t
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
			s.poolCalls = append(s.poolCalls, poolCall{token, anchor, fee, tickSpacings[fee]})
		}
	}
}

// storePools stores the answers to a search.
func (b *poolTable) storePools(s PoolSearch, answers [][]evm.Answer) {
	if len(s.Queries) == 0 || len(answers) != len(s.Queries) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, u := range s.tokens {
		if t := b.tokens[Asset{s.chain, u.Token}]; t != nil {
			t.searched, t.read, t.pools = b.clock.Now(), time.Time{}, nil
		}
	}
	for i, p := range s.poolCalls {
		t := b.tokens[Asset{s.chain, p.token.Token}]
		for _, a := range answers[i] {
			address, ok := a.Address()
			if ok && t != nil && address != (evm.Address{}) {
				t.pools = append(t.pools, pool{address: address, token: p.token, anchor: p.anchor, fee: p.fee, spacing: p.spacing})
			}
		}
	}
}
