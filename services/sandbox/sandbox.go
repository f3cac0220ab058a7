package sandbox

import (
	"context"
	"crypto/rand"
	"log/slog"

	"github.com/shopspring/decimal"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/account"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/ramp/remote"
)

// PagePath and a checkout's id are where its page is, below the public URL.
const PagePath = "/sandbox/checkout/"

// Deps are what the sandbox works with.
type Deps struct {
	Chain *chainclient.Client
	// Names gives the primary name of the account that receives.
	Names namesv1.NamesServiceClient
	DB    *store.DB
	Clock clock.Clock
	Log   *slog.Logger
}

// Sandbox are the sellers that only play, and their checkout.
type Sandbox struct {
	cfg     Config
	chains  devnet.Source
	names   namesv1.NamesServiceClient
	market  *market
	book    *book
	sellers []*seller
	payer   *payer
	courier *courier
	clock   clock.Clock
	log     *slog.Logger
	// wake makes Work look again at once.
	wake chan struct{}
}

// newSandbox creates the tables that do not exist. Without a treasury or a description of local chains there are no sellers.
func newSandbox(ctx context.Context, cfg Config, deps Deps) (*Sandbox, error) {
	s := &Sandbox{cfg: cfg, clock: deps.Clock, log: deps.Log, wake: make(chan struct{}, 1), chains: deps.Chain, names: deps.Names}
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
	if err := migrate(ctx, deps.DB); err != nil {
		return nil, err
	}
	secret := cfg.WebhookSecret
	if secret == "" {
		if secret, err = openSecret(ctx, deps.DB, rand.Reader); err != nil {
			return nil, err
		}
	}
	rates := map[string]decimal.Decimal{"USD": decimal.NewFromInt(1), "EUR": rate}
	s.book = &book{db: deps.DB, tells: spell}
	s.market = &market{chains: s.chains, reader: evm.NewReader(deps.Chain.Transport), treasury: treasury.Address(), clock: deps.Clock}
	s.payer = &payer{book: s.book, connect: deps.Chain.Transport, key: treasury, clock: deps.Clock, log: deps.Log}
	s.courier = &courier{book: s.book, base: cfg.PublicURL, secret: secret, clock: deps.Clock, log: deps.Log, http: newPoster()}
	for _, one := range cfg.Sellers {
		terms, err := one.terms()
		if err != nil {
			return nil, err
		}
		s.sellers = append(s.sellers, &seller{
			Seller: one, terms: terms, key: signingKey(secret, one.Name), rates: rates, market: s.market, book: s.book,
			publicURL: cfg.PublicURL, lifetime: cfg.Lifetime, clock: deps.Clock,
		})
	}
	return s, nil
}

// providers returns the sellers; none without a treasury, or while no local chain describes itself.
func (s *Sandbox) providers() []remote.Provider {
	if len(s.chains.Describe().Chains) == 0 {
		return nil
	}
	var all []remote.Provider
	for _, one := range s.sellers {
		all = append(all, one)
	}
	return all
}

// on reports whether there is anything to work on.
func (s *Sandbox) on() bool { return s.book != nil }

// named returns the seller of a checkout; false for one that the operator took out since.
func (s *Sandbox) named(name string) (*seller, bool) {
	for _, one := range s.sellers {
		if one.Seller.Name == name {
			return one, true
		}
	}
	return nil, false
}
