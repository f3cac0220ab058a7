package evm

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// opcodes are the opcodes of programs. All of them exist since Constantinople, so that programs run on every fork. PUSH0 is newer.
var opcodes = map[string]byte{
	"STOP": 0x00, "ADD": 0x01, "MUL": 0x02, "SUB": 0x03, "SDIV": 0x05, "SMOD": 0x07, "LT": 0x10, "GT": 0x11, "SLT": 0x12, "SGT": 0x13,
	"EQ": 0x14, "ISZERO": 0x15, "AND": 0x16, "OR": 0x17, "SHL": 0x1b, "SHR": 0x1c, "SAR": 0x1d,
	"ADDRESS": 0x30, "BALANCE": 0x31, "ORIGIN": 0x32, "CALLER": 0x33, "CALLDATALOAD": 0x35, "CALLDATASIZE": 0x36, "CALLDATACOPY": 0x37, "CODESIZE": 0x38, "CODECOPY": 0x39,
	"RETURNDATASIZE": 0x3d, "RETURNDATACOPY": 0x3e, "TIMESTAMP": 0x42, "MLOAD": 0x51, "MSTORE": 0x52,
	"JUMP": 0x56, "JUMPI": 0x57, "GAS": 0x5a, "DUP1": 0x80, "CALL": 0xf1, "RETURN": 0xf3, "DELEGATECALL": 0xf4, "STATICCALL": 0xfa, "REVERT": 0xfd,
}

const (
	opJumpdest = 0x5b
	opPush1    = 0x60
)

// Assemble returns the code of a program. A token is an opcode; a hex constant, which is pushed; `label:`, a jump destination; `@label`, which
// pushes that destination (`@end` is the end of the code); `$name`, which pushes the value of a variable; or `=name`, which pops into it.
// Variables are in memory, one word each, in the order given. `;` starts a comment.
func Assemble(source string, variables []string) ([]byte, error) {
	a := assembly{labels: map[string]int{}, slots: map[string]int{}}
	for i, v := range variables {
		a.slots[v] = i * wordSize
	}
	for line := range strings.Lines(source) {
		text, _, _ := strings.Cut(line, ";")
		for token := range strings.FieldsSeq(text) {
			if err := a.add(token); err != nil {
				return nil, err
			}
		}
	}
	a.labels["end"] = len(a.code)
	return a.code, a.link()
}

type assembly struct {
	code   []byte
	labels map[string]int
	slots  map[string]int
	jumps  []jump
}

// jump is a position in the code that needs the address of a label.
type jump struct {
	at    int
	label string
}

func (a *assembly) add(token string) error {
	if op, ok := opcodes[token]; ok {
		a.code = append(a.code, op)
		return nil
	}
	if label, ok := strings.CutSuffix(token, ":"); ok {
		a.labels[label] = len(a.code)
		a.code = append(a.code, opJumpdest)
		return nil
	}
	switch rest := token[1:]; token[0] {
	case '@':
		a.code = append(a.code, opPush1+1)
		a.jumps = append(a.jumps, jump{len(a.code), rest})
		a.code = append(a.code, 0, 0)
		return nil
	case '$':
		return a.variable(rest, "MLOAD")
	case '=':
		return a.variable(rest, "MSTORE")
	}
	constant, err := hex.DecodeString(strings.TrimPrefix(token, "0x"))
	if err != nil || len(constant) == 0 || len(constant) > wordSize {
		return fmt.Errorf("token %q is neither an opcode nor a constant", token)
	}
	a.code = append(append(a.code, opPush1+byte(len(constant)-1)), constant...)
	return nil
}

func (a *assembly) variable(name, op string) error {
	slot, ok := a.slots[name]
	if !ok {
		return fmt.Errorf("unknown variable %q", name)
	}
	a.code = append(a.code, opPush1+1, byte(slot>>8), byte(slot), opcodes[op])
	return nil
}

func (a *assembly) link() error {
	for _, j := range a.jumps {
		to, ok := a.labels[j.label]
		if !ok {
			return fmt.Errorf("unknown label %q", j.label)
		}
		a.code[j.at], a.code[j.at+1] = byte(to>>8), byte(to)
	}
	return nil
}
