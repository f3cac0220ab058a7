package vendorstest

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

var oneinch = dialect{
	contract:     evm.MustAddress("0x111111125421cA6dc452d289314280a0f8842A65"),
	encode:       encodeOneInch,
	checkHeaders: wants("Authorization", "Bearer "+Key),
	least:        afterSlippage(100),
	read: func(r *http.Request) (Call, error) {
		chain, method, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/swap/v6.1/"), "/")
		names := []string{"src", "dst", "amount", "includeGas", "includeTokensInfo", "gasPrice?"}
		if method == "swap" {
			names = append(names, "from", "origin", "slippage", "disableEstimate", "compatibility")
		}
		if !ok || r.Method != http.MethodGet || method != "swap" && method != "quote" {
			return Call{}, errors.New("there is no such method")
		}
		q, err := parameters(r, names...)
		if err != nil {
			return Call{}, err
		}
		c, err := swap(chain, q["src"], q["dst"], q["amount"])
		if err == nil && method == "swap" {
			c.Sender, err = evm.ParseAddress(q["from"])
		}
		c.Building, c.Slippage, c.GasPrice = method == "swap", q["slippage"], q["gasPrice"]
		return c, err
	},
	write: func(d document, c Call, t Terms) {
		d.set("srcToken.address", strings.ToLower(t.From.String()))
		d.set("dstToken.address", strings.ToLower(t.To.String()))
		d.set("dstAmount", t.Out)
		if !c.Building {
			d.set("gas", strconv.FormatUint(t.Gas, 10))
			return
		}
		d.set("tx.from", strings.ToLower(c.Sender.String()))
		d.set("tx.to", strings.ToLower(t.Contract.String()))
		d.set("tx.data", t.Data)
		d.set("tx.value", t.Value.String())
		d.set("tx.gas", strconv.FormatUint(t.Gas, 10))
	},
}
