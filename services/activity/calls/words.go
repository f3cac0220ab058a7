package calls

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const wordSize = common.HashLength

// words is ABI-encoded data. Its methods return parts of it without copying them, so that data in which many members point to the same part takes no
// more memory than its length. All of them return false for data that is too short or malformed.
type words []byte

// arguments returns what follows the selector.
func arguments(input, selector []byte) (words, bool) {
	if len(selector) != selectorSize || len(input) < selectorSize || string(input[:selectorSize]) != string(selector) {
		return nil, false
	}
	return words(input[selectorSize:]), true
}

// word returns the word at an index.
func (w words) word(i int) ([]byte, bool) {
	if i < 0 || i >= len(w)/wordSize {
		return nil, false
	}
	return w[i*wordSize : (i+1)*wordSize], true
}

// address returns an address, whose word starts with zeros.
func (w words) address(i int) (evm.Address, bool) {
	b, ok := w.word(i)
	if !ok || !isZero(b[:wordSize-common.AddressLength]) {
		return evm.Address{}, false
	}
	return evm.Address(b[wordSize-common.AddressLength:]), true
}

// number returns an unsigned integer.
func (w words) number(i int) (*big.Int, bool) {
	b, ok := w.word(i)
	return new(big.Int).SetBytes(b), ok
}

// size returns an offset or a length, which is at most the length of the data.
func (w words) size(i int) (int, bool) {
	n, ok := w.number(i)
	if !ok || !n.IsInt64() || n.Int64() > int64(len(w)) {
		return 0, false
	}
	return int(n.Int64()), true
}

// tail returns the data from the offset at an index.
func (w words) tail(i int) (words, bool) {
	offset, ok := w.size(i)
	if !ok {
		return nil, false
	}
	return w[offset:], true
}

// bytes returns a `bytes`.
func (w words) bytes(i int) ([]byte, bool) {
	tail, ok := w.tail(i)
	if !ok {
		return nil, false
	}
	n, ok := tail.size(0)
	if !ok || n > len(tail)-wordSize {
		return nil, false
	}
	return tail[wordSize : wordSize+n], true
}

// list returns what follows the length of a list, and the length, which is at most limit.
func (w words) list(i, limit int) (items words, n int, ok bool) {
	tail, ok := w.tail(i)
	if !ok {
		return nil, 0, false
	}
	n, ok = tail.size(0)
	if !ok || n > limit || n > len(tail)/wordSize-1 {
		return nil, 0, false
	}
	return tail[wordSize:], n, true
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
