package onramp

import (
	"net/url"
	"time"

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
	// Sandbox are sellers that only play.
	Sandbox sandbox.Config `yaml:"sandbox"`
}

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config {
	return Config{PublicURL: "http://localhost:8080", Patience: 5 * time.Second, Sandbox: sandbox.DefaultConfig()}
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
func (c Config) vendors(Deps) ([]ramp.Provider, error) { return nil, nil }
