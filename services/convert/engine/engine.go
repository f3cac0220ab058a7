package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Engine quotes swaps and builds their transactions. All fields but Referral must be set before the first call. It is safe for concurrent use.
type Engine struct {
	Networks   Networks
	Venues     Venues
	Lists      TokenList
	Views      Views
	Simulator  Simulator
	Vendors    Vendors
	Accounts   Accounts
	Allowances Allowances
	Permits    Permits
	Gas        Gas
	Clock      clock.Clock
	// Timeout bounds one call of Quote or Build.
	Timeout time.Duration
	// Lifetime is how long a built transaction can be mined.
	Lifetime time.Duration
	// Referral is the operator's share of what is bought; nil for none.
	Referral *execution.Referral
}

// Chain returns the network with a CAIP-2 id, or an [UnsupportedError] if it is not served or has no venues.
func (e *Engine) Chain(ctx context.Context, chainID string) (chainclient.Network, error) {
	network, served, err := e.Networks.Network(ctx, chainID)
	if err != nil {
		return chainclient.Network{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if _, ok := e.Venues.On(chainID); !served || !ok {
		return chainclient.Network{}, &UnsupportedError{chainID}
	}
	return network, nil
}

// Chains lists the CAIP-2 ids of the served networks with venues, sorted.
func (e *Engine) Chains(ctx context.Context) ([]string, error) {
	var served []string
	for _, id := range e.Venues.Chains() {
		_, ok, err := e.Networks.Network(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		if ok {
			served = append(served, id)
		}
	}
	return served, nil
}

// Quote returns the best offer for a swap, with the other offers and the sources that have none.
func (e *Engine) Quote(ctx context.Context, s Swap) (Answer, error) {
	if _, err := e.Chain(ctx, s.ChainID); err != nil {
		return Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, e.Timeout)
	defer cancel()
	gas, err := e.gasTerms(ctx, s)
	if err != nil {
		return Answer{}, err
	}
	quoted := make(chan vendors.Answers, 1)
	routine.Send(ctx, quoted, func() vendors.Answers { return e.vendorQuotes(ctx, s) }, func(error) vendors.Answers { return vendors.Answers{} })
	offer, view, err := e.onchain(ctx, s, gas)
	return choose(s, gas, view, offer, err, <-quoted)
}

// GasTerms are prices of a unit of gas, in wei.
type GasTerms struct {
	// Price is the limit that the transaction offers, Expected what it is likely to pay.
	Price, Expected *uint256.Int
}

// gasTerms returns the swap's own gas price, or else the chain's.
func (e *Engine) gasTerms(ctx context.Context, s Swap) (GasTerms, error) {
	if s.GasPrice != nil {
		return GasTerms{Price: s.GasPrice, Expected: s.GasPrice}, nil
	}
	prices, err := e.Gas.On(ctx, s.ChainID)
	if err != nil {
		return GasTerms{}, readError("gas price", err)
	}
	return GasTerms{Price: prices.Standard, Expected: prices.Expected}, nil
}

// cost returns the expected cost of units of gas in wei, at most 2^256-1.
func (g GasTerms) cost(units uint64) *uint256.Int {
	wei, overflow := new(uint256.Int).MulOverflow(g.Expected, uint256.NewInt(units))
	if overflow {
		wei.SetAllOne()
	}
	return wei
}

// onchain returns the best offer of the chain's own pools, with its network fee.
func (e *Engine) onchain(ctx context.Context, s Swap, gas GasTerms) (Offer, *pools.View, error) {
	if s.Only != nil && s.Only.Source != Onchain {
		return Offer{}, nil, ErrUnknownSource
	}
	view, err := e.Views.View(ctx, s.ChainID, s.From, s.To)
	if err != nil {
		return Offer{}, nil, err
	}
	o, view, err := e.offer(ctx, view, s, gas)
	if err != nil {
		return Offer{}, view, err
	}
	err = e.addNetworkFee(ctx, s.ChainID, gas, &o)
	return o, view, err
}

// addNetworkFee sets an offer's network fee, including the data fee of a rollup.
func (e *Engine) addNetworkFee(ctx context.Context, chainID string, gas GasTerms, o *Offer) error {
	data, err := e.Gas.DataFee(ctx, chainID, o.Calls)
	if err != nil {
		return readError("data fee", err)
	}
	o.Gas += data.Gas
	fee, overflow := new(uint256.Int).AddOverflow(gas.cost(o.Gas), data.Wei)
	if overflow {
		fee.SetAllOne()
	}
	o.NetworkFee = fee
	return nil
}

// vendorQuotes requests quotes from all vendors. A vendor's spender is its own contract, so they are left out if the caller accepts only the chain's primary
// router.
func (e *Engine) vendorQuotes(ctx context.Context, s Swap) vendors.Answers {
	if s.Only != nil || !s.AnySpender && !s.sellsNative() {
		return vendors.Answers{}
	}
	return e.Vendors.Quotes(ctx, vendorRequest(s))
}

// vendorRequest translates a swap for vendors.
func vendorRequest(s Swap) vendors.Request {
	r := vendors.Request{
		ChainID: s.ChainID, From: s.From, To: s.To, Amount: s.Amount.ToBig(), Sender: s.User, SlippageBPS: s.SlippageBPS,
	}
	if s.GasPrice != nil {
		r.GasPrice = s.GasPrice.ToBig()
	}
	return r
}

// choose ranks the offer of the chain's pools and the vendors' quotes by what they leave after gas.
func choose(s Swap, gas GasTerms, view *pools.View, own Offer, ownErr error, quoted vendors.Answers) (Answer, error) {
	var offers []Offer
	var a Answer
	if ownErr == nil {
		offers = append(offers, own)
	} else if len(quoted.Quotes) > 0 {
		a.Rejected = append(a.Rejected, Rejection{Onchain, publicReason(ownErr)})
	}
	gasValue := valueOfGas(view, s, gas)
	for _, q := range quoted.Quotes {
		offers = append(offers, vendorOffer(s, gas, q, gasValue))
	}
	if len(offers) == 0 {
		return Answer{}, ownErr
	}
	for name, err := range quoted.Failures {
		a.Rejected = append(a.Rejected, Rejection{name, publicReason(err)})
	}
	slices.SortFunc(a.Rejected, func(x, y Rejection) int { return cmp.Compare(x.Source, y.Source) })
	slices.SortStableFunc(offers, func(x, y Offer) int { return cmp.Compare(y.net, x.net) })
	a.Best, a.Others = offers[0], offers[1:]
	return a, nil
}

// valueOfGas returns the expected cost of a unit of gas in base units of the bought token, or 0 if the pools give no price for it.
func valueOfGas(view *pools.View, s Swap, gas GasTerms) float64 {
	if view == nil {
		return 0
	}
	native, okNative := view.Token(evm.Native)
	to, okTo := view.Token(s.To)
	if !okNative || !okTo {
		return 0
	}
	return view.Graph.Worth(native, to) * gas.Expected.Float64()
}

// vendorOffer turns a vendor's quote into an offer.
func vendorOffer(s Swap, gas GasTerms, q vendors.Quote, gasValue float64) Offer {
	out := uint256.MustFromBig(q.Out)
	return Offer{
		ID: SourceID{Source: q.Vendor}, Out: out, Min: s.minimum(out), Gas: q.Gas, GasPrice: gas.Price, Fee: new(uint256.Int),
		NetworkFee: gas.cost(q.Gas), Spender: q.Spender,
		Cause: execution.NotBuilt, Because: "a vendor's transaction is simulated when it is built", net: out.Float64() - gasValue*float64(q.Gas),
	}
}

// publicReason returns a source's failure in words that callers may see.
func publicReason(err error) error {
	if f := Refusal(err); f != nil {
		return errors.New(f.Public)
	}
	for _, kind := range []error{
		vendors.ErrNoLiquidity, vendors.ErrChain, vendors.ErrToken, vendors.ErrRejected, vendors.ErrRateLimited, vendors.ErrMoved, vendors.ErrPaused,
	} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return vendors.ErrBroken
}

// Allowance returns how much of a token a spender may take, in base units, and the spender: the chain's primary router if the given one is zero.
func (e *Engine) Allowance(ctx context.Context, token request.Account, owner, spender evm.Address) (*uint256.Int, evm.Address, error) {
	if _, err := e.Chain(ctx, token.ChainID); err != nil {
		return nil, spender, err
	}
	if spender == (evm.Address{}) {
		chain, _ := e.Venues.On(token.ChainID)
		spender = chain.Venues[0].Router
	}
	if token.Address == evm.Native {
		return new(uint256.Int).SetAllOne(), spender, nil
	}
	allowance, err := e.Allowances.Of(ctx, token.ChainID, token.Address, owner, spender)
	if err != nil {
		return nil, spender, tokenError(token.Address, err)
	}
	return allowance, spender, nil
}

// GasPrices returns the chain's gas prices in wei.
func (e *Engine) GasPrices(ctx context.Context, chainID string) (execution.Prices, error) {
	if _, err := e.Chain(ctx, chainID); err != nil {
		return execution.Prices{}, err
	}
	prices, err := e.Gas.On(ctx, chainID)
	if err != nil {
		return execution.Prices{}, readError("gas price", err)
	}
	return prices, nil
}
