// Package rollup measures what rollups charge for the data of a transaction on L1, in gas of the rollup.
package rollup

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/calldata"
	"github.com/hawser-dev/hawser/services/evm/userop"
)

// Kind is how a chain charges for data on L1.
type Kind int

const (
	// None is for chains that charge only for gas.
	None Kind = iota
	// OPStack is for chains that charge wei in addition to gas; GasPriceOracle returns the amount.
	OPStack
	// Arbitrum is for chains that charge gas; NodeInterface returns the amount.
	Arbitrum
)

// Contracts whose code shows the kind of a chain.
var (
	GasPriceOracle = evm.MustAddress("0x420000000000000000000000000000000000000F")
	ArbSys         = evm.MustAddress("0x0000000000000000000000000000000000000064")
)

// nodeInterface is implemented by the nodes of Arbitrum, and has no code.
var nodeInterface = evm.MustAddress("0x00000000000000000000000000000000000000C8")

var (
	l1Fee  = calldata.Parse("getL1Fee(bytes)")
	l1Gas  = calldata.Parse("gasEstimateL1Component(address,bool,bytes)")
	oneInt = calldata.Types("(uint256)")
	gasInt = calldata.Types("(uint64,uint256,uint256)")
)

// Call returns the call that measures the transaction of an operation. k is not [None].
func (k Kind) Call(number *big.Int, entryPoint evm.Address, o *userop.Operation) chainclient.Call {
	data := o.HandleOps(entryPoint)
	tx := map[string]any{"to": nodeInterface}
	if k == OPStack {
		raw, err := types.NewTx(&types.DynamicFeeTx{
			ChainID: number, Nonce: 1 << 16, GasTipCap: o.MaxPriorityFeePerGas.ToBig(), GasFeeCap: o.MaxFeePerGas.ToBig(), Gas: 1 << 23, To: &entryPoint, Data: data,
		}).MarshalBinary()
		if err != nil {
			raw = data
		}
		tx["to"], tx["data"] = GasPriceOracle, hexutil.Bytes(l1Fee.Write(raw))
	} else {
		tx["data"] = hexutil.Bytes(l1Gas.Write(entryPoint, false, data))
	}
	return chainclient.Call{Method: "eth_call", Params: []any{tx, "latest"}}
}

// Gas returns the gas of the result of a call, for an operation that pays price wei for a unit of gas.
func (k Kind) Gas(result chainclient.Result, price *big.Int) (uint64, error) {
	data, err := result.Bytes()
	if err != nil {
		return 0, err
	}
	gas := new(big.Int)
	if k == OPStack {
		fee, ok := oneInt.Read(data)
		if !ok {
			return 0, chainclient.ErrAnswer
		}
		if price.Sign() <= 0 {
			price = big.NewInt(1)
		}
		gas.Div(new(big.Int).Add(fee.At(0).Int(), new(big.Int).Sub(price, big.NewInt(1))), price)
	} else {
		measured, ok := gasInt.Read(data)
		if !ok {
			return 0, chainclient.ErrAnswer
		}
		gas = measured.At(0).Int()
	}
	if !gas.IsUint64() {
		return 0, chainclient.ErrAnswer
	}
	return gas.Uint64(), nil
}

// Price returns what an operation pays per unit of gas in a block with a base fee, in wei.
func Price(o *userop.Operation, baseFee *big.Int) *big.Int {
	price := new(big.Int).Add(baseFee, o.MaxPriorityFeePerGas.ToBig())
	if most := o.MaxFeePerGas.ToBig(); most.Sign() > 0 && most.Cmp(price) < 0 {
		return most
	}
	return price
}

// Incompressible returns the operation with another signature of the same length. The data of a dummy signature, which
// repeats bytes, would be compressed and cost less than that of a real one.
func Incompressible(o *userop.Operation) *userop.Operation {
	other := *o
	other.Signature = nil
	for word := crypto.Keccak256(o.CallData); len(other.Signature) < len(o.Signature); word = crypto.Keccak256(word) {
		other.Signature = append(other.Signature, word...)
	}
	other.Signature = other.Signature[:len(o.Signature)]
	return &other
}
