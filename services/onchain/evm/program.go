package evm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// The input is a sequence of: size (2 bytes), calldata (size bytes), keep (2), number of targets (2), targets (20 each).
// The output is: number of answers (32 bytes), block time in seconds (32), then for each answer a head (4) and its data. The top bit of the
// head is set if the call succeeded, the rest is the length of the data, so that a balance of 2^256-1 is not mistaken for a failure.

// variables are those of the program, one memory word each. The input follows them.
var variables = []string{"end", "out", "cursor", "size", "call", "keep", "left", "kept", "count"}

const (
	// copyCallData and copyCodeTail copy the input to memory after the variables, and its end to $end.
	copyCallData = `
		CALLDATASIZE 0x00 0x0120 CALLDATACOPY
		CALLDATASIZE 0x0120 ADD =end`
	copyCodeTail = `
		@end CODESIZE SUB @end 0x0120 CODECOPY
		@end CODESIZE SUB 0x0120 ADD =end`

	callTargets = `
		0x0120 =cursor
		$end 0x40 ADD =out                       ; two words are reserved for the count and the time

	query:
		$end $cursor LT ISZERO @done JUMPI
		$cursor MLOAD 0xf0 SHR =size             ; the top two bytes of the word at the cursor
		$cursor 0x02 ADD =call
		$call $size ADD =cursor
		$cursor MLOAD 0xf0 SHR =keep
		$cursor 0x02 ADD MLOAD 0xf0 SHR =left
		$cursor 0x04 ADD =cursor

	target:
		$left ISZERO @query JUMPI
		GAS 0x03d090 GT @done JUMPI              ; with less than 250,000 left, the call would not get its full gas: stop
		$size ISZERO @native JUMPI
		0x00 0x00 $size $call                    ; no return area, call data
		$cursor MLOAD 0x60 SHR                   ; the target: the top twenty bytes
		0x030d40 STATICCALL                      ; with 200,000 gas
		RETURNDATASIZE =kept
		$keep RETURNDATASIZE GT ISZERO @fits JUMPI
		$keep =kept
	fits:
		0x1f SHL $kept OR 0xe0 SHL $out MSTORE   ; head: success and length
		$kept 0x00 $out 0x04 ADD RETURNDATACOPY
		@next JUMP

	native:
		0x20 =kept
		0x80000020 0xe0 SHL $out MSTORE          ; head: success, one word
		$cursor MLOAD 0x60 SHR BALANCE $out 0x04 ADD MSTORE

	next:
		$out 0x04 ADD $kept ADD =out
		$cursor 0x14 ADD =cursor
		0x01 $left SUB =left
		$count 0x01 ADD =count
		@target JUMP

	done:
		$count $end MSTORE
		TIMESTAMP $end 0x20 ADD MSTORE
		$end $out SUB $end                       ; size and offset of the output
	`
)

// overrideProgram is the code of an address during one call and reads its calldata.
var overrideProgram = mustAssemble(copyCallData + callTargets + "RETURN")

// initProgram is the init code of a contract that is never created. It reads the data after its own code and reverts with the output, which has
// no size limit then; the code of a contract has one (EIP-170).
var initProgram = mustAssemble(copyCodeTail + callTargets + "REVERT")

func mustAssemble(source string) []byte {
	code, err := Assemble(source, variables)
	if err != nil {
		panic(err)
	}
	return code
}

// encodeInput writes the program's input after code.
func encodeInput(code []byte, queries []Query) []byte {
	size := len(code)
	for _, q := range queries {
		size += 6 + len(q.Call) + 20*len(q.Targets)
	}
	b := append(make([]byte, 0, size), code...)
	for _, q := range queries {
		b = binary.BigEndian.AppendUint16(b, uint16(len(q.Call)))
		b = append(b, q.Call...)
		b = binary.BigEndian.AppendUint16(b, q.Keep)
		b = binary.BigEndian.AppendUint16(b, uint16(len(q.Targets)))
		for _, t := range q.Targets {
			b = append(b, t[:]...)
		}
	}
	return b
}

// errOutput is returned for a result that is not an output of the program.
var errOutput = errors.New("the node's answer is not the program's output")

// decodeOutput decodes the program's output. It fails for anything else, so that a truncated or unrelated result is not
// mistaken for a balance.
func decodeOutput(queries []Query, out []byte) ([]Answer, time.Time, error) {
	if len(out) < 2*wordSize {
		return nil, time.Time{}, fmt.Errorf("%w: %d bytes", errOutput, len(out))
	}
	want := count(queries)
	n, okN := wordUint64(out[:wordSize])
	at, okAt := wordUint64(out[wordSize : 2*wordSize])
	if !okN || !okAt || n == 0 || n > uint64(want) || at > maxTime {
		return nil, time.Time{}, fmt.Errorf("%w: %d of %d answers", errOutput, n, want)
	}
	answers := make([]Answer, 0, n)
	rest := out[2*wordSize:]
	for _, q := range queries {
		for range q.Targets {
			if uint64(len(answers)) == n {
				break
			}
			answer, tail, err := decodeAnswer(q, rest)
			if err != nil {
				return nil, time.Time{}, err
			}
			answers, rest = append(answers, answer), tail
		}
	}
	if len(rest) != 0 {
		return nil, time.Time{}, fmt.Errorf("%w: %d bytes too many", errOutput, len(rest))
	}
	return answers, time.Unix(int64(at), 0), nil
}

func decodeAnswer(q Query, b []byte) (Answer, []byte, error) {
	if len(b) < 4 {
		return Answer{}, nil, fmt.Errorf("%w: it ends early", errOutput)
	}
	head := binary.BigEndian.Uint32(b)
	length := int(head &^ (1 << 31))
	if length > int(q.Keep) || length > len(b)-4 {
		return Answer{}, nil, fmt.Errorf("%w: an answer of %d bytes", errOutput, length)
	}
	data, rest := b[4:4+length:4+length], b[4+length:]
	if head>>31 == 0 {
		return Answer{}, rest, nil
	}
	return Answer{OK: true, Data: data}, rest, nil
}

// maxTime is the latest plausible block time, in seconds since 1970: the year 9999.
const maxTime = 253402300799

// wordUint64 reads a big-endian word; false if it does not fit.
func wordUint64(word []byte) (uint64, bool) {
	for _, b := range word[:wordSize-8] {
		if b != 0 {
			return 0, false
		}
	}
	return binary.BigEndian.Uint64(word[wordSize-8:]), true
}
