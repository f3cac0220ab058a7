package coinbase

import (
	"fmt"
	"net/url"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// name is the name of the provider, seller its name as a seller.
	name   = "coinbase"
	seller = "COINBASE"
	title  = "Coinbase"
	// optionsLifetime is how long the options of a region are cached.
	optionsLifetime = time.Hour
)

// Coinbase is the provider Coinbase Onramp.
type Coinbase struct {
	api     *wire.API
	pay     *url.URL
	webhook []byte
	clock   clock.Clock
	options *wire.Cache[ramp.Options]
}

var (
	_ ramp.Provider = (*Coinbase)(nil)
	_ ramp.Lister   = (*Coinbase)(nil)
	_ ramp.Quoter   = (*Coinbase)(nil)
	_ ramp.Opener   = (*Coinbase)(nil)
	_ ramp.Listener = (*Coinbase)(nil)
	_ ramp.Poller   = (*Coinbase)(nil)
)

// New returns Coinbase as configured. Its errors never quote a key.
func New(cfg Config, c clock.Clock) (*Coinbase, error) {
	secret, err := wire.Secret(cfg.KeySecret)
	if err != nil {
		return nil, fmt.Errorf("key_secret: %w", err)
	}
	k, err := parseKey(cfg.KeyID, secret)
	if err != nil {
		return nil, err
	}
	webhook, err := wire.Secret(cfg.WebhookSecret)
	if err != nil {
		return nil, fmt.Errorf("webhook_secret: %w", err)
	}
	api, err := wire.NewAPI(cfg.URL, k.authorizer(c))
	if err != nil {
		return nil, err
	}
	pay, err := wire.ParseBase(cfg.PayURL)
	if err != nil {
		return nil, err
	}
	return &Coinbase{api: api, pay: pay, webhook: []byte(webhook), clock: c, options: wire.NewCache[ramp.Options](c, optionsLifetime)}, nil
}

// Name returns "coinbase".
func (*Coinbase) Name() string { return name }

// Profile describes Coinbase for people.
func (*Coinbase) Profile() ramp.Profile {
	return ramp.Profile{
		Title: title, Website: "https://www.coinbase.com/onramp", Namespaces: []string{namespaceEVM, namespaceSolana},
		FeeMin: decimal.NewFromInt(1), FeeMax: decimal.NewFromInt(2),
	}
}
