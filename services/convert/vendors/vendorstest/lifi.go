package vendorstest

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

var lifi = dialect{
	contract:     evm.MustAddress("0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE"),
	encode:       encodeLifi,
	checkHeaders: wants("x-lifi-api-key", Key),
	least:        afterSlippage(1),
	read: func(r *http.Request, _ []any) (Call, error) {
		if r.Method != http.MethodGet || r.URL.Path != "/v1/quote" {
			return Call{}, errors.New("there is no such method")
		}
		q, err := parameters(r, "fromChain", "toChain", "fromToken", "toToken", "fromAmount", "fromAddress", "slippage", "order", "skipSimulation?")
		if err != nil {
			return Call{}, err
		}
		if q["fromChain"] != q["toChain"] || q["order"] != "CHEAPEST" {
			return Call{}, errors.New("between two chains, or in another order")
		}
		c, err := swap(q["fromChain"], q["fromToken"], q["toToken"], q["fromAmount"])
		if err != nil {
			return Call{}, err
		}
		if c.From == evm.Native || c.To == evm.Native {
			return Call{}, errors.New("the native currency is not spelled as the zero address")
		}
		sender, err := evm.ParseAddress(q["fromAddress"])
		// A response without a simulation is only a quote.
		c.Building, c.Sender = q["skipSimulation"] != "true", sender
		c.From, c.To, c.Slippage = nativeOf(c.From), nativeOf(c.To), q["slippage"]
		return c, err
	},
	write: func(d document, _ Call, t Terms) {
		d.set("action.fromToken.address", zeroOf(t.From).String())
		d.set("action.toToken.address", zeroOf(t.To).String())
		d.set("action.fromAmount", t.Amount)
		d.set("estimate.fromAmount", t.Amount)
		d.set("estimate.toAmount", t.Out)
		d.set("estimate.toAmountMin", t.MinOut)
		d.set("estimate.approvalAddress", t.Spender.String())
		d.set("estimate.gasCosts.0.estimate", strconv.FormatUint(t.Gas, 10))
		d.set("transactionRequest.to", t.Contract.String())
		d.set("transactionRequest.data", t.Data)
		d.set("transactionRequest.value", fmt.Sprintf("0x%x", t.Value))
		d.set("transactionRequest.gasLimit", fmt.Sprintf("0x%x", t.Gas))
	},
}

// nativeOf and zeroOf convert between the zero address of the API and [evm.Native], both of which mean the native
// currency.
func nativeOf(a evm.Address) evm.Address {
	if a == (evm.Address{}) {
		return evm.Native
	}
	return a
}

func zeroOf(a evm.Address) evm.Address {
	if a == evm.Native {
		return evm.Address{}
	}
	return a
}
