package signaturetest

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// WalletCode is a contract whose isValidSignature (ERC-1271) accepts the hash itself as its signature:
// calldataload(100) == calldataload(4), times 0x1626ba7e, shifted to the left of the word.
const WalletCode = "0x6064356004351463" + "1626ba7e" + "0260e01b60005260206000f3"

// create2Factory exists on every chain (Arachnid's); its call data are a salt and init code.
var create2Factory = evm.MustAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")

// WalletSignature returns what a wallet of [WalletCode] accepts as a signature of a text.
func WalletSignature(message string) []byte {
	return accounts.TextHash([]byte(message))
}

// Counterfactual returns the account of a wallet that is not deployed, and its signature of a text, which includes the
// call that deploys it (ERC-6492).
func Counterfactual(message string) (evm.Address, []byte) {
	code, _ := hex.DecodeString(strings.TrimPrefix(WalletCode, "0x"))
	init := slices.Concat([]byte{0x60, byte(len(code)), 0x60, 0x0c, 0x60, 0, 0x39, 0x60, byte(len(code)), 0x60, 0, 0xf3}, code)
	salt := crypto.Keccak256Hash([]byte("hawser"))
	at := crypto.CreateAddress2(create2Factory, salt, crypto.Keccak256(init))

	call, inner := slices.Concat(salt[:], init), WalletSignature(message)
	padding := make([]byte, (32-len(call)%32)%32)
	wrapped := slices.Concat(evm.Word(create2Factory), word(96), word(96+32+len(call)+len(padding)), word(len(call)), call, padding, word(len(inner)), inner)
	return at, append(wrapped, strings.Repeat("\x64\x92", 16)...)
}

// word encodes a number of up to 16 bits as call data.
func word(n int) []byte { return []byte{30: byte(n >> 8), 31: byte(n)} }
