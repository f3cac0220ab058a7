package execution

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

var (
	// oracleOfOptimism is the GasPriceOracle of OP Stack chains.
	oracleOfOptimism = evm.MustAddress("0x420000000000000000000000000000000000000F")
	// nodeInterface is the address at which Arbitrum's nodes answer instead of a contract.
	nodeInterface = evm.MustAddress("0x00000000000000000000000000000000000000C8")
)

// opStack are the chains that charge for data in wei, by CAIP-2 id, with their EIP-155 id.
var opStack = map[string]uint64{"eip155:10": 10, "eip155:8453": 8453, "eip155:11155420": 11155420, "eip155:84532": 84532}

// arbitrum are the chains that charge for data in gas.
var arbitrum = map[string]bool{"eip155:42161": true, "eip155:42170": true, "eip155:421614": true}

// maxDataFeeBits bounds a plausible fee, in wei or in gas.
const maxDataFeeBits = 64

var errDataFee = errors.New("the data fee is implausibly high")

// DataFee is what a rollup charges for the data of transactions, besides their execution.
type DataFee struct {
	// Wei is paid besides the gas; never nil.
	Wei *uint256.Int
	// Gas is charged as gas and counts against the gas limit, in units.
	Gas uint64
}

// DataFee returns what the chain with a CAIP-2 id charges for the data of the calls, each sent as its own transaction; zero on chains that are not rollups
// or include it in the gas price.
func (g *GasPrices) DataFee(ctx context.Context, chainID string, calls []Call) (DataFee, error) {
	fee := DataFee{Wei: new(uint256.Int)}
	number, optimistic := opStack[chainID]
	if len(calls) == 0 || !optimistic && !arbitrum[chainID] {
		return fee, nil
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	questions := make([]chainclient.Call, len(calls))
	for i, c := range calls {
		tx := transaction{To: nodeInterface.String(), Data: hexutil.Encode(encodeCall("gasEstimateL1Component(address,bool,bytes)",
			c.To, false, c.Data))}
		if optimistic {
			tx = transaction{To: oracleOfOptimism.String(), Data: hexutil.Encode(encodeCall("getL1Fee(bytes)", unsigned(number, c)))}
		}
		questions[i] = callAt(tx, 0, nil)
	}
	results, err := g.connect(chainID).Batch(ctx, questions...)
	if err != nil {
		return DataFee{}, err
	}
	for _, r := range results {
		amount, err := word(r)
		if err != nil {
			return DataFee{}, err
		}
		if amount.BitLen() > maxDataFeeBits {
			return DataFee{}, errDataFee
		}
		if optimistic {
			fee.Wei.Add(fee.Wei, amount)
			continue
		}
		fee.Gas += amount.Uint64()
	}
	return fee, nil
}

// unsigned encodes a call as an unsigned EIP-1559 transaction, with large values where the real ones are unknown: the oracle charges by length and zero
// bytes, and adds the signature.
func unsigned(chainID uint64, c Call) []byte {
	const nonce, tip, fee, gas = uint64(0xffff), uint64(0xffffffff), uint64(0xffffffffff), uint64(0xffffff)
	fields, err := rlp.EncodeToBytes([]any{chainID, nonce, tip, fee, gas, c.To, c.Value, c.Data, types.AccessList{}})
	if err != nil {
		panic(err) // these types always encode
	}
	return append([]byte{types.DynamicFeeTxType}, fields...)
}
