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

var kyberSwap = calldata.Parse(
	"swap((address,address,bytes,(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes),bytes))")

func encodeKyberSwap(t CallTerms) []byte {
	description := []any{
		t.From, t.To, []any{executor}, []any{t.Amount}, []any{}, []any{}, t.Receiver, t.Amount, t.MinOut, none, []byte{},
	}
	return kyberSwap.Write([]any{executor, executor, []byte("route"), description, []byte("{}")})
}

const lifiArguments = "(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool)[])"

func encodeLifi(t CallTerms) []byte {
	function := "swapTokensMultipleV3ERC20ToERC20"
	switch {
	case t.From == evm.Native:
		function = "swapTokensMultipleV3NativeToERC20"
	case t.To == evm.Native:
		function = "swapTokensMultipleV3ERC20ToNative"
	}
	swap := []any{executor, executor, zeroOf(t.From), zeroOf(t.To), t.Amount, []byte("route"), true}
	return calldata.Parse(function+lifiArguments).Write(words, "hawser", "", t.Receiver, t.MinOut, []any{swap})
}

var openOceanSwap = calldata.Parse(
	"swap(address,(address,address,address,address,uint256,uint256,uint256,uint256,address,bytes),(uint256,uint256,uint256,bytes)[])")

func encodeOpenOcean(t CallTerms) []byte {
	description := []any{t.From, t.To, executor, t.Receiver, t.Amount, t.MinOut, t.MinOut, big.NewInt(2), executor, []byte{}}
	return openOceanSwap.Write(executor, description, []any{[]any{big.NewInt(1), none, none, []byte("route")}})
}

var veloraSwap = calldata.Parse("swapExactAmountIn(address,(address,address,uint256,uint256,uint256,bytes32,address),uint256,bytes,bytes)")

func encodeVelora(t CallTerms) []byte {
	return veloraSwap.Write(executor, []any{t.From, t.To, t.Amount, t.MinOut, t.MinOut, words, t.Receiver}, none, []byte{}, []byte("route"))
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
