package sandbox

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/development/sandbox/payout"
	"github.com/hawser-dev/hawser/services/development/sandbox/seller"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/development/sandbox/webhook"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onramp/ramp/remote"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Sandbox holds the sellers and their checkout.
type Sandbox struct {
	cfg     Config
	chains  devnet.Source
	market  *seller.Market
	store   *sqlstore.Store
	sellers []*seller.Seller
	payer   *payout.Payer
	sender  *webhook.Sender
	clock   clock.Clock
	log     *slog.Logger
	// wake makes Work check for due checkouts at once.
	wake chan struct{}
	// paying has the chains on which this process pays out at the moment.
	paying sync.Map
}

// newSandbox opens the sandbox and migrates its tables. It has no sellers unless a treasury is configured and a local chain is described.
func newSandbox(ctx context.Context, cfg Config, deps Deps) (*Sandbox, error) {
	s := &Sandbox{cfg: cfg, clock: deps.Clock, log: deps.Log, wake: make(chan struct{}, 1), chains: deps.Chain}
	if !cfg.Enabled() {
		return s, nil
	}
	treasury, err := account.ParseKey(cfg.Treasury)
	if err != nil {
		return nil, err
	}
	rate, err := decimal.NewFromString(cfg.DollarsPerEuro)
	if err != nil {
		return nil, err
	}
	if err := sqlstore.Migrate(ctx, deps.DB); err != nil {
		return nil, err
	}
	secret := cfg.WebhookSecret
	if secret == "" {
		if secret, err = sqlstore.OpenSecret(ctx, deps.DB, rand.Reader); err != nil {
			return nil, err
		}
	}
	rates := map[string]decimal.Decimal{"USD": decimal.NewFromInt(1), "EUR": rate}
	s.store = &sqlstore.Store{DB: deps.DB, Encode: webhook.Encode}
	s.market = &seller.Market{Chains: s.chains, Reader: evm.NewReader(deps.Chain.Transport), Treasury: treasury.Address(), Connect: deps.Chain.Transport, Clock: deps.Clock}
	s.payer = &payout.Payer{Store: s.store, Connect: deps.Chain.Transport, Key: treasury, Clock: deps.Clock, Log: deps.Log}
	s.sender = &webhook.Sender{Store: s.store, BaseURL: cfg.Gateway, Secret: secret, Clock: deps.Clock, Log: deps.Log, HTTP: webhook.NewHTTPClient()}
	if cfg.SolanaTreasury != "" {
		key, err := payout.ParseSolanaKey(cfg.SolanaTreasury)
		if err != nil {
			return nil, err
		}
		s.market.SolanaTreasury, s.payer.SolanaKey = key.PublicKey(), key
	}
	for _, one := range cfg.Sellers {
		terms, err := one.Fees()
		if err != nil {
			return nil, err
		}
		s.sellers = append(s.sellers, &seller.Seller{
			Config: one, Fees: terms, Key: webhook.Key(secret, one.Name), Rates: rates, Market: s.market, Store: s.store,
			PublicURL: cfg.PublicURL, CheckoutURL: cfg.PublicURL + PagePath, Lifetime: cfg.Lifetime, Clock: deps.Clock,
		})
	}
	return s, nil
}

// providers returns the sellers; none without a treasury or while no local chain is described.
func (s *Sandbox) providers() []remote.Provider {
	if d := s.chains.Describe(); len(d.Chains) == 0 && d.Solana == nil {
		return nil
	}
	var all []remote.Provider
	for _, one := range s.sellers {
		all = append(all, one)
	}
	return all
}

// enabled reports whether the sandbox is configured.
func (s *Sandbox) enabled() bool { return s.store != nil }

// seller returns the seller of a checkout; false if the operator has removed it.
func (s *Sandbox) seller(name string) (*seller.Seller, bool) {
	for _, one := range s.sellers {
		if one.Config.Name == name {
			return one, true
		}
	}
	return nil, false
}
