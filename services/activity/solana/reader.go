package solana

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// commitment is the commitment level of reads: blocks that most of the stake has voted for.
	commitment = "confirmed"
	// maxAccounts bounds the accounts whose signatures are read: the owner, and its token accounts.
	maxAccounts = 32
	// maxSignatures is how many signatures a node returns in one call.
	maxSignatures = 1000
	// cachedBytes bounds the cache of transactions.
	cachedBytes = 32 << 20
	// aloneAtOnce bounds how many transactions that are missing in a batch response are read concurrently.
	aloneAtOnce = 4
	// codeVersion is the error of a node for a transaction of a version that the client did not name.
	codeVersion = -32015
)

// reader reads signatures and transactions, and caches those that are final.
type reader struct {
	connect func(chainID string) chainclient.Transport
	cache   *cache.Cache[transactionKey, *transaction]
}

type transactionKey struct {
	chainID   string
	signature svm.Signature
}

func newReader(connect func(chainID string) chainclient.Transport) *reader {
	return &reader{connect: connect, cache: cache.New(cache.Options[transactionKey, *transaction]{
		MaxWeight: cachedBytes,
		Weigh:     func(_ transactionKey, t *transaction) uint32 { return t.weight() },
	})}
}

// accounts returns the owner and its token accounts: first those of listed tokens, then those with a balance.
func (r *reader) accounts(ctx context.Context, chainID string, owner svm.Address, listed func(mint svm.Address) bool) ([]svm.Address, error) {
	held, _, err := svm.ReadTokenAccounts(ctx, r.connect(chainID), owner)
	if err != nil {
		return nil, err
	}
	rank := func(a svm.Address) int {
		switch {
		case listed(held[a].Mint):
			return 0
		case held[a].Units > 0:
			return 1
		default:
			return 2
		}
	}
	list := make([]svm.Address, 0, len(held)+1)
	for a := range held {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b svm.Address) int {
		if byRank := rank(a) - rank(b); byRank != 0 {
			return byRank
		}
		return compareAddresses(a, b)
	})
	list = append([]svm.Address{owner}, list...)
	return list[:min(len(list), maxAccounts)], nil
}

// nodeEntry is an element of the result of getSignaturesForAddress.
type nodeEntry struct {
	Signature          string
	Slot               uint64
	BlockTime          *int64
	Err                json.RawMessage
	ConfirmationStatus string
}

// signatures reads up to limit transactions of each account before the given transaction, which need not be of the
// account, in one batch.
func (r *reader) signatures(ctx context.Context, chainID string, accounts []svm.Address, before *Place, limit int) ([][]entry, error) {
	calls := make([]chainclient.Call, len(accounts))
	for i, a := range accounts {
		options := map[string]any{"commitment": commitment, "limit": limit}
		if before != nil {
			options["before"] = before.Signature.String()
		}
		calls[i] = chainclient.Call{Method: "getSignaturesForAddress", Params: []any{a.String(), options}}
	}
	results, err := r.connect(chainID).Batch(ctx, calls...)
	if err != nil {
		return nil, err
	}
	lists := make([][]entry, len(results))
	for i, result := range results {
		var list []nodeEntry
		if err := result.Decode(&list); err != nil {
			return nil, err
		}
		if lists[i], err = parseEntries(list); err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// parseEntries parses the list of an account. Slots must not increase.
func parseEntries(list []nodeEntry) ([]entry, error) {
	parsed := make([]entry, len(list))
	for i, n := range list {
		signature, err := svm.ParseSignature(n.Signature)
		if err != nil || i > 0 && n.Slot > parsed[i-1].slot {
			return nil, fmt.Errorf("%w: not a list of signatures", chainclient.ErrAnswer)
		}
		parsed[i] = entry{signature: signature, slot: n.Slot, failed: failureText(n.Err) != "", final: n.ConfirmationStatus == "finalized"}
		if n.BlockTime != nil {
			parsed[i].time = *n.BlockTime
		}
	}
	return parsed, nil
}

// firstBlock returns the first slot whose transactions the node has; nil if the node does not return it.
func (r *reader) firstBlock(ctx context.Context, chainID string) (*uint64, error) {
	raw, err := r.connect(chainID).Call(ctx, "getFirstAvailableBlock")
	if isRefused(err) {
		return nil, nil
	}
	var slot *uint64
	if err == nil && json.Unmarshal(raw, &slot) != nil {
		err = fmt.Errorf("%w: not a slot", chainclient.ErrAnswer)
	}
	return slot, err
}

// transactions reads the transactions that are not cached in one batch. A transaction that the node does not return is
// read once more alone, because another node may have it. The result for a transaction is nil if no node has it, if it
// is not in the documented form, or if it has an unsupported version.
func (r *reader) transactions(ctx context.Context, chainID string, entries []entry) ([]*transaction, error) {
	all := make([]*transaction, len(entries))
	var missing []int
	var calls []chainclient.Call
	for i, e := range entries {
		known, ok := r.cache.Get(transactionKey{chainID, e.signature})
		if !ok {
			missing, calls = append(missing, i), append(calls, transactionCall(e.signature))
		}
		all[i] = known
	}
	if len(missing) == 0 {
		return all, nil
	}
	results, err := r.connect(chainID).Batch(ctx, calls...)
	if err != nil {
		return nil, err
	}
	g, groupCtx := routine.NewGroup(ctx)
	g.SetLimit(aloneAtOnce)
	for k, i := range missing {
		read, err := readTransaction(results[k])
		if err == nil && read != nil {
			all[i] = read
			continue
		}
		if err != nil && !isRefused(err) {
			return nil, err
		}
		g.Go(func() error {
			alone, err := r.connect(chainID).Batch(groupCtx, calls[k])
			if err == nil {
				all[i], err = readTransaction(alone[0])
			}
			// A transaction larger than a response may be counts as unknown too.
			if isOf(err, jsonrpc.CodeLimitExceeded) {
				return nil
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, i := range missing {
		if all[i] != nil && entries[i].final {
			r.cache.Set(transactionKey{chainID, entries[i].signature}, all[i])
		}
	}
	return all, nil
}

func transactionCall(signature svm.Signature) chainclient.Call {
	return chainclient.Call{Method: "getTransaction", Params: []any{
		signature.String(), map[string]any{"encoding": "json", "commitment": commitment, "maxSupportedTransactionVersion": 0},
	}}
}

// readTransaction returns the transaction of a result; nil for null, for a form that is not documented, and for an
// unsupported version. One such transaction must not make the whole history fail.
func readTransaction(r chainclient.Result) (*transaction, error) {
	raw, err := r.JSON()
	if isOf(err, codeVersion) {
		return nil, nil
	}
	if err != nil || string(raw) == "null" {
		return nil, err
	}
	t, _ := parseTransaction(raw)
	return t, nil
}

// isOf reports whether the error is that of a node with this code.
func isOf(err error, code int) bool {
	refusal, ok := errors.AsType[*chainclient.NodeError](err)
	return ok && refusal.Code == code
}

// isRefused reports whether the error is that of a node which refused the call.
func isRefused(err error) bool {
	_, ok := errors.AsType[*chainclient.NodeError](err)
	return ok
}
