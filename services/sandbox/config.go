package sandbox

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/evm/account"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is what an operator sets of the sandbox.
type Config struct {
	// Treasury is the private key of the account that the tokens come from.
	Treasury string `yaml:"treasury" doc:"private key, 64 hex digits, of the account of the local chains that tokens are sent from; empty: there is no sandbox" secret:"true"`
	// PublicURL is where browsers and webhooks reach the gateway, as the whole service knows it.
	PublicURL string `yaml:"-"`
	// WebhookSecret is what the keys that sign webhooks are made from.
	WebhookSecret string `yaml:"webhook_secret" doc:"what the keys are made from that sign webhooks, at least 32 characters; empty for one that is made and kept in the database" secret:"true"`
	// DollarsPerEuro is the rate at which euros are taken.
	DollarsPerEuro string `yaml:"dollars_per_euro" doc:"US dollars that one euro counts for, a decimal"`
	// Lifetime is how long a checkout waits for its payment, at the price that it began with.
	Lifetime time.Duration `yaml:"lifetime" doc:"how long a checkout waits for its payment, at the price that it began with"`
	// Sellers are who seems to sell.
	Sellers []Seller `yaml:"sellers" doc:"who seems to sell, each with a name, a title, a fee in percent and a network_fee in US dollars"`
}

// DefaultConfig returns what holds unless the operator says otherwise. Which of the two sellers is better depends on the amount.
func DefaultConfig() Config {
	return Config{
		DollarsPerEuro: "1.08", Lifetime: 30 * time.Minute,
		Sellers: []Seller{
			{Name: "harbor-pay", Title: "Harbor Pay", Fee: "1", NetworkFee: "1.50"},
			{Name: "beacon-pay", Title: "Beacon Pay", Fee: "2", NetworkFee: "0"},
		},
	}
}

// Enabled reports whether the sandbox has what it needs to sell.
func (c Config) Enabled() bool { return c.Treasury != "" }

const (
	// secretLength is the least that a configured secret has.
	secretLength = 32
)

var sellerName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Check refuses what no checkout could work with.
func (c Config) Check() (faults []config.Fault) {
	if _, err := account.ParseKey(c.Treasury); err != nil && c.Treasury != "" {
		faults = append(faults, config.Faultf("treasury", "it is not 64 hex digits"))
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
		twice := slices.ContainsFunc(c.Sellers[:i], func(other Seller) bool { return other.Name == s.Name })
		if !sellerName.MatchString(s.Name) || twice {
			faults = append(faults, config.Faultf(at+".name", "it is not lower-case letters, digits and hyphens, or it is there twice"))
		}
		if s.Title == "" {
			faults = append(faults, config.Faultf(at+".title", "it is empty"))
		}
		if _, err := s.terms(); err != nil {
			faults = append(faults, config.Faultf(at, "its fee is not a percentage below %d, or its network_fee no amount with at most two decimal places", feePercentMax))
		}
	}
	return faults
}
