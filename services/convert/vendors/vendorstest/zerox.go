package vendorstest

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

var zerox = dialect{
	contract: evm.MustAddress("0x0000000000001fF3684f28c67538d4D072C22734"),
	encode:   encodeZeroX,
	checkHeaders: func(h http.Header) error {
		return errors.Join(wants("0x-api-key", Key)(h), wants("0x-version", "v2")(h))
	},
	least: afterSlippage(10_000),
	read: func(r *http.Request) (Call, error) {
		method, ok := strings.CutPrefix(r.URL.Path, "/swap/allowance-holder/")
		if !ok || r.Method != http.MethodGet || method != "price" && method != "quote" {
			return Call{}, errors.New("there is no such method")
		}
		names := []string{"chainId", "sellToken", "buyToken", "sellAmount", "slippageBps", "gasPrice?"}
		if method == "quote" {
			names = append(names, "taker")
		}
		q, err := parameters(r, names...)
		if err != nil {
			return Call{}, err
		}
		c, err := swap(q["chainId"], q["sellToken"], q["buyToken"], q["sellAmount"])
		if err == nil && method == "quote" {
			c.Sender, err = evm.ParseAddress(q["taker"])
		}
		c.Building, c.Slippage, c.GasPrice = method == "quote", q["slippageBps"], q["gasPrice"]
		return c, err
	},
	write: func(d document, c Call, t Terms) {
		d.set("sellToken", strings.ToLower(t.From.String()))
		d.set("buyToken", strings.ToLower(t.To.String()))
		d.set("sellAmount", t.Amount)
		d.set("buyAmount", t.Out)
		d.set("minBuyAmount", t.MinOut)
		d.set("allowanceTarget", strings.ToLower(t.Spender.String()))
		if !c.Building {
			d.set("gas", strconv.FormatUint(t.Gas, 10))
			return
		}
		d.set("transaction.to", strings.ToLower(t.Contract.String()))
		d.set("transaction.data", t.Data)
		d.set("transaction.gas", strconv.FormatUint(t.Gas, 10))
		d.set("transaction.value", t.Value.String())
	},
}
