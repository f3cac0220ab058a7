package vendorstest

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// executor is the contract that executes the swaps, for every vendor.
var executor = evm.MustAddress("0xE37e799D5077682FA0a244D46E5649F71457BD09")

var (
	none  = new(big.Int)
	words [32]byte
)

var oneInchSwap = calldata.Parse("swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)")

func encodeOneInch(t CallTerms) []byte {
	return oneInchSwap.Write(executor, []any{t.From, t.To, executor, t.Receiver, t.Amount, t.MinOut, none}, []byte("route"))
}

var (
	allowanceHolderExec = calldata.Parse("exec(address,address,uint256,address,bytes)")
	settlerExecute      = calldata.Parse("execute((address,address,uint256),bytes[],bytes32)")
)

// encodeZeroX encodes the sold token as zero if it is the native currency, and the bought one as 0xEeee…, as 0x does.
func encodeZeroX(t CallTerms) []byte {
	inner := settlerExecute.Write([]any{t.Receiver, t.To, t.MinOut}, []any{[]byte("action")}, words)
	return allowanceHolderExec.Write(t.Operator, zeroOf(t.From), t.Amount, t.Target, inner)
}

// zeroOf returns the zero address for the native currency, and other tokens as they are.
func zeroOf(token evm.Address) evm.Address {
	if token == evm.Native {
		return evm.Address{}
	}
	return token
}
