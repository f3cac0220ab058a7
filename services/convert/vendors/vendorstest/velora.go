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

var velora = dialect{
	contract:     evm.MustAddress("0x6A000F20005980200259B80c5102003040001068"),
	encode:       encodeVelora,
	checkHeaders: wants("X-API-KEY", Key),
	// The amount is guaranteed only by the call data.
	least: afterSlippage(10_000),
	keep:  "priceRoute",
	read: func(r *http.Request, issued []any) (Call, error) {
		switch {
		case r.Method == http.MethodGet && r.URL.Path == "/prices":
			return readVeloraPrices(r)
		case r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/transactions/"):
			return readVeloraBuild(r, issued)
		}
		return Call{}, errors.New("there is no such method")
	},
	write: func(d document, c Call, t Terms) {
		if !c.Building {
			d.set("priceRoute.srcToken", t.From.String())
			d.set("priceRoute.destToken", t.To.String())
			d.set("priceRoute.srcAmount", t.Amount)
			d.set("priceRoute.destAmount", t.Out)
			d.set("priceRoute.gasCost", strconv.FormatUint(t.Gas, 10))
			d.set("priceRoute.tokenTransferProxy", strings.ToLower(t.Spender.String()))
			return
		}
		d.set("from", strings.ToLower(c.Sender.String()))
		d.set("to", strings.ToLower(t.Contract.String()))
		d.set("data", t.Data)
		d.set("value", t.Value.String())
	},
}

// mixedNative is the only spelling of the native currency that the API accepts.
const mixedNative = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"

func readVeloraPrices(r *http.Request) (Call, error) {
	q, err := parameters(r, "srcToken", "srcDecimals", "destToken", "destDecimals", "amount", "side", "network", "version", "includeContractMethods")
	if err != nil {
		return Call{}, err
	}
	if q["side"] != "SELL" || q["version"] != "6.2" || q["includeContractMethods"] != "swapExactAmountIn" {
		return Call{}, errors.New("not a sale, or of another version")
	}
	for _, token := range []string{q["srcToken"], q["destToken"]} {
		if strings.EqualFold(token, mixedNative) && token != mixedNative {
			return Call{}, errors.New("the native currency is not in mixed case")
		}
	}
	for _, decimals := range []string{q["srcDecimals"], q["destDecimals"]} {
		if _, err := strconv.ParseUint(decimals, 10, 8); err != nil {
			return Call{}, fmt.Errorf("decimals: %w", err)
		}
	}
	return swap(q["network"], q["srcToken"], q["destToken"], q["amount"])
}

func readVeloraBuild(r *http.Request, issued []any) (Call, error) {
	q, err := parameters(r, "ignoreChecks")
	if err != nil || q["ignoreChecks"] != "true" {
		return Call{}, errors.Join(err, errors.New("it would check a balance that is not there yet"))
	}
	order, err := body(r, "priceRoute", "srcToken", "srcDecimals", "srcAmount", "destToken", "destDecimals", "slippage", "userAddress", "deadline?")
	if err != nil {
		return Call{}, err
	}
	if err := brought(order["priceRoute"], issued); err != nil {
		return Call{}, err
	}
	texts := map[string]string{}
	for _, name := range []string{"srcToken", "destToken", "srcAmount", "userAddress"} {
		text, ok := order[name].(string)
		if !ok {
			return Call{}, fmt.Errorf("%s is no text", name)
		}
		texts[name] = text
	}
	slippage, ok := order["slippage"].(json.Number)
	if !ok {
		return Call{}, errors.New("the slippage is no number")
	}
	c, err := swap(strings.TrimPrefix(r.URL.Path, "/transactions/"), texts["srcToken"], texts["destToken"], texts["srcAmount"])
	if err != nil {
		return Call{}, err
	}
	c.Building, c.Slippage, c.Deadline = true, slippage.String(), number(order["deadline"])
	c.Sender, err = evm.ParseAddress(texts["userAddress"])
	return c, err
}
