package effect

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

// Functions of vaults that keep what they take for an account in their arguments.
var (
	supply             = calldata.Parse("supply(address,uint256,address,uint16)")
	depositPool        = calldata.Parse("deposit(address,uint256,address,uint16)")
	repay              = calldata.Parse("repay(address,uint256,uint256,address)")
	depositVault       = calldata.Parse("deposit(uint256,address)")
	requestWithdrawals = calldata.Parse("requestWithdrawals(uint256[],address)")
)

// Deposit is what a call of a vault takes for the account that makes it. Asset is the zero address if only the vault knows it.
type Deposit struct {
	Asset  evm.Address
	Amount *big.Int
}

// DepositOf returns the deposit of a call of a vault; false for another function, and for one that names another account.
func DepositOf(account evm.Address, c simulation.Call) (d Deposit, ok bool) {
	named := func(a evm.Address) bool { return a == account }
	for _, f := range []calldata.Function{supply, depositPool} {
		if v, isCalled := f.Read(c.Data); isCalled {
			return Deposit{v.At(0).Address(), v.At(1).Int()}, named(v.At(2).Address())
		}
	}
	if v, isCalled := repay.Read(c.Data); isCalled {
		return Deposit{v.At(0).Address(), v.At(1).Int()}, named(v.At(3).Address())
	}
	if v, isCalled := depositVault.Read(c.Data); isCalled {
		return Deposit{Amount: v.At(0).Int()}, named(v.At(1).Address())
	}
	if v, isCalled := requestWithdrawals.Read(c.Data); isCalled {
		sum := new(big.Int)
		for i := range v.At(0).Len() {
			sum.Add(sum, v.At(0).At(i).Int())
		}
		// The zero address is the caller.
		return Deposit{Amount: sum}, named(v.At(1).Address()) || v.At(1).Address() == (evm.Address{})
	}
	return Deposit{}, false
}

// Covers reports whether a deposit takes at least an amount of an asset.
func (d Deposit) Covers(asset Asset, amount *big.Int) bool {
	return asset.Kind == ERC20 && (d.Asset == asset.Contract || d.Asset == evm.Address{}) && d.Amount.Cmp(amount) >= 0
}
