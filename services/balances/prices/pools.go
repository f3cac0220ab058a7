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
	// searchLifetime is how long it counts which pools a token has.
	searchLifetime = 10 * time.Minute
	// usedFor is how long a token's pools are read along with the rest after somebody held the token.
	usedFor = 10 * time.Minute
	// searchedAtOnce and readAtOnce bound one reading: tokens searched for, and pools read along.
	searchedAtOnce = 50
	readAtOnce     = 16
	// tradedTokens bounds how many tokens are remembered.
	tradedTokens = 20_000
)

// Unit is a token and how its amounts are read.
type Unit struct {
	Token    evm.Address
	Decimals uint8
}

// Search asks the factories of a chain for the pools of tokens.
type Search struct {
	// Queries are what must be read; none when nothing is to be searched.
	Queries []evm.Query

	chain  string
	tokens []Unit
	places []place // one a query
}

// place is what one query of a search asks for.
type place struct {
	token, anchor Unit
	fee           uint32
	spacing       int32
}

// poolBook knows the pools of tokens. It is safe for concurrent use.
type poolBook struct {
	exchanges map[string]exchanges
	clock     clock.Clock

	mu     sync.Mutex
	tokens map[Asset]*traded
}

// traded is a token whose pools were searched for.
type traded struct {
	// searched, used and read are when its pools were searched for, the token was held, and its pools were read.
	searched, used, read time.Time
	markets              []market
	// price is that of the deepest pool when they were read; nil when none was deep enough.
	price *Price
}

func newPoolBook(x map[string]exchanges, c clock.Clock) *poolBook {
	return &poolBook{exchanges: x, clock: c, tokens: map[Asset]*traded{}}
}

// search notes that tokens are held, and asks for the pools of those not searched for lately.
func (b *poolBook) search(chainID string, tokens []Unit) Search {
	x := b.exchanges[chainID]
	if len(x.v2)+len(x.v3) == 0 {
		return Search{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s := Search{chain: chainID}
	for _, u := range tokens {
		t := b.use(Asset{chainID, u.Token})
		if t == nil || x.isAnchor(u.Token) || b.clock.Now().Sub(t.searched) < searchLifetime || len(s.tokens) == searchedAtOnce {
			continue
		}
		s.tokens = append(s.tokens, u)
		s.ask(x, u)
	}
	return s
}

// use returns what is known of a token, which is held now; nil when there is no room for it.
func (b *poolBook) use(asset Asset) *traded {
	now := b.clock.Now()
	t := b.tokens[asset]
	if t == nil && len(b.tokens) >= tradedTokens {
		maps.DeleteFunc(b.tokens, func(_ Asset, t *traded) bool { return now.Sub(t.used) > usedFor })
	}
	if t == nil && len(b.tokens) < tradedTokens {
		t = &traded{}
		b.tokens[asset] = t
	}
	if t != nil {
		t.used = now
	}
	return t
}

// ask adds one query a fee and anchor, to all factories with that fee.
func (s *Search) ask(x exchanges, token Unit) {
	for _, anchor := range x.anchors {
		pair := [][]byte{evm.Word(token.Token), evm.Word(anchor.Token)}
		for _, fee := range slices.Sorted(maps.Keys(x.v2)) {
			s.Queries = append(s.Queries, evm.Query{Call: joined(getPair, pair...), Keep: 32, Targets: x.v2[fee]})
			s.places = append(s.places, place{token, anchor, fee, 0})
		}
		for _, fee := range slices.Sorted(maps.Keys(x.v3)) {
			call := joined(getPool, append(pair, signedWord(int32(fee)))...)
			s.Queries = append(s.Queries, evm.Query{Call: call, Keep: 32, Targets: x.v3[fee]})
			s.places = append(s.places, place{token, anchor, fee, tickSpacings[fee]})
		}
	}
}

// found takes the answers to a search.
func (b *poolBook) found(s Search, answers [][]evm.Answer) {
	if len(s.Queries) == 0 || len(answers) != len(s.Queries) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, u := range s.tokens {
		if t := b.tokens[Asset{s.chain, u.Token}]; t != nil {
			t.searched, t.read, t.markets = b.clock.Now(), time.Time{}, nil
		}
	}
	for i, p := range s.places {
		t := b.tokens[Asset{s.chain, p.token.Token}]
		for _, a := range answers[i] {
			pool, ok := a.Address()
			if ok && t != nil && pool != (evm.Address{}) {
				t.markets = append(t.markets, market{pool: pool, token: p.token, anchor: p.anchor, fee: p.fee, spacing: p.spacing})
			}
		}
	}
}
