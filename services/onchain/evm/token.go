package evm

import (
	"bytes"
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

// textLimit bounds the encoded name and symbol of a token, in bytes.
const textLimit = 512

// NativeBalance reads the native balance of an account in wei.
func NativeBalance(owner Address) Query {
	return Query{Keep: wordSize, Targets: []Address{owner}}
}

// TokenBalances reads the balances of owner in ERC-20 tokens, in base units.
func TokenBalances(owner Address, tokens []Address) Query {
	return Query{Call: append(Selector("balanceOf(address)"), Word(owner)...), Keep: wordSize, Targets: tokens}
}

// Amount decodes an answer as an unsigned integer; false if the call failed or returned less than a word.
func (a Answer) Amount() (*big.Int, bool) {
	if !a.OK || len(a.Data) < wordSize {
		return nil, false
	}
	return new(big.Int).SetBytes(a.Data[:wordSize]), true
}

// Address decodes an answer as an address; false if the call failed or returned none.
func (a Answer) Address() (Address, bool) {
	if !a.OK || len(a.Data) < wordSize || !bytes.Equal(a.Data[:12], make([]byte, 12)) {
		return Address{}, false
	}
	return Address(a.Data[12:wordSize]), true
}

// TokenFacts returns three queries for the symbol, name and decimals of ERC-20 tokens. [ReadTokenFacts] reads their answers.
func TokenFacts(tokens []Address) []Query {
	return []Query{
		{Call: Selector("symbol()"), Keep: textLimit, Targets: tokens},
		{Call: Selector("name()"), Keep: textLimit, Targets: tokens},
		{Call: Selector("decimals()"), Keep: wordSize, Targets: tokens},
	}
}

// TokenFact is what a token contract returns about itself.
type TokenFact struct {
	Symbol, Name string
	Decimals     uint8
}

// ReadTokenFacts decodes the answers to [TokenFacts], one per token; nil for a contract without decimals, whose amounts
// have no meaning.
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

// Text decodes an answer as a string, or as the bytes32 that tokens older than the final ERC-20 return. Characters that
// cannot be shown are removed, see [plaintext.Text]. It returns "" for a failed call.
func (a Answer) Text() string {
	if !a.OK {
		return ""
	}
	if len(a.Data) == wordSize {
		return plaintext.Text(string(bytes.TrimRight(a.Data, "\x00")), textLimit)
	}
	return plaintext.Text(string(stringData(a.Data)), textLimit)
}

// text is the type of a string or a byte sequence.
var text = calldata.Types("(bytes)")

// stringData returns the bytes of an ABI-encoded string, or nil if it is cut or malformed.
func stringData(data []byte) []byte {
	values, ok := text.Read(data)
	if !ok {
		return nil
	}
	return values.At(0).Bytes()
}
