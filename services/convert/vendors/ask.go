package vendors

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
)

// Ask is a swap of an exact amount, within one chain.
type Ask struct {
	// ChainID is a CAIP-2 id, such as eip155:1.
	ChainID string
	// From is sold and To bought; [evm.Native] is the chain's own currency.
	From, To evm.Address
	// FromDecimals and ToDecimals are the tokens' own: some vendors do not look them up.
	FromDecimals, ToDecimals uint8
	// Amount is what is sold, in base units: from 1 to 2^256-1.
	Amount *big.Int
	// Sender pays and receives. A quote needs none.
	Sender evm.Address
	// SlippageBPS is how much less than quoted may be received, in hundredths of a percent.
	SlippageBPS uint32
	// GasPrice is what gas costs, in wei; nil leaves it to the vendor.
	GasPrice *big.Int
	// Deadline is when the transaction stops being valid, for vendors that can say so; zero leaves it to them.
	Deadline time.Time
}

// sellsNative reports whether the chain's own currency is sold.
func (a Ask) sellsNative() bool { return a.From == evm.Native }

// ChainNumber is the number in the CAIP-2 id of an EVM chain.
func (a Ask) ChainNumber() string { return strings.TrimPrefix(a.ChainID, "eip155:") }

// Answers checks that an answer is about this ask. Some vendors spell the chain's own currency as the zero address, or as the contract that
// stands for it.
func (a Ask) Answers(from, to evm.Address, amount *big.Int) error {
	if a.spelled(from) != a.From || a.spelled(to) != a.To || amount == nil || amount.Cmp(a.Amount) != 0 {
		return fmt.Errorf("%w: it is about another swap", ErrBroken)
	}
	return nil
}

// polygonNative is the contract that stands for Polygon's own currency.
var polygonNative = evm.MustAddress("0x0000000000000000000000000000000000001010")

func (a Ask) spelled(token evm.Address) evm.Address {
	if token == (evm.Address{}) || a.ChainID == "eip155:137" && token == polygonNative && a.From != polygonNative && a.To != polygonNative {
		return evm.Native
	}
	return token
}

// Quote is what a vendor would pay.
type Quote struct {
	// Vendor is the name of who answered.
	Vendor string
	// Out is what is received, in base units, before slippage.
	Out *big.Int
	// Gas is what the transaction is expected to use; zero when the vendor does not say.
	Gas uint64
	// Spender must be allowed to take the sold token; zero when none is needed.
	Spender evm.Address
	// Raw is what the vendor wants back to build the transaction; nil when nothing.
	Raw json.RawMessage
}

// Transaction is a swap that only lacks a signature.
type Transaction struct {
	// To is called with Data and Value, in wei.
	To    evm.Address
	Data  []byte
	Value *big.Int
	// Gas is the vendor's estimate; zero when it does not say.
	Gas uint64
	// Out is expected to be received and MinOut at least, in base units. The guard reads MinOut out of Data.
	Out, MinOut *big.Int
	// Spender must be allowed to take the sold token; zero when none is needed.
	Spender evm.Address
	// Unbounded: only trying it tells whether it pays; see [Terms].
	Unbounded bool
}

// Source answers asks. Its errors wrap the kinds of this package, [ErrNoLiquidity] and so on, and hold no secret.
type Source interface {
	// Name is how the operator names it.
	Name() string
	// Serves reports whether a chain can be asked about, by CAIP-2 id.
	Serves(chainID string) bool
	// Quote says what a swap would pay.
	Quote(ctx context.Context, a Ask) (Quote, error)
	// Build makes the transaction of a quote. The ask must name its sender.
	Build(ctx context.Context, a Ask, q Quote) (Transaction, error)
}
