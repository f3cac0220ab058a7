package aggregator

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// ZeroX lists exec of 0x's AllowanceHolder.
func ZeroX() []Call { return []Call{{zeroXExec, zeroXTerms}} }

var (
	// zeroXExec lets a contract take the amount, and calls it.
	zeroXExec = calldata.Parse("exec(address,address,uint256,address,bytes)")
	// zeroXExecute is the function of Settler, which is that contract: it pays the recipient at least the minimum or
	// reverts, whatever its actions are. Its address changes every few weeks; pages look it up in the registry of 0x
	// before they prompt a wallet.
	zeroXExecute = calldata.Parse("execute((address,address,uint256),bytes[],bytes32)")
)

func zeroXTerms(v calldata.Value, value *big.Int) (Terms, bool) {
	inner, ok := zeroXExecute.Read(v.At(4).Bytes())
	settler := v.At(0).Address()
	if !ok || settler == (evm.Address{}) || settler != v.At(3).Address() {
		return Terms{}, false
	}
	slippage := inner.At(0)
	t := Terms{
		From: v.At(1).Address(), Amount: v.At(2).Int(), Unbounded: true,
		Receiver: slippage.At(0).Address(), To: slippage.At(1).Address(), MinOut: slippage.At(2).Int(),
	}
	paysValue := t.From != (evm.Address{}) && t.From != evm.Native || t.Amount.Cmp(value) == 0
	// Here zero means neither the caller nor the native currency: routes without a minimum have zeros, and their
	// actions pay the recipient.
	return t, paysValue && t.Receiver != (evm.Address{}) && t.To != (evm.Address{})
}
