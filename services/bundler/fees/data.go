package fees

import (
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// Contracts that only networks of one model have.
var (
	GasPriceOracle   = evm.MustAddress("0x420000000000000000000000000000000000000F")
	L1GasPriceOracle = evm.MustAddress("0x5300000000000000000000000000000000000002")
	ArbSys           = evm.MustAddress("0x0000000000000000000000000000000000000064")
)

// Signs maps each model but [OnlyGas] to the contract whose code shows it.
var Signs = map[Model]evm.Address{OPStack: GasPriceOracle, Scroll: L1GasPriceOracle, Arbitrum: ArbSys}

// nodeInterface is implemented by the nodes of Arbitrum, and has no code.
var nodeInterface = evm.MustAddress("0x00000000000000000000000000000000000000C8")

var (
	l1Fee       = calldata.Parse("getL1Fee(bytes)")
	operatorFee = calldata.Parse("getOperatorFee(uint256)")
	l1Gas       = calldata.Parse("gasEstimateL1Component(address,bool,bytes)")
	oneInt      = calldata.Types("(uint256)")
	gasInt      = calldata.Types("(uint64,uint256,uint256)")
)

// Calls returns the calls that measure what a network charges, beside gas, for the transaction of an operation with a gas limit. There are no calls for [OnlyGas].
func (m Model) Calls(number *big.Int, entryPoint evm.Address, o *userop.Operation, gasLimit uint64) []chainclient.Call {
	data := o.HandleOps(entryPoint)
	return m.calls(entryPoint, data, func() []byte { return transaction(number, entryPoint, o, data) }, gasLimit)
}

// RemovalCalls returns the calls that measure the same for a transaction that has only the authorization of an operation.
func (m Model) RemovalCalls(number *big.Int, o *userop.Operation, gasLimit uint64) []chainclient.Call {
	signed := transaction(number, common.MaxAddress, o, nil)
	// Arbitrum measures data, and the authorization is none. It is at most that of all the transaction.
	return m.calls(common.MaxAddress, signed, func() []byte { return signed }, gasLimit)
}

func (m Model) calls(to evm.Address, data []byte, transaction func() []byte, gasLimit uint64) []chainclient.Call {
	call := func(to evm.Address, data []byte) chainclient.Call {
		return chainclient.Call{Method: "eth_call", Params: []any{map[string]any{"to": to, "data": hexutil.Bytes(data)}, "latest"}}
	}
	switch m {
	case OPStack:
		return []chainclient.Call{call(GasPriceOracle, l1Fee.Write(transaction())), call(GasPriceOracle, operatorFee.Write(gasLimit))}
	case Scroll:
		return []chainclient.Call{call(L1GasPriceOracle, l1Fee.Write(transaction()))}
	case Arbitrum:
		return []chainclient.Call{call(nodeInterface, l1Gas.Write(to, false, data))}
	}
	return nil
}

// GasOf returns the part of a charge that a transaction must have as gas, plus a quarter, because the price may change until it is sent.
func (m Model) GasOf(charge uint64) uint64 {
	if m == Arbitrum {
		return charge + charge/4
	}
	return 0
}

// transaction returns an unsigned transaction of an operation.
func transaction(number *big.Int, entryPoint evm.Address, o *userop.Operation, data []byte) []byte {
	tx := types.NewTx(&types.DynamicFeeTx{
		ChainID: number, Nonce: 1 << 16, GasTipCap: o.MaxPriorityFeePerGas.ToBig(), GasFeeCap: o.MaxFeePerGas.ToBig(), Gas: 1 << 23, To: &entryPoint, Data: data,
	})
	if o.Authorization != nil {
		tx = types.NewTx(&types.SetCodeTx{
			ChainID: uint256.MustFromBig(number), Nonce: 1 << 16, GasTipCap: &o.MaxPriorityFeePerGas.Int, GasFeeCap: &o.MaxFeePerGas.Int, Gas: 1 << 23, To: entryPoint,
			Data: data, AuthList: []types.SetCodeAuthorization{o.Authorization.SetCode()},
		})
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		return data
	}
	return raw
}

// Charge returns what the results of [Model.Calls] charge, in gas of the network, for an operation that pays price wei for a unit of gas.
func (m Model) Charge(results []chainclient.Result, price *big.Int) (uint64, error) {
	if m == OnlyGas {
		return 0, nil
	}
	if m == Arbitrum {
		data, err := results[0].Bytes()
		if err != nil {
			return 0, err
		}
		measured, ok := gasInt.Read(data)
		if !ok {
			return 0, chainclient.ErrAnswer
		}
		return toUint64(measured.At(0).Int())
	}
	fee := new(big.Int)
	for i, result := range results {
		data, err := result.Bytes()
		if node, ok := errors.AsType[*chainclient.NodeError](err); ok && i > 0 && node.Executed() {
			continue // the operator's fee came with a fork of the OP stack
		}
		if err != nil {
			return 0, err
		}
		part, ok := oneInt.Read(data)
		if !ok {
			return 0, chainclient.ErrAnswer
		}
		fee.Add(fee, part.At(0).Int())
	}
	if price.Sign() <= 0 {
		price = big.NewInt(1)
	}
	return toUint64(fee.Div(fee.Add(fee, new(big.Int).Sub(price, big.NewInt(1))), price))
}

func toUint64(n *big.Int) (uint64, error) {
	if !n.IsUint64() {
		return 0, chainclient.ErrAnswer
	}
	return n.Uint64(), nil
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
