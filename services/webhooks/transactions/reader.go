package transactions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Chains reaches the nodes of chains; [chainclient.Client] implements it.
type Chains interface {
	// Network returns a network of the table; false if it is not served.
	Network(ctx context.Context, chainID string) (chainclient.Network, bool, error)
	// Transport returns the transport to the nodes of a chain.
	Transport(chainID string) chainclient.Transport
}

// receiptJSON and transactionJSON are what is read of receipts and transactions.
type receiptJSON struct {
	Transaction common.Hash         `json:"transactionHash"`
	Block       *common.Hash        `json:"blockHash"`
	Number      chainclient.Uint64  `json:"blockNumber"`
	Status      *chainclient.Uint64 `json:"status"`
	Contract    *evm.Address        `json:"contractAddress"`
}

type transactionJSON struct {
	Hash  common.Hash        `json:"hash"`
	Block *common.Hash       `json:"blockHash"`
	From  evm.Address        `json:"from"`
	To    *evm.Address       `json:"to"`
	Value chainclient.Amount `json:"value"`
}

func receiptOf(hash common.Hash) chainclient.Call {
	return chainclient.Call{Method: "eth_getTransactionReceipt", Params: []any{hash.String()}}
}

// receipt returns the receipt of a transaction in a result; nil if it is in no block.
func receipt(r chainclient.Result, hash common.Hash) (*receiptJSON, error) {
	var read *receiptJSON
	if err := r.Decode(&read); err != nil {
		return nil, err
	}
	if read == nil || read.Block == nil {
		return nil, nil //nolint:nilnil // no receipt is an answer
	}
	if read.Transaction != hash || read.Status == nil {
		return nil, fmt.Errorf("%w: the receipt of another transaction, or without a status", chainclient.ErrAnswer)
	}
	return read, nil
}

// place is where a transaction is. Its Block and BlockHash are zero if it is in no block.
type place struct {
	hash      common.Hash
	block     uint64
	blockHash common.Hash
	// err is why that is not known.
	err error
}

func placeOf(r chainclient.Result, hash common.Hash) place {
	read, err := receipt(r, hash)
	if err != nil || read == nil {
		return place{hash: hash, err: err}
	}
	return place{hash: hash, block: uint64(read.Number), blockHash: *read.Block}
}

// readPlaces returns where transactions of a chain are. It fails if its nodes cannot be reached.
func readPlaces(ctx context.Context, t chainclient.Transport, hashes []common.Hash) (map[common.Hash]place, error) {
	calls := make([]chainclient.Call, len(hashes))
	for i, hash := range hashes {
		calls[i] = receiptOf(hash)
	}
	results, err := t.Batch(ctx, calls...)
	if err != nil && !chainclient.IsTooLarge(err) {
		return nil, err
	}
	found := make(map[common.Hash]place, len(hashes))
	for i, hash := range hashes {
		var p place
		if err == nil {
			p = placeOf(results[i], hash)
		}
		if err != nil || chainclient.IsTooLarge(p.err) {
			// Receipts that are large together, or beside another one, are read alone.
			alone, err := t.Batch(ctx, calls[i])
			if err != nil {
				p = place{hash: hash, err: err}
			} else {
				p = placeOf(alone[0], hash)
			}
		}
		found[hash] = p
	}
	return found, nil
}

// finality is how far a chain is.
type finality struct {
	// head is the number of the newest block, and final that of the newest final one, which is known if hasFinal is set.
	head, final uint64
	hasFinal    bool
}

// readFinality returns how far a chain is. On one whose blocks are final at once, the newest block is.
func readFinality(ctx context.Context, t chainclient.Transport, finalAfter time.Duration) (finality, error) {
	calls := []chainclient.Call{chainclient.LatestBlock()}
	if finalAfter > 0 {
		calls = append(calls, chainclient.Call{Method: "eth_getBlockByNumber", Params: []any{"finalized", false}})
	}
	results, err := t.Batch(ctx, calls...)
	if err != nil {
		return finality{}, err
	}
	newest, err := results[0].Header()
	if err != nil {
		return finality{}, err
	}
	if finalAfter == 0 {
		return finality{head: newest.Number, final: newest.Number, hasFinal: true}, nil
	}
	final, err := results[1].Header()
	if err != nil {
		return finality{head: newest.Number}, nil //nolint:nilerr // the node has no finalized block
	}
	return finality{head: newest.Number, final: min(final.Number, newest.Number), hasFinal: true}, nil
}

// errElsewhere is returned for a transaction that is in another block than it was found in, or in none.
var errElsewhere = errors.New("the transaction is not in that block any more")

// answer is what was read of a transaction in a final block: a result, or an error, which is errElsewhere if the transaction is at place.
type answer struct {
	result Result
	place  place
	err    error
}

// callsEach is how many calls read one transaction.
const callsEach = 3

// readResults reads transactions in final blocks, in their order. It fails if the nodes of the chain cannot be reached.
func readResults(ctx context.Context, t chainclient.Transport, all []Followed) ([]answer, error) {
	answers, err := readTogether(ctx, t, all)
	if err != nil && !chainclient.IsTooLarge(err) {
		return nil, err
	}
	if err != nil {
		answers = make([]answer, len(all))
	}
	for i, f := range all {
		if err == nil && !chainclient.IsTooLarge(answers[i].err) {
			continue
		}
		// What is large together, or beside another one, is read alone.
		alone, err := readTogether(ctx, t, []Followed{f})
		if err != nil {
			answers[i] = answer{err: err}
			continue
		}
		answers[i] = alone[0]
	}
	return answers, nil
}

// readTogether reads transactions in as few bodies as their calls need.
func readTogether(ctx context.Context, t chainclient.Transport, all []Followed) ([]answer, error) {
	calls := make([]chainclient.Call, 0, callsEach*len(all))
	for _, f := range all {
		calls = append(calls, receiptOf(f.Hash), chainclient.Call{Method: "eth_getTransactionByHash", Params: []any{f.Hash.String()}}, chainclient.BlockByNumber(f.Block, false))
	}
	results, err := t.Batch(ctx, calls...)
	if err != nil {
		return nil, err
	}
	answers := make([]answer, len(all))
	for i, f := range all {
		answers[i] = answerOf(f, results[callsEach*i:callsEach*(i+1)])
	}
	return answers, nil
}

func answerOf(f Followed, results []chainclient.Result) answer {
	read, err := receipt(results[0], f.Hash)
	if err != nil {
		return answer{err: err}
	}
	if read == nil || *read.Block != f.BlockHash {
		return answer{place: placeOf(results[0], f.Hash), err: errElsewhere}
	}
	var sent *transactionJSON
	if err := results[1].Decode(&sent); err != nil {
		return answer{err: err}
	}
	header, err := results[2].Header()
	if err != nil {
		return answer{err: err}
	}
	if sent == nil || sent.Hash != f.Hash || sent.Block == nil || *sent.Block != f.BlockHash || header.Hash != f.BlockHash || header.Number != f.Block {
		return answer{err: chainclient.ErrMoved}
	}
	return answer{result: Result{
		From: sent.From, To: sent.To, Created: read.Contract, Value: sent.Value.OrZero(), Succeeded: *read.Status == 1,
		Block: f.Block, BlockHash: f.BlockHash, BlockTime: time.Unix(header.Time, 0).UTC(),
	}}
}
