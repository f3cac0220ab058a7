package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/ramp"
)

const (
	// readingLifetime is how long what a chain said counts.
	readingLifetime = 3 * time.Second
	// readingTimeout bounds one look at a chain.
	readingTimeout = 5 * time.Second
	// heartbeat is how old a feed's answer may be, by the time of the block that it was read in.
	heartbeat = 24 * time.Hour
	// feedPlaces bounds the decimal places of a feed's answer.
	feedPlaces = 36
)

// etherKept is what of its own currency the treasury does not sell: it pays for sending.
var etherKept = decimal.New(1, -1)

// market knows what the treasury holds on the local chains, and what it costs by their price feeds.
type market struct {
	chains   devnet.Source
	reader   *evm.Reader
	treasury evm.Address
	clock    clock.Clock

	mu    sync.Mutex
	known []asset
	// away are the chains that did not answer, CAIP-2.
	away []string
	read time.Time
}

// assets lists what is sold, in the order of the chains' description. It fails with [ramp.ErrUnavailable] when no chain answers.
func (m *market) assets(ctx context.Context) ([]asset, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := m.clock.Now(); now.Sub(m.read) < readingLifetime && !now.Before(m.read) {
		return m.known, nil
	}
	ctx, cancel := context.WithTimeout(ctx, readingTimeout)
	defer cancel()
	var all []asset
	var errs []error
	var away []string
	for _, c := range m.chains.Describe().Chains {
		sold, err := m.look(ctx, c)
		if err != nil {
			errs, away = append(errs, err), append(away, c.CAIP2)
		}
		all = append(all, sold...)
	}
	if failed := errors.Join(errs...); len(all) == 0 && failed != nil {
		return nil, fmt.Errorf("%w: %w", ramp.ErrUnavailable, failed)
	}
	m.known, m.away, m.read = all, away, m.clock.Now()
	return all, nil
}

// isAway reports whether a chain did not answer when the market was read last; where none is named, any of them.
func (m *market) isAway(chainID string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.away) > 0 && (chainID == "" || slices.Contains(m.away, chainID))
}

// find returns a token by symbol; on the first chain that has it where none is named. It fails with [ramp.ErrUnsupported], and with
// [ramp.ErrUnavailable] when a chain is away that may have it.
func (m *market) find(ctx context.Context, symbol, chainID string) (asset, error) {
	all, err := m.assets(ctx)
	if err != nil {
		return asset{}, err
	}
	i := slices.IndexFunc(all, func(a asset) bool {
		return sameSymbol(a.Symbol, symbol) && (chainID == "" || a.ChainID == chainID)
	})
	if i < 0 && m.isAway(chainID) {
		return asset{}, fmt.Errorf("%w: the chain is away", ramp.ErrUnavailable)
	}
	if i < 0 {
		return asset{}, fmt.Errorf("%w: this token is not sold there", ramp.ErrUnsupported)
	}
	return all[i], nil
}

// look reads feeds and balances in one round trip.
func (m *market) look(ctx context.Context, c devnet.Chain) ([]asset, error) {
	if len(c.Feeds) == 0 {
		return nil, nil
	}
	candidates := priced(c)
	var feeds, tokens []evm.Address
	for _, f := range candidates {
		feeds = append(feeds, f.feed)
		if f.Contract != nil {
			tokens = append(tokens, *f.Contract)
		}
	}
	reading, err := m.reader.Read(ctx, c.CAIP2, []evm.Query{
		{Call: evm.Selector("latestRoundData()"), Keep: 5 * 32, Targets: feeds},
		{Call: evm.Selector("decimals()"), Keep: 32, Targets: feeds},
		evm.NativeBalance(m.treasury),
		evm.TokenBalances(m.treasury, tokens),
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.CAIP2, err)
	}
	rounds, places, native, balances := reading.Answers[0], reading.Answers[1], reading.Answers[2][0], reading.Answers[3]
	var sold []asset
	for i, f := range candidates {
		held := native
		if f.Contract != nil {
			held, balances = balances[0], balances[1:]
		}
		price, priceKnown := readPrice(rounds[i], places[i], reading.At)
		units, heldKnown := held.Amount()
		if !priceKnown || !heldKnown {
			continue
		}
		f.Price, f.Held = price, whole(units, f.Decimals)
		if f.Contract == nil {
			f.Held = f.Held.Sub(etherKept)
		}
		if f.Held.IsPositive() {
			sold = append(sold, f.asset)
		}
	}
	return sold, nil
}

// candidate is a token with a price feed.
type candidate struct {
	asset
	feed evm.Address
}

// priced lists the tokens of a chain that have a feed, its own currency first.
func priced(c devnet.Chain) (all []candidate) {
	for _, f := range c.Feeds {
		if f.Token == nil {
			own := c.NativeCurrency
			all = append(all, candidate{asset{Symbol: own.Symbol, Name: own.Name, ChainID: c.CAIP2, ChainName: c.Name, Decimals: own.Decimals}, f.Address})
			continue
		}
		i := slices.IndexFunc(c.Tokens, func(t devnet.Token) bool { return t.Address == *f.Token })
		if i >= 0 {
			t := c.Tokens[i]
			all = append(all, candidate{asset{Symbol: t.Symbol, Name: t.Name, ChainID: c.CAIP2, ChainName: c.Name, Contract: f.Token, Decimals: t.Decimals}, f.Address})
		}
	}
	return all
}

// readPrice reads (roundId, answer, startedAt, updatedAt, answeredInRound) of Chainlink's AggregatorV3Interface; false when the answer is old
// or no price.
func readPrice(round, scale evm.Answer, at time.Time) (decimal.Decimal, bool) {
	places, ok := scale.Amount()
	if !ok || !places.IsUint64() || places.Uint64() > feedPlaces || !round.OK || len(round.Data) != 5*32 {
		return decimal.Decimal{}, false
	}
	answer, updated := new(big.Int).SetBytes(round.Data[32:64]), new(big.Int).SetBytes(round.Data[96:128])
	negative := answer.Bit(255) == 1
	if negative || answer.Sign() == 0 || !updated.IsInt64() || at.Sub(time.Unix(updated.Int64(), 0)) > heartbeat {
		return decimal.Decimal{}, false
	}
	return whole(answer, uint8(places.Uint64())), true
}
