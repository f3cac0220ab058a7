package executor

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

const (
	// stepTimeout bounds one step, because PostgreSQL ends a lock after 30 seconds. The next step continues.
	stepTimeout = 20 * time.Second
	// listLimit bounds the operations that one step reads.
	listLimit = 300
	// resendAfter is how long a transaction may be missing on the chain until it is sent again.
	resendAfter = 2 * time.Second
	// expireAfter is how long an operation may be pending until its nonce is used for an empty transaction.
	expireAfter = 30 * time.Minute
	// finalDepth is how many blocks must follow a block before it counts as final, and finalAfter the time after the last
	// transaction was sent after which it does.
	finalDepth = 12
	finalAfter = 15 * time.Minute
	// missingAfter is how long a used nonce may have no receipt until the operation is sent with another nonce.
	missingAfter = time.Minute
	// maxRaises is how often the fee for a nonce is raised only because a transaction is late: 8 raises are a factor of 2.6.
	// On a chain that makes no blocks a higher fee does not help.
	maxRaises = 8
)

// Step advances the operations of a chain: it finds the included ones, and sends or replaces the others. Only one
// replica does this at a time.
func (e *Executor) Step(ctx context.Context, chain Chain) error {
	_, err := e.store.Exclusively(ctx, "bundler "+chain.ChainID, func() error {
		ctx, cancel := context.WithTimeout(ctx, stepTimeout)
		defer cancel()
		list, err := e.store.List(ctx, chain.ChainID, listLimit)
		if err != nil || len(list) == 0 {
			return err
		}
		seen, err := e.look(ctx, chain.ChainID, list)
		if err != nil {
			return err
		}
		var failed []error
		for i, o := range list {
			if ctx.Err() != nil {
				return errors.Join(append(failed, ctx.Err())...)
			}
			failed = append(failed, e.advance(ctx, chain, o, seen.operations[i], seen))
		}
		return errors.Join(failed...)
	})
	return err
}

// view is the state of a chain during one step.
type view struct {
	head    uint64
	baseFee *big.Int
	// used is the number of transactions of each executor of the listed operations that are in blocks.
	used map[evm.Address]uint64
	// lowest is the lowest nonce of each executor that an operation waits with.
	lowest     map[evm.Address]uint64
	operations []inclusion
}

// inclusion is the transaction that includes an operation, or replaced it.
type inclusion struct {
	found bool
	// unread reports that a receipt could not be read: the operation waits for the next step.
	unread bool
	// cost is what the transactions that are in blocks cost their executors, in wei.
	cost *big.Int
	// executed reports whether the transaction executed the operation.
	executed bool
	block    uint64
}

// look reads the receipts of all transactions of a list.
func (e *Executor) look(ctx context.Context, chainID string, list []Open) (view, error) {
	calls := []chainclient.Call{chainclient.LatestBlock()}
	executors := executorsOf(list)
	for _, a := range executors {
		calls = append(calls, chainclient.Call{Method: "eth_getTransactionCount", Params: []any{a, "latest"}})
	}
	results, err := e.connect(chainID).Batch(ctx, calls...)
	if err != nil {
		return view{}, err
	}
	var block struct {
		Number  chainclient.Uint64 `json:"number"`
		BaseFee chainclient.Amount `json:"baseFeePerGas"`
	}
	if err := results[0].Decode(&block); err != nil {
		return view{}, err
	}
	v := view{head: uint64(block.Number), baseFee: block.BaseFee.OrZero(), used: map[evm.Address]uint64{}, lowest: map[evm.Address]uint64{}, operations: make([]inclusion, len(list))}
	for i, a := range executors {
		n, err := results[1+i].Quantity()
		if err != nil {
			return view{}, err
		}
		v.used[a] = n.Uint64()
	}
	receipts, err := e.receipts(ctx, chainID, list)
	if err != nil {
		return view{}, err
	}
	for i, o := range list {
		v.operations[i] = receipts[i]
		if n := len(o.Transactions); n > 0 && !v.operations[i].found {
			last := o.Transactions[n-1]
			if lowest, ok := v.lowest[last.Executor]; !ok || last.Nonce < lowest {
				v.lowest[last.Executor] = last.Nonce
			}
		}
	}
	return v, nil
}

// receipts reads the receipts of all transactions of a list. Many operations with large logs are more than a node answers at once, so receipts that
// cannot be read together are read one by one, and those that still cannot delay only their own operation.
func (e *Executor) receipts(ctx context.Context, chainID string, list []Open) ([]inclusion, error) {
	node := e.connect(chainID)
	var calls []chainclient.Call
	for _, o := range list {
		for _, t := range o.Transactions {
			calls = append(calls, chainclient.Call{Method: "eth_getTransactionReceipt", Params: []any{t.Hash}})
		}
	}
	results, err := node.Batch(ctx, calls...)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	found := make([]inclusion, len(list))
	next := 0
	for i, o := range list {
		found[i].cost = new(big.Int)
		for _, t := range o.Transactions {
			call := calls[next]
			var receipt *receiptJSON
			failed := err
			if err == nil {
				receipt, _, failed = readReceipt(results[next])
			}
			next++
			if failed != nil {
				receipt, failed = readOne(ctx, node, call)
			}
			if failed != nil {
				e.log.WarnContext(ctx, "receipt not read", "chain", chainID, "operation", o.Hash, "error", failed)
				found[i].unread = true
				continue
			}
			if receipt == nil {
				continue
			}
			found[i].cost.Add(found[i].cost, receipt.cost())
			if found[i].executed {
				continue // an operation is executed once; its other transactions revert
			}
			_, executed := userop.FindEvent(receipt.Logs, o.EntryPoint, o.Hash)
			if o.IsRemoval() {
				if executed, failed = e.tookEffect(ctx, o, t, uint64(receipt.Number)); failed != nil {
					e.log.WarnContext(ctx, "code of an account not read", "chain", chainID, "operation", o.Hash, "error", failed)
					found[i].unread = true
					continue
				}
			}
			found[i].found, found[i].executed, found[i].block = true, executed, uint64(receipt.Number)
		}
	}
	return found, ctx.Err()
}

// readOne reads one receipt.
func readOne(ctx context.Context, node chainclient.Transport, call chainclient.Call) (*receiptJSON, error) {
	results, err := node.Batch(ctx, call)
	if err != nil {
		return nil, err
	}
	receipt, _, err := readReceipt(results[0])
	return receipt, err
}

// executorsOf returns the accounts that signed transactions of a list, each once.
func executorsOf(list []Open) (all []evm.Address) {
	for _, o := range list {
		for _, t := range o.Transactions {
			if !slices.Contains(all, t.Executor) {
				all = append(all, t.Executor)
			}
		}
	}
	return all
}

// advance advances one operation.
func (e *Executor) advance(ctx context.Context, chain Chain, o Open, in inclusion, v view) error {
	now := e.clock.Now()
	switch {
	case in.unread && !in.executed:
		return nil
	case in.found && !in.executed:
		return e.drop(ctx, o, in)
	case in.found && (v.head >= in.block+finalDepth || now.Sub(o.sent()) > finalAfter):
		o.State, o.Block = Final, in.block
		return e.store.SetState(ctx, o.Record)
	case in.found && o.State == Included && o.Block == in.block:
		return nil
	case in.found:
		o.State, o.Block = Included, in.block
		return e.store.SetState(ctx, o.Record)
	case o.State == Included:
		// A reorg removed the block.
		o.State, o.Block = Sent, 0
		err := e.store.SetState(ctx, o.Record)
		if errors.Is(err, ErrNoncePending) {
			// A later operation with its nonce was accepted meanwhile.
			o.State = Dropped
			return e.store.SetState(ctx, o.Record)
		}
		if err != nil {
			return err
		}
	}
	if len(o.Transactions) == 0 {
		return nil
	}
	last := o.Transactions[len(o.Transactions)-1]
	if v.used[last.Executor] > last.Nonce {
		if now.Sub(last.Sent) < missingAfter {
			return nil
		}
		return e.reassign(ctx, chain, o)
	}
	i := slices.IndexFunc(e.keys, func(k account.Key) bool { return k.Address() == last.Executor })
	switch {
	case i < 0 && now.Sub(o.Received) > expireAfter:
		// The key was removed from the configuration, so no other transaction can use the nonce. The signed one may still be
		// included; its receipt shows that.
		o.State = Dropped
		return e.store.SetState(ctx, o.Record)
	case i < 0 || now.Sub(last.Signed) <= e.options.ReplaceAfter:
		if now.Sub(last.Sent) <= resendAfter {
			return nil
		}
		return e.resend(ctx, last)
	case last.Nonce > v.used[last.Executor] && last.Nonce == v.lowest[last.Executor]:
		if now.Sub(last.Sent) <= resendAfter {
			return nil
		}
		return e.fill(ctx, chain.Number, o, last, e.keys[i], v.used[last.Executor])
	case o.raises() < maxRaises && now.Sub(last.Sent) > resendAfter || now.Sub(last.Sent) > e.options.ReplaceAfter:
		return e.replace(ctx, chain, o, last, e.keys[i], v.baseFee)
	}
	return nil
}

// resend sends a transaction again.
func (e *Executor) resend(ctx context.Context, t Transaction) error {
	if err := e.store.MarkSent(ctx, t, e.clock.Now()); err != nil {
		return err
	}
	return e.broadcast(ctx, t)
}

// fill sends an empty transaction with a nonce that no operation has, such as that of an operation which was dropped while its executor was not
// configured. Transactions with later nonces, of which last is the first, would wait for it forever.
func (e *Executor) fill(ctx context.Context, number *big.Int, o Open, last Transaction, key account.Key, nonce uint64) error {
	price, err := e.Price(ctx, o.ChainID)
	if err != nil {
		return err
	}
	t, err := e.empty(o.Record, number, key, last.Fee.atLeast(price), nonce)
	if err != nil {
		return err
	}
	if err := e.store.MarkSent(ctx, last, e.clock.Now()); err != nil {
		return err
	}
	e.log.InfoContext(ctx, "unused nonce of an executor filled", "chain", o.ChainID, "executor", key.Address(), "nonce", nonce)
	return e.broadcast(ctx, t)
}

// frontRunBlocks is how many blocks before a transaction that reverted another one may have executed its operation.
const frontRunBlocks = 100

// drop ends an operation whose transaction reverted or is empty. The account is not counted as one whose operations fail if another bundler
// executed the operation, with a copy of its transaction.
func (e *Executor) drop(ctx context.Context, o Open, in inclusion) error {
	isOfOthers, err := e.isExecutedByOthers(ctx, o, in.block)
	if err != nil {
		return err
	}
	o.State, o.Block, o.MaxLoss = Dropped, in.block, in.cost
	if isOfOthers {
		o.Block = 0
	}
	e.metrics.dropped(ctx, o.ChainID)
	e.log.WarnContext(ctx, "user operation failed in a block", "chain", o.ChainID, "operation", o.Hash, "project", o.Project, "wei", o.MaxLoss)
	return e.store.SetState(ctx, o.Record)
}

// isExecutedByOthers reports whether a transaction of others executed an operation, in one of the blocks before a block.
func (e *Executor) isExecutedByOthers(ctx context.Context, o Open, block uint64) (bool, error) {
	if o.IsRemoval() {
		return false, nil // a removal by others has the effect too
	}
	filter := map[string]any{
		"address": o.EntryPoint, "topics": []any{userop.EventTopic, o.Hash},
		"fromBlock": hexutil.Uint64(block - min(block, frontRunBlocks)), "toBlock": hexutil.Uint64(block),
	}
	raw, err := e.connect(o.ChainID).Call(ctx, "eth_getLogs", filter)
	if err != nil {
		return false, err
	}
	var logs []json.RawMessage
	err = json.Unmarshal(raw, &logs)
	return len(logs) > 0, err
}

// reassign gives an operation another nonce, because other transactions used its nonces. An operation that has become
// invalid is dropped.
func (e *Executor) reassign(ctx context.Context, chain Chain, o Open) error {
	ready, err := e.recheck(ctx, chain, o.Record)
	if _, refused := errors.AsType[*Refusal](err); refused {
		o.State = Dropped
		return e.store.SetState(ctx, o.Record)
	}
	if err != nil {
		return err
	}
	fee := ready.fee.atMost(Fee{Max: reservedFee(o), Tip: ready.fee.Tip})
	t, err := e.store.Reassign(ctx, o.Record, ready.key.Address(), ready.nonce, e.signer(o.Record, chain.Number, ready.key, fee))
	if err != nil {
		return err
	}
	return e.broadcast(ctx, t)
}

// replace sends a transaction with the same nonce at a higher fee, if the operation pays for it, and else the same transaction again. The
// transaction is empty if the operation has become invalid or is too old.
func (e *Executor) replace(ctx context.Context, chain Chain, o Open, last Transaction, key account.Key, baseFee *big.Int) error {
	empty := last.isEmpty() || e.clock.Now().Sub(o.Received) > expireAfter
	if !empty && reservedFee(o).Cmp(nextBaseFee(baseFee)) < 0 {
		empty = true // the price rose above what was reserved, and operations with later nonces wait
	}
	if !empty {
		_, err := e.recheck(ctx, chain, o.Record)
		if _, empty = errors.AsType[*Refusal](err); err != nil && !empty {
			return err
		}
	}
	fee, raise := raised(o, last.Fee, baseFee)
	if empty {
		var err error
		if fee, raise, err = e.emptyFee(ctx, o, last, baseFee); err != nil {
			return err
		}
	}
	if !raise {
		return e.resend(ctx, last)
	}
	sign := e.signer(o.Record, chain.Number, key, fee)
	if empty {
		sign = func(nonce uint64) (Transaction, error) { return e.empty(o.Record, chain.Number, key, fee, nonce) }
	}
	t, err := sign(last.Nonce)
	if err != nil {
		return err
	}
	if err := e.store.Replace(ctx, t); err != nil {
		return err
	}
	e.log.InfoContext(ctx, "transaction of a user operation replaced", "chain", o.ChainID, "operation", o.Hash, "nonce", last.Nonce, "empty", empty)
	return e.broadcast(ctx, t)
}

// emptyFee returns the fee of the next empty transaction, and false if the last one is enough: after maxRaises it is raised only with the price
// of the chain.
func (e *Executor) emptyFee(ctx context.Context, o Open, last Transaction, baseFee *big.Int) (Fee, bool, error) {
	fee := bump(last.Fee, baseFee)
	if o.raises() < maxRaises || !last.isEmpty() {
		return fee, true, nil
	}
	price, err := e.Price(ctx, o.ChainID)
	if err != nil {
		return Fee{}, false, err
	}
	return fee.atLeast(price), !last.Fee.covers(price), nil
}

// Receipt is the result of an operation.
type Receipt struct {
	Record
	userop.Event
	// Transaction is the hash of the transaction that includes it, and JSON its receipt as the node returned it.
	Transaction common.Hash
	JSON        []byte
}

// Receipt returns the result of an operation; included is false while it is not in a block. It fails with [ErrUnknown].
func (e *Executor) Receipt(ctx context.Context, chainID string, hash common.Hash) (r Receipt, included bool, err error) {
	o, err := e.store.Find(ctx, chainID, hash)
	if err != nil {
		return Receipt{}, false, err
	}
	calls := make([]chainclient.Call, len(o.Transactions))
	for i, t := range o.Transactions {
		calls[i] = chainclient.Call{Method: "eth_getTransactionReceipt", Params: []any{t.Hash}}
	}
	results, err := e.connect(chainID).Batch(ctx, calls...)
	if err != nil {
		return Receipt{}, false, err
	}
	for i, result := range results {
		receipt, raw, err := readReceipt(result)
		if err != nil {
			return Receipt{}, false, err
		}
		if receipt == nil {
			continue
		}
		event, executed := userop.FindEvent(receipt.Logs, o.EntryPoint, hash)
		if o.IsRemoval() && !o.Transactions[i].isEmpty() {
			executed = true
			if event.Success, err = e.tookEffect(ctx, o, o.Transactions[i], uint64(receipt.Number)); err != nil {
				return Receipt{}, false, err
			}
		}
		if executed {
			return Receipt{Record: o.Record, Event: event, Transaction: o.Transactions[i].Hash, JSON: raw}, true, nil
		}
	}
	return Receipt{Record: o.Record}, false, nil
}
