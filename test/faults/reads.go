package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// known has the facts that reads are compared with.
type known struct {
	// account holds 1000000000000000001 wei and 100 tUSD, as the local chain was made.
	account string
	// paid is an account to which transaction, in block, sent one wei.
	paid, transaction, block string
}

func get200(format string, args ...any) httpRequest {
	return httpRequest{method: http.MethodGet, path: fmt.Sprintf(format, args...)}
}

// prepare writes what the reads expect, and returns once the suite answers with it.
func (w *world) prepare(ctx context.Context) (known, error) {
	k := known{account: w.chain.accounts[5], paid: "0x0000000000000000000000000000000000fa0175"}
	watch := k.history(w)
	_ = watch.do(ctx) // follows the account
	var err error
	if k.transaction, k.block, err = w.chain.mined(ctx, k.paid); err != nil {
		return known{}, err
	}
	for _, c := range w.reads(k) {
		v := verdict{refused: "not sent"}
		for range 300 {
			requestCtx, cancel := context.WithTimeout(ctx, requestTimeout)
			v = c.do(requestCtx)
			cancel()
			if v == right || ctx.Err() != nil {
				break
			}
			pause(ctx, 100*time.Millisecond)
		}
		if v != right {
			return known{}, fmt.Errorf("%s before any fault: %s%s", c.name, v.refused, v.wrong)
		}
	}
	return k, nil
}

// reads returns the requests that change nothing.
func (w *world) reads(k known) []call {
	return []call{k.balance(w), k.history(w), k.swapQuote(w), k.buyQuote(w), k.receipt(w)}
}

func (k known) balance(w *world) call {
	type answer struct {
		Balances []struct {
			Symbol   string
			Quantity struct{ Numeric string }
		}
	}
	return call{"balance", 10, func(ctx context.Context) verdict {
		return get(ctx, w, get200("/v1/account/%s/balance?currency=usd&chainId=%s&projectId=%s", k.account, w.chain.CAIP2, project), func(a answer) string {
			var held []string
			for _, b := range a.Balances {
				held = append(held, b.Quantity.Numeric+" "+b.Symbol)
			}
			return expect("what is held", strings.Join(held, ", "), "1.000000000000000001 ETH, 100.000000 tUSD")
		})
	}}
}

func (k known) history(w *world) call {
	type answer struct {
		Data []struct{ Metadata struct{ Hash, Status string } }
	}
	return call{"history", 8, func(ctx context.Context) verdict {
		return get(ctx, w, get200("/v1/account/%s/history?chainId=%s&projectId=%s", k.paid, w.chain.CAIP2, project), func(a answer) string {
			if len(a.Data) != 1 || a.Data[0].Metadata.Hash != k.transaction || a.Data[0].Metadata.Status != "confirmed" {
				return "the history is another"
			}
			return ""
		})
	}}
}

// swapQuote requests a quote for wrapping the native currency, which is one for one.
func (k known) swapQuote(w *world) call {
	type answer struct {
		Quotes []struct{ ToAmount, ToAmountMin string }
	}
	const path = "/v1/convert/quotes?amount=7&from=%[1]s:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee&to=%[1]s:%[2]s&gasPrice=1&projectId=%[3]s"
	return call{"swap quote", 6, func(ctx context.Context) verdict {
		return get(ctx, w, get200(path, w.chain.CAIP2, w.chain.token("WETH"), project), func(a answer) string {
			if len(a.Quotes) != 1 || a.Quotes[0].ToAmount != "7" || a.Quotes[0].ToAmountMin != "7" {
				return "the quote is another"
			}
			return ""
		})
	}}
}

func (k known) buyQuote(w *world) call {
	type answer struct {
		PurchaseAmount  struct{ Amount string }
		ServiceProvider string
	}
	// second is the right answer while the best seller, which calls a node, does not answer.
	const second = "97.50HARBOR-PAY"
	r := httpRequest{
		method: http.MethodPost, path: "/v1/onramp/quote?projectId=" + project, contentType: "application/json",
		body: `{"purchaseCurrency":"tUSD","paymentCurrency":"USD","amount":"100","network":"` + w.chain.CAIP2 + `"}`,
	}
	return call{"buy quote", 6, func(ctx context.Context) verdict {
		var quote string
		v := get(ctx, w, r, func(a answer) string {
			quote = a.PurchaseAmount.Amount + a.ServiceProvider
			if quote == second {
				return ""
			}
			return expect("the quote", quote, "98.00BEACON-PAY")
		})
		if v == right && quote == second {
			return refused("only the second seller")
		}
		return v
	}}
}

func (k known) receipt(w *world) call {
	type answer struct {
		Result *struct{ BlockHash, TransactionHash string }
		Error  json.RawMessage
	}
	r := httpRequest{
		method: http.MethodPost, path: "/v1/?chainId=" + w.chain.CAIP2 + "&projectId=" + project, contentType: "application/json",
		body: `{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["` + k.transaction + `"]}`,
	}
	return call{"json-rpc receipt", 10, func(ctx context.Context) verdict {
		raw, v := w.send(ctx, r)
		if v != right {
			return v
		}
		var a answer
		if err := json.Unmarshal(raw, &a); err != nil {
			return wrong("%v: %s", err, raw)
		}
		if a.Error != nil {
			return refused("JSON-RPC error %s", a.Error)
		}
		if a.Result == nil || a.Result.BlockHash != k.block || a.Result.TransactionHash != k.transaction {
			return wrong("the receipt is another: %s", raw)
		}
		return right
	}}
}

// nameRead reads a name that was registered.
func (a *acknowledged) nameRead() call {
	type answer struct {
		Name       string
		Attributes struct{ Bio string }
		Addresses  map[string]struct{ Address string }
	}
	return call{"name", 8, func(ctx context.Context) verdict {
		n, ok := pickOne(a, &a.names)
		if !ok {
			return refused("nothing is written yet")
		}
		return get(ctx, a.world, get200("/v1/profile/account/%s?projectId=%s", n.name, project), func(a answer) string {
			return expect("the name", a.Name+" "+a.Attributes.Bio+" "+a.Addresses["60"].Address, n.name+" "+n.bio+" "+n.address)
		})
	}}
}

// identityRead reads the identity of an account that registered a name.
func (a *acknowledged) identityRead() call {
	type answer struct{ Names []string }
	return call{"identity", 8, func(ctx context.Context) verdict {
		n, ok := pickOne(a, &a.names)
		if !ok {
			return refused("nothing is written yet")
		}
		return get(ctx, a.world, get200("/v1/identity/%s?projectId=%s", n.address, project), func(a answer) string {
			if !slices.Equal(a.Names, []string{n.name}) {
				return "the account's names are others than " + n.name
			}
			return ""
		})
	}}
}

// sessionRead reads the session of an account that signed in.
func (a *acknowledged) sessionRead() call {
	type answer struct{ Address string }
	return call{"sign-in session", 8, func(ctx context.Context) verdict {
		s, ok := pickOne(a, &a.signedIn)
		if !ok {
			return refused("nothing is written yet")
		}
		r := get200("/auth/v1/me?projectId=%s", project)
		r.token = s.token
		return get(ctx, a.world, r, func(a answer) string { return expect("the account", a.Address, s.address) })
	}}
}
