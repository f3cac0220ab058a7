package vendors

import (
	"context"
	"fmt"
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// bpsWhole is 100 percent in basis points; slippageLimit bounds the slippage of a request.
	bpsWhole      = 10_000
	slippageLimit = bpsWhole / 2
	// dataLimit bounds call data, in bytes: nodes refuse larger transactions.
	dataLimit = 96 << 10
	// gasLimit bounds a plausible gas estimate: it is more than any block allows.
	gasLimit = 1_000_000_000
	// rounding is the divisor of an amount that gives how much vendors may round their minimum down.
	rounding = 1_000_000
)

// guard is a source that verifies a vendor's answers.
type guard struct {
	name      string
	perSecond float64
	vendor    Translator
	contracts Contracts
	calls     []aggregator.Call
}

// Name returns the vendor's name in the configuration.
func (g *guard) Name() string { return g.name }

// RequestsPerSecond returns how many requests the vendor answers in a second under the operator's plan.
func (g *guard) RequestsPerSecond() float64 { return g.perSecond }

// Serves reports whether the vendor has contracts on the chain.
func (g *guard) Serves(chainID string) bool { return len(g.contracts[chainID]) > 0 }

// Quote requests a quote from the vendor and verifies it.
func (g *guard) Quote(ctx context.Context, a Request) (Quote, error) {
	if err := g.check(a); err != nil {
		return Quote{}, g.named(err)
	}
	q, err := g.vendor.Quote(ctx, a)
	if err == nil {
		q, err = g.checkQuote(a, q)
	}
	return q, g.named(err)
}

// Build requests the transaction from the vendor, and fails with [ErrUnsafe] if it does anything but the quoted swap.
func (g *guard) Build(ctx context.Context, a Request, q Quote) (Transaction, error) {
	err := g.check(a)
	switch {
	case err != nil:
		return Transaction{}, g.named(err)
	case a.Sender == evm.Address{}:
		return Transaction{}, g.named(fmt.Errorf("%w: it has no sender", ErrRejected))
	case q.Vendor != g.name || !isAmount(q.Out):
		return Transaction{}, g.named(fmt.Errorf("%w: the quote is not the vendor's own", ErrRejected))
	}
	t, err := g.vendor.Build(ctx, a, q)
	if err == nil {
		t, err = g.checkTransaction(a, q, t)
	}
	if err != nil {
		return Transaction{}, g.named(err)
	}
	return t, nil
}

func (g *guard) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", g.name, err)
}

func (g *guard) check(a Request) error {
	switch {
	case !g.Serves(a.ChainID):
		return ErrChain
	case !isAmount(a.Amount):
		return fmt.Errorf("%w: the amount is not from 1 to 2^256-1", ErrRejected)
	case a.From == a.To:
		return fmt.Errorf("%w: the tokens are the same", ErrRejected)
	case a.SlippageBPS > slippageLimit:
		return fmt.Errorf("%w: the slippage is over %d bps", ErrRejected, slippageLimit)
	}
	return nil
}

func (g *guard) checkQuote(a Request, q Quote) (Quote, error) {
	if q.Out != nil && q.Out.Sign() == 0 {
		return Quote{}, ErrNoLiquidity
	}
	if !isAmount(q.Out) || q.Gas > gasLimit {
		return Quote{}, fmt.Errorf("%w: it has an amount that cannot be", ErrBroken)
	}
	spender, err := g.checkSpender(a, q.Spender)
	if err != nil {
		return Quote{}, err
	}
	q.Vendor, q.Spender = g.name, spender
	return q, nil
}

func (g *guard) checkTransaction(a Request, q Quote, t Transaction) (Transaction, error) {
	spender, err := g.checkSpender(a, t.Spender)
	if err != nil {
		return t, err
	}
	t.Spender = spender
	if !isAmount(t.Out) || t.Gas > gasLimit {
		return t, fmt.Errorf("%w: it has an amount that cannot be", ErrBroken)
	}
	if t.MinOut == nil {
		t.MinOut = less(t.Out, a.SlippageBPS)
	}
	due := new(big.Int)
	if a.sellsNative() {
		due = a.Amount
	}
	switch {
	case !g.contracts.has(a.ChainID, t.To):
		return t, fmt.Errorf("%w: it calls a contract that is not pinned, %s", ErrUnsafe, t.To)
	case t.Value == nil || t.Value.Cmp(due) != 0:
		return t, fmt.Errorf("%w: it pays another value than the swap's", ErrUnsafe)
	case len(t.Data) < 4 || len(t.Data) > dataLimit:
		return t, fmt.Errorf("%w: its call data is of %d bytes", ErrUnsafe, len(t.Data))
	case t.MinOut.Cmp(t.Out) > 0 || t.MinOut.Cmp(rounded(less(t.Out, a.SlippageBPS))) < 0:
		return t, fmt.Errorf("%w: its minimum is not its output minus the slippage", ErrUnsafe)
	case t.Out.Cmp(less(q.Out, a.SlippageBPS)) < 0:
		return t, ErrMoved
	}
	terms, err := readTerms(g.calls, t.Data, t.Value)
	if err != nil {
		return t, err
	}
	if err := checkTerms(terms, a); err != nil {
		return t, err
	}
	if terms.MinOut.Cmp(rounded(less(t.Out, a.SlippageBPS))) < 0 {
		return t, fmt.Errorf("%w: the minimum in its call data is lower than in its response", ErrUnsafe)
	}
	t.MinOut, t.Unbounded = terms.MinOut, terms.Unbounded
	return t, nil
}

// checkSpender returns the spender of the sold token, and refuses one that is not pinned.
func (g *guard) checkSpender(a Request, spender evm.Address) (evm.Address, error) {
	switch {
	case a.sellsNative():
		return evm.Address{}, nil
	case spender == evm.Address{}:
		return g.contracts[a.ChainID][0], nil
	case !g.contracts.has(a.ChainID, spender):
		return spender, fmt.Errorf("%w: it requests an allowance for a contract that is not pinned, %s", ErrUnsafe, spender)
	}
	return spender, nil
}

// isAmount reports whether n is an amount that a token can move: from 1 to 2^256-1.
func isAmount(n *big.Int) bool { return n != nil && n.Sign() > 0 && n.BitLen() <= 256 }

// less returns n minus a loss in basis points, rounded down.
func less(n *big.Int, bps uint32) *big.Int {
	left := new(big.Int).Mul(n, big.NewInt(bpsWhole-int64(bps)))
	return left.Quo(left, big.NewInt(bpsWhole))
}

// rounded returns the lowest value to which n may be rounded.
func rounded(n *big.Int) *big.Int {
	grace := new(big.Int).Quo(n, big.NewInt(rounding))
	return new(big.Int).Sub(n, grace.Add(grace, big.NewInt(1)))
}
