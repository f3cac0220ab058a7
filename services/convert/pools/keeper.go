package pools

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/convert/venues"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/tokens"
)

var (
	// ErrUnsupported says that no venue is known on the chain.
	ErrUnsupported = errors.New("no venue is known on the chain")
	// ErrUnreachable says that the chain's pools could not be read, and that what was read before is too old.
	ErrUnreachable = errors.New("the chain's pools cannot be read")
	// ErrClosed says that the keeper was closed.
	ErrClosed = errors.New("the keeper of pools is closed")
)

// TokenList knows which tokens are worth looking for before anybody asks; [tokens.Lists] is the real one.
type TokenList interface {
	On(chainID string) []tokens.Token
}

// Venues knows where tokens are traded; [venues.Table] is the real one.
type Venues interface {
	On(chainID string) (venues.Chain, bool)
}

// Options are what a keeper works with.
type Options struct {
	Config Config
	Venues Venues
	// Connect gives the way to the nodes of a chain, by CAIP-2 id.
	Connect func(chainID string) chainclient.Transport
	// Tokens are looked for in the background; nil looks for none.
	Tokens TokenList
	Clock  clock.Clock
	Log    *slog.Logger
}

// Keeper keeps the pools of every chain that is asked for. It is safe for concurrent use.
type Keeper struct {
	Options
	reader *evm.Reader
	// ctx ends with the keeper, and all trackers with it.
	ctx    context.Context
	cancel context.CancelFunc
	wg     routine.WaitGroup

	mu     sync.Mutex
	chains map[string]*tracker
	closed bool
}

// New returns a keeper that does nothing until it is asked. It must be closed.
func New(o Options) *Keeper {
	ctx, cancel := context.WithCancel(context.Background())
	return &Keeper{Options: o, reader: evm.NewReader(o.Connect), ctx: ctx, cancel: cancel, chains: map[string]*tracker{}}
}

// View returns the graph of the chain with a CAIP-2 id at its newest block, with all pools that matter for trades between the tokens. What is
// not known of them is looked for first; ctx bounds that. While no node answers, the last view is returned until it is older than
// Config.MaxAge: View.Checked tells.
//
// It fails with ErrUnsupported, ErrUnreachable, ErrClosed or the error of ctx.
func (k *Keeper) View(ctx context.Context, chainID string, about ...evm.Address) (*View, error) {
	chain, ok := k.Venues.On(chainID)
	if !ok {
		return nil, ErrUnsupported
	}
	pairs := pairsAbout(chain.Hubs, inPools(chain.Wrapped, about))
	f, first, err := k.follow(chain, pairs)
	if err != nil {
		return nil, err
	}
	return f.viewAbout(ctx, pairs, first)
}

// OnHead hears of a chain's new block. It returns at once; a chain that nobody asks for is left alone.
func (k *Keeper) OnHead(chainID string, number uint64, hash string) {
	k.mu.Lock()
	f := k.chains[chainID]
	k.mu.Unlock()
	if f != nil {
		f.announce(number, hash)
	}
}

// Close ends the keeper's work, and writes what it knows to the snapshots.
func (k *Keeper) Close() {
	k.mu.Lock()
	k.closed = true
	k.mu.Unlock()
	k.cancel()
	k.wg.Wait()
}

// follow returns the chain's tracker, which is running for now, and its first round when it had rested.
func (k *Keeper) follow(chain venues.Chain, pairs []pair) (f *tracker, first *round, err error) {
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
		first = f.ask(pairs)
		k.wg.Go(f.life, func() { f.run(f.life) })
	}
	return f, first, nil
}
