package seller

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// ReadingLifetime is how long prices and balances are cached, and that no chain answered.
	ReadingLifetime = 3 * time.Second
	// readingTimeout bounds one read of all chains.
	readingTimeout = 5 * time.Second
	// heartbeat is the maximum age of a feed's answer at the time of the block that it was read in.
	heartbeat = 24 * time.Hour
	// feedPlaces bounds the decimal places of a feed's answer.
	feedPlaces = 36
)

// nativeReserve is the amount of native currency that the treasury does not sell, because it pays for gas.
var nativeReserve = decimal.New(1, -1)

// Market reads the treasury's balances on the local chains, and the prices from their price feeds.
type Market struct {
	Chains   devnet.Source
	Reader   *evm.Reader
	Treasury evm.Address
	// Connect returns the transport to the Solana chain, and SolanaTreasury is the treasury there; zero if nothing is
	// sold there.
	Connect        func(chainID string) chainclient.Transport
	SolanaTreasury svm.Address
	Clock          clock.Clock

	mu   sync.Mutex
	sold []checkout.Asset
	// failed is the error of the last read; nil if a chain answered.
	failed error
	// unreachable are the chains that did not answer, by CAIP-2 id.
	unreachable []string
	readAt      time.Time
}

// Assets lists what is sold. It fails with [ramp.ErrUnavailable] if no chain answers.
func (m *Market) Assets(ctx context.Context) ([]checkout.Asset, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := m.Clock.Now(); now.Sub(m.readAt) < ReadingLifetime && !now.Before(m.readAt) {
		return m.sold, m.failed
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, readingTimeout)
	defer cancel()
	var ids []string
	var reads []func() ([]checkout.Asset, error)
	description := m.Chains.Describe()
	for _, c := range description.Chains {
		ids, reads = append(ids, c.CAIP2), append(reads, func() ([]checkout.Asset, error) { return m.read(ctx, c) })
	}
	if c := description.Solana; c != nil && !m.SolanaTreasury.IsZero() {
		ids, reads = append(ids, c.CAIP2), append(reads, func() ([]checkout.Asset, error) { return m.readSolana(ctx, *c) })
	}
	var all []checkout.Asset
	var errs []error
	var away []string
	for i, r := range routine.Collect(ctx, len(ids), func(i int) ([]checkout.Asset, error) { return reads[i]() }) {
		if r.Err != nil {
			errs, away = append(errs, r.Err), append(away, ids[i])
		}
		all = append(all, r.Value...)
	}
	failed := errors.Join(errs...)
	switch {
	case len(all) > 0:
		failed = nil
	case failed != nil:
		failed = fmt.Errorf("%w: %w", ramp.ErrUnavailable, failed)
	}
	if caller.Err() == nil { // else the chains may not be the reason
		m.sold, m.failed, m.unreachable, m.readAt = all, failed, away, m.Clock.Now()
	}
	return all, failed
}

// IsUnreachable reports whether a chain, or any chain if chainID is empty, did not answer the last read.
func (m *Market) IsUnreachable(chainID string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.unreachable) > 0 && (chainID == "" || slices.Contains(m.unreachable, chainID))
}

// find returns a token by symbol, from the first chain that has it if chainID is empty. It fails with [ramp.ErrUnsupported], or
// [ramp.ErrUnavailable] if a chain did not answer that may have it.
func (m *Market) find(ctx context.Context, symbol, chainID string) (checkout.Asset, error) {
	all, err := m.Assets(ctx)
	if err != nil {
		return checkout.Asset{}, err
	}
	i := slices.IndexFunc(all, func(a checkout.Asset) bool {
		return checkout.SameSymbol(a.Symbol, symbol) && (chainID == "" || a.ChainID == chainID)
	})
	if i < 0 && m.IsUnreachable(chainID) {
		return checkout.Asset{}, fmt.Errorf("%w: the chain does not answer", ramp.ErrUnavailable)
	}
	if i < 0 {
		return checkout.Asset{}, fmt.Errorf("%w: this token is not sold there", ramp.ErrUnsupported)
	}
	return all[i], nil
}

// read reads the feeds and balances of a chain in one round trip.
func (m *Market) read(ctx context.Context, c devnet.Chain) ([]checkout.Asset, error) {
	if len(c.Feeds) == 0 {
		return nil, nil
	}
	candidates := priced(c)
	var feeds, tokens []evm.Address
	for _, f := range candidates {
		feeds = append(feeds, f.feed)
		if f.token != nil {
			tokens = append(tokens, *f.token)
		}
	}
	reading, err := m.Reader.Read(ctx, c.CAIP2, []evm.Query{
		{Call: evm.Selector("latestRoundData()"), Keep: 5 * 32, Targets: feeds},
		{Call: evm.Selector("decimals()"), Keep: 32, Targets: feeds},
		evm.NativeBalance(m.Treasury),
		evm.TokenBalances(m.Treasury, tokens),
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.CAIP2, err)
	}
	rounds, places, native, balances := reading.Answers[0], reading.Answers[1], reading.Answers[2][0], reading.Answers[3]
	var sold []checkout.Asset
	for i, f := range candidates {
		held := native
		if f.token != nil {
			held, balances = balances[0], balances[1:]
		}
		price, priceKnown := readPrice(rounds[i], places[i], reading.At)
		units, heldKnown := held.Amount()
		if !priceKnown || !heldKnown {
			continue
		}
		f.Price, f.Held = price, checkout.FromBaseUnits(units, f.Decimals)
		if f.token == nil {
			f.Held = f.Held.Sub(nativeReserve)
		}
		if f.Held.IsPositive() {
			sold = append(sold, f.Asset)
		}
	}
	return sold, nil
}

// candidate is a token with a price feed.
type candidate struct {
	checkout.Asset
	// token is nil for the native currency.
	token *evm.Address
	feed  evm.Address
}

// priced lists the assets of a chain that have a price feed.
func priced(c devnet.Chain) (all []candidate) {
	for _, f := range c.Feeds {
		if f.Token == nil {
			own := c.NativeCurrency
			all = append(all, candidate{checkout.Asset{Symbol: own.Symbol, Name: own.Name, ChainID: c.CAIP2, ChainName: c.Name, Decimals: own.Decimals}, nil, f.Address})
			continue
		}
		i := slices.IndexFunc(c.Tokens, func(t devnet.Token) bool { return t.Address == *f.Token })
		if i >= 0 {
			t := c.Tokens[i]
			all = append(all, candidate{checkout.Asset{Symbol: t.Symbol, Name: t.Name, ChainID: c.CAIP2, ChainName: c.Name, Contract: f.Token.String(), Decimals: t.Decimals}, f.Token, f.Address})
		}
	}
	return all
}

// readPrice decodes the answer of latestRoundData (Chainlink's AggregatorV3Interface). It returns false if it is stale or not positive.
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
	return checkout.FromBaseUnits(answer, uint8(places.Uint64())), true
}
