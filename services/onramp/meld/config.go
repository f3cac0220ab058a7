package meld

import (
	"regexp"

	"github.com/hawser-dev/hawser/services/onramp/wire"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// URLs of Meld's API.
const (
	ProductionURL = "https://api.meld.io"
	SandboxURL    = "https://api-sb.meld.io"
)

// The environments. Each has separate keys.
const (
	production = "production"
	sandbox    = "sandbox"
)

// Config configures Meld.
type Config struct {
	// APIKey is the key that Meld issued for the environment.
	APIKey string `yaml:"api_key" doc:"key that Meld issued for the environment, or file: and the path of a file with it; empty: Meld is off" secret:"true"`
	// WebhookSecret is the secret of the webhook profile.
	WebhookSecret string `yaml:"webhook_secret" doc:"secret of the webhook profile for crypto transactions, or file: and a path; empty: webhooks are refused, and orders are polled, unpaid ones once a day after their payment page expired, for 30 days" secret:"true"`
	// Environment is production or sandbox. In the sandbox no money is transferred.
	Environment string `yaml:"environment" doc:"production, or sandbox, where no money moves"`
	// URL is the URL of the API; empty for that of the environment.
	URL string `yaml:"url" doc:"base URL of Meld, without a slash at the end; empty for the environment's own"`
	// Version is the version of the API.
	Version string `yaml:"version" doc:"version of Meld's API, a date such as 2025-03-04"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config { return Config{Environment: production, Version: "2025-03-04"} }

// Enabled reports whether the operator has a key.
func (c Config) Enabled() bool { return c.APIKey != "" }

var versionForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.Environment != production && c.Environment != sandbox {
		faults = append(faults, config.Faultf("environment", "it is neither %s nor %s", production, sandbox))
	}
	if _, err := wire.ParseBase(c.base()); err != nil {
		faults = append(faults, config.Faultf("url", "it is %s", err))
	}
	if !versionForm.MatchString(c.Version) {
		faults = append(faults, config.Faultf("version", "it is no date, such as 2025-03-04"))
	}
	return faults
}

func (c Config) base() string {
	switch {
	case c.URL != "":
		return c.URL
	case c.Environment == sandbox:
		return SandboxURL
	}
	return ProductionURL
}
