// Package node reads blocks, logs and receipts of an EVM chain over JSON-RPC, many in one round trip.
//
// Responses are checked: blocks must be linked by the hashes of their parents, logs are read by the hash of their block if it is known, and
// a receipt must be from the expected block.
package node

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// ErrMoved is returned if the chain changed while it was read. The read can be repeated.
var ErrMoved = chainclient.ErrMoved

// Reader reads blocks, logs and receipts. It is safe for concurrent use.
type Reader struct {
	connect func(chainID string) chainclient.Transport
	tracer  Tracer
	memory  *limit.Memory

	mu sync.Mutex
	// traced has the chains whose last block was traced.
	traced map[string]bool
}

// NewReader returns a reader. connect returns the transport to the nodes of a chain, by CAIP-2 id. Without a tracer, which may be nil, native tokens that
// calls moved are known only as far as logs and calldata tell them. Answers take their bytes from memory, in which all readers of the process have one
// share; if it is nil, they have no limit. A read that is refused bytes fails with [limit.ErrMemory], and can be repeated when others have ended.
func NewReader(connect func(chainID string) chainclient.Transport, tracer Tracer, memory *limit.Memory) *Reader {
	return &Reader{connect: connect, tracer: tracer, memory: memory, traced: map[string]bool{}}
}

// largestBlock bounds the answers that are read of the transactions of one block, in bytes. Transactions beyond it are left out.
const largestBlock = 16 << 20

// decodedSize is how many bytes an answer takes for each of its own while it is decoded: the text and its values.
const decodedSize = 2

// call is one JSON-RPC call and the destination of its result.
type call struct {
	chainclient.Call
	into any
}

// send makes the calls and decodes their results. The error of a node is a [*chainclient.NodeError]. Bytes are held until the values of all calls are
// decoded.
func (r *Reader) send(ctx context.Context, chainID string, calls []call) error {
	_, err := r.sendSized(ctx, chainID, calls)
	return err
}

// sendSized is [Reader.send], and returns the size of the answers in bytes.
func (r *Reader) sendSized(ctx context.Context, chainID string, calls []call) (size int64, err error) {
	held := r.memory.HoldOwn("activity")
	defer held.Release()
	connected := r.connect(chainID)
	weighed := chainclient.Transport(func(ctx context.Context, body []byte) ([]byte, error) {
		answer, err := connected(ctx, body)
		if err == nil {
			size += int64(len(answer))
			err = held.Grow(decodedSize * int64(len(answer)))
		}
		return answer, err
	})
	plain := make([]chainclient.Call, len(calls))
	for i, c := range calls {
		plain[i] = c.Call
	}
	results, err := weighed.Batch(ctx, plain...)
	if err != nil {
		return size, err
	}
	for i, c := range calls {
		if err := results[i].Decode(c.into); err != nil {
			return size, fmt.Errorf("%s: %w", c.Method, err)
		}
	}
	return size, nil
}

// sendEach makes the calls that read one block, and reports for each whether it was answered. A call whose answer is too large by itself is left out, and so
// are those after the answers took largestBlock bytes: one transaction must not stop the index of its chain.
func (r *Reader) sendEach(ctx context.Context, chainID string, calls []call) (answered []bool, err error) {
	answered = make([]bool, len(calls))
	left := int64(largestBlock)
	some := func(from, to int) error {
		if left <= 0 {
			return nil
		}
		size, err := r.sendSized(ctx, chainID, calls[from:to])
		left -= size
		for i := from; err == nil && i < to; i++ {
			answered[i] = true
		}
		return err
	}
	for from := 0; from < len(calls); from += jsonrpc.BatchLimit {
		to := min(from+jsonrpc.BatchLimit, len(calls))
		err := some(from, to)
		if chainclient.IsTooLarge(err) {
			err = nil
			for i := from; err == nil && i < to; i++ {
				if err = some(i, i+1); chainclient.IsTooLarge(err) {
					err = nil
				}
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return answered, nil
}

// Found is a transaction with its receipt and the header of its block.
type Found struct {
	Header      Header
	Transaction Transaction
	Receipt     Receipt
	// Inner are the native tokens that calls inside the transaction moved, as far as they are known.
	Inner []Inner
}

// Head reads the header of the newest block.
func (r *Reader) Head(ctx context.Context, chainID string) (Header, error) {
	var block *chainclient.HeaderJSON
	if err := r.send(ctx, chainID, []call{{chainclient.LatestBlock(), &block}}); err != nil {
		return Header{}, err
	}
	if block == nil || block.Hash == (Hash{}) {
		return Header{}, fmt.Errorf("%w: no newest block", chainclient.ErrAnswer)
	}
	return block.Header(), nil
}

// Headers reads the headers of blocks from to to, which must be linked. It fails with [ErrMoved] if they are not, or do not exist.
func (r *Reader) Headers(ctx context.Context, chainID string, from, to uint64) ([]Header, error) {
	read := make([]*chainclient.HeaderJSON, to-from+1)
	calls := make([]call, len(read))
	for i := range read {
		calls[i] = call{chainclient.BlockByNumber(from+uint64(i), false), &read[i]}
	}
	if err := r.send(ctx, chainID, calls); err != nil {
		return nil, err
	}
	headers := make([]Header, len(read))
	for i, h := range read {
		if h == nil {
			return nil, fmt.Errorf("%w: no block %d", ErrMoved, from+uint64(i))
		}
		headers[i] = h.Header()
	}
	return headers, linked(headers)
}

// Block reads the block of a header, and returns its transactions that involve the accounts. Of a block, logs or a receipt that no node returns because
// of their size, the rest is returned.
func (r *Reader) Block(ctx context.Context, chainID string, h Header, accounts []evm.Address) ([]Found, error) {
	var block *wireBlock
	logs, calls := logCalls(ofBlock(h.Hash), accounts)
	if len(accounts) > filteredAccounts {
		logs, calls = allLogs(ofBlock(h.Hash))
	}
	calls = append(calls, call{chainclient.BlockByHash(h.Hash, true), &block})
	err := r.send(ctx, chainID, calls)
	if chainclient.IsTooLarge(err) {
		return r.largeBlock(ctx, chainID, h, accounts)
	}
	if err != nil {
		return nil, err
	}
	if block == nil {
		return nil, fmt.Errorf("%w: no block %s", ErrMoved, h.Hash)
	}
	if len(accounts) > filteredAccounts {
		*logs[0] = naming(*logs[0], accounts)
	}
	named, err := logged(logs)
	if err != nil {
		return nil, err
	}
	return r.involving(ctx, chainID, []Block{block.block()}, named, accounts)
}

// largeBlock is [Reader.Block] for one that is too large to be read with its logs at once. If it is too large by itself, its transactions are those with
// logs.
func (r *Reader) largeBlock(ctx context.Context, chainID string, h Header, accounts []evm.Address) ([]Found, error) {
	named, err := r.logsOfOne(ctx, chainID, ofBlock(h.Hash), accounts)
	if err != nil {
		return nil, err
	}
	var block *wireBlock
	err = r.send(ctx, chainID, []call{{chainclient.BlockByHash(h.Hash, true), &block}})
	switch {
	case chainclient.IsTooLarge(err):
		found, err := r.readTransactions(ctx, chainID, named, true)
		if err != nil {
			return nil, err
		}
		return r.readReceipts(ctx, chainID, found, true)
	case err != nil:
		return nil, err
	case block == nil:
		return nil, fmt.Errorf("%w: no block %s", ErrMoved, h.Hash)
	}
	return r.involving(ctx, chainID, []Block{block.block()}, named, accounts)
}

// logsOfOne returns the blocks of the transactions of logs of one block that name one of the accounts. Logs that are too many are read by one filter, and for
// fewer accounts, at once. Those of one filter and account that are too many by themselves are left out.
func (r *Reader) logsOfOne(ctx context.Context, chainID string, blocks func(chainclient.LogFilter) chainclient.Call, accounts []evm.Address) (map[Hash]Hash, error) {
	named := map[Hash]Hash{}
	for some := range slices.Chunk(accounts, accountsPerFilter) {
		for _, p := range positions {
			if err := r.logsOfPosition(ctx, chainID, blocks, p, some, named); err != nil {
				return nil, err
			}
		}
	}
	return named, nil
}

// logParts is into how many parts accounts are divided whose logs are too many. The more they are, the fewer times the logs of the account are read
// that a transaction names so often.
const logParts = 16

// logsOfPosition adds the transactions of the logs of one filter to named.
func (r *Reader) logsOfPosition(ctx context.Context, chainID string, blocks func(chainclient.LogFilter) chainclient.Call, p position, accounts []evm.Address, named map[Hash]Hash) error {
	var logs []chainclient.LogJSON
	err := r.send(ctx, chainID, []call{{blocks(p.filter(accounts)), &logs}})
	if !chainclient.IsTooLarge(err) {
		if err == nil {
			err = addLogged(named, logs)
		}
		return err
	}
	if len(accounts) == 1 {
		return nil
	}
	for part := range slices.Chunk(accounts, (len(accounts)+logParts-1)/logParts) {
		if err := r.logsOfPosition(ctx, chainID, blocks, p, part, named); err != nil {
			return err
		}
	}
	return nil
}

// Blocks reads blocks from to to, which must be linked, and returns their transactions that involve the accounts. It fails with [ErrMoved] as
// [Reader.Headers] does.
func (r *Reader) Blocks(ctx context.Context, chainID string, from, to uint64, accounts []evm.Address) ([]Header, []Found, error) {
	read := make([]*wireBlock, to-from+1)
	logs, calls := logCalls(between(from, to), accounts)
	for i := range read {
		calls = append(calls, call{chainclient.BlockByNumber(from+uint64(i), true), &read[i]})
	}
	err := r.send(ctx, chainID, calls)
	if from == to && chainclient.IsTooLarge(err) {
		headers, err := r.Headers(ctx, chainID, from, to)
		if err != nil {
			return nil, nil, err
		}
		found, err := r.largeBlock(ctx, chainID, headers[0], accounts)
		return headers, found, err
	}
	if err != nil {
		return nil, nil, err
	}
	blocks := make([]Block, len(read))
	headers := make([]Header, len(read))
	for i, b := range read {
		if b == nil {
			return nil, nil, fmt.Errorf("%w: no block %d", ErrMoved, from+uint64(i))
		}
		blocks[i] = b.block()
		headers[i] = blocks[i].Header
	}
	if err := linked(headers); err != nil {
		return nil, nil, err
	}
	named, err := logged(logs)
	if err != nil {
		return nil, nil, err
	}
	found, err := r.involving(ctx, chainID, blocks, named, accounts)
	return headers, found, err
}

// involving reads the receipts of the transactions in blocks that an account sent or received, and of the named ones, which have their blocks.
func (r *Reader) involving(ctx context.Context, chainID string, blocks []Block, named map[Hash]Hash, accounts []evm.Address) ([]Found, error) {
	wanted := AccountsOf(accounts)
	traced, err := r.traces(ctx, chainID, blocks)
	if err != nil {
		return nil, err
	}
	var found []Found
	for _, b := range blocks {
		for _, t := range b.Transactions {
			ours := involves(t, wanted) || traced.name(b.Hash, t.Hash, wanted)
			block, hasLog := named[t.Hash]
			if hasLog && block != b.Hash {
				return nil, fmt.Errorf("%w: logs of another block %d", ErrMoved, b.Number)
			}
			if ours || hasLog {
				found = append(found, Found{Header: b.Header, Transaction: t})
			}
			delete(named, t.Hash)
		}
	}
	if len(named) > 0 {
		return nil, fmt.Errorf("%w: logs of transactions without a block", ErrMoved)
	}
	found, err = r.readReceipts(ctx, chainID, found, len(blocks) == 1)
	if err != nil {
		return nil, err
	}
	for i, f := range found {
		if moved, ok := traced[f.Header.Hash]; ok {
			found[i].Inner = moved[f.Transaction.Hash]
		}
	}
	return found, r.confirm(ctx, chainID, found, wanted)
}

// Logged reads the transactions of blocks from to to with a log that names one of the accounts, and the known ones.
// Transactions without such a log are not found.
func (r *Reader) Logged(ctx context.Context, chainID string, from, to uint64, accounts []evm.Address, known []Hash) ([]Found, error) {
	logs, calls := logCalls(between(from, to), accounts)
	// A lagging node silently returns fewer logs, but it does not have the last block either.
	var last *chainclient.HeaderJSON
	newest := call{chainclient.BlockByNumber(to, false), &last}
	isOne := from == to
	err := r.send(ctx, chainID, append(calls, newest))
	isLarge := isOne && chainclient.IsTooLarge(err)
	if isLarge {
		err = r.send(ctx, chainID, []call{newest})
	}
	if err != nil {
		return nil, err
	}
	if last == nil {
		return nil, fmt.Errorf("%w: no block %d", ErrMoved, to)
	}
	var named map[Hash]Hash
	if isLarge {
		named, err = r.logsOfOne(ctx, chainID, between(from, to), accounts)
	} else {
		named, err = logged(logs)
	}
	if err != nil {
		return nil, err
	}
	if err := r.locate(ctx, chainID, known, named, isOne); err != nil {
		return nil, err
	}
	found, err := r.readTransactions(ctx, chainID, named, isOne)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if f.Header.Number < from || f.Header.Number > to {
			return nil, fmt.Errorf("%w: transaction %s is in block %d", ErrMoved, f.Transaction.Hash, f.Header.Number)
		}
	}
	return r.readReceipts(ctx, chainID, found, isOne)
}

// sendBlocks makes the calls that read blocks, and reports which were answered: all of them unless it is one block, see [Reader.sendEach].
func (r *Reader) sendBlocks(ctx context.Context, chainID string, calls []call, isOne bool) (answered []bool, err error) {
	if isOne {
		return r.sendEach(ctx, chainID, calls)
	}
	return slices.Repeat([]bool{true}, len(calls)), r.send(ctx, chainID, calls)
}

// locate adds the blocks of the known transactions to named.
func (r *Reader) locate(ctx context.Context, chainID string, known []Hash, named map[Hash]Hash, isOne bool) error {
	var calls []call
	var hashes []Hash
	read := map[Hash]*wireTransaction{}
	for _, hash := range known {
		if _, there := named[hash]; there || read[hash] != nil {
			continue
		}
		read[hash] = &wireTransaction{}
		hashes = append(hashes, hash)
		calls = append(calls, call{chainclient.Call{Method: "eth_getTransactionByHash", Params: []any{hash.String()}}, read[hash]})
	}
	answered, err := r.sendBlocks(ctx, chainID, calls, isOne)
	if err != nil {
		return err
	}
	for i, hash := range hashes {
		t := read[hash]
		if answered[i] && t.Block == nil {
			return fmt.Errorf("%w: transaction %s is in no block", ErrMoved, hash)
		}
		if answered[i] {
			named[hash] = *t.Block
		}
	}
	return nil
}

// readTransactions reads transactions and the headers of their blocks.
func (r *Reader) readTransactions(ctx context.Context, chainID string, named map[Hash]Hash, isOne bool) ([]Found, error) {
	var blocks, calls []call
	var hashes []Hash
	read := map[Hash]*wireTransaction{}
	headers := map[Hash]*chainclient.HeaderJSON{}
	for hash, block := range named {
		t := &wireTransaction{}
		read[hash] = t
		hashes = append(hashes, hash)
		calls = append(calls, call{chainclient.Call{Method: "eth_getTransactionByHash", Params: []any{hash.String()}}, t})
		if headers[block] == nil {
			headers[block] = &chainclient.HeaderJSON{}
			blocks = append(blocks, call{chainclient.BlockByHash(block, false), headers[block]})
		}
	}
	answered, err := r.sendBlocks(ctx, chainID, append(blocks, calls...), isOne)
	if err != nil {
		return nil, err
	}
	found := make([]Found, 0, len(named))
	for i, hash := range hashes {
		if !answered[len(blocks)+i] {
			continue
		}
		block := named[hash]
		t, h := read[hash], headers[block]
		if t.Block == nil || *t.Block != block || h.Hash != block {
			return nil, fmt.Errorf("%w: transaction %s is in another block", ErrMoved, hash)
		}
		found = append(found, Found{Header: h.Header(), Transaction: t.transaction()})
	}
	return found, nil
}

// readReceipts adds the receipts, and returns the transactions that have one.
func (r *Reader) readReceipts(ctx context.Context, chainID string, found []Found, isOne bool) ([]Found, error) {
	read := make([]wireReceipt, len(found))
	calls := make([]call, len(found))
	for i, f := range found {
		calls[i] = call{chainclient.Call{Method: "eth_getTransactionReceipt", Params: []any{f.Transaction.Hash.String()}}, &read[i]}
	}
	answered, err := r.sendBlocks(ctx, chainID, calls, isOne)
	if err != nil {
		return nil, err
	}
	var kept []Found
	for i := range found {
		if !answered[i] {
			continue
		}
		receipt, err := read[i].receipt(chainID, found[i])
		if err != nil {
			return nil, err
		}
		if receipt.Block != found[i].Header.Hash {
			return nil, fmt.Errorf("%w: receipt of another block", ErrMoved)
		}
		found[i].Receipt = receipt
		found[i].Inner = decoded(found[i])
		kept = append(kept, found[i])
	}
	return kept, nil
}

// logCalls returns the calls for the logs that name one of the accounts. blocks makes a call from a filter.
func logCalls(blocks func(chainclient.LogFilter) chainclient.Call, accounts []evm.Address) (logs []*[]chainclient.LogJSON, calls []call) {
	for _, filter := range filters(accounts) {
		into := &[]chainclient.LogJSON{}
		logs = append(logs, into)
		calls = append(calls, call{blocks(filter), into})
	}
	return logs, calls
}

// allLogs is [logCalls] for the logs that name any account.
func allLogs(blocks func(chainclient.LogFilter) chainclient.Call) (logs []*[]chainclient.LogJSON, calls []call) {
	into := &[]chainclient.LogJSON{}
	return []*[]chainclient.LogJSON{into}, []call{{blocks(allEvents), into}}
}

// naming returns the logs that name one of the accounts.
func naming(logs []chainclient.LogJSON, accounts []evm.Address) []chainclient.LogJSON {
	wanted := AccountsOf(accounts)
	return slices.DeleteFunc(logs, func(l chainclient.LogJSON) bool {
		return !slices.ContainsFunc(positions, func(p position) bool { return p.names(l, wanted) })
	})
}

func ofBlock(hash Hash) func(chainclient.LogFilter) chainclient.Call {
	return func(f chainclient.LogFilter) chainclient.Call { return f.OfBlock(hash) }
}

func between(from, to uint64) func(chainclient.LogFilter) chainclient.Call {
	return func(f chainclient.LogFilter) chainclient.Call { return f.Between(from, to) }
}

// logged returns the blocks of the transactions of logs.
func logged(answers []*[]chainclient.LogJSON) (map[Hash]Hash, error) {
	named := map[Hash]Hash{}
	for _, logs := range answers {
		if err := addLogged(named, *logs); err != nil {
			return nil, err
		}
	}
	return named, nil
}

// addLogged adds the transactions of logs, with their blocks, to named.
func addLogged(named map[Hash]Hash, logs []chainclient.LogJSON) error {
	for _, l := range logs {
		if l.Transaction == nil || l.Block == nil || l.Removed {
			return fmt.Errorf("%w: a log without a block", ErrMoved)
		}
		named[*l.Transaction] = *l.Block
	}
	return nil
}

func linked(headers []Header) error {
	for i := 1; i < len(headers); i++ {
		if headers[i].Parent != headers[i-1].Hash || headers[i].Number != headers[i-1].Number+1 {
			return fmt.Errorf("%w: block %d does not follow %d", ErrMoved, headers[i].Number, headers[i-1].Number)
		}
	}
	return nil
}
