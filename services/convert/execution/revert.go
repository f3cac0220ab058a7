package execution

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/evm"
)

// reasonLimit bounds how much of a contract's own text is passed on, in bytes.
const reasonLimit = 80

var (
	errorString = [4]byte(evm.Selector("Error(string)"))
	panicCode   = [4]byte(evm.Selector("Panic(uint256)"))
)

// reason reads why a contract reverted, as `: "text"`; nothing when it gave no text.
func reason(data []byte) string {
	if len(data) < 4+wordSize {
		return ""
	}
	switch [4]byte(data[:4]) {
	case errorString:
		return quoted(evm.Answer{OK: true, Data: data[4:]}.Bytes())
	case panicCode:
		return ": panic " + new(uint256.Int).SetBytes32(data[4:4+wordSize]).Hex()
	}
	return ""
}

// quoted shows a stranger's text: printable, short, in quotes.
func quoted(text []byte) string {
	clean := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || r == '"' || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, string(text[:min(len(text), reasonLimit)]))
	if clean == "" {
		return ""
	}
	return `: "` + clean + `"`
}
