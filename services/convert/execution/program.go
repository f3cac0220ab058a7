package execution

import (
	"encoding/binary"
	"errors"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// programSource is put at an account's address during one eth_call. It makes calls as that account, in order, and then reads the balances of the account and
// a recipient.
//
// Input: sold token (20 bytes), bought token (20), recipient (20), then for each call: target (20), wei (32), size (4), call data (size).
// Output: the account's balance of the sold token (32), the recipient's of the bought token (32), then for each call a head (4), the gas
// that it used (4) and what it returned, at most 256 bytes. The head's top bit says that the call succeeded, the rest is the length of what it
// returned. A balance that cannot be read is 2^256-1.
//
// Calls of the account by other contracts succeed, so that they can pay it.
const programSource = `
	CALLER ADDRESS EQ @run JUMPI
	STOP

run:
	CALLDATASIZE 0x00 0x0200 CALLDATACOPY
	CALLDATASIZE 0x0200 ADD =end
	0x023c =cursor                           ; behind the three addresses
	$end 0x40 ADD =out                       ; two words stay free for the balances

call:
	$end $cursor LT ISZERO @count JUMPI
	$cursor MLOAD 0x60 SHR =target
	$cursor 0x14 ADD MLOAD =wei
	$cursor 0x34 ADD MLOAD 0xe0 SHR =size
	$cursor 0x38 ADD =data
	$data $size ADD =cursor
	GAS =before
	0x00 0x00 $size $data $wei $target GAS CALL =ok
	GAS $before SUB =used
	RETURNDATASIZE =kept
	0x0100 RETURNDATASIZE GT ISZERO @fits JUMPI
	0x0100 =kept
fits:
	$ok 0x1f SHL $kept OR 0xe0 SHL $out MSTORE
	$used 0xe0 SHL $out 0x04 ADD MSTORE
	$kept 0x00 $out 0x08 ADD RETURNDATACOPY
	$out 0x08 ADD $kept ADD =out
	@call JUMP

count:
	ADDRESS =holder
	0x0200 MLOAD 0x60 SHR =token             ; the sold one
	$end =data
	@second =back
	@balance JUMP
second:
	0x0228 MLOAD 0x60 SHR =holder            ; the recipient
	0x0214 MLOAD 0x60 SHR =token             ; the bought one
	$end 0x20 ADD =data
	@done =back
	@balance JUMP
done:
	$end $out SUB $end RETURN                ; size and offset of the output

balance:                                         ; of $holder in $token, to $data; then to $back
	0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee $token EQ @native JUMPI
	0x70a08231 0xe0 SHL 0x01c0 MSTORE        ; balanceOf(address)
	$holder 0x01c4 MSTORE
	0x20 $data 0x24 0x01c0 $token GAS STATICCALL
	ISZERO @unknown JUMPI
	0x20 RETURNDATASIZE LT @unknown JUMPI
	$back JUMP
unknown:
	0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff $data MSTORE
	$back JUMP
native:
	$holder BALANCE $data MSTORE
	$back JUMP
`

// programVariables are at memory addresses from 0 on, one word each; the call of balanceOf is written at 0x01c0, the
// input at 0x0200.
var programVariables = []string{
	"end", "out", "cursor", "target", "wei", "size", "data", "before", "ok", "used", "kept", "holder", "token", "back",
}

var program = hexutil.Encode(mustAssemble(programSource, programVariables))

func mustAssemble(source string, variables []string) []byte {
	code, err := evm.Assemble(source, variables)
	if err != nil {
		panic(err)
	}
	return code
}

// unknownBalance is the value for a balance that cannot be read.
var unknownBalance = new(uint256.Int).Not(new(uint256.Int))

var errProgram = errors.New("the node did not run the program")

// encodeProgram returns the program's input.
func encodeProgram(sold, bought, recipient evm.Address, calls []Call) []byte {
	b := append(append(append([]byte{}, sold[:]...), bought[:]...), recipient[:]...)
	for _, c := range calls {
		wei := c.Value.Bytes32()
		b = append(append(b, c.To[:]...), wei[:]...)
		b = binary.BigEndian.AppendUint32(b, uint32(len(c.Data)))
		b = append(b, c.Data...)
	}
	return b
}

// counted is the program's output.
type counted struct {
	sold, bought *uint256.Int
	calls        []madeCall
}

// madeCall is the result of one call.
type madeCall struct {
	ok     bool
	gas    uint64
	answer []byte // at most its first 256 bytes
}

// decodeProgram decodes the program's output, which is empty from a node that ignores state overrides.
func decodeProgram(calls int, out []byte) (counted, error) {
	if len(out) < 2*wordSize {
		return counted{}, errProgram
	}
	c := counted{sold: new(uint256.Int).SetBytes32(out), bought: new(uint256.Int).SetBytes32(out[wordSize:])}
	for rest := out[2*wordSize:]; len(rest) > 0; {
		if len(rest) < 8 {
			return counted{}, errProgram
		}
		head, gas := binary.BigEndian.Uint32(rest), binary.BigEndian.Uint32(rest[4:])
		length := int(head &^ (1 << 31))
		if length > len(rest)-8 {
			return counted{}, errProgram
		}
		c.calls = append(c.calls, madeCall{ok: head>>31 == 1, gas: uint64(gas), answer: rest[8 : 8+length]})
		rest = rest[8+length:]
	}
	if len(c.calls) != calls {
		return counted{}, errProgram
	}
	return c, nil
}
