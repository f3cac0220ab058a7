package execution

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/evm"
)

// reasonLimit bounds the length of a contract's text that is passed on, in bytes.
const reasonLimit = 80

var (
	errorString = [4]byte(evm.Selector("Error(string)"))
	panicCode   = [4]byte(evm.Selector("Panic(uint256)"))
)

// reason returns why a contract reverted, as `: "text"`; empty if it returned no text.
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

// quoted returns the printable characters of untrusted text, at most reasonLimit bytes, as `: "text"`; empty if there are none.
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
