package pools

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

var (
	// ErrUnsupported is the error of a chain without venues.
	ErrUnsupported = errors.New("no venue is known on the chain")
	// ErrUnreachable is the error of pools that cannot be read, when the last view is too old.
	ErrUnreachable = errors.New("the chain's pools cannot be read")
	// ErrClosed is the error of a closed keeper.
	ErrClosed = errors.New("the keeper of pools is closed")
)

// TokenList holds the tokens whose pools are searched in the background; [tokens.Lists] implements it.
type TokenList interface {
	On(chainID string) []tokens.Token
}

// Venues returns the venues of each chain; [dex.Table] implements it.
type Venues interface {
	On(chainID string) (dex.Chain, bool)
}

// Options are the dependencies of a keeper.
type Options struct {
	Config Config
	Venues Venues
	// Connect returns the transport to the nodes of a chain by its CAIP-2 id.
	Connect func(chainID string) chainclient.Transport
	// Tokens are searched in the background; nil for none.
	Tokens TokenList
	Clock  clock.Clock
	Log    *slog.Logger
}

// Keeper keeps the pools of every requested chain. It is safe for concurrent use.
type Keeper struct {
	Options
	reader *evm.Reader
	codes  codes
	// ctx ends with Close, and ends all trackers.
	ctx    context.Context
	cancel context.CancelFunc
	wg     routine.WaitGroup

	mu     sync.Mutex
	chains map[string]*tracker
	closed bool
}

// New returns a keeper, which is idle until the first request. It must be closed.
func New(o Options) *Keeper {
	ctx, cancel := context.WithCancel(context.Background())
	return &Keeper{Options: o, reader: evm.NewReader(o.Connect), codes: newCodes(o.Clock), ctx: ctx, cancel: cancel, chains: map[string]*tracker{}}
}

// View returns the pools of the chain with a CAIP-2 id at its newest block, including all pools that matter for trades
// between the tokens that have code. Unknown pools are searched first, bounded by ctx. While no node answers, the last view is
// returned until it is older than Config.MaxAge; View.Checked is its time.
//
// It fails with ErrUnsupported, ErrUnreachable, ErrClosed or the error of ctx.
func (k *Keeper) View(ctx context.Context, chainID string, about ...evm.Address) (*View, error) {
	chain, ok := k.Venues.On(chainID)
	if !ok {
		return nil, ErrUnsupported
	}
	f, first, err := k.tracker(chain)
	if err != nil {
		return nil, err
	}
	c, _ := limit.From(ctx)
	return f.viewAbout(ctx, c, inPools(chain.Wrapped, about), first)
}

// OnHead handles a chain's new block. It does not block, and ignores chains that are not tracked.
func (k *Keeper) OnHead(chainID string, number uint64, hash string) {
	k.mu.Lock()
	f := k.chains[chainID]
	k.mu.Unlock()
	if f != nil {
		f.announce(number, hash)
	}
}

// Close stops all trackers, which write their snapshots.
func (k *Keeper) Close() {
	k.mu.Lock()
	k.closed = true
	k.mu.Unlock()
	k.cancel()
	k.wg.Wait()
}

// tracker returns the chain's running tracker, and its first round if it was stopped before.
func (k *Keeper) tracker(chain dex.Chain) (f *tracker, first *round, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return nil, nil, ErrClosed
	}
	f = k.chains[chain.ID]
	if f == nil || !f.isOf(chain) {
		if f != nil {
			f.stop()
		}
		f = newTracker(k, chain)
		k.chains[chain.ID] = f
	}
	if f.wakeUp() {
		first = f.advanceNext()
		k.wg.Go(f.life, func() { f.run(f.life) })
	}
	return f, first, nil
}

// Config holds the settings under `convert.pools`.
type Config struct {
	// Snapshots is a directory, which is created if it is missing; empty for no snapshots.
	Snapshots string        `yaml:"snapshots" doc:"folder where the state of pools is kept over a restart; empty: convert/ in data_dir"`
	MaxPools  int           `yaml:"max_pools" doc:"how many pools of a chain are kept; of more, those with the least liquidity are dropped"`
	MaxAge    time.Duration `yaml:"max_age" doc:"greatest age of the state of a chain that quotes use while its nodes do not answer"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config { return Config{MaxPools: 25_000, MaxAge: 2 * time.Minute} }

// leastPools is the lowest allowed MaxPools: how many pools the hubs of a chain may have among themselves.
const leastPools = 500

// Check reports settings that leave no room for the pools of hubs, or no time for one read of a chain.
func (c Config) Check() []config.Fault {
	var faults []config.Fault
	if c.MaxPools < leastPools {
		faults = append(faults, config.Faultf("max_pools", "it is less than %d", leastPools))
	}
	if c.MaxAge < callTimeout {
		faults = append(faults, config.Faultf("max_age", "it is less than %s", callTimeout))
	}
	return faults
}
