package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1/updatesv1connect"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// watched is an open stream of an account's changes.
type watched struct {
	stream *connect.ServerStreamForClient[updatesv1.WatchAccountResponse]
}

func (s *suite) watch(t *testing.T, account string, options ...connect.ClientOption) watched {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	t.Cleanup(cancel)
	client := connect.NewClient[updatesv1.WatchAccountRequest, updatesv1.WatchAccountResponse](http2Client,
		s.url+updatesv1connect.UpdatesServiceWatchAccountProcedure, options...)
	req := connect.NewRequest(&updatesv1.WatchAccountRequest{Address: account, ChainId: devChain, Currency: "usd"})
	req.Header().Set("Hawser-Project-Id", project)
	req.Header().Set("Hawser-Order-Tokens", strings.Join(s.orderTokens, ","))
	stream, err := client.CallServerStream(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stream.Close() })
	return watched{stream}
}

// until returns the next list of balances for which the native amount is as wanted; "" stands for none.
func (w watched) until(t *testing.T, want string) *updatesv1.WatchAccountResponse {
	t.Helper()
	last := "nothing"
	for w.stream.Receive() {
		list, ok := w.stream.Msg().GetChange().(*updatesv1.WatchAccountResponse_Balances)
		if !ok {
			continue
		}
		last = ""
		for _, b := range list.Balances.GetBalances() {
			if b.Address == nil {
				last = b.GetQuantity().GetNumeric()
			}
		}
		if last == want {
			return w.stream.Msg()
		}
	}
	t.Fatalf("the stream ended with %q, want %q: %v", last, want, w.stream.Err())
	return nil
}

// TestABlockIsPushedToWhoWatches sends from another account, and takes the block back by a reorganisation.
func TestABlockIsPushedToWhoWatches(t *testing.T) {
	devnet := devnettest.Start(t)
	chain := devnet.Chain(t, devChain)
	receiver := 0
	eachShape(t, func(t *testing.T, s *suite) {
		for protocol, options := range map[string][]connect.ClientOption{
			"connect": nil, "grpc-web": {connect.WithGRPCWeb()}, "grpc": {connect.WithGRPC()},
		} {
			t.Run(protocol, func(t *testing.T) {
				receiver++
				account := fmt.Sprintf("0x%040x", 0xfeed0000+receiver)
				w := s.watch(t, account, options...)
				w.until(t, "")
				sent := time.Now()
				chain.Call(t, "eth_sendTransaction", map[string]string{"from": devnet.Accounts[1].Address, "to": account, "value": "0x7"})
				if m := w.until(t, "0.000000000000000007"); m.GetBlock() == 0 {
					t.Error("the message names no block")
				}
				t.Logf("pushed %d ms after it was sent", time.Since(sent).Milliseconds())
				chain.Call(t, "anvil_reorg", 1, []any{})
				w.until(t, "")
			})
		}
	})
}

// untilIdentity returns once the stream reports that the identity of the account may have changed.
func (w watched) untilIdentity(t *testing.T) {
	t.Helper()
	for w.stream.Receive() {
		if w.stream.Msg().GetIdentity() != nil {
			return
		}
	}
	t.Fatalf("the stream ended: %v", w.stream.Err())
}

// TestANameIsPushedToWhoWatchesItsAccount registers and transfers a name: the streams of both accounts report it.
func TestANameIsPushedToWhoWatchesItsAccount(t *testing.T) {
	eachShape(t, func(t *testing.T, s *suite) {
		n := 320
		for protocol, options := range map[string][]connect.ClientOption{
			"connect": nil, "grpc-web": {connect.WithGRPCWeb()}, "grpc": {connect.WithGRPC()},
		} {
			t.Run(protocol, func(t *testing.T) {
				n += 2
				alice, bob := signaturetest.NewAccount(n), signaturetest.NewAccount(n+1)
				watchers := []watched{s.watch(t, alice.Address().String(), options...), s.watch(t, strings.ToLower(bob.Address().String()), options...)}
				for _, w := range watchers {
					w.until(t, "")
				}
				name := fmt.Sprintf("pushed%d.hawser.id", n)
				s.registerWith(t, name, alice, "https://example.org/a.png")
				watchers[0].untilIdentity(t)

				message := fmt.Sprintf(`{"transfer":%q,"to":%q,"coin_type":60,"timestamp":%d}`, name, bob.Address(), time.Now().Unix())
				s.post(t, "/v1/profile/account/"+name+"/transfer", envelope(message, alice.Sign(message), ether, alice))
				for _, w := range watchers {
					w.untilIdentity(t)
				}
			})
		}
	})
}
