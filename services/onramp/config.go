package onramp

import (
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/coinbase"
	"github.com/hawser-dev/hawser/services/onramp/meld"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is the configuration under `onramp`.
type Config struct {
	// PublicURL is the URL of the gateway for browsers and webhooks, without a trailing slash; set by the suite.
	PublicURL string `yaml:"-"`
	// LocalPages allows redirects to pages on the visitor's own machine, for development.
	LocalPages bool `yaml:"-"`
	// Patience bounds the wait for the slowest provider.
	Patience time.Duration `yaml:"patience" doc:"longest time that quotes wait for a provider"`
	// Sellers is the address of a process with more providers.
	Sellers string `yaml:"sellers" doc:"address, host:port, of a process with more providers, which answers hawser.sandbox.v1.SellerService over gRPC, such as hawser-dev; empty for none"`
	// Coinbase and Meld are enabled by configuring their API keys.
	Coinbase coinbase.Config `yaml:"coinbase"`
	Meld     meld.Config     `yaml:"meld"`
	// OrdersPerHour limits the purchases that one caller begins, because each uses a provider's quota.
	OrdersPerHour int `yaml:"orders_per_hour" doc:"purchases that one caller, which is a project and an address, may begin within an hour; 0 is no limit"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{
		Patience: 5 * time.Second, OrdersPerHour: 60,
		Coinbase: coinbase.DefaultConfig(), Meld: meld.DefaultConfig(),
	}
}

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.Patience < 100*time.Millisecond || c.Patience > time.Minute {
		faults = append(faults, config.Faultf("patience", "it is not between 100 ms and a minute"))
	}
	if c.OrdersPerHour < 0 {
		faults = append(faults, config.Faultf("orders_per_hour", "it is below 0"))
	}
	return faults
}

// vendors returns the enabled providers, in their order of preference.
func (c Config) vendors(deps Deps) ([]ramp.Provider, error) {
	var all []ramp.Provider
	if c.Coinbase.Enabled() {
		p, err := coinbase.New(c.Coinbase, deps.Clock)
		if err != nil {
			return nil, fmt.Errorf("coinbase: %w", err)
		}
		all = append(all, p)
	}
	if c.Meld.Enabled() {
		p, err := meld.New(c.Meld, deps.Clock)
		if err != nil {
			return nil, fmt.Errorf("meld: %w", err)
		}
		all = append(all, p)
	}
	return all, nil
}
