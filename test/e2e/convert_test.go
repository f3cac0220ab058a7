package e2e

import (
	"context"
	"testing"

	"connectrpc.com/connect"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1/convertv1connect"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// quotes is an open stream of a swap's quotes.
type quotes struct {
	stream *connect.ServerStreamForClient[convertv1.WatchQuoteResponse]
}

func (s *suite) watchQuote(t *testing.T, swap *convertv1.ListQuotesRequest, options ...connect.ClientOption) quotes {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	t.Cleanup(cancel)
	client := connect.NewClient[convertv1.WatchQuoteRequest, convertv1.WatchQuoteResponse](http2Client,
		s.url+convertv1connect.QuoteServiceWatchQuoteProcedure, options...)
	req := connect.NewRequest(&convertv1.WatchQuoteRequest{Swap: swap})
	req.Header().Set("Hawser-Project-Id", project)
	stream, err := client.CallServerStream(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stream.Close() })
	return quotes{stream}
}

// other returns the next quote that pays another amount than the one given.
func (q quotes) other(t *testing.T, than string) *convertv1.Quote {
	t.Helper()
	for q.stream.Receive() {
		if quote := q.stream.Msg().GetQuote(); quote != nil && quote.GetToAmount() != than {
			return quote
		}
	}
	t.Fatalf("the stream ended: %v", q.stream.Err())
	return nil
}

// TestAQuoteIsPushedWhenASwapMovesIt carries the quoted swap out itself.
func TestAQuoteIsPushedWhenASwapMovesIt(t *testing.T) {
	devnet := devnettest.Start(t)
	chain, sender := devnet.Chain(t, devChain), devnet.Accounts[1].Address
	slippage := uint32(1)
	eachShape(t, func(t *testing.T, s *suite) {
		for protocol, options := range map[string][]connect.ClientOption{
			"connect": nil, "grpc-web": {connect.WithGRPCWeb()}, "grpc": {connect.WithGRPC()},
		} {
			t.Run(protocol, func(t *testing.T) {
				swap := &convertv1.ListQuotesRequest{
					Amount: "5000000000000000000", From: devChain + ":0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
					To: devChain + ":" + chain.Token(t, "tUSD").Address, UserAddress: sender,
				}
				w := s.watchQuote(t, swap, options...)
				first := w.other(t, "")
				build := connect.NewClient[convertv1.BuildTransactionRequest, convertv1.BuildTransactionResponse](http2Client,
					s.url+convertv1connect.ConvertServiceBuildTransactionProcedure, options...)
				req := connect.NewRequest(&convertv1.BuildTransactionRequest{
					ProjectId: project, Amount: swap.GetAmount(), From: swap.GetFrom(), To: swap.GetTo(), UserAddress: devChain + ":" + sender,
					Eip155: &convertv1.SwapTerms{Slippage: &slippage}, QuoteId: first.GetId(),
				})
				req.Header().Set("Hawser-Project-Id", project)
				res, err := build.CallUnary(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				call := res.Msg.GetTx().GetCalls()[0]
				chain.Call(t, "eth_sendTransaction", map[string]string{
					"from": sender, "to": call.GetTo(), "data": call.GetData(), "value": "0x4563918244f40000", "gas": "0x4c4b40",
				})
				if next := w.other(t, first.GetToAmount()); next.GetBlock() <= first.GetBlock() {
					t.Errorf("block %d after block %d", next.GetBlock(), first.GetBlock())
				}
			})
		}
	})
}
