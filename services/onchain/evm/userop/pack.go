package userop

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

const packed = "(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)"

// Functions and errors of EntryPoints, accounts and paymasters.
var (
	handleOps         = calldata.Parse("handleOps(" + packed + "[],address)")
	validateUserOp    = calldata.Parse("validateUserOp(" + packed + ",bytes32,uint256)")
	validatePaymaster = calldata.Parse("validatePaymasterUserOp(" + packed + ",bytes32,uint256)")
	failedOp          = calldata.Parse("FailedOp(uint256,string)")
	failedOpReverted  = calldata.Parse("FailedOpWithRevert(uint256,string,bytes)")
)

// Types that are hashed.
var (
	hashed07 = calldata.Types("(address,uint256,bytes32,bytes32,bytes32,uint256,bytes32,bytes32)")
	outer07  = calldata.Types("(bytes32,address,uint256)")
	hashed08 = calldata.Types("(bytes32,address,uint256,bytes32,bytes32,bytes32,uint256,bytes32,bytes32)")
	domain   = calldata.Types("(bytes32,bytes32,bytes32,uint256,address)")

	type08 = crypto.Keccak256Hash([]byte("PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits," +
		"uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)"))
	domainType    = crypto.Keccak256Hash([]byte("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"))
	domainName    = crypto.Keccak256Hash([]byte("ERC4337"))
	domainVersion = crypto.Keccak256Hash([]byte("1"))
)

// InitCode returns the initCode of the packed operation.
func (o *Operation) InitCode() []byte {
	switch {
	case len(o.Factory) == 0:
		return nil
	case o.Delegates():
		return append(common.RightPadBytes(marker, common.AddressLength), o.FactoryData...)
	}
	return append(append([]byte{}, o.Factory...), o.FactoryData...)
}

// PaymasterAndData returns the paymasterAndData of the packed operation.
func (o *Operation) PaymasterAndData() []byte {
	if len(o.Paymaster) == 0 {
		return nil
	}
	limits := two(o.PaymasterVerificationGasLimit, o.PaymasterPostOpGasLimit)
	return append(append(append([]byte{}, o.Paymaster...), limits[:]...), o.PaymasterData...)
}

// GasLimits returns the accountGasLimits of the packed operation.
func (o *Operation) GasLimits() [32]byte { return two(o.VerificationGasLimit, o.CallGasLimit) }

// GasFees returns the gasFees of the packed operation.
func (o *Operation) GasFees() [32]byte { return two(o.MaxPriorityFeePerGas, o.MaxFeePerGas) }

// two packs two quantities of 16 bytes.
func two(high, low Quantity) (word [32]byte) {
	copy(word[:16], common.LeftPadBytes(high.Bytes(), 16))
	copy(word[16:], common.LeftPadBytes(low.Bytes(), 16))
	return word
}

func (o *Operation) pack() []any {
	return []any{
		o.Sender, o.Nonce.ToBig(), o.InitCode(), []byte(o.CallData), o.GasLimits(), o.PreVerificationGas.ToBig(), o.GasFees(), o.PaymasterAndData(),
		[]byte(o.Signature),
	}
}

// HandleOps returns the call of the EntryPoint that executes the operation and pays its gas to beneficiary.
func (o *Operation) HandleOps(beneficiary evm.Address) []byte {
	return handleOps.Write([]any{o.pack()}, beneficiary)
}

// ValidateUserOp returns the call with which the EntryPoint validates the operation in the account. missing is what the
// account must pay to the EntryPoint, in wei.
func (o *Operation) ValidateUserOp(hash common.Hash, missing *big.Int) []byte {
	return validateUserOp.Write(o.pack(), [32]byte(hash), missing)
}

// ValidatePaymasterUserOp returns the call with which the EntryPoint validates the operation in the paymaster. maxCost
// is in wei.
func (o *Operation) ValidatePaymasterUserOp(hash common.Hash, maxCost *big.Int) []byte {
	return validatePaymaster.Write(o.pack(), [32]byte(hash), maxCost)
}

// Hash returns the hash by which the EntryPoint identifies the operation.
func (o *Operation) Hash(entryPoint evm.Address, chainID *big.Int) common.Hash {
	init := o.InitCode()
	limits, fees := o.GasLimits(), o.GasFees()
	if entryPoint == EntryPoint07 {
		inner := hashed07.Write(o.Sender, o.Nonce.ToBig(), word(init), word(o.CallData), limits, o.PreVerificationGas.ToBig(), fees, word(o.PaymasterAndData()))
		return crypto.Keccak256Hash(outer07.Write(word(inner), entryPoint, chainID))
	}
	if o.Delegates() {
		// v0.8 hashes the code to which the account delegates in place of the marker.
		init = append(o.Authorization.Address.Bytes(), o.FactoryData...)
	}
	inner := hashed08.Write([32]byte(type08), o.Sender, o.Nonce.ToBig(), word(init), word(o.CallData), limits, o.PreVerificationGas.ToBig(), fees,
		word(o.PaymasterAndData()))
	separator := domain.Write([32]byte(domainType), [32]byte(domainName), [32]byte(domainVersion), chainID, entryPoint)
	return crypto.Keccak256Hash([]byte{0x19, 0x01}, crypto.Keccak256(separator), crypto.Keccak256(inner))
}

func word(data []byte) [32]byte { return [32]byte(crypto.Keccak256(data)) }

// FailedOp returns the reason with which an EntryPoint refused an operation, such as `AA24 signature error`, and false if data is another error.
func FailedOp(data []byte) (string, bool) {
	for _, known := range []calldata.Function{failedOp, failedOpReverted} {
		if v, ok := known.Read(data); ok {
			return string(v.At(1).Bytes()), true
		}
	}
	return "", false
}
