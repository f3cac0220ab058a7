package vendorstest

import (
	"errors"
	"fmt"
	"math/big"
	"net/http"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// dialect is the API of one vendor.
type dialect struct {
	contract evm.Address
	// encode returns the call data of a transaction.
	encode func(CallTerms) []byte
	// checkHeaders checks the headers of a call.
	checkHeaders func(http.Header) error
	// read checks and decodes a request.
	read func(r *http.Request) (Call, error)
	// write puts the terms into a fixture.
	write func(d document, c Call, t Terms)
	// least returns the minimum that an honest vendor guarantees for an amount.
	least func(out *big.Int, slippage string) *big.Int
}

var dialects = map[string]dialect{"0x": zerox, "1inch": oneinch}

// wants returns a check that a header is present.
func wants(name, value string) func(http.Header) error {
	return func(h http.Header) error {
		if h.Get(name) != value {
			return fmt.Errorf("the header %s is not as documented", name)
		}
		return nil
	}
}

// parameters reads a query with exactly these names; names that end in a question mark are optional.
func parameters(r *http.Request, names ...string) (map[string]string, error) {
	values, query := map[string]string{}, r.URL.Query()
	for _, name := range names {
		optional := name[len(name)-1] == '?'
		if optional {
			name = name[:len(name)-1]
		}
		if !query.Has(name) && !optional {
			return nil, fmt.Errorf("the parameter %s is missing", name)
		}
		if query.Has(name) {
			values[name] = query.Get(name)
		}
		query.Del(name)
	}
	for name := range query {
		return nil, fmt.Errorf("there is no parameter %s", name)
	}
	return values, nil
}

// swap decodes the fields that all requests have.
func swap(chain, from, to, amount string) (c Call, err error) {
	c.ChainNumber = chain
	if c.From, err = evm.ParseAddress(from); err != nil {
		return c, fmt.Errorf("the sold token: %w", err)
	}
	if c.To, err = evm.ParseAddress(to); err != nil {
		return c, fmt.Errorf("the bought token: %w", err)
	}
	n, ok := new(big.Int).SetString(amount, 10)
	if !ok || n.Sign() <= 0 || n.BitLen() > 256 {
		return c, errors.New("the amount is none")
	}
	c.Amount = n
	return c, nil
}

// afterSlippage returns an amount less its slippage; whole is 100 percent in the unit of the slippage.
func afterSlippage(whole int64) func(*big.Int, string) *big.Int {
	return func(out *big.Int, slippage string) *big.Int {
		loss, ok := new(big.Rat).SetString(slippage)
		if !ok {
			return out
		}
		left := new(big.Rat).Sub(big.NewRat(whole, 1), loss)
		left.Mul(left, new(big.Rat).SetFrac(out, big.NewInt(whole)))
		return new(big.Int).Quo(left.Num(), left.Denom())
	}
}
