package convert

import (
	"time"

	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config holds the settings under `convert`.
type Config struct {
	// Timeout bounds the search for one quote or transaction.
	Timeout time.Duration `yaml:"timeout" doc:"longest time to find one quote"`
	// Lifetime is how long a built transaction can be mined.
	Lifetime time.Duration `yaml:"lifetime" doc:"how long a built transaction can be mined"`
	// Venues adds exchanges to the built-in table.
	Venues dex.Config `yaml:"venues" doc:"where tokens are traded beside what is built in"`
	// Pools configures the pools in memory.
	Pools pools.Config `yaml:"pools" doc:"how pools are kept"`
	// Tokens adds tokens to the built-in lists.
	Tokens tokens.Config `yaml:"tokens" doc:"which tokens are offered beside the built-in lists"`
	// Vendors are the aggregators that quotes are requested from, by name.
	Vendors map[string]vendors.Config `yaml:"vendors" doc:"aggregators that quotes are requested from: 0x and 1inch; none by default"`
	// VendorPatience is how long a quote waits for the slowest vendor.
	VendorPatience time.Duration `yaml:"vendor_patience" doc:"how long a quote waits for the slowest vendor"`
	// WatchesPerCaller bounds how many quotes one caller watches at once.
	WatchesPerCaller int `yaml:"watches_per_caller" doc:"quotes that one caller, which is a project and an address, may watch at once"`
	// Referral is the operator's share of what is bought.
	Referral Referral `yaml:"referral" doc:"what the operator keeps of what is bought; nothing by default"`
}

// Referral is the operator's share of what is bought.
type Referral struct {
	BPS       uint32 `yaml:"bps" doc:"hundredths of a percent of what is bought, at most 100; 0 for nothing"`
	Recipient string `yaml:"recipient" doc:"address that is paid, 0x and 40 hex digits"`
}

// maxReferralBPS is the largest share that routers pay out, in basis points.
const maxReferralBPS = 100

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{
		Timeout: 15 * time.Second, Lifetime: 5 * time.Minute, Pools: pools.DefaultConfig(), VendorPatience: vendors.DefaultPatience,
		WatchesPerCaller: defaultWatchesPerCaller,
	}
}

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.WatchesPerCaller < 1 {
		faults = append(faults, config.Faultf("watches_per_caller", "it is less than 1"))
	}
	if c.Timeout <= 0 {
		faults = append(faults, config.Faultf("timeout", "it is not positive"))
	}
	if c.Lifetime < time.Minute {
		faults = append(faults, config.Faultf("lifetime", "it is less than a minute"))
	}
	if c.Referral.BPS > maxReferralBPS {
		faults = append(faults, config.Faultf("referral.bps", "it is over %d", maxReferralBPS))
	}
	if _, err := c.Referral.terms(); err != nil {
		faults = append(faults, config.Faultf("referral.recipient", "%s", err))
	}
	return faults
}

// terms returns the share for calls of routers; nil for none.
func (r Referral) terms() (*execution.Referral, error) {
	if r.BPS == 0 {
		return nil, nil
	}
	recipient, err := evm.ParseAddress(r.Recipient)
	if err != nil {
		return nil, err
	}
	return &execution.Referral{BPS: r.BPS, Recipient: recipient}, nil
}
