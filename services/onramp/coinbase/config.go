package coinbase

import (
	"strings"

	"github.com/hawser-dev/hawser/services/onramp/wire"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config configures Coinbase Onramp.
type Config struct {
	// KeyID and KeySecret are a secret API key of CDP.
	KeyID     string `yaml:"key_id" doc:"id of the secret API key that Coinbase Developer Platform issued; empty: Coinbase is off"`
	KeySecret string `yaml:"key_secret" doc:"that key: an EC key in PEM, or an Ed25519 key in base 64, or file: and the path of a file with it" secret:"true"`
	// WebhookSecret is the secret of the webhook subscription.
	WebhookSecret string `yaml:"webhook_secret" doc:"secret of the webhook subscription to onramp.transaction events, or file: and a path; empty: webhooks are refused, and orders are polled, unpaid ones once a day after their payment page expired, for 30 days" secret:"true"`
	// URL is the URL of the API, and PayURL the page where visitors pay.
	URL    string `yaml:"url" doc:"where Coinbase's on-ramp answers, without a slash at the end"`
	PayURL string `yaml:"pay_url" doc:"where visitors pay"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{URL: "https://api.developer.coinbase.com/onramp", PayURL: "https://pay.coinbase.com/buy/select-asset"}
}

// Enabled reports whether the operator has a key.
func (c Config) Enabled() bool { return c.KeyID != "" }

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if !c.Enabled() {
		return nil
	}
	if _, err := parseKey(c.KeyID, c.KeySecret); err != nil && !strings.HasPrefix(c.KeySecret, "file:") {
		faults = append(faults, config.Faultf("key_secret", "it is neither an EC P-256 key in PEM, nor an Ed25519 key in base 64, nor file: and a path"))
	}
	if _, err := wire.ParseBase(c.URL); err != nil {
		faults = append(faults, config.Faultf("url", "it is %s", err))
	}
	if _, err := wire.ParseBase(c.PayURL); err != nil {
		faults = append(faults, config.Faultf("pay_url", "it is %s", err))
	}
	return faults
}
