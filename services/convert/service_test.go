package convert

import (
	"errors"
	"math/big"
	"testing"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const oneEther = "1000000000000000000"

func TestASwapPaysExactlyTheAmountOfItsTransaction(t *testing.T) {
	w := open(t)
	for _, step := range []struct{ amount, from, to string }{
		{oneEther, "ETH", "tUSD"},
		{"250000000000000000000", "ETH", "tDAI"}, // through several pools
		{"1000000000", "tUSD", "tDAI"},
		{"1000000000000000000", "tDAI", "ETH"},
		{"500000000", "tUSD", "WHOLE"},
		{"1000000000000000000", "tDAI", "WIDE"},
		{"100000000", "tUSD", "tUSDT"},
		{"40000000", "tUSDT", "tDAI"},
		{"50000000", "tUSDT", "tDAI"}, // a token that refuses to change an allowance
		{oneEther, "ETH", "WETH"},
		{"400000000000000000", "WETH", "ETH"},
	} {
		t.Run(step.from+" to "+step.to, func(t *testing.T) {
			r := w.quoteRequest(t, step.amount, step.from, step.to)
			q := w.quote(t, r)
			if !q.GetConfirmed() {
				t.Fatalf("the quote is not confirmed: %s", q.GetUnconfirmedBecause())
			}
			if q.Spender != nil {
				w.approve(t, r, q)
			}
			if step.to == "ETH" {
				// The output in the native currency cannot be told apart from the spent gas; the router's own check of
				// the minimum proves it.
				tx := w.build(t, r, w.quote(t, r))
				if tx.GetAmount() == "0" {
					t.Fatal("nothing is paid")
				}
				w.swap(t, r, step.to)
				return
			}
			tx, paid := w.swap(t, r, step.to)
			if paid.String() != tx.GetAmount() {
				t.Errorf("paid %s, the transaction said %s", paid, tx.GetAmount())
			}
		})
	}
}

func TestABatchSwapsThroughSeveralRouters(t *testing.T) {
	w := open(t)
	w.swap(t, w.quoteRequest(t, "800000000000000000000", "ETH", "WETH"), "WETH")
	// An amount for which no single router's pools are deep enough.
	r := w.quoteRequest(t, "800000000000000000000", "WETH", "tDAI")
	r.Batch = true
	q := w.quote(t, r)
	if q.GetCalls() < 2 || q.GetId() != "onchain/batch" || q.Spender != nil {
		t.Fatalf("got %v: want several calls", q)
	}
	tx := w.build(t, r, q)
	if got := len(tx.GetCalls()); got != 2*int(q.GetCalls()) {
		t.Errorf("%d calls: want an approval for each of %d", got, q.GetCalls())
	}
	before := w.holds(t, "tDAI")
	for _, call := range tx.GetCalls() {
		w.send(t, call, "3000000")
	}
	if paid := new(big.Int).Sub(w.holds(t, "tDAI"), before); paid.String() != tx.GetAmount() {
		t.Errorf("paid %s, the transaction said %s", paid, tx.GetAmount())
	}
}

func TestASwapChangesTheNextQuote(t *testing.T) {
	w := open(t)
	r := w.quoteRequest(t, "100000000000000000000", "ETH", "tUSD")
	before := w.quote(t, r)
	w.swap(t, r, "tUSD")
	after := w.quote(t, r)
	if number(t, after.GetToAmount()).Cmp(number(t, before.GetToAmount())) >= 0 || after.GetBlock() <= before.GetBlock() {
		t.Errorf("got %s at block %d after %s at block %d", after.GetToAmount(), after.GetBlock(), before.GetToAmount(), before.GetBlock())
	}
}

func TestTheDefaultSpenderIsThePrimaryRouter(t *testing.T) {
	w := open(t)
	r := w.quoteRequest(t, "1000000000", "tUSD", "tDAI")
	r.Spender = ""
	q := w.quote(t, r)
	res, err := w.GetAllowance(t.Context(), &convertv1.GetAllowanceRequest{TokenAddress: r.GetFrom(), UserAddress: w.user})
	if err != nil || q.GetSpender() != res.GetSpender() || res.GetAllowance() != "0" {
		t.Errorf("the quote names %s, the allowance is about %s: %v", q.GetSpender(), res.GetSpender(), err)
	}
	native, err := w.GetAllowance(t.Context(), &convertv1.GetAllowanceRequest{TokenAddress: w.id(t, "ETH"), UserAddress: w.user})
	if err != nil || native.GetAllowance() != "115792089237316195423570985008687907853269984665640564039457584007913129639935" {
		t.Errorf("the native currency's allowance is %s: %v", native.GetAllowance(), err)
	}
}

func TestInvalidQuotesAreRefusedWithAReason(t *testing.T) {
	w := open(t)
	for _, tt := range []struct {
		behaviour, amount, from, to string
		want                        faultv1.Reason
	}{
		{"no route", oneEther, "ETH", "RVRT", faultv1.Reason_REASON_ROUTE_ABSENT},
		{"more than the liquidity", "115792089237316195423570985008687907853269984665640564039457584007913129639935", "ETH", "tUSD", faultv1.Reason_REASON_LIQUIDITY_INSUFFICIENT},
		{"too little", "1", "ETH", "tUSD", faultv1.Reason_REASON_AMOUNT_INVALID},
		{"nothing", "0", "ETH", "tUSD", faultv1.Reason_REASON_AMOUNT_INVALID},
		{"not a number", "1e18", "ETH", "tUSD", faultv1.Reason_REASON_AMOUNT_INVALID},
		{"no amount", "", "ETH", "tUSD", faultv1.Reason_REASON_PARAMETER_INVALID},
		{"a token that keeps a part, bought", oneEther, "ETH", "TAX", faultv1.Reason_REASON_TOKEN_TAKES_FEE},
		{"a token that keeps a part, sold", oneEther, "TAX", "ETH", faultv1.Reason_REASON_TOKEN_TAKES_FEE},
		{"a token that cannot be sold", oneEther, "TRAP", "tDAI", faultv1.Reason_REASON_TRANSACTION_REVERTS},
		{"the same token", oneEther, "tDAI", "tDAI", faultv1.Reason_REASON_CONVERSION_INVALID},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			w.follow(t)
			res, err := w.ListQuotes(t.Context(), w.quoteRequest(t, tt.amount, tt.from, tt.to))
			if reasonOf(err) != tt.want {
				t.Errorf("got %v, %v; want %v", res, err, tt.want)
			}
		})
	}
}

func TestATransactionThatTheAccountCannotMakeIsRefused(t *testing.T) {
	w := open(t)
	r := w.quoteRequest(t, "100000000", "tUSD", "tDAI")
	w.quote(t, r) // once all pools of the tokens were searched, the same request has the same answer
	w.follow(t)
	q := w.quote(t, r)
	refused := func(want faultv1.Reason, change func(*convertv1.BuildTransactionRequest)) {
		t.Helper()
		o := w.order(r, q)
		change(o)
		if _, err := w.BuildTransaction(t.Context(), o); reasonOf(err) != want {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	same := func(*convertv1.BuildTransactionRequest) {}
	refused(faultv1.Reason_REASON_BALANCE_INSUFFICIENT, same)
	w.swap(t, w.quoteRequest(t, oneEther, "ETH", "tUSD"), "tUSD")
	refused(faultv1.Reason_REASON_ALLOWANCE_INSUFFICIENT, same)
	refused(faultv1.Reason_REASON_PRICE_MOVED, func(o *convertv1.BuildTransactionRequest) { o.ToAmountMin = q.GetToAmount() + "0" })
	refused(faultv1.Reason_REASON_CONVERSION_INVALID, func(o *convertv1.BuildTransactionRequest) { o.QuoteId = "onchain/Nowhere" })
	refused(faultv1.Reason_REASON_CONVERSION_INVALID, func(o *convertv1.BuildTransactionRequest) { o.QuoteId = "//" })
	refused(faultv1.Reason_REASON_PARAMETER_INVALID, func(o *convertv1.BuildTransactionRequest) { o.Eip155 = nil })
	refused(faultv1.Reason_REASON_PARAMETER_INVALID, func(o *convertv1.BuildTransactionRequest) { *o.Eip155.Slippage = 51 })
	refused(faultv1.Reason_REASON_IDENTIFIER_INVALID, func(o *convertv1.BuildTransactionRequest) { o.UserAddress = w.user })
	unchecked := w.order(r, q)
	unchecked.DisableEstimate = true
	if res, err := w.BuildTransaction(t.Context(), unchecked); err != nil || !res.GetTx().GetConfirmed() {
		t.Errorf("unchecked: got %v, %v", res, err)
	}
}

func TestTheMinimumOfAQuoteIsThatOfItsSlippage(t *testing.T) {
	w := open(t)
	for _, bps := range []uint32{0, 5, 300} {
		r := w.quoteRequest(t, oneEther, "ETH", "tUSD")
		r.SlippageBps = &bps
		q := w.quote(t, r)
		out := number(t, q.GetToAmount())
		slips := new(big.Int).Sub(out, number(t, q.GetToAmountMin()))
		// Both are rounded down, so the difference is one unit off at most.
		if want := new(big.Int).Div(new(big.Int).Mul(out, big.NewInt(int64(bps))), big.NewInt(10_000)); new(big.Int).Sub(slips, want).CmpAbs(big.NewInt(1)) > 0 {
			t.Errorf("with %d basis points the minimum is %s below %s, want %s", bps, slips, out, want)
		}
	}
}

func TestTheMinimumHolds(t *testing.T) {
	w := open(t)
	r := w.quoteRequest(t, "5000000000000000000", "ETH", "tUSD")
	r.Spender = ""
	slippage := uint32(5)
	r.SlippageBps = &slippage
	tx := w.build(t, r, w.quote(t, r))
	// Other swaps are mined first, until the price has fallen by more than the slippage.
	for range 8 {
		other := w.quoteRequest(t, "100000000000000000000", "ETH", "tUSD")
		other.Spender = ""
		w.swap(t, other, "tUSD")
	}
	if now := w.quote(t, r); number(t, now.GetToAmount()).Cmp(number(t, tx.GetToAmountMin())) >= 0 {
		t.Fatalf("the price did not fall: %s", now.GetToAmount())
	}
	if got := w.sent(t, tx.GetCalls()[0], "3000000"); got != "0x0" {
		t.Error("the swap was carried out below its minimum")
	}
}

func TestSwapsAreSupportedWhereThereAreExchanges(t *testing.T) {
	w := open(t)
	for _, chain := range []string{"eip155:31338", "eip155:92374624"} {
		if _, err := w.ListTokens(t.Context(), &convertv1.ListTokensRequest{ChainId: chain}); reasonOf(err) != faultv1.Reason_REASON_CHAIN_UNSUPPORTED {
			t.Errorf("%s: tokens: %v", chain, err)
		}
		if _, err := w.GetGasPrice(t.Context(), &convertv1.GetGasPriceRequest{ChainId: chain}); reasonOf(err) != faultv1.Reason_REASON_CHAIN_UNSUPPORTED {
			t.Errorf("%s: gas price: %v", chain, err)
		}
	}
	res, err := w.ListTokens(t.Context(), &convertv1.ListTokensRequest{ChainId: w.chain.CAIP2})
	if err != nil || len(res.GetTokens()) < 3 || res.GetTokens()[0].GetAddress() != w.chain.CAIP2+":"+ether {
		t.Fatalf("got %v, %v", res, err)
	}
	for _, token := range res.GetTokens() {
		if token.GetDecimals() == 0 {
			t.Errorf("%s has no decimals", token.GetSymbol())
		}
		if token.GetEip2612() != (token.GetSymbol() == "tGOLD") {
			t.Errorf("%s: eip2612 is %v", token.GetSymbol(), token.GetEip2612())
		}
	}
}

func TestATokenOnNoListIsFoundByItsAddress(t *testing.T) {
	w := open(t)
	stray := exchangetest.Token(t, w.chain, "Flotsam", "FLOT")
	for address, want := range map[string]string{stray: "FLOT", w.chain.Token(t, "tDAI").Address: "tDAI", w.user: "", "0x12": ""} {
		res, err := w.ListTokens(t.Context(), &convertv1.ListTokensRequest{ChainId: w.chain.CAIP2, Address: address})
		if err != nil {
			t.Fatal(err)
		}
		symbol := ""
		for _, token := range res.GetTokens() {
			symbol += token.GetSymbol()
		}
		if symbol != want {
			t.Errorf("%s: got %q, want %q", address, symbol, want)
		}
	}
}

func TestAnUnreachableChainIsUnavailable(t *testing.T) {
	w := open(t)
	r := w.quoteRequest(t, oneEther, "ETH", "tUSD")
	w.nodes.down.Store(true)
	for _, tt := range []struct {
		what string
		ask  func() error
	}{
		{"quotes", func() error {
			_, err := w.ListQuotes(t.Context(), w.quoteRequest(t, oneEther, "ETH", "WIDE"))
			return err
		}},
		{"allowance", func() error {
			_, err := w.GetAllowance(t.Context(), &convertv1.GetAllowanceRequest{TokenAddress: w.id(t, "tUSD"), UserAddress: w.user})
			return err
		}},
		{"approval", func() error {
			_, err := w.BuildApprove(t.Context(), &convertv1.BuildApproveRequest{From: w.id(t, "tUSD"), To: w.id(t, "ETH"), Amount: "5", UserAddress: w.user})
			return err
		}},
		{"permit", func() error {
			_, err := w.GetPermit(t.Context(), &convertv1.GetPermitRequest{From: w.id(t, "tGOLD"), Amount: "5", UserAddress: w.user})
			return err
		}},
		{"transaction", func() error {
			_, err := w.BuildTransaction(t.Context(), w.order(r, &convertv1.Quote{}))
			return err
		}},
	} {
		var f *fault.Error
		if err := tt.ask(); !errors.As(err, &f) || f.Reason != faultv1.Reason_REASON_CHAIN_UNAVAILABLE || f.Public != "The convert provider is temporarily unavailable" {
			t.Errorf("%s: %v", tt.what, err)
		}
	}
}
