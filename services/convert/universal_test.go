package convert

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// The hashes of the creation code of Uniswap's pools in the UniversalRouter.
const (
	pairCodeHash = "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f"
	poolCodeHash = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"
)

// universal returns a configuration with two of the local exchanges: v2 pools of one and v3 pools of the other. If
// works is true, its UniversalRouter trades both; otherwise it is a wrong contract.
func universal(tb testing.TB, works bool) func(*Config) {
	return func(cfg *Config) {
		d := devnettest.Start(tb)
		var local devnet.Chain
		if err := json.Unmarshal(d.Describe(d.Chains[0].CAIP2), &local); err != nil {
			tb.Fatal(err)
		}
		chain := dex.ChainConfig{Wrapped: local.Wrapped.String(), Universal: &dex.UniversalConfig{Name: "UniversalRouter"}}
		for _, hub := range local.Hubs {
			chain.Hubs = append(chain.Hubs, hub.String())
		}
		var v2, v3 evm.Address
		for _, v := range local.Venues {
			venue := dex.VenueConfig{Name: v.Name, Kind: dex.Kind(v.Kind), Router: v.Router.String()}
			switch venue.Kind {
			case dex.V2Router:
				v2, venue.V2 = v.V2.Factory, &dex.V2Config{Factory: v.V2.Factory.String(), Fee: []uint64{997, 1000}}
			case dex.V3Router:
				v3, venue.V3 = v.V3.Factory, &dex.V3Config{Factory: v.V3.Factory.String(), Fees: v.V3.Fees}
			default:
				continue
			}
			chain.Venues = append(chain.Venues, venue)
			chain.Universal.Venues = append(chain.Universal.Venues, v.Name)
		}
		chain.Universal.Router = local.Wrapped.String()
		if works {
			nothing, word := new(big.Int), func(a evm.Address) *big.Int { return new(big.Int).SetBytes(a[:]) }
			permit2 := evm.MustAddress(exchangetest.Permit2(tb, d.Chains[0]))
			chain.Universal.Router = exchangetest.Deploy(tb, d.Chains[0]).Contract(tb,
				"universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json",
				word(permit2), word(*local.Wrapped), word(v2), word(v3), number(tb, pairCodeHash), number(tb, poolCodeHash), nothing, nothing, nothing, nothing)
		}
		cfg.Venues.Chains = map[string]dex.ChainConfig{local.CAIP2: chain}
	}
}

func TestOneCallOfTheUniversalRouterSellsOnSeveralVenues(t *testing.T) {
	w := open(t, universal(t, true))
	for _, amount := range []string{"60000000000000000000", "100000000000000000000"} {
		r := w.quoteRequest(t, amount, "ETH", "tUSD")
		q := w.quote(t, r)
		routers := map[string]bool{}
		for _, path := range q.GetRoute() {
			for _, hop := range path.GetHops() {
				routers[hop.GetVenue()] = true
			}
		}
		if q.GetId() != "onchain/UniversalRouter" || !q.GetConfirmed() || q.Spender != nil || q.GetCalls() != 1 || len(routers) != 2 {
			t.Fatalf("got %v", q)
		}
		tx, paid := w.swap(t, r, "tUSD")
		if paid.String() != tx.GetAmount() {
			t.Errorf("paid %s, the transaction said %s", paid, tx.GetAmount())
		}
	}
}

// soldByPermit2 returns a request whose best quote sells a token through the UniversalRouter, by an account of the node that holds the token.
func soldByPermit2(t *testing.T) (world, *convertv1.ListQuotesRequest, *convertv1.Quote) {
	t.Helper()
	w := open(t, universal(t, true))
	w.user = w.nodes.devnet.Accounts[5].Address
	r := w.quoteRequest(t, "100000000000", "tUSD", "ETH")
	r.Spender = "permit2"
	exchangetest.Give(t, w.chain, w.chain.Token(t, "tUSD").Address, w.user, number(t, r.GetAmount()))
	q := w.quote(t, r)
	if q.GetId() != "onchain/UniversalRouter" || !q.GetConfirmed() || evm.MustAddress(q.GetSpender()) != execution.Permit2 || q.GetCalls() != 1 {
		t.Fatalf("got %v", q)
	}
	return w, r, q
}

// typedData requests what the user signs for a quote.
func (w world) typedData(t *testing.T, r *convertv1.ListQuotesRequest, q *convertv1.Quote) string {
	t.Helper()
	res, err := w.GetPermit(t.Context(), &convertv1.GetPermitRequest{
		From: r.GetFrom(), Amount: r.GetAmount(), UserAddress: w.chain.CAIP2 + ":" + w.user, QuoteId: q.GetId(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return res.GetTypedData()
}

// single signs the permit of a quote whose spender is Permit2, and returns it in the form that BuildTransaction takes.
func (w world) single(t *testing.T, r *convertv1.ListQuotesRequest, q *convertv1.Quote) string {
	t.Helper()
	data := w.typedData(t, r, q)
	var typed struct {
		Message struct {
			Details              struct{ Token, Amount, Expiration, Nonce string }
			Spender, SigDeadline string
		}
	}
	if err := json.Unmarshal([]byte(data), &typed); err != nil {
		t.Fatal(err)
	}
	m := typed.Message
	if m.Details.Amount != r.GetAmount() || m.Details.Expiration != m.SigDeadline || m.Spender != w.universalRouter(t) {
		t.Fatalf("got %s", data)
	}
	var text string
	if err := json.Unmarshal(w.chain.Call(t, "eth_signTypedData_v4", w.user, json.RawMessage(data)), &text); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{m.Details.Amount, m.Details.Expiration, m.Details.Nonce, m.SigDeadline} {
		text += fmt.Sprintf("%064x", number(t, field))
	}
	return text
}

func (w world) universalRouter(t *testing.T) string {
	t.Helper()
	chain, ok := w.engine.Venues.On(w.chain.CAIP2)
	if !ok || chain.Universal == nil {
		t.Fatal("the chain has no UniversalRouter")
	}
	return chain.Universal.Router.String()
}

// sellAll sends the transaction, which must sell all of the token.
func (w world) sellAll(t *testing.T, tx *convertv1.SwapTransaction) {
	t.Helper()
	if !tx.GetConfirmed() || tx.GetValue() != "0" || len(tx.GetCalls()) != 1 || evm.MustAddress(tx.GetSpender()) != execution.Permit2 {
		t.Fatalf("got %v", tx)
	}
	call := &convertv1.Call{To: strings.TrimPrefix(tx.GetTo(), w.chain.CAIP2+":"), Data: tx.GetData(), Value: tx.GetValue()}
	w.send(t, call, tx.GetEip155().GetGas())
	if left := w.holds(t, "tUSD"); left.Sign() != 0 {
		t.Errorf("%s of the token are left", left)
	}
}

func TestATokenIsSoldThroughTheUniversalRouterWithAPermit(t *testing.T) {
	w, r, q := soldByPermit2(t)
	order := w.order(r, q)
	order.Eip155.Permit = w.single(t, r, q)
	if _, err := w.BuildTransaction(t.Context(), order); reasonOf(err) != faultv1.Reason_REASON_ALLOWANCE_INSUFFICIENT {
		t.Errorf("without an allowance of Permit2: %v", err)
	}
	w.approve(t, r, q)
	allowance, err := w.GetAllowance(t.Context(), &convertv1.GetAllowanceRequest{
		TokenAddress: r.GetFrom(), UserAddress: w.chain.CAIP2 + ":" + w.user, Spender: q.GetSpender(),
	})
	if err != nil || allowance.GetAllowance() != r.GetAmount() {
		t.Errorf("the allowance of Permit2: got %v %v, want %s", allowance, err, r.GetAmount())
	}
	if _, err := w.BuildTransaction(t.Context(), w.order(r, q)); reasonOf(err) != faultv1.Reason_REASON_ALLOWANCE_INSUFFICIENT {
		t.Errorf("without a permit: %v", err)
	}
	res, err := w.BuildTransaction(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	w.sellAll(t, res.GetTx())

	exchangetest.Give(t, w.chain, w.chain.Token(t, "tUSD").Address, w.user, number(t, r.GetAmount()))
	w.approve(t, r, q)
	w.follow(t)
	order.ToAmountMin = ""
	if _, err := w.BuildTransaction(t.Context(), order); reasonOf(err) != faultv1.Reason_REASON_TRANSACTION_REVERTS {
		t.Errorf("a permit that was used: %v", err)
	}
}

func TestAStoredAllowanceOfPermit2NeedsNoSignature(t *testing.T) {
	w, r, q := soldByPermit2(t)
	w.approve(t, r, q)
	// approve(address,address,uint160,uint48) of Permit2: the amount that the router may take, and until when.
	words := []any{number(t, w.chain.Token(t, "tUSD").Address), number(t, w.universalRouter(t)), number(t, r.GetAmount()), time.Now().Add(time.Hour).Unix()}
	w.send(t, &convertv1.Call{To: q.GetSpender(), Data: fmt.Sprintf("0x87517c45%064x%064x%064x%064x", words...), Value: "0"}, "200000")
	if typed := w.typedData(t, r, q); typed != "" {
		t.Fatalf("got %s, want nothing to sign", typed)
	}
	w.follow(t)
	w.sellAll(t, w.build(t, r, q))
}

func TestOnlyCallersThatSignSellTokensThroughTheUniversalRouter(t *testing.T) {
	w, r, q := soldByPermit2(t)
	for _, spender := range []string{"", "any"} {
		r.Spender = spender
		if q := w.quote(t, r); q.GetId() == "onchain/UniversalRouter" || evm.MustAddress(q.GetSpender()) == execution.Permit2 {
			t.Errorf("spender %q: got %v", spender, q)
		}
	}
	r.Spender, r.Batch = "permit2", true
	if q := w.quote(t, r); q.GetId() == "onchain/UniversalRouter" {
		t.Errorf("a batch: got %v", q)
	}
	contract := &convertv1.GetPermitRequest{From: r.GetFrom(), Amount: r.GetAmount(), UserAddress: r.GetFrom(), QuoteId: q.GetId()}
	if _, err := w.GetPermit(t.Context(), contract); reasonOf(err) != faultv1.Reason_REASON_PERMIT_UNSUPPORTED {
		t.Errorf("an account with code: %v", err)
	}
}

// A UniversalRouter has no function that returns its factories. A wrong one is detected by the simulation, and the
// venues stay in use.
func TestAWrongUniversalRouterLeavesTheVenuesInUse(t *testing.T) {
	w := open(t, universal(t, false))
	q := w.quote(t, w.quoteRequest(t, "100000000000000000000", "ETH", "tUSD"))
	if q.GetId() == "onchain/UniversalRouter" || !q.GetConfirmed() {
		t.Errorf("got %v", q)
	}
}
