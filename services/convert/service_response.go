package convert

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/grpc/codes"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/convert/engine"
	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// token translates a token.
func token(chainID string, t engine.Token) *convertv1.Token {
	out := &convertv1.Token{
		Name: t.Name, Symbol: t.Symbol, Address: tokenID(chainID, t.Address), Decimals: uint32(t.Decimals), Eip2612: t.Permits,
	}
	if t.Icon != "" {
		out.LogoUri = &t.Icon
	}
	return out
}

// quote translates the best offer for request r.
func quote(r *convertv1.ListQuotesRequest, s engine.Swap, a engine.Answer) *convertv1.Quote {
	o := a.Best
	q := &convertv1.Quote{
		Id: o.ID.String(), FromAmount: r.GetAmount(), FromAccount: r.GetFrom(), ToAmount: o.Out.Dec(), ToAccount: r.GetTo(),
		ToAmountMin: o.Min.Dec(), Source: o.ID.Source, Block: o.Block, BoundBps: o.BoundBPS, RouterBoundBps: o.RouterBoundBPS, PriceImpact: o.Impact,
		Gas: strconv.FormatUint(o.Gas, 10), GasPrice: o.GasPrice.Dec(), NetworkFee: o.NetworkFee.Dec(), ProviderFee: o.Fee.Dec(),
		Spender: spender(o), Confirmed: o.Confirmed, UnconfirmedBecause: o.Because, Calls: uint32(max(1, len(o.Calls))),
	}
	q.UnconfirmedCause, q.UnconfirmedDetail = unconfirmed(o)
	for _, p := range o.Route {
		path := &convertv1.Path{Share: p.Share}
		for _, h := range p.Hops {
			path.Hops = append(path.Hops, &convertv1.Hop{
				Pool: h.Pool.String(), Venue: h.Venue, Kind: h.Kind, Fee: h.Fee,
				From: tokenID(s.ChainID, h.From), To: tokenID(s.ChainID, h.To),
			})
		}
		q.Route = append(q.Route, path)
	}
	for _, other := range a.Others {
		q.Offers = append(q.Offers, &convertv1.Offer{Source: other.ID.Source, ToAmount: other.Out.Dec()})
	}
	for _, none := range a.Rejected {
		q.Offers = append(q.Offers, &convertv1.Offer{Source: none.Source, Reason: none.Reason.Error()})
	}
	return q
}

// unconfirmed returns why an offer is not confirmed; nil for parts that are not known.
func unconfirmed(o engine.Offer) (cause *convertv1.UnconfirmedCause, detail *string) {
	if o.Confirmed || o.Cause == 0 {
		return nil, nil
	}
	cause = convertv1.UnconfirmedCause(o.Cause).Enum() //nolint:gosec // its values are those of the API
	if o.Detail != "" {
		detail = &o.Detail
	}
	return cause, detail
}

// transaction translates a built offer for request r.
func transaction(r *convertv1.BuildTransactionRequest, s engine.Swap, o engine.Offer) *convertv1.SwapTransaction {
	last := o.Calls[len(o.Calls)-1]
	tx := &convertv1.SwapTransaction{
		From: r.GetUserAddress(), To: s.ChainID + ":" + last.To.String(), Data: hexutil.Encode(last.Data), Value: last.Value.Dec(),
		Amount: o.Out.Dec(), ToAmountMin: o.Min.Dec(), NetworkFee: o.NetworkFee.Dec(),
		Eip155:    &convertv1.GasTerms{Gas: strconv.FormatUint(o.Gas, 10), GasPrice: o.GasPrice.Dec()},
		Confirmed: o.Confirmed, UnconfirmedBecause: o.Because, Block: o.Block, Source: o.ID.Source, Spender: spender(o),
	}
	tx.UnconfirmedCause, tx.UnconfirmedDetail = unconfirmed(o)
	if !o.Deadline.IsZero() {
		tx.Deadline = o.Deadline.Unix()
	}
	for _, c := range o.Calls {
		tx.Calls = append(tx.Calls, call(c))
	}
	return tx
}

func call(c execution.Call) *convertv1.Call {
	return &convertv1.Call{To: c.To.String(), Data: hexutil.Encode(c.Data), Value: c.Value.Dec()}
}

func spender(o engine.Offer) *string {
	if o.Spender == (evm.Address{}) {
		return nil
	}
	text := o.Spender.String()
	return &text
}

// tokenID returns a token's CAIP-10 id: in lower case for the native currency, as clients compare it, else with a checksum (EIP-55).
func tokenID(chainID string, token evm.Address) string {
	if token == evm.Native {
		return chainID + ":" + strings.ToLower(token.String())
	}
	return chainID + ":" + token.String()
}

// explain returns the public error for a failure of the engine.
func explain(err error) error {
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return f
	}
	if f := engine.Refusal(err); f != nil {
		return f.Because(err)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fault.From(context.Canceled)
	case engine.IsUnavailable(err):
		return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "The convert provider is temporarily unavailable").Because(err)
	}
	return fault.From(err)
}
