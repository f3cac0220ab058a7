package solprices

import (
	"context"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/balances/depth"
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/svm/pool"
)

const (
	// searchedTokens bounds how many tokens are searched for pools at once; the others are searched later.
	searchedTokens = 20
	// searchLifetime is how long the search for the pools of a token is not repeated.
	searchLifetime = 30 * time.Minute
	// vaultSize and mintSize are how many bytes of a vault and of an anchor's mint are read.
	vaultSize, mintSize = 72, 82
)

// Unit is a token and its number of decimals.
type Unit struct {
	Mint     svm.Address
	Decimals uint8
}

// traded is the cached state of a token's pools.
type traded struct {
	pools    []svm.Address
	searched time.Time
	// read is the time of the last read of the pools; price is nil if none is deep enough.
	read  time.Time
	price *prices.Price
	// anchored is set if an anchor had a price when the pools were read.
	anchored bool
}

// poolPrice returns the price of a token's deepest pool; false if there is none, or if it is stale.
func (t *Table) poolPrice(asset Asset) (prices.Price, bool) {
	known, ok := t.traded.Get(asset)
	if !ok || known.price == nil || t.clock.Now().Sub(known.read) > 2*lifetime {
		return prices.Price{}, false
	}
	return *known.price, true
}

// Unsellable reports whether the pools of a token are known, an anchor of the chain has a price, and no pool is deep enough.
func (t *Table) Unsellable(asset Asset) bool {
	known, ok := t.traded.Get(asset)
	return ok && !known.read.IsZero() && known.price == nil && known.anchored
}

// ReadPools reads the pools of tokens without another price, in at most three batches: the pools' addresses, the pools,
// and their balances. Prices that cannot be read stay unknown.
func (t *Table) ReadPools(ctx context.Context, send chainclient.Transport, chainID string, tokens []Unit) {
	due := t.due(chainID, tokens)
	if len(due) == 0 {
		return
	}
	r := reading{table: t, chainID: chainID, send: send, decimals: map[svm.Address]uint8{}}
	if r.search(ctx, due) != nil {
		return
	}
	if r.readPools(ctx, due) != nil || r.readReserves(ctx) != nil {
		return
	}
	r.store(due)
}

// due returns the tokens whose pools must be read, without those that are priced in another way.
func (t *Table) due(chainID string, tokens []Unit) (due []Unit) {
	searches := 0
	for _, u := range tokens {
		asset := Asset{chainID, u.Mint}
		if _, priced := t.feedPrice(asset); priced || len(t.sources[chainID].anchors) == 0 {
			continue
		}
		known, _ := t.traded.Get(asset)
		if t.clock.Now().Sub(known.read) < lifetime {
			continue
		}
		if t.clock.Now().Sub(known.searched) >= searchLifetime {
			if searches++; searches > searchedTokens {
				continue
			}
		}
		due = append(due, u)
	}
	return due
}

// reading is one read of the pools of some tokens.
type reading struct {
	table   *Table
	chainID string
	send    chainclient.Transport
	pools   []*state
	// decimals are those of the anchors.
	decimals map[svm.Address]uint8
}

// state is the state of one pool.
type state struct {
	address svm.Address
	pool.Pool
	// reserves are the balances of the vaults that belong to the pool.
	reserves [2]float64
	held     bool
	// first is set if the token to sell is the first of the pool. ticks are those that its sale crosses, as far as end.
	first bool
	ticks []pool.Tick
	end   int32
}

// search finds the pools of tokens that were not searched recently.
func (r *reading) search(ctx context.Context, due []Unit) error {
	s, now := r.table.sources[r.chainID], r.table.clock.Now()
	var tokens []Unit
	var candidates []svm.Address
	perToken := 0
	for _, u := range due {
		if known, _ := r.table.traded.Get(Asset{r.chainID, u.Mint}); now.Sub(known.searched) < searchLifetime {
			continue
		}
		tokens = append(tokens, u)
		before := len(candidates)
		for _, anchor := range s.anchors {
			for _, e := range s.exchanges {
				candidates = append(candidates, e.Candidates(u.Mint, anchor)...)
			}
		}
		perToken = len(candidates) - before
	}
	if len(tokens) == 0 {
		return nil
	}
	found, err := svm.ReadAccountLists(ctx, r.send, svm.AccountList{Addresses: candidates, Size: 0}, svm.AccountList{Addresses: s.amm, Size: pool.Size})
	if err != nil {
		return err
	}
	for i, u := range tokens {
		known := traded{searched: now}
		for j := i * perToken; j < (i+1)*perToken; j++ {
			if found[0][j] != nil {
				known.pools = append(known.pools, candidates[j])
			}
		}
		for j, account := range found[1] {
			if account == nil {
				continue
			}
			if p, err := pool.Parse(account.Program, account.Data); err == nil && slices.Contains(p.Mints[:], u.Mint) {
				known.pools = append(known.pools, s.amm[j])
			}
		}
		r.table.traded.Set(Asset{r.chainID, u.Mint}, known)
	}
	return nil
}

// readPools reads the accounts of the tokens' pools, and the decimals of the anchors.
func (r *reading) readPools(ctx context.Context, due []Unit) error {
	s := r.table.sources[r.chainID]
	var addresses []svm.Address
	for _, u := range due {
		known, _ := r.table.traded.Get(Asset{r.chainID, u.Mint})
		addresses = append(addresses, known.pools...)
	}
	read, err := svm.ReadAccountLists(ctx, r.send, svm.AccountList{Addresses: addresses, Size: pool.Size}, svm.AccountList{Addresses: s.anchors, Size: mintSize})
	if err != nil {
		return err
	}
	for i, anchor := range s.anchors {
		if a := read[1][i]; a != nil {
			if mint, err := svm.ParseMint(anchor, a.Program, a.Data); err == nil {
				r.decimals[anchor] = mint.Decimals
			}
		}
	}
	for i, account := range read[0] {
		if account == nil {
			continue
		}
		p, err := pool.Parse(account.Program, account.Data)
		if err != nil || !p.Open || slices.Contains(s.anchors, p.Mints[0]) == slices.Contains(s.anchors, p.Mints[1]) {
			continue // A pool of two anchors is not used for pricing.
		}
		r.pools = append(r.pools, &state{address: addresses[i], Pool: p, first: !slices.Contains(s.anchors, p.Mints[0])})
	}
	return nil
}

// readReserves reads the vaults, the fees and the ticks of the pools.
func (r *reading) readReserves(ctx context.Context) error {
	vaults, configs := svm.AccountList{Size: vaultSize}, svm.AccountList{Size: pool.ConfigSize}
	ticks := svm.AccountList{Size: pool.TickArraySize}
	for _, s := range r.pools {
		vaults.Addresses = append(vaults.Addresses, s.Vaults[0], s.Vaults[1])
		configs.Addresses = append(configs.Addresses, s.Config)
		if s.Concentrated != nil {
			var arrays []svm.Address
			arrays, s.end = s.TickArrays(s.address, s.first)
			ticks.Addresses = append(ticks.Addresses, arrays...)
		}
	}
	read, err := svm.ReadAccountLists(ctx, r.send, vaults, configs, ticks)
	if err != nil {
		return err
	}
	arrays := read[2]
	for i, s := range r.pools {
		s.takeReserves(read[0][2*i : 2*i+2])
		if config := read[1][i]; config != nil && s.Config != (svm.Address{}) {
			if s.Fee, err = pool.ParseFee(config.Program, config.Data); err != nil {
				s.held = false
			}
		}
		if s.Concentrated == nil {
			continue
		}
		n, _ := s.TickArrays(s.address, s.first)
		for _, array := range arrays[:len(n)] {
			if array == nil {
				continue
			}
			list, err := s.ParseTicks(s.address, array.Program, array.Data)
			if err != nil {
				s.held = false
			}
			s.ticks = append(s.ticks, list...)
		}
		arrays = arrays[len(n):]
	}
	return nil
}

// takeReserves stores the balances of the vaults, if they are vaults of the pool's tokens.
func (s *state) takeReserves(vaults []*svm.Account) {
	for i, v := range vaults {
		if v == nil {
			return
		}
		account, err := svm.ParseTokenAccount(v.Data)
		if err != nil || account.Mint != s.Mints[i] || account.Units < s.Owed[i] {
			return
		}
		s.reserves[i] = float64(account.Units - s.Owed[i])
	}
	s.held = s.reserves[0] > 0 && s.reserves[1] > 0
}

// curve returns the curve of a sale of the token at an index of the pool.
func (s *state) curve(token int) depth.Curve {
	anchor := s.reserves[1-token]
	if s.Concentrated == nil {
		return depth.ConstantProduct{Token: s.reserves[token], Anchor: anchor, Fee: s.Fee}
	}
	c := depth.Concentrated{Root: s.Concentrated.Root, Liquidity: s.Concentrated.Liquidity, Fee: s.Fee, Anchor: anchor}
	slices.SortFunc(s.ticks, func(a, b pool.Tick) int { return int(a.Index) - int(b.Index) })
	if token == 0 {
		for _, t := range slices.Backward(s.ticks) {
			if t.Index <= s.Concentrated.Tick {
				c.Steps = append(c.Steps, depth.Step{Root: pool.Root(t.Index), Change: -t.Change})
			}
		}
		c.Steps = append(c.Steps, depth.Step{Root: pool.Root(s.end)})
		return c
	}
	c.Root = 1 / c.Root
	for _, t := range s.ticks {
		if t.Index > s.Concentrated.Tick {
			c.Steps = append(c.Steps, depth.Step{Root: pool.Root(-t.Index), Change: t.Change})
		}
	}
	c.Steps = append(c.Steps, depth.Step{Root: pool.Root(-s.end)})
	return c
}

// store stores the price of each token in its deepest pool.
func (r *reading) store(due []Unit) {
	now := r.table.clock.Now()
	for _, u := range due {
		asset := Asset{r.chainID, u.Mint}
		known, _ := r.table.traded.Get(asset)
		known.read, known.price, known.anchored = now, nil, r.anchored()
		deepest, market := 0.0, &depth.Market{}
		for _, s := range r.pools {
			token := slices.Index(s.Mints[:], u.Mint)
			if token < 0 || !s.held {
				continue
			}
			anchor := s.Mints[1-token]
			usd, priced := r.table.feedPrice(Asset{r.chainID, anchor})
			decimals, counted := r.decimals[anchor]
			if !priced || !counted {
				continue
			}
			price, liquidity, deep := depth.Worth(s.curve(token), u.Decimals, decimals, usd.Amount)
			if deep {
				market.Add(s.curve(token), decimals, usd.Amount)
			}
			if deep && liquidity > deepest {
				deepest = liquidity
				known.price = &prices.Price{Amount: price, Source: prices.SourcePool, At: now, Market: market}
			}
		}
		r.table.traded.Set(asset, known)
	}
}

// anchored reports whether an anchor of the chain has a price.
func (r *reading) anchored() bool {
	return slices.ContainsFunc(r.table.sources[r.chainID].anchors, func(a svm.Address) bool {
		_, priced := r.table.feedPrice(Asset{r.chainID, a})
		return priced
	})
}
