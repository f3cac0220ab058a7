package userop

import "github.com/ethereum/go-ethereum/common"

// Gas of a transaction that the EntryPoint does not measure.
const (
	transactionGas = 21_000
	// entryPointGas is the gas of an EntryPoint for one operation that the EntryPoint does not measure.
	entryPointGas = 20_000
	// authorizationGas is the gas of an authorization for a new account (EIP-7702), including the write of the code.
	authorizationGas = 25_000 + 12_500
	zeroByteGas      = 4
	otherByteGas     = 16
)

// LeastPreVerificationGas returns the least preVerificationGas that pays for the transaction of the operation.
func (o *Operation) LeastPreVerificationGas() uint64 {
	gas := uint64(transactionGas + entryPointGas)
	for _, b := range o.HandleOps(common.MaxAddress) {
		if b == 0 {
			gas += zeroByteGas
		} else {
			gas += otherByteGas
		}
	}
	if o.Authorization != nil {
		gas += authorizationGas
	}
	return gas
}
