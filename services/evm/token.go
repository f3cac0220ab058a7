package evm

import (
	"bytes"
	"math/big"

	"github.com/hawser-dev/hawser/services/plain"
)

// textLimit bounds a token's name and symbol, in bytes of the contract's answer.
const textLimit = 512

// NativeBalance asks for an account's balance in wei.
func NativeBalance(owner Address) Query {
	return Query{Keep: wordSize, Targets: []Address{owner}}
}

// TokenBalances asks ERC-20 contracts how much owner holds, in base units.
func TokenBalances(owner Address, tokens []Address) Query {
	return Query{Call: append(Selector("balanceOf(address)"), Word(owner)...), Keep: wordSize, Targets: tokens}
}

// Amount reads an answer as an unsigned integer; false when the call failed or gave less than a word.
func (a Answer) Amount() (*big.Int, bool) {
	if !a.OK || len(a.Data) < wordSize {
		return nil, false
	}
	return new(big.Int).SetBytes(a.Data[:wordSize]), true
}

// Address reads an answer as an address; false when the call failed or gave none.
func (a Answer) Address() (Address, bool) {
	if !a.OK || len(a.Data) < wordSize || !bytes.Equal(a.Data[:12], make([]byte, 12)) {
		return Address{}, false
	}
	return Address(a.Data[12:wordSize]), true
}

// TokenFacts asks ERC-20 contracts for symbol, name and decimals: three queries, for [ReadTokenFacts].
func TokenFacts(tokens []Address) []Query {
	return []Query{
		{Call: Selector("symbol()"), Keep: textLimit, Targets: tokens},
		{Call: Selector("name()"), Keep: textLimit, Targets: tokens},
		{Call: Selector("decimals()"), Keep: wordSize, Targets: tokens},
	}
}

// TokenFact is what a contract says about itself.
type TokenFact struct {
	Symbol, Name string
	Decimals     uint8
}

// ReadTokenFacts reads the answers to [TokenFacts], one a token; nil for a contract that has no decimals, which is no ERC-20
// token that could be counted.
func ReadTokenFacts(answers [][]Answer) []*TokenFact {
	facts := make([]*TokenFact, len(answers[2]))
	for i, decimals := range answers[2] {
		n, ok := decimals.Amount()
		if !ok || !n.IsUint64() || n.Uint64() > 255 {
			continue
		}
		facts[i] = &TokenFact{Symbol: answers[0][i].Text(), Name: answers[1][i].Text(), Decimals: uint8(n.Uint64())}
	}
	return facts
}

// Text reads an answer as a string, or as the bytes32 that tokens older than ERC-20's final form return. What cannot be shown is
// left out, see [plain.Text]; a failed call gives "".
func (a Answer) Text() string {
	if !a.OK {
		return ""
	}
	if len(a.Data) == wordSize {
		return plain.Text(string(bytes.TrimRight(a.Data, "\x00")), textLimit)
	}
	return plain.Text(string(stringData(a.Data)), textLimit)
}

// stringData returns the bytes of an ABI-encoded string, or nothing when it is cut or malformed.
func stringData(data []byte) []byte {
	if len(data) < 2*wordSize {
		return nil
	}
	offset, ok := wordUint64(data[:wordSize])
	if !ok || offset > uint64(len(data)-wordSize) {
		return nil
	}
	rest := data[offset:]
	length, ok := wordUint64(rest[:wordSize])
	if !ok || length > uint64(len(rest)-wordSize) {
		return nil
	}
	return rest[wordSize : wordSize+length]
}
