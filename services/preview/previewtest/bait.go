// Package previewtest has contracts that try to find out whether they are simulated.
package previewtest

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// Conditions returns code that leaves 0 on the stack where a contract takes what it sees for a simulation, by name: of the block, and of the fees
// and the gas of the transaction.
func Conditions() map[string]string {
	all := map[string]string{"a lot of gas": "620f42405a1115", "a low blob fee": "60024a10" + "15"}
	for name, opcode := range map[string]string{"gas price": "3a", "base fee": "48", "coinbase": "41", "randomness": "44", "number": "43", "time": "42", "blob fee": "4a"} {
		all["no "+name] = opcode
		all["an even "+name] = opcode + "600116"
		all["an odd "+name] = opcode + "60011615"
	}
	return all
}

// Bait returns the code of a contract that gives back the value of a call and 0.01 of the native token where the condition, which is code in hex, leaves
// 0, and keeps the value otherwise.
func Bait(condition string) []byte {
	const afterJump = 3
	code, give := common.FromHex(condition), common.FromHex("5f5f5f5f662386f26fc100003401335af100")
	keep := byte(len(code) + afterJump + len(give))
	return slices.Concat(code, []byte{0x60, keep, 0x57}, give, []byte{0x5b, 0x00})
}
