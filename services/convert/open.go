package convert

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/catalog"
	"github.com/hawser-dev/hawser/services/convert/venues"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/tokens"
)

// Config is what an operator sets under `convert`.
type Config struct {
	// DevnetFile is where the local chains describe their tokens and venues; empty or absent: there are none.
	DevnetFile string `yaml:"devnet_file" doc:"file in which the local chains describe their tokens and exchanges; absent: there are none"`
	// Timeout bounds one quote or transaction.
	Timeout time.Duration `yaml:"timeout" doc:"longest search for one quote"`
	// Lifetime is how long a built transaction can be mined.
	Lifetime time.Duration `yaml:"lifetime" doc:"how long a built transaction can be mined"`
	// Venues says where tokens are traded beside what is built in.
	Venues venues.Config `yaml:"venues" doc:"where tokens are traded beside what is built in"`
	// Pools says how pools are kept.
	Pools pools.Config `yaml:"pools" doc:"how pools are kept"`
	// Tokens says which tokens are offered beside the built-in lists.
	Tokens tokens.Config `yaml:"tokens" doc:"which tokens are offered beside the built-in lists"`
	// Vendors are asked beside the chain, by name.
	Vendors map[string]vendors.Config `yaml:"vendors" doc:"who is asked beside the chain: 0x, 1inch, kyberswap, lifi, openocean, velora; nobody when empty"`
	// VendorPatience is how long a quote waits for the slowest vendor.
	VendorPatience time.Duration `yaml:"vendor_patience" doc:"how long a quote waits for the slowest vendor"`
	// Referral is what the operator keeps of what is bought.
	// WatchesPerCaller is how many of the quotes that are watched at once may be one caller's.
	WatchesPerCaller int      `yaml:"watches_per_caller" doc:"quotes that one caller, which is a project and an address, may watch at once"`
	Referral         Referral `yaml:"referral" doc:"what the operator keeps of what is bought; nothing by default"`
}

// Referral is what the operator keeps.
type Referral struct {
	BPS       uint32 `yaml:"bps" doc:"hundredths of a percent of what is bought, at most 100; 0 for nothing"`
	Recipient string `yaml:"recipient" doc:"who is paid, 0x and 40 hex digits"`
}

// maxReferralBPS is the most that routers let anyone keep.
const maxReferralBPS = 100

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config {
	return Config{
		Timeout: 15 * time.Second, Lifetime: 5 * time.Minute, Pools: pools.DefaultConfig(), VendorPatience: vendors.DefaultPatience,
		WatchesPerCaller: defaultWatchesPerCaller,
	}
}

// Check refuses what could not work.
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

// terms are what routers are told; nil for nothing.
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

// Deps are the services and the machine that convert needs.
type Deps struct {
	Chain *chainclient.Client
	Clock clock.Clock
	Log   *slog.Logger
}

// New returns a server. The error names what is wrong in cfg.
func New(cfg Config, deps Deps) (*Server, error) {
	local := devnet.Open(cfg.DevnetFile, deps.Log)
	lists, err := tokens.Load(cfg.Tokens, local)
	if err != nil {
		return nil, err
	}
	table, err := venues.Load(cfg.Venues, local, deps.Log)
	if err != nil {
		return nil, err
	}
	sources, err := catalog.Open(cfg.Vendors)
	if err != nil {
		return nil, fmt.Errorf("vendors: %w", err)
	}
	referral, err := cfg.Referral.terms()
	if err != nil {
		return nil, fmt.Errorf("referral: %w", err)
	}
	connect := deps.Chain.Transport
	keeper := pools.New(pools.Options{
		Config: cfg.Pools, Venues: table, Connect: connect, Tokens: lists, Clock: deps.Clock, Log: deps.Log,
	})
	trials := execution.NewSimulator(connect)
	return &Server{
		watches: newWatches(usualPauses),
		limiter: limit.NewLocal(deps.Clock, 0),
		share:   limit.Share{Name: "watched quotes", Each: cfg.WatchesPerCaller, Total: watchersAtOnce},
		work:    closing(keeper),
		desk: &desk{
			networks: networkTable{deps.Chain}, venues: table, tokens: lists, views: keeper,
			market:     &market{views: keeper, trials: trials, clock: deps.Clock, lifetime: cfg.Lifetime, referral: referral},
			trials:     trials,
			panel:      keep(vendors.NewPanel(sources, cfg.VendorPatience, deps.Clock, deps.Log)),
			accounts:   ledger{connect, evm.NewReader(connect)},
			allowances: execution.NewAllowances(connect),
			permits:    execution.NewPermits(connect),
			gas:        execution.NewGasPrices(connect),
			timeout:    cfg.Timeout,
		},
	}, nil
}

// closing keeps until ctx ends, and then has the keeper write down what it knows.
func closing(keeper *pools.Keeper) func(context.Context) error {
	return func(ctx context.Context) error {
		<-ctx.Done()
		keeper.Close()
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil
		}
		return ctx.Err()
	}
}
