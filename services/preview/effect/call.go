package effect

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

// Functions whose arguments determine their effect.
var (
	erc20Transfer     = calldata.Parse("transfer(address,uint256)")
	transferFrom      = calldata.Parse("transferFrom(address,address,uint256)")
	safeTransfer      = calldata.Parse("safeTransferFrom(address,address,uint256)")
	safeTransferData  = calldata.Parse("safeTransferFrom(address,address,uint256,bytes)")
	safeTransferMulti = calldata.Parse("safeTransferFrom(address,address,uint256,uint256,bytes)")
	approve           = calldata.Parse("approve(address,uint256)")
	increaseAllowance = calldata.Parse("increaseAllowance(address,uint256)")
	setApprovalForAll = calldata.Parse("setApprovalForAll(address,bool)")
	permit2Approve    = calldata.Parse("approve(address,address,uint160,uint48)")
	transferOwnership = calldata.Parse("transferOwnership(address)")
	upgradeTo         = calldata.Parse("upgradeTo(address)")
	upgradeToAndCall  = calldata.Parse("upgradeToAndCall(address,bytes)")
	upgradeProxy      = calldata.Parse("upgrade(address,address)")
	upgradeProxyCall  = calldata.Parse("upgradeAndCall(address,address,bytes)")
	changeAdmin       = calldata.Parse("changeAdmin(address)")
	addSafeOwner      = calldata.Parse("addOwnerWithThreshold(address,uint256)")
	swapSafeOwner     = calldata.Parse("swapOwner(address,address,address)")
	enableSafeModule  = calldata.Parse("enableModule(address)")
	// Compound and Morpho let another account act for the caller, and Aave lets it borrow.
	allowManager      = calldata.Parse("allow(address,bool)")
	setAuthorization  = calldata.Parse("setAuthorization(address,bool)")
	approveDelegation = calldata.Parse("approveDelegation(address,uint256)")
	// Operators of ERC-777 and of ERC-6909 take every token.
	authorizeOperator = calldata.Parse("authorizeOperator(address)")
	revokeOperator    = calldata.Parse("revokeOperator(address)")
	setOperator       = calldata.Parse("setOperator(address,bool)")
	approveID         = calldata.Parse("approve(address,uint256,uint256)")
)

// OfCall returns the effects of one call according to its arguments. stated is false for an unknown function.
func OfCall(account evm.Address, c simulation.Call) (e Effects, stated bool) {
	collected := newCollector()
	stated = collected.call(account, c)
	return collected.Effects, stated
}

// call adds the effects of one call, and returns false for an unknown function.
func (e *collector) call(account evm.Address, c simulation.Call) bool {
	if c.To == nil {
		return false
	}
	to := *c.To
	e.move(account, Asset{Kind: Native}, account, to, c.Value)
	if len(c.Data) == 0 {
		return true
	}
	token := Asset{Kind: ERC20, Contract: to}
	if v, ok := erc20Transfer.Read(c.Data); ok {
		e.move(account, token, account, v.At(0).Address(), v.At(1).Int())
		return true
	}
	for _, f := range []calldata.Function{transferFrom, safeTransfer, safeTransferData} {
		if v, ok := f.Read(c.Data); ok {
			// Only the contract knows whether the third argument is an amount or an id; the argument is used as either.
			e.move(account, token, v.At(0).Address(), v.At(1).Address(), v.At(2).Int())
			e.move(account, Asset{ERC721, to, v.At(2).Int()}, v.At(0).Address(), v.At(1).Address(), big.NewInt(1))
			return true
		}
	}
	if v, ok := safeTransferMulti.Read(c.Data); ok {
		e.move(account, Asset{ERC1155, to, v.At(2).Int()}, v.At(0).Address(), v.At(1).Address(), v.At(3).Int())
		return true
	}
	return e.approvals(to, c.Data) || e.operators(to, c.Data) || e.controls(to, c.Data)
}

var (
	wrap   = calldata.Parse("deposit()")
	unwrap = calldata.Parse("withdraw(uint256)")
)

// Wrapping returns what a call of the wrapped native token brings to its caller; a nil amount for nothing.
func Wrapping(c simulation.Call) (asset Asset, amount *big.Int) {
	_, wraps := wrap.Read(c.Data)
	if v, ok := unwrap.Read(c.Data); ok {
		return Asset{Kind: Native}, v.At(0).Int()
	}
	if (wraps || len(c.Data) == 0) && c.Value.Sign() > 0 {
		return Asset{Kind: ERC20, Contract: *c.To}, c.Value
	}
	return Asset{}, nil
}

// approvals adds the approvals in the arguments of a call.
func (e *collector) approvals(to evm.Address, data []byte) bool {
	token := Asset{Kind: ERC20, Contract: to}
	if v, ok := approve.Read(data); ok {
		e.allow(Approval{Asset: token, Spender: v.At(0).Address(), Amount: Limit(v.At(1).Int()), Revoked: v.At(1).Int().Sign() == 0})
		return true
	}
	if v, ok := increaseAllowance.Read(data); ok {
		if v.At(1).Int().Sign() > 0 {
			e.allow(Approval{Asset: token, Spender: v.At(0).Address(), Amount: Limit(v.At(1).Int())})
		}
		return true
	}
	if v, ok := setApprovalForAll.Read(data); ok {
		e.allow(Approval{Asset: Asset{Kind: ERC721, Contract: to}, Spender: v.At(0).Address(), Revoked: !v.At(1).Bool()})
		return true
	}
	if v, ok := permit2Approve.Read(data); ok {
		e.allow(Approval{
			Asset: Asset{Kind: ERC20, Contract: v.At(0).Address()}, Spender: v.At(1).Address(), Amount: limit160(v.At(2).Int()), Expires: v.At(3).Int().Int64(),
			Revoked: v.At(2).Int().Sign() == 0, Permit2: true,
		})
		return true
	}
	return false
}

// operators adds the rights to act for the account, or to take every token, in the arguments of a call.
func (e *collector) operators(to evm.Address, data []byte) bool {
	for _, f := range []calldata.Function{allowManager, setAuthorization} {
		if v, ok := f.Read(data); ok {
			e.Rights = append(e.Rights, Right{Kind: Acts, Contract: to, To: v.At(0).Address(), Revoked: !v.At(1).Bool()})
			return true
		}
	}
	if v, ok := approveDelegation.Read(data); ok {
		e.Rights = append(e.Rights, Right{Kind: Borrows, Contract: to, To: v.At(0).Address(), Revoked: v.At(1).Int().Sign() == 0})
		return true
	}
	if v, ok := authorizeOperator.Read(data); ok {
		e.allow(Approval{Asset: Asset{Kind: ERC20, Contract: to}, Spender: v.At(0).Address()})
		return true
	}
	if v, ok := revokeOperator.Read(data); ok {
		e.allow(Approval{Asset: Asset{Kind: ERC20, Contract: to}, Spender: v.At(0).Address(), Revoked: true})
		return true
	}
	if v, ok := setOperator.Read(data); ok {
		e.allow(Approval{Asset: Asset{Kind: ERC721, Contract: to}, Spender: v.At(0).Address(), Revoked: !v.At(1).Bool()})
		return true
	}
	if v, ok := approveID.Read(data); ok {
		e.allow(Approval{
			Asset: Asset{ERC1155, to, v.At(1).Int()}, Spender: v.At(0).Address(), Amount: Limit(v.At(2).Int()), Revoked: v.At(2).Int().Sign() == 0,
		})
		return true
	}
	return false
}

// controls adds the changes of control in the arguments of a call.
func (e *collector) controls(to evm.Address, data []byte) bool {
	for _, f := range []calldata.Function{transferOwnership, addSafeOwner, enableSafeModule} {
		if v, ok := f.Read(data); ok {
			e.Controls = append(e.Controls, Control{Contract: to, To: v.At(0).Address()})
			return true
		}
	}
	if v, ok := swapSafeOwner.Read(data); ok {
		e.Controls = append(e.Controls, Control{Contract: to, To: v.At(2).Address()})
		return true
	}
	for _, f := range []calldata.Function{upgradeTo, upgradeToAndCall, changeAdmin} {
		if v, ok := f.Read(data); ok {
			e.Controls = append(e.Controls, Control{Contract: to, To: v.At(0).Address(), Upgrade: true})
			return true
		}
	}
	for _, f := range []calldata.Function{upgradeProxy, upgradeProxyCall} {
		if v, ok := f.Read(data); ok {
			e.Controls = append(e.Controls, Control{Contract: v.At(0).Address(), To: v.At(1).Address(), Upgrade: true})
			return true
		}
	}
	return false
}
