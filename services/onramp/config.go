package onramp

import (
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/coinbase"
	"github.com/hawser-dev/hawser/services/onramp/meld"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/ramp"
)

// Config is what an operator sets under `onramp`.
type Config struct {
	// PublicURL is where browsers and webhooks reach the gateway, without a slash at the end, as the whole suite knows it.
	PublicURL string `yaml:"-"`
	// LocalPages lets visitors return to pages of their own machine, for development.
	LocalPages bool `yaml:"-"`
	// Patience is how long the slowest provider is waited for.
	Patience time.Duration `yaml:"patience" doc:"how long the slowest provider is waited for"`
	// Coinbase and Meld are asked where the operator has keys of theirs.
	Coinbase coinbase.Config `yaml:"coinbase"`
	Meld     meld.Config     `yaml:"meld"`
	// OrdersPerHour is how many purchases one caller may begin: each takes something of a provider's quota.
	OrdersPerHour int `yaml:"orders_per_hour" doc:"purchases that one caller, which is a project and an address, may begin within an hour; 0 is no limit"`
}

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config {
	return Config{
		Patience: 5 * time.Second, OrdersPerHour: 60,
		Coinbase: coinbase.DefaultConfig(), Meld: meld.DefaultConfig(),
	}
}

// Check refuses what could not work.
func (c Config) Check() (faults []config.Fault) {
	if c.Patience < 100*time.Millisecond || c.Patience > time.Minute {
		faults = append(faults, config.Faultf("patience", "it is not between 100 ms and a minute"))
	}
	if c.OrdersPerHour < 0 {
		faults = append(faults, config.Faultf("orders_per_hour", "it is below 0"))
	}
	return faults
}

// vendors opens the providers that the operator has keys of, in the order in which they are asked.
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
