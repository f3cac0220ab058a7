package deploy

import (
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/hawser-dev/hawser/services/evm"
)

//go:embed resolver.hex
var resolverHex string

// Resolver is a resolver contract as it begins.
type Resolver struct {
	// Owner may change everything else.
	Owner evm.Address
	// URLs are the templates of the gateways that it sends clients to (ERC-3668), the first asked first.
	URLs []string
	// Signers are the accounts whose answers it takes.
	Signers []evm.Address
}

// Code is what creates the contract: its code, and the constructor's arguments (address, string[], address[]).
func (r Resolver) Code() []byte {
	code, err := hex.DecodeString(strings.TrimSpace(resolverHex))
	if err != nil {
		panic("resolver.hex: " + err.Error())
	}
	const heads = 3 * wordSize
	urls := texts(r.URLs)
	code = append(code, r.Owner.Word()...)
	code = append(code, word(heads)...)
	code = append(code, word(heads+len(urls))...)
	code = append(code, urls...)
	code = append(code, word(len(r.Signers))...)
	for _, signer := range r.Signers {
		code = append(code, signer.Word()...)
	}
	return code
}

const wordSize = 32

func word(n int) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, wordSize-8, wordSize), uint64(n))
}

// texts spells a string[]: how many, where each begins, and each after its length, in whole words.
func texts(all []string) []byte {
	heads, tails := word(len(all)), []byte{}
	for _, text := range all {
		heads = append(heads, word(len(all)*wordSize+len(tails))...)
		tails = append(tails, word(len(text))...)
		tails = append(tails, text...)
		tails = append(tails, make([]byte, (wordSize-len(text)%wordSize)%wordSize)...)
	}
	return append(heads, tails...)
}
