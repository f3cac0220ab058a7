package ens

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/abi"
)

// Kind says what is asked of a name.
type Kind string

// The kinds. Other is what this package knows nothing of.
const (
	Address     Kind = "addr(bytes32)"
	CoinAddress Kind = "addr(bytes32,uint256)"
	Text        Kind = "text(bytes32,string)"
	ContentHash Kind = "contenthash(bytes32)"
	PrimaryName Kind = "name(bytes32)"
	Other       Kind = ""
)

// ErrMalformed is what a call gives that asks nothing of a name.
var ErrMalformed = errors.New("not a call of resolve(bytes,bytes)")

// Question is what a client wants to know of a name.
type Question struct {
	// Name is dotted, such as alice.hawser.id.
	Name string
	Kind Kind
	// CoinType is whose address is asked for (ENSIP-9); nil unless that is CoinAddress.
	CoinType *big.Int
	// Key is which text is asked for (ENSIP-5).
	Key string
}

const selectorSize = 4

var (
	resolve   = [selectorSize]byte(evm.Selector("resolve(bytes,bytes)"))
	multicall = [selectorSize]byte(evm.Selector("multicall(bytes[])"))
	kinds     = bySelector(Address, CoinAddress, Text, ContentHash, PrimaryName)
)

func bySelector(all ...Kind) map[[selectorSize]byte]Kind {
	by := map[[selectorSize]byte]Kind{}
	for _, kind := range all {
		by[[selectorSize]byte(evm.Selector(string(kind)))] = kind
	}
	return by
}

// Call is what a client wants: one record of a name, or several at once.
type Call struct {
	// Name is dotted, such as alice.hawser.id; all questions are about it.
	Name      string
	Questions []Question
	// batched says that they came in a multicall, and are answered so.
	batched bool
}

// maxQuestions bounds what one call may ask.
const maxQuestions = 64

// ReadCall reads a call of `resolve(bytes name, bytes data)` (ENSIP-10), where data may be a `multicall(bytes[])` of questions. It fails with
// [ErrMalformed], also where name and data are about different names.
func ReadCall(call []byte) (Call, error) {
	selector, args, ok := split(call)
	if !ok || selector != resolve {
		return Call{}, ErrMalformed
	}
	dns, named := args.Bytes(0)
	data, wanted := args.Bytes(1)
	labels, ok := readName(dns)
	if !named || !wanted || !ok {
		return Call{}, ErrMalformed
	}
	c := Call{Name: strings.Join(labels, ".")}
	all := [][]byte{data}
	if selector, args, ok := split(data); ok && selector == multicall {
		c.batched = true
		if all, ok = args.BytesList(0); !ok || len(all) > maxQuestions {
			return Call{}, ErrMalformed
		}
	}
	for _, one := range all {
		q, err := c.question(one, node(labels))
		if err != nil {
			return Call{}, err
		}
		c.Questions = append(c.Questions, q)
	}
	return c, nil
}

// Answer spells the records, one a question, as the client wants them.
func (c Call) Answer(records []Record) Record {
	if !c.batched {
		return records[0]
	}
	all := make([][]byte, len(records))
	for i, r := range records {
		all[i] = r
	}
	return abi.Encode(abi.BytesList(all))
}

func (c Call) question(data []byte, node [abi.WordSize]byte) (Question, error) {
	selector, args, ok := split(data)
	if !ok {
		return Question{}, ErrMalformed
	}
	q := Question{Name: c.Name, Kind: kinds[selector]}
	if q.Kind == Other {
		return q, nil
	}
	if about, ok := args.Word(0); !ok || about != node {
		return Question{}, ErrMalformed
	}
	return q.read(args)
}

// read reads what the kind wants beside the name.
func (q Question) read(args abi.Values) (Question, error) {
	switch q.Kind {
	case CoinAddress:
		coinType, ok := args.Word(1)
		if !ok {
			return Question{}, ErrMalformed
		}
		q.CoinType = new(big.Int).SetBytes(coinType[:])
	case Text:
		key, ok := args.Bytes(1)
		if !ok {
			return Question{}, ErrMalformed
		}
		q.Key = string(key)
	}
	return q, nil
}

func split(call []byte) (selector [selectorSize]byte, args abi.Values, ok bool) {
	if len(call) < selectorSize {
		return selector, nil, false
	}
	return [selectorSize]byte(call), abi.Values(call[selectorSize:]), true
}

// parseHex reads a coin type as ENSIP-19 spells it: lower case, no zero before it.
func parseHex(label string) (uint32, error) {
	n, err := strconv.ParseUint(label, 16, 32)
	if err == nil && strconv.FormatUint(n, 16) != label {
		err = ErrMalformed
	}
	return uint32(n), err
}

// Record is what a name says to a question, as the ABI spells what the asked function returns.
type Record []byte

// None is the record of a kind that nobody knows.
var None = Record{}

// AddressRecord answers Address; the zero address says that there is none.
func AddressRecord(a evm.Address) Record { return evm.Word(a) }

// BytesRecord answers CoinAddress and ContentHash; no bytes say that there is nothing.
func BytesRecord(b []byte) Record { return abi.Encode(abi.Bytes(b)) }

// StringRecord answers Text and PrimaryName.
func StringRecord(s string) Record { return BytesRecord([]byte(s)) }

// Empty says that a name has nothing of a kind.
func Empty(k Kind) Record {
	switch k {
	case Address:
		return AddressRecord(evm.Address{})
	case CoinAddress, ContentHash, Text, PrimaryName:
		return BytesRecord(nil)
	}
	return None
}
