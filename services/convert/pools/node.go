package pools

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
)

// callTimeout bounds one body to a chain's nodes.
const callTimeout = 10 * time.Second

var (
	// errMoved says that the chain changed while it was read: reading again gives its new shape.
	errMoved = errors.New("the chain changed while it was read")
	// errNoLogs says that a node was reached and does not want to give logs.
	errNoLogs = errors.New("the node gives no logs")
	// errAnswer says that what a node answered cannot be used.
	errAnswer = errors.New("the node's answer cannot be used")
)

// node reads one chain.
type node struct {
	chainID string
	send    evm.Transport
	reader  *evm.Reader
	// refused counts how often in a row nodes did not run the program.
	refused *atomic.Int32
	// steps is how many blocks are followed one by one; after more, what pools hold is read anew.
	steps uint64
}

// header links a block to the one before it.
type header struct {
	number       uint64
	hash, parent hash
	// time is in seconds since 1970.
	time int64
}

func (h header) block() Block {
	return Block{Number: h.number, Hash: h.hash.String(), Time: time.Unix(h.time, 0)}
}

// event is one log of a block.
type event struct {
	contract evm.Address
	topics   []hash
	data     []byte
	block    hash
	number   uint64
}

// filter is what eth_getLogs takes beside the blocks.
type filter map[string]any

// newest reads the newest block's header, and asks more questions in the same body.
func (n node) newest(ctx context.Context, more ...evm.Question) (header, []evm.Result, error) {
	results, err := evm.Ask(ctx, n.send, append([]evm.Question{blockByNumber("latest")}, more...)...)
	if err != nil {
		return header{}, nil, err
	}
	h, err := readHeader(results[0])
	return h, results[1:], err
}

// block reads one block's header and those of its logs that pass the filter.
func (n node) block(ctx context.Context, name string, f filter) (header, []event, error) {
	results, err := evm.Ask(ctx, n.send,
		evm.Question{Method: "eth_getBlockByHash", Params: []any{name, false}},
		evm.Question{Method: "eth_getLogs", Params: []any{f.with("blockHash", name)}},
	)
	if err != nil {
		return header{}, nil, err
	}
	h, err := readHeader(results[0])
	if err != nil {
		return header{}, nil, err
	}
	events, err := readEvents(results[1])
	if err != nil {
		return header{}, nil, err
	}
	return h, events, sameBlock(h, events)
}

// blocks reads the headers of blocks from to to, which must be linked, and their logs that pass the filter.
func (n node) blocks(ctx context.Context, from, to uint64, f filter) ([]header, []event, error) {
	var questions []evm.Question
	for number := from; number <= to; number++ {
		questions = append(questions, blockByNumber(quantity(number)))
	}
	questions = append(questions, logsBetween(from, to, f))
	results, err := evm.Ask(ctx, n.send, questions...)
	if err != nil {
		return nil, nil, err
	}
	headers := make([]header, to-from+1)
	for i := range headers {
		if headers[i], err = readHeader(results[i]); err != nil {
			return nil, nil, err
		}
		if i > 0 && headers[i].parent != headers[i-1].hash {
			return nil, nil, fmt.Errorf("%w: block %d does not follow the one before", errMoved, headers[i].number)
		}
	}
	events, err := readEvents(results[len(headers)])
	if err != nil {
		return nil, nil, err
	}
	for _, e := range events {
		if e.number < from || e.number > to || headers[e.number-from].hash != e.block {
			return nil, nil, fmt.Errorf("%w: a log of another block %d", errMoved, e.number)
		}
	}
	return headers, events, nil
}

// headers reads the headers of blocks by their numbers; the zero header where there is no such block.
func (n node) headers(ctx context.Context, numbers []uint64) ([]header, error) {
	questions := make([]evm.Question, len(numbers))
	for i, number := range numbers {
		questions[i] = blockByNumber(quantity(number))
	}
	results, err := evm.Ask(ctx, n.send, questions...)
	if err != nil {
		return nil, err
	}
	headers := make([]header, len(numbers))
	for i, r := range results {
		if headers[i], err = readHeader(r); err != nil && !errors.Is(err, errMoved) {
			return nil, err
		}
	}
	return headers, nil
}

// since reads the logs of a wide range that pass any of the filters, if the block before the range is still the one that is known. last must be
// within the node's reach: one that lags answers fewer logs without a word, but cannot show it.
func (n node) since(ctx context.Context, known header, last header, filters []filter) ([]event, error) {
	questions := []evm.Question{blockByNumber(quantity(known.number)), {Method: "eth_getBlockByHash", Params: []any{last.hash.String(), false}}}
	for _, f := range filters {
		questions = append(questions, logsBetween(known.number+1, last.number, f))
	}
	results, err := evm.Ask(ctx, n.send, questions...)
	if err != nil {
		return nil, err
	}
	for i, want := range []header{known, last} {
		if h, err := readHeader(results[i]); err != nil || h.hash != want.hash {
			return nil, fmt.Errorf("%w: block %d is another one", errMoved, want.number)
		}
	}
	var all []event
	for _, r := range results[2:] {
		events, err := readEvents(r)
		if err != nil {
			return nil, err
		}
		all = append(all, events...)
	}
	return all, nil
}

func (f filter) with(key, value string) filter {
	whole := filter{key: value}
	for k, v := range f {
		whole[k] = v
	}
	return whole
}

func blockByNumber(block string) evm.Question {
	return evm.Question{Method: "eth_getBlockByNumber", Params: []any{block, false}}
}

func logsBetween(from, to uint64, f filter) evm.Question {
	return evm.Question{Method: "eth_getLogs", Params: []any{f.with("fromBlock", quantity(from)).with("toBlock", quantity(to))}}
}

// readHeader fails with errMoved where there is no such block.
func readHeader(r evm.Result) (header, error) {
	raw, err := r.JSON()
	if err != nil {
		return header{}, err
	}
	var wire *struct {
		Number     wireNumber `json:"number"`
		Hash       hash       `json:"hash"`
		ParentHash hash       `json:"parentHash"`
		Timestamp  wireNumber `json:"timestamp"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return header{}, fmt.Errorf("%w: a header: %w", errAnswer, err)
	}
	if wire == nil || wire.Hash == (hash{}) {
		return header{}, fmt.Errorf("%w: no such block", errMoved)
	}
	return header{uint64(wire.Number), wire.Hash, wire.ParentHash, int64(wire.Timestamp)}, nil
}

func readEvents(r evm.Result) ([]event, error) {
	raw, err := r.JSON()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoLogs, err)
	}
	var wire []struct {
		Address evm.Address `json:"address"`
		Topics  []hash      `json:"topics"`
		Data    wireBytes   `json:"data"`
		Block   *hash       `json:"blockHash"`
		Number  wireNumber  `json:"blockNumber"`
		Removed bool        `json:"removed"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return nil, fmt.Errorf("%w: logs: %w", errAnswer, err)
	}
	events := make([]event, len(wire))
	for i, w := range wire {
		if w.Block == nil || w.Removed {
			return nil, fmt.Errorf("%w: a log of no block", errMoved)
		}
		events[i] = event{contract: w.Address, topics: w.Topics, data: w.Data, block: *w.Block, number: uint64(w.Number)}
	}
	return events, nil
}

func sameBlock(h header, events []event) error {
	for _, e := range events {
		if e.block != h.hash {
			return fmt.Errorf("%w: a log of another block %d", errMoved, e.number)
		}
	}
	return nil
}

// hash is the Keccak-256 hash of a block or of an event's signature.
type hash [32]byte

// UnmarshalText reads 0x and 64 hex digits.
func (h *hash) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), "0x")
	if !ok || len(digits) != 2*len(h) {
		return errors.New("not a hash")
	}
	_, err := hex.Decode(h[:], []byte(digits))
	return err
}

func (h hash) String() string { return evm.Hex(h[:]) }

// wireNumber is a JSON-RPC QUANTITY of up to 64 bits.
type wireNumber uint64

// UnmarshalText reads 0x and hex digits.
func (n *wireNumber) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), "0x")
	if !ok {
		return errors.New("not a quantity")
	}
	parsed, err := strconv.ParseUint(digits, 16, 64)
	*n = wireNumber(parsed)
	return err
}

// wireBytes is JSON-RPC DATA.
type wireBytes []byte

// UnmarshalText reads 0x and an even number of hex digits.
func (b *wireBytes) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), "0x")
	if !ok {
		return errors.New("not data")
	}
	decoded, err := hex.DecodeString(digits)
	*b = decoded
	return err
}

func quantity(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }
