package meld

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// name is the name of the provider.
	name = "meld"
	// listLifetime is how long lists are cached; Meld changes them within days.
	listLifetime = time.Hour
)

// Meld passes purchases on to several sellers.
type Meld struct {
	api     *wire.API
	sandbox bool
	webhook []byte
	// coins and options are cached by country, names are the display names of sellers.
	coins   *wire.Cache[[]coin]
	options *wire.Cache[ramp.Options]
	names   *wire.Cache[map[string]string]
}

var (
	_ ramp.Provider    = (*Meld)(nil)
	_ ramp.Lister      = (*Meld)(nil)
	_ ramp.Quoter      = (*Meld)(nil)
	_ ramp.Opener      = (*Meld)(nil)
	_ ramp.Marketplace = (*Meld)(nil)
	_ ramp.Listener    = (*Meld)(nil)
	_ ramp.Poller      = (*Meld)(nil)
	_ ramp.Directory   = (*Meld)(nil)
)

var errKey = errors.New("no key of Meld")

// New returns Meld as configured. Its errors never quote a key.
func New(cfg Config, c clock.Clock) (*Meld, error) {
	key, err := wire.Secret(cfg.APIKey)
	if err != nil {
		return nil, fmt.Errorf("api_key: %w", err)
	}
	if key == "" {
		return nil, errKey
	}
	webhook, err := wire.Secret(cfg.WebhookSecret)
	if err != nil {
		return nil, fmt.Errorf("webhook_secret: %w", err)
	}
	api, err := wire.NewAPI(cfg.base(), func(_, _, _ string) (http.Header, error) {
		return http.Header{"Authorization": {"BASIC " + key}, "Meld-Version": {cfg.Version}, "Accept": {"application/json"}}, nil
	})
	if err != nil {
		return nil, err
	}
	return &Meld{
		api: api, sandbox: cfg.Environment == sandbox, webhook: []byte(webhook),
		coins: wire.NewCache[[]coin](c, listLifetime), options: wire.NewCache[ramp.Options](c, listLifetime),
		names: wire.NewCache[map[string]string](c, listLifetime),
	}, nil
}

// Name returns "meld".
func (*Meld) Name() string { return name }

// Profile describes Meld for people.
func (m *Meld) Profile() ramp.Profile {
	return ramp.Profile{
		Title: "Meld", Website: "https://www.meld.io", Namespaces: []string{namespaceEVM, namespaceSolana},
		FeeMin: decimal.NewFromInt(1), FeeMax: decimal.NewFromInt(2), Sandbox: m.sandbox,
	}
}
