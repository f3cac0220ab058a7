package onramp

import (
	"fmt"
	"net/url"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/coinbase"
	"github.com/hawser-dev/hawser/services/onramp/meld"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/sandbox"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is what an operator sets under `onramp`.
type Config struct {
	// PublicURL is where browsers and webhooks reach the gateway.
	PublicURL string `yaml:"public_url" doc:"where browsers and webhooks of providers reach the gateway, such as https://wallet.example.org"`
	// Patience is how long the slowest provider is waited for.
	Patience time.Duration `yaml:"patience" doc:"how long the slowest provider is waited for"`
	// Coinbase and Meld are asked where the operator has keys of theirs.
	Coinbase coinbase.Config `yaml:"coinbase"`
	Meld     meld.Config     `yaml:"meld"`
	// Sandbox are sellers that only play.
	Sandbox sandbox.Config `yaml:"sandbox"`
}

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config {
	return Config{
		PublicURL: "http://localhost:8080", Patience: 5 * time.Second,
		Coinbase: coinbase.DefaultConfig(), Meld: meld.DefaultConfig(), Sandbox: sandbox.DefaultConfig(),
	}
}

// Check refuses what could not work.
func (c Config) Check() (faults []config.Fault) {
	if u, err := url.Parse(c.PublicURL); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.User != nil {
		faults = append(faults, config.Faultf("public_url", "it is not http(s)://host without a path or a slash at the end"))
	}
	if c.Patience < 100*time.Millisecond || c.Patience > time.Minute {
		faults = append(faults, config.Faultf("patience", "it is not between 100 ms and a minute"))
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
