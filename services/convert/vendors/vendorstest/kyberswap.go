package vendorstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

var kyberswap = dialect{
	contract:     evm.MustAddress("0x6131B5fae19EA4f9D964eAc0408E4408b66337b5"),
	encode:       encodeKyberSwap,
	checkHeaders: wants("x-client-id", Key),
	// The amount is guaranteed only by the call data.
	least: afterSlippage(10_000),
	keep:  "data.routeSummary",
	read: func(r *http.Request, issued []any) (Call, error) {
		switch {
		case r.Method == http.MethodGet && r.URL.Path == "/ethereum/api/v1/routes":
			q, err := parameters(r, "tokenIn", "tokenOut", "amountIn", "gasInclude", "gasPrice?")
			if err != nil {
				return Call{}, err
			}
			c, err := swap("1", q["tokenIn"], q["tokenOut"], q["amountIn"])
			c.GasPrice = q["gasPrice"]
			return c, err
		case r.Method == http.MethodPost && r.URL.Path == "/ethereum/api/v1/route/build":
			return readKyberBuild(r, issued)
		}
		return Call{}, errors.New("there is no such method")
	},
	write: func(d document, c Call, t Terms) {
		if !c.Building {
			d.set("data.routeSummary.tokenIn", strings.ToLower(t.From.String()))
			d.set("data.routeSummary.tokenOut", strings.ToLower(t.To.String()))
			d.set("data.routeSummary.amountIn", t.Amount)
			d.set("data.routeSummary.amountOut", t.Out)
			d.set("data.routeSummary.gas", strconv.FormatUint(t.Gas, 10))
			d.set("data.routerAddress", t.Spender.String())
			return
		}
		d.set("data.amountIn", t.Amount)
		d.set("data.amountOut", t.Out)
		d.set("data.gas", strconv.FormatUint(t.Gas, 10))
		d.set("data.data", t.Data)
		d.set("data.routerAddress", t.Contract.String())
		d.set("data.transactionValue", t.Value.String())
	},
}

func readKyberBuild(r *http.Request, issued []any) (Call, error) {
	if _, err := parameters(r); err != nil {
		return Call{}, err
	}
	order, err := body(r, "routeSummary", "sender", "recipient", "slippageTolerance", "source", "deadline?", "ignoreCappedSlippage?")
	if err != nil {
		return Call{}, err
	}
	if err := brought(order["routeSummary"], issued); err != nil {
		return Call{}, err
	}
	route := order["routeSummary"].(map[string]any)
	c, err := swap("1", route["tokenIn"].(string), route["tokenOut"].(string), route["amountIn"].(string))
	if err != nil {
		return Call{}, err
	}
	sender, ok := order["sender"].(string)
	slippage, isNumber := order["slippageTolerance"].(json.Number)
	if !ok || !isNumber || order["recipient"] != order["sender"] {
		return Call{}, errors.New("sender, recipient or slippage are in another form")
	}
	if bps, err := slippage.Int64(); err != nil || bps > 2_000 && order["ignoreCappedSlippage"] != true {
		return Call{}, errors.New("the slippage is over 2000, and not said to be meant")
	}
	if c.Sender, err = evm.ParseAddress(sender); err != nil {
		return Call{}, fmt.Errorf("the sender: %w", err)
	}
	c.Building, c.Slippage, c.Deadline = true, slippage.String(), number(order["deadline"])
	return c, nil
}
