package chains

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// method is what the door knows of one JSON-RPC method: what it may cost, and what its answer depends on.
type method struct {
	// block is the place of the block among the parameters, counted from 1; 0 means that none is named.
	block int
	// newest says that the answer speaks of the newest block although no parameter names one.
	newest bool
	// byHash says that the parameters name a block by its hash.
	byHash bool
	// mined says that the parameters name a transaction, which may or may not be in a block.
	mined bool
	// heavy says that a node takes longer for it than for a look at one value, and that the answer may be large.
	heavy bool
	// changes says that the chain, or a node, is another afterwards: such requests are not shared.
	changes bool
	// once says that a second node must not get it while the first may have taken it.
	once bool
	// shows is the member of the result that repeats the first parameter; empty where there is none.
	shows string
}

// methodOf returns what the door knows of a method on a network; false means that the door does not open for it.
func methodOf(n Network, name string) (method, bool) {
	namespace, _, _ := strings.Cut(n.ChainID, ":")
	if m, ok := methods[namespace][name]; ok {
		return m, true
	}
	return method{heavy: true, changes: true}, n.isEVM() && n.Dev && hasAnyPrefix(name, devNamespaces)
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// blockRef is which block a read speaks of.
type blockRef struct {
	// number is set where exact is.
	number uint64
	// exact says that the block is named by its number, hashed that it is named by its hash; neither means the newest one.
	exact, hashed bool
}

// blockOf reads which block params name at place, counted from 1. None means the newest, as nodes take it.
func blockOf(params json.RawMessage, place int) blockRef {
	var list []json.RawMessage
	if json.Unmarshal(params, &list) != nil || len(list) < place {
		return blockRef{}
	}
	return readBlock(list[place-1])
}

// readBlock reads a block parameter: a number, a hash, a tag, or the object of EIP-1898.
func readBlock(raw json.RawMessage) blockRef {
	var tag string
	if json.Unmarshal(raw, &tag) != nil {
		named, ok := jsonrpc.Members(raw)
		if !ok {
			return blockRef{}
		}
		if named["blockHash"] != nil {
			return blockRef{hashed: true}
		}
		if json.Unmarshal(named["blockNumber"], &tag) != nil {
			return blockRef{}
		}
	}
	if tag == "earliest" {
		return blockRef{exact: true}
	}
	if len(tag) == 66 {
		return blockRef{hashed: true}
	}
	number, ok := parseQuantity(tag)
	return blockRef{number: number, exact: ok}
}

// parseQuantity reads a JSON-RPC quantity, such as 0x1b4.
func parseQuantity(s string) (uint64, bool) {
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

func quantity(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }
