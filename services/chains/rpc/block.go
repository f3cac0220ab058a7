package rpc

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// blockRef is the block that a read refers to. Without any flag set it is the newest block.
type blockRef struct {
	// number is valid if exact is set.
	number uint64
	// exact is set for a block given by number, hashed for one given by hash.
	exact, hashed bool
}

// blockParam parses the block parameter at index, counted from 1. A missing one means the newest block, as for nodes.
func blockParam(params json.RawMessage, index int) blockRef {
	var list []json.RawMessage
	if json.Unmarshal(params, &list) != nil || len(list) < index {
		return blockRef{}
	}
	return parseBlock(list[index-1])
}

// parseBlock parses a block parameter: a number, a hash, a tag, or the object of EIP-1898.
func parseBlock(raw json.RawMessage) blockRef {
	var tag string
	if json.Unmarshal(raw, &tag) != nil {
		members, ok := jsonrpc.Members(raw)
		if !ok {
			return blockRef{}
		}
		if members["blockHash"] != nil {
			return blockRef{hashed: true}
		}
		if json.Unmarshal(members["blockNumber"], &tag) != nil {
			return blockRef{}
		}
	}
	if tag == "earliest" {
		return blockRef{exact: true}
	}
	if len(tag) == hashLength {
		return blockRef{hashed: true}
	}
	number, ok := ParseQuantity(tag)
	return blockRef{number: number, exact: ok}
}

// isHash reports whether a text is 0x and 64 hex digits.
func isHash(text string) bool {
	digits, ok := strings.CutPrefix(text, "0x")
	_, err := hex.DecodeString(digits)
	return ok && err == nil && len(text) == hashLength
}

// hashLength is the length of a 32-byte hash in hex, with 0x.
const hashLength = 66

// ParseQuantity parses a JSON-RPC quantity such as 0x1b4. Unlike hexutil.DecodeUint64 it accepts leading zeros, which some nodes send.
func ParseQuantity(s string) (uint64, bool) {
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// Quantity formats n as a JSON-RPC quantity.
func Quantity(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// BlockNumber returns the block number in a result: a bare quantity, the number of a block, or the blockNumber of
// something in a block.
func BlockNumber(result json.RawMessage) (uint64, bool) {
	var number string
	if json.Unmarshal(result, &number) == nil {
		return ParseQuantity(number)
	}
	var block struct {
		Number      string `json:"number"`
		BlockNumber string `json:"blockNumber"`
	}
	if json.Unmarshal(result, &block) != nil {
		return 0, false
	}
	return ParseQuantity(cmp.Or(block.Number, block.BlockNumber))
}

// Head identifies the newest block of a chain.
type Head struct {
	Number     uint64
	Hash       string
	ParentHash string
	// Timestamp is in seconds since 1970.
	Timestamp int64
}

// ParseHead parses the header fields of a whole response to eth_getBlockByNumber or eth_getBlockByHash.
func ParseHead(response []byte) (Head, error) {
	var read struct {
		Result *struct {
			Number     string `json:"number"`
			Hash       string `json:"hash"`
			ParentHash string `json:"parentHash"`
			Timestamp  string `json:"timestamp"`
		} `json:"result"`
	}
	if err := json.Unmarshal(response, &read); err != nil || read.Result == nil {
		return Head{}, errors.New("the node returned no block")
	}
	block := read.Result
	number, err := strconv.ParseUint(strings.TrimPrefix(block.Number, "0x"), 16, 64)
	if err != nil {
		return Head{}, errors.New("the block has no number")
	}
	timestamp, err := strconv.ParseInt(strings.TrimPrefix(block.Timestamp, "0x"), 16, 64)
	if err != nil {
		return Head{}, errors.New("the block has no timestamp")
	}
	if len(block.Hash) != hashLength || len(block.ParentHash) != hashLength {
		return Head{}, errors.New("the block has no hash")
	}
	return Head{Number: number, Hash: block.Hash, ParentHash: block.ParentHash, Timestamp: timestamp}, nil
}
