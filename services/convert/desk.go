package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/holiman/uint256"
	"google.golang.org/grpc/status"

	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// desk answers those who want to swap: it asks the chain and the vendors, and gives out the best.
type desk struct {
	networks   Networks
	venues     Venues
	tokens     TokenList
	views      Views
	market     *market
	trials     Trials
	panel      Panel
	accounts   Accounts
	allowances Allowances
	permits    Permits
	gas        Gas
	timeout    time.Duration
}

// chain is where swaps are asked for; an UnsupportedError where there are none.
func (d *desk) chain(ctx context.Context, chainID string) (Network, error) {
	network, served, err := d.networks.Network(ctx, chainID)
	if err != nil {
		return Network{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if _, traded := d.venues.On(chainID); !served || !traded {
		return Network{}, &UnsupportedError{chainID}
	}
	return network, nil
}

// Tokens lists what can be swapped on a chain.
func (d *desk) Tokens(ctx context.Context, chainID string) ([]Token, error) {
	network, err := d.chain(ctx, chainID)
	if err != nil {
		return nil, err
	}
	listed := d.tokens.On(chainID)
	addresses := make([]evm.Address, len(listed))
	for i, t := range listed {
		addresses[i] = t.Address
	}
	return offered(network, listed, d.permits.Among(ctx, chainID, addresses)), nil
}

// Quote finds the best swap.
func (d *desk) Quote(ctx context.Context, s Swap) (Answer, error) {
	if _, err := d.chain(ctx, s.ChainID); err != nil {
		return Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	gas, err := d.terms(ctx, s)
	if err != nil {
		return Answer{}, err
	}
	// Whoever asks vendors is not waited for longer than they are.
	said := make(chan vendors.Answers, 1)
	routine.Ask(ctx, said, func() vendors.Answers { return d.askVendors(ctx, s) }, func(error) vendors.Answers { return vendors.Answers{} })
	offer, view, err := d.onchain(ctx, s, gas)
	answers := <-said
	return d.choose(s, gas, view, offer, err, answers)
}

// GasTerms are what a unit of gas costs, in wei.
type GasTerms struct {
	// Price is the most that the transaction should offer, Expected what it pays now.
	Price, Expected *uint256.Int
}

// terms are what gas costs for a swap.
func (d *desk) terms(ctx context.Context, s Swap) (GasTerms, error) {
	if s.GasPrice != nil {
		return GasTerms{Price: s.GasPrice, Expected: s.GasPrice}, nil
	}
	prices, err := d.gas.On(ctx, s.ChainID)
	if err != nil {
		return GasTerms{}, fmt.Errorf("%w: gas price: %w", ErrUnavailable, err)
	}
	return GasTerms{Price: prices.Standard, Expected: prices.Expected}, nil
}

// onchain finds the best swap in the chain's own pools, and what it costs.
func (d *desk) onchain(ctx context.Context, s Swap, gas GasTerms) (Offer, *pools.View, error) {
	if s.Only != nil && s.Only.Source != onchain {
		return Offer{}, nil, ErrUnknownSource
	}
	view, err := d.views.View(ctx, s.ChainID, s.From, s.To)
	if err != nil {
		return Offer{}, nil, err
	}
	o, view, err := d.market.offer(ctx, view, s, gas)
	if err != nil {
		return Offer{}, view, err
	}
	err = d.charge(ctx, s.ChainID, gas, &o)
	return o, view, err
}

// charge notes what an offer costs in all, with what a rollup asks for its data.
func (d *desk) charge(ctx context.Context, chainID string, gas GasTerms, o *Offer) error {
	data, err := d.gas.DataFee(ctx, chainID, o.Calls)
	if err != nil {
		return fmt.Errorf("%w: data fee: %w", ErrUnavailable, err)
	}
	o.Gas += data.Gas
	fee, overflow := new(uint256.Int).AddOverflow(gas.cost(o.Gas), data.Wei)
	if overflow {
		fee.SetAllOne()
	}
	o.NetworkFee = fee
	return nil
}

// cost is what so many units cost now, in wei, and 2^256-1 where it is more than that.
func (g GasTerms) cost(units uint64) *uint256.Int {
	wei, overflow := new(uint256.Int).MulOverflow(g.Expected, uint256.NewInt(units))
	if overflow {
		wei.SetAllOne()
	}
	return wei
}

// askVendors asks those whose spender the caller would allow.
func (d *desk) askVendors(ctx context.Context, s Swap) vendors.Answers {
	if s.Only != nil || !s.AnySpender && !s.sellsNative() {
		return vendors.Answers{}
	}
	question, err := d.vendorAsk(ctx, s)
	if err != nil {
		return vendors.Answers{}
	}
	return d.panel.Ask(ctx, question)
}

// vendorAsk is a swap as vendors are asked for it.
func (d *desk) vendorAsk(ctx context.Context, s Swap) (vendors.Ask, error) {
	a := vendors.Ask{
		ChainID: s.ChainID, From: s.From, To: s.To, Amount: s.Amount.ToBig(), Sender: s.User, SlippageBPS: s.SlippageBPS,
	}
	if s.GasPrice != nil {
		a.GasPrice = s.GasPrice.ToBig()
	}
	var err error
	if a.FromDecimals, err = d.decimals(ctx, s.ChainID, s.From); err != nil {
		return a, err
	}
	a.ToDecimals, err = d.decimals(ctx, s.ChainID, s.To)
	return a, err
}

// decimals of a token, from the lists or from its contract.
func (d *desk) decimals(ctx context.Context, chainID string, token evm.Address) (uint8, error) {
	if token == evm.Native {
		network, _, err := d.networks.Network(ctx, chainID)
		return network.Decimals, err
	}
	if listed, ok := d.tokens.Find(chainID, token); ok {
		return listed.Decimals, nil
	}
	return d.accounts.Decimals(ctx, chainID, token)
}

// choose ranks what everyone said by what is left after gas.
func (d *desk) choose(s Swap, gas GasTerms, view *pools.View, own Offer, ownErr error, said vendors.Answers) (Answer, error) {
	var offers []Offer
	var a Answer
	if ownErr == nil {
		offers = append(offers, own)
	} else if len(said.Quotes) > 0 {
		a.Rejected = append(a.Rejected, Rejection{onchain, told(ownErr)})
	}
	worth := worthOfGas(view, s, gas)
	for _, q := range said.Quotes {
		offers = append(offers, vendorOffer(s, gas, q, worth))
	}
	if len(offers) == 0 {
		return Answer{}, ownErr
	}
	for name, err := range said.Failures {
		a.Rejected = append(a.Rejected, Rejection{name, told(err)})
	}
	slices.SortFunc(a.Rejected, func(x, y Rejection) int { return cmp.Compare(x.Source, y.Source) })
	slices.SortStableFunc(offers, func(x, y Offer) int { return cmp.Compare(y.net, x.net) })
	a.Best, a.Others = offers[0], offers[1:]
	return a, nil
}

// worthOfGas is what a unit of gas costs in base units of the bought token; 0 where that is not known.
func worthOfGas(view *pools.View, s Swap, gas GasTerms) float64 {
	if view == nil {
		return 0
	}
	native, known := view.Token(evm.Native)
	to, traded := view.Token(s.To)
	if !known || !traded {
		return 0
	}
	return view.Market.Worth(native, to) * gas.Expected.Float64()
}

// vendorOffer is a vendor's quote as an offer.
func vendorOffer(s Swap, gas GasTerms, q vendors.Quote, worth float64) Offer {
	out := uint256.MustFromBig(q.Out)
	return Offer{
		ID: SourceID{Source: q.Vendor}, Out: out, Min: s.least(out), Gas: q.Gas, GasPrice: gas.Price, Fee: new(uint256.Int),
		NetworkFee: gas.cost(q.Gas), Spender: q.Spender,
		Because: "a vendor's transaction is simulated when it is built", net: out.Float64() - worth*float64(q.Gas),
	}
}

// told is a failure in words that a caller may see.
func told(err error) error {
	if f := refusal(err); f != nil {
		return errors.New(f.Public)
	}
	for _, kind := range []error{
		vendors.ErrNoLiquidity, vendors.ErrChain, vendors.ErrToken, vendors.ErrRejected, vendors.ErrRateLimited, vendors.ErrMoved, vendors.ErrResting,
	} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return vendors.ErrBroken
}

// Allowance is what a spender may take, and who it is: the chain's primary router unless named.
func (d *desk) Allowance(ctx context.Context, token apiparse.Account, owner, spender evm.Address) (*uint256.Int, evm.Address, error) {
	if _, err := d.chain(ctx, token.ChainID); err != nil {
		return nil, spender, err
	}
	if spender == (evm.Address{}) {
		chain, _ := d.venues.On(token.ChainID)
		spender = chain.Venues[0].Router
	}
	if token.Address == evm.Native {
		return new(uint256.Int).SetAllOne(), spender, nil
	}
	allowance, err := d.allowances.Of(ctx, token.ChainID, token.Address, owner, spender)
	if err != nil {
		return nil, spender, notToken(token.Address, err)
	}
	return allowance, spender, nil
}

// GasPrices are what gas costs on a chain now.
func (d *desk) GasPrices(ctx context.Context, chainID string) (execution.Prices, error) {
	if _, err := d.chain(ctx, chainID); err != nil {
		return execution.Prices{}, err
	}
	prices, err := d.gas.On(ctx, chainID)
	if err != nil {
		return execution.Prices{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return prices, nil
}

// notToken words a failed reading of a contract, unless it is the chain that failed.
func notToken(token evm.Address, err error) error {
	if _, failed := status.FromError(err); failed || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return &NotTokenError{token, err}
}
