package seller

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// priceSize is the number of bytes that are read of a price account; it exceeds the data of one.
const priceSize = 256

// readSolana reads the treasury's balances on the Solana chain, and the prices from price accounts of Pyth.
func (m *Market) readSolana(ctx context.Context, c devnet.Solana) ([]checkout.Asset, error) {
	send := m.Connect(c.CAIP2)
	feeds, accounts := make([][32]byte, len(c.Feeds)), make([]svm.Address, len(c.Feeds))
	for i, f := range c.Feeds {
		id, err := hex.DecodeString(f.ID)
		if err != nil || len(id) != len(feeds[i]) {
			return nil, fmt.Errorf("%s: the feed %s has no id", c.CAIP2, f.Pair)
		}
		feeds[i] = [32]byte(id)
		accounts[i] = svm.FeedAccount(feeds[i])
	}
	prices, err := svm.ReadAccounts(ctx, send, accounts, priceSize)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.CAIP2, err)
	}
	owned, err := svm.ReadOwned(ctx, send, m.SolanaTreasury)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.CAIP2, err)
	}
	var sold []checkout.Asset
	for i, f := range c.Feeds {
		a, units, ok := assetOf(c, f, owned)
		if !ok || prices[i] == nil {
			continue
		}
		price, err := svm.ParseFeed(feeds[i], prices[i].Program, prices[i].Data)
		if err != nil || m.Clock.Now().Sub(price.At) > heartbeat {
			continue
		}
		a.Price = decimal.NewFromFloat(price.Amount)
		a.Held = checkout.FromBaseUnits(new(big.Int).SetUint64(units), a.Decimals)
		if a.Contract == "" {
			a.Held = a.Held.Sub(nativeReserve)
		}
		if a.Held.IsPositive() {
			sold = append(sold, a)
		}
	}
	return sold, nil
}

// assetOf returns the asset of a feed and how many base units the treasury holds; false if the chain's description does
// not have it.
func assetOf(c devnet.Solana, f devnet.SolanaFeed, owned svm.Owned) (a checkout.Asset, units uint64, ok bool) {
	a = checkout.Asset{ChainID: c.CAIP2, ChainName: c.Name}
	if f.Token == "" {
		a.Symbol, a.Name, a.Decimals = c.NativeCurrency.Symbol, c.NativeCurrency.Name, c.NativeCurrency.Decimals
		return a, owned.Lamports, true
	}
	i := slices.IndexFunc(c.Tokens, func(t devnet.SolanaToken) bool { return t.Address == f.Token })
	mint, err := svm.ParseAddress(f.Token)
	if i < 0 || err != nil {
		return a, 0, false
	}
	t := c.Tokens[i]
	a.Symbol, a.Name, a.Decimals, a.Contract = t.Symbol, t.Name, t.Decimals, t.Address
	return a, owned.Units[mint], true
}
