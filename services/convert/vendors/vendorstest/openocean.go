package vendorstest

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

var openocean = dialect{
	contract:     evm.MustAddress("0x6352a56caadC4F1E25CD6c75970Fa768A3304e64"),
	encode:       encodeOpenOcean,
	checkHeaders: wants("apikey", Key),
	least:        afterSlippage(100),
	read: func(r *http.Request, _ []any) (Call, error) {
		chain, method, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v4/"), "/")
		if !ok || r.Method != http.MethodGet || method != "quote" && method != "swap" {
			return Call{}, errors.New("there is no such method")
		}
		names := []string{"inTokenAddress", "outTokenAddress", "amountDecimals", "gasPriceDecimals"}
		if method == "swap" {
			names = append(names, "account", "slippage")
		}
		q, err := parameters(r, names...)
		if err != nil {
			return Call{}, err
		}
		c, err := swap(chain, q["inTokenAddress"], q["outTokenAddress"], q["amountDecimals"])
		if err == nil && method == "swap" {
			c.Sender, err = evm.ParseAddress(q["account"])
		}
		if percent, bad := strconv.ParseFloat(q["slippage"], 64); method == "swap" && (bad != nil || percent < 0.05 || percent > 50) {
			return Call{}, errors.New("the slippage is not from 0.05 to 50")
		}
		c.Building, c.Slippage, c.GasPrice = method == "swap", q["slippage"], q["gasPriceDecimals"]
		return c, err
	},
	write: func(d document, c Call, t Terms) {
		d.set("data.inToken.address", t.From.String())
		d.set("data.outToken.address", t.To.String())
		d.set("data.inAmount", t.Amount)
		d.set("data.outAmount", t.Out)
		d.set("data.estimatedGas", strconv.FormatUint(t.Gas, 10))
		if !c.Building {
			return
		}
		d.set("data.minOutAmount", t.MinOut)
		d.set("data.from", c.Sender.String())
		d.set("data.to", t.Contract.String())
		d.set("data.value", t.Value.String())
		d.set("data.data", t.Data)
	},
}
