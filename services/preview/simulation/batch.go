package simulation

import (
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// batchProgram makes the calls in its data in order, and reverts as a whole: for each the receiver, the value in 32 bytes, the size in 32 bytes, and the data. It stands for
// the code of a smart account, which makes such calls in a form of its own, in a transaction of a bundler: the sender of the calls is the account, and the origin another one.
const batchProgram = `
	batch: 0x00 =at
	each: CALLDATASIZE $at LT ISZERO @done JUMPI
	0x34 $at ADD CALLDATALOAD =size
	$size 0x54 $at ADD 0x80 CALLDATACOPY
	0x00 0x00 $size 0x80 0x14 $at ADD CALLDATALOAD $at CALLDATALOAD 0x60 SHR GAS CALL
	ISZERO @failed JUMPI
	0x54 $at ADD $size ADD =at
	@each JUMP
	done: STOP
	failed: RETURNDATASIZE 0x00 0x00 RETURNDATACOPY RETURNDATASIZE 0x00 REVERT`

// ownProgram returns what the account's own code returned.
const ownProgram = `
	RETURNDATASIZE 0x00 0x00 RETURNDATACOPY
	@good JUMPI
	RETURNDATASIZE 0x00 REVERT
	good: RETURNDATASIZE 0x00 RETURN`

// batchCode returns code that makes the calls in the data of a sender, and otherwise runs code at an address; nil for none.
func batchCode(sender evm.Address, own *evm.Address) []byte {
	source := "CALLER " + hex.EncodeToString(sender[:]) + " EQ @batch JUMPI "
	if own == nil {
		source += "STOP"
	} else {
		source += "CALLDATASIZE 0x00 0x00 CALLDATACOPY 0x00 0x00 CALLDATASIZE 0x00 " + hex.EncodeToString(own[:]) + " GAS DELEGATECALL " + ownProgram
	}
	code, err := evm.Assemble(source+batchProgram, []string{"at", "size"})
	if err != nil {
		panic("the program of batches: " + err.Error())
	}
	return code
}

// packed returns calls as the program reads them.
func packed(calls []Call) (data []byte) {
	for _, c := range calls {
		data = append(data, c.To[:]...)
		data = append(data, c.Value.FillBytes(make([]byte, 32))...)
		data = append(data, make([]byte, 24)...)
		data = binary.BigEndian.AppendUint64(data, uint64(len(c.Data)))
		data = append(data, c.Data...)
	}
	return data
}

// runBatches adds the code that makes the calls of a sender to the account. The account's own code still runs for others, from another address.
func (r Request) runBatches(overrides map[string]any, sender evm.Address) {
	own := r.Delegate
	if own == nil && len(r.Code) > 0 {
		copied := anyone()
		own, overrides[copied.String()] = &copied, map[string]any{"code": hexutil.Bytes(slices.Clone(r.Code))}
	}
	if own != nil && *own == (evm.Address{}) {
		own = nil
	}
	overrides[r.Account.String()] = map[string]any{"code": hexutil.Bytes(batchCode(sender, own))}
}
