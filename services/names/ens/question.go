package ens

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// Kind is the kind of a requested record.
type Kind string

// The kinds. Other is a kind that is not supported.
const (
	Address     Kind = "addr(bytes32)"
	CoinAddress Kind = "addr(bytes32,uint256)"
	Text        Kind = "text(bytes32,string)"
	ContentHash Kind = "contenthash(bytes32)"
	PrimaryName Kind = "name(bytes32)"
	Other       Kind = ""
)

// ErrMalformed is the error of a call that requests no record of a name.
var ErrMalformed = errors.New("not a call of resolve(bytes,bytes)")

// Question is a request for one record of a name.
type Question struct {
	// Name is dotted, such as alice.hawser.id.
	Name string
	Kind Kind
	// CoinType is the coin type of the address (ENSIP-9); nil for other kinds than CoinAddress.
	CoinType *big.Int
	// Key is the key of the text record (ENSIP-5).
	Key string
}

const selectorSize = 4

var (
	resolve   = [selectorSize]byte(evm.Selector("resolve(bytes,bytes)"))
	multicall = [selectorSize]byte(evm.Selector("multicall(bytes[])"))
	bytesType = calldata.Types("(bytes)")
	bytesList = calldata.Types("(bytes[])")
	kinds     = bySelector(Address, CoinAddress, Text, ContentHash, PrimaryName)
)

func bySelector(all ...Kind) map[[selectorSize]byte]Kind {
	by := map[[selectorSize]byte]Kind{}
	for _, kind := range all {
		by[[selectorSize]byte(evm.Selector(string(kind)))] = kind
	}
	return by
}

// Call is a request for one or several records of a name.
type Call struct {
	// Name is dotted, such as alice.hawser.id; all questions are about it.
	Name      string
	Questions []Question
	// batched means that the call is a multicall, whose answer is a list.
	batched bool
}

// maxQuestions bounds the records of one call.
const maxQuestions = 64

// ReadCall decodes a call of `resolve(bytes name, bytes data)` (ENSIP-10), where data may be a `multicall(bytes[])` of questions. It fails with
// [ErrMalformed], also if name and data are about different names.
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

// Answer encodes the result of the call from the records of its questions.
func (c Call) Answer(records []Record) Record {
	if !c.batched {
		return records[0]
	}
	all := make([][]byte, len(records))
	for i, r := range records {
		all[i] = r
	}
	return bytesList.Write(all)
}

func (c Call) question(data []byte, node [calldata.WordSize]byte) (Question, error) {
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

// read decodes the arguments of the kind.
func (q Question) read(args calldata.View) (Question, error) {
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

func split(call []byte) (selector [selectorSize]byte, args calldata.View, ok bool) {
	if len(call) < selectorSize {
		return selector, nil, false
	}
	return [selectorSize]byte(call), calldata.View(call[selectorSize:]), true
}

// parseHex parses a coin type of ENSIP-19: lower-case hex digits without leading zeros.
func parseHex(label string) (uint32, error) {
	n, err := strconv.ParseUint(label, 16, 32)
	if err == nil && strconv.FormatUint(n, 16) != label {
		err = ErrMalformed
	}
	return uint32(n), err
}

// Record is the ABI-encoded result of the function that requests it.
type Record []byte

// None is the record of an unsupported kind.
var None = Record{}

// AddressRecord is a record of kind Address; the zero address means none.
func AddressRecord(a evm.Address) Record { return evm.Word(a) }

// BytesRecord is a record of kind CoinAddress or ContentHash; empty means none.
func BytesRecord(b []byte) Record { return bytesType.Write(b) }

// StringRecord is a record of kind Text or PrimaryName.
func StringRecord(s string) Record { return BytesRecord([]byte(s)) }

// Empty returns the empty record of a kind.
func Empty(k Kind) Record {
	switch k {
	case Address:
		return AddressRecord(evm.Address{})
	case CoinAddress, ContentHash, Text, PrimaryName:
		return BytesRecord(nil)
	}
	return None
}
