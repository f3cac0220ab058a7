package vendors

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Request is a swap of an exact amount on one chain.
type Request struct {
	// ChainID is a CAIP-2 id, such as eip155:1.
	ChainID string
	// From is the sold token and To the bought one; [evm.Native] is the native currency.
	From, To evm.Address
	// Amount is sold, in base units of From: from 1 to 2^256-1.
	Amount *big.Int
	// Sender sells and receives; only Build needs it.
	Sender evm.Address
	// SlippageBPS is how much less than the quote is accepted, in basis points.
	SlippageBPS uint32
	// GasPrice is the price of a unit of gas in wei; nil leaves it to the vendor.
	GasPrice *big.Int
}

// sellsNative reports whether the native currency is sold.
func (r Request) sellsNative() bool { return r.From == evm.Native }

// ChainNumber returns the EVM chain id in the CAIP-2 id.
func (r Request) ChainNumber() string { return strings.TrimPrefix(r.ChainID, "eip155:") }

// Matches fails with [ErrBroken] unless tokens and amount of a vendor's response are the request's. Some vendors write the native currency as the zero
// address, or as the contract that represents it.
func (r Request) Matches(from, to evm.Address, amount *big.Int) error {
	if r.canonical(from) != r.From || r.canonical(to) != r.To || amount == nil || amount.Cmp(r.Amount) != 0 {
		return fmt.Errorf("%w: it is about another swap", ErrBroken)
	}
	return nil
}

// polygonNative is the contract that represents Polygon's native currency.
var polygonNative = evm.MustAddress("0x0000000000000000000000000000000000001010")

func (r Request) canonical(token evm.Address) evm.Address {
	if token == (evm.Address{}) || r.ChainID == "eip155:137" && token == polygonNative && r.From != polygonNative && r.To != polygonNative {
		return evm.Native
	}
	return token
}

// Quote is a vendor's offer.
type Quote struct {
	// Vendor is the vendor's name.
	Vendor string
	// Out is the expected output in base units, before slippage.
	Out *big.Int
	// Gas is the vendor's estimate in units; zero if it gives none.
	Gas uint64
	// Spender needs an allowance for the sold token; zero for none.
	Spender evm.Address
	// Raw is the part of the vendor's response that Build sends back; nil for none.
	Raw json.RawMessage
}

// Transaction is an unsigned transaction of a swap.
type Transaction struct {
	// To is called with Data and Value, in wei.
	To    evm.Address
	Data  []byte
	Value *big.Int
	// Gas is the vendor's estimate in units; zero if it gives none.
	Gas uint64
	// Out is the expected output and MinOut the least, in base units. The guard reads MinOut from Data.
	Out, MinOut *big.Int
	// Spender needs an allowance for the sold token; zero for none.
	Spender evm.Address
	// Unbounded says that Data do not bound the output, so that only a simulation shows it; see [aggregator.Terms].
	Unbounded bool
}

// Source quotes and builds swaps. Its errors wrap those of this package, such as [ErrNoLiquidity], and contain no secret.
type Source interface {
	// Name returns the name in the configuration.
	Name() string
	// RequestsPerSecond is how many requests the vendor answers in a second; 0 is no limit.
	RequestsPerSecond() float64
	// Serves reports whether the vendor serves the chain with a CAIP-2 id.
	Serves(chainID string) bool
	// Quote returns the vendor's offer.
	Quote(ctx context.Context, r Request) (Quote, error)
	// Build returns the transaction of a quote. The request must have a sender.
	Build(ctx context.Context, r Request, q Quote) (Transaction, error)
}
