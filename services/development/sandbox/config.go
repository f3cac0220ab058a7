package sandbox

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/development/sandbox/payout"
	"github.com/hawser-dev/hawser/services/development/sandbox/seller"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is the configuration of the sandbox.
type Config struct {
	// Treasury is the private key of the account from which tokens are sent.
	Treasury string `yaml:"treasury" doc:"private key, 64 hex digits, of the account of the local chains that tokens are sent from; empty: there is no sandbox" secret:"true"`
	// SolanaTreasury is the key of the account from which tokens of the local Solana chain are sent.
	SolanaTreasury string `yaml:"solana_treasury" doc:"private and public key, 64 bytes in base58, of the account of the local Solana chain that tokens are sent from; empty: none are sold" secret:"true"`
	// PublicURL is where browsers reach the checkout, without a trailing slash.
	PublicURL string `yaml:"-"`
	// Gateway is the public URL of the gateway, for webhooks.
	Gateway string `yaml:"-"`
	// WebhookSecret is the secret from which the keys of webhook signatures are derived.
	WebhookSecret string `yaml:"webhook_secret" doc:"what the keys are made from that sign webhooks, at least 32 characters; empty for one that is made and kept in the database" secret:"true"`
	// DollarsPerEuro is the exchange rate for euros, a decimal.
	DollarsPerEuro string `yaml:"dollars_per_euro" doc:"US dollars that one euro counts for, a decimal"`
	// Lifetime is how long a checkout can be paid at its initial price.
	Lifetime time.Duration `yaml:"lifetime" doc:"how long a checkout waits for its payment, at the price that it began with"`
	// Sellers are the test providers.
	Sellers []seller.Config `yaml:"sellers" doc:"the providers of the sandbox, each with a name, a title, a fee in percent and a network_fee in US dollars"`
}

// DefaultConfig returns the default configuration. Which of the two sellers is cheaper depends on the amount.
func DefaultConfig() Config {
	return Config{
		DollarsPerEuro: "1.08", Lifetime: 30 * time.Minute,
		Sellers: []seller.Config{
			{Name: "harbor-pay", Title: "Harbor Pay", Fee: "1", NetworkFee: "1.50"},
			{Name: "beacon-pay", Title: "Beacon Pay", Fee: "2", NetworkFee: "0"},
		},
	}
}

// Enabled reports whether the sandbox is configured.
func (c Config) Enabled() bool { return c.Treasury != "" }

const (
	// secretLength is the minimum length of a configured secret.
	secretLength = 32
)

var sellerName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if _, err := account.ParseKey(c.Treasury); err != nil && c.Treasury != "" {
		faults = append(faults, config.Faultf("treasury", "it is not 64 hex digits"))
	}
	if _, err := payout.ParseSolanaKey(c.SolanaTreasury); err != nil && c.SolanaTreasury != "" {
		faults = append(faults, config.Faultf("solana_treasury", "it is not 64 bytes in base58"))
	}
	if c.WebhookSecret != "" && len(c.WebhookSecret) < secretLength {
		faults = append(faults, config.Faultf("webhook_secret", "it is shorter than %d characters", secretLength))
	}
	if rate, err := decimal.NewFromString(c.DollarsPerEuro); err != nil || !rate.IsPositive() {
		faults = append(faults, config.Faultf("dollars_per_euro", "it is not a decimal above 0"))
	}
	if c.Lifetime < time.Minute || c.Lifetime > 24*time.Hour {
		faults = append(faults, config.Faultf("lifetime", "it is not between a minute and a day"))
	}
	return append(faults, c.checkSellers()...)
}

func (c Config) checkSellers() (faults []config.Fault) {
	for i, s := range c.Sellers {
		at := "sellers[" + strconv.Itoa(i) + "]"
		twice := slices.ContainsFunc(c.Sellers[:i], func(other seller.Config) bool { return other.Name == s.Name })
		if !sellerName.MatchString(s.Name) || twice {
			faults = append(faults, config.Faultf(at+".name", "it is not lower-case letters, digits and hyphens, or it is there twice"))
		}
		if s.Title == "" {
			faults = append(faults, config.Faultf(at+".title", "it is empty"))
		}
		if _, err := s.Fees(); err != nil {
			faults = append(faults, config.Faultf(at, "its fee is not a percentage below %d, or its network_fee no amount with at most two decimal places", seller.FeePercentMax))
		}
	}
	return faults
}
