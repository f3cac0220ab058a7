package pools

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// callTimeout bounds one request to a chain's nodes.
const callTimeout = 10 * time.Second

// errMoved is the error of a chain that changed while it was read. The read can be repeated.
var errMoved = chainclient.ErrMoved

// errNoLogs is the error of a node that refuses to return logs.
var errNoLogs = errors.New("the node returns no logs")

// node reads one chain.
type node struct {
	chainID string
	send    chainclient.Transport
	reader  *evm.Reader
	// refused counts consecutive calls in which nodes did not execute the program.
	refused *atomic.Int32
	// steps is how many blocks are applied one by one; across a wider gap, pools are read again.
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

// filter is the argument of eth_getLogs without the blocks.
type filter map[string]any

// newest reads the newest block's header, with more calls in the same batch.
func (n node) newest(ctx context.Context, more ...chainclient.Call) (header, []chainclient.Result, error) {
	results, err := n.send.Batch(ctx, append([]chainclient.Call{blockByNumber("latest")}, more...)...)
	if err != nil {
		return header{}, nil, err
	}
	h, err := readHeader(results[0])
	return h, results[1:], err
}

// block reads one block's header and those of its logs that pass the filter.
func (n node) block(ctx context.Context, name string, f filter) (header, []event, error) {
	results, err := n.send.Batch(ctx,
		chainclient.Call{Method: "eth_getBlockByHash", Params: []any{name, false}},
		chainclient.Call{Method: "eth_getLogs", Params: []any{f.with("blockHash", name)}},
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
	var questions []chainclient.Call
	for number := from; number <= to; number++ {
		questions = append(questions, blockByNumber(quantity(number)))
	}
	questions = append(questions, logsBetween(from, to, f))
	results, err := n.send.Batch(ctx, questions...)
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
	questions := make([]chainclient.Call, len(numbers))
	for i, number := range numbers {
		questions[i] = blockByNumber(quantity(number))
	}
	results, err := n.send.Batch(ctx, questions...)
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

// since reads the logs of a wide range that pass any of the filters, if the block before the range is still the known one. It also reads the block last,
// which a node that lags behind does not have: such a node returns fewer logs without an error.
func (n node) since(ctx context.Context, known header, last header, filters []filter) ([]event, error) {
	questions := []chainclient.Call{blockByNumber(quantity(known.number)), {Method: "eth_getBlockByHash", Params: []any{last.hash.String(), false}}}
	for _, f := range filters {
		questions = append(questions, logsBetween(known.number+1, last.number, f))
	}
	results, err := n.send.Batch(ctx, questions...)
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

func blockByNumber(block string) chainclient.Call {
	return chainclient.Call{Method: "eth_getBlockByNumber", Params: []any{block, false}}
}

func logsBetween(from, to uint64, f filter) chainclient.Call {
	return chainclient.Call{Method: "eth_getLogs", Params: []any{f.with("fromBlock", quantity(from)).with("toBlock", quantity(to))}}
}

// readHeader decodes a header. It fails with errMoved if there is no such block.
func readHeader(r chainclient.Result) (header, error) {
	h, err := r.Header()
	if err != nil {
		return header{}, err
	}
	return header{h.Number, h.Hash, h.Parent, h.Time}, nil
}

func readEvents(r chainclient.Result) ([]event, error) {
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoLogs, err)
	}
	logs, err := r.Logs()
	if err != nil {
		return nil, err
	}
	events := make([]event, len(logs))
	for i, l := range logs {
		events[i] = event{contract: l.Contract, topics: l.Topics, data: l.Data, block: *l.Block, number: uint64(l.Number)}
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
type hash = common.Hash

func quantity(n uint64) string { return chainclient.Uint64(n).String() }
