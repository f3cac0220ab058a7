package solana

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// accountHead is how many bytes of an account are read before the transaction. It exceeds the size of every layout that
// is parsed, and the size by which a multisig account is recognized.
const accountHead = 400

// run is a simulated transaction.
type run struct {
	keys
	before, after state
	// isPartial is set if only those writable accounts were read that are small and belong to well-known programs.
	isPartial bool
	// err is the error of a failed transaction in the format of nodes; nil if it succeeded.
	err   json.RawMessage
	logs  []string
	units uint64
	// fee is in lamports; nil if it is unknown.
	fee *uint64
	// blockhash is the blockhash of the simulation.
	blockhash svm.Address
	// isRecent reports whether the cluster knows the transaction's own blockhash; nil if that was not read. foreign is set if neither it nor the durable
	// nonce is the cluster's.
	isRecent *bool
	foreign  bool
	// lacksTable is set if a lookup table lacks an account of the transaction.
	lacksTable bool
}

// simulated is the result of simulateTransaction.
type simulated struct {
	Err         json.RawMessage  `json:"err"`
	Logs        []string         `json:"logs"`
	Accounts    []*svm.Account   `json:"accounts"`
	Units       uint64           `json:"unitsConsumed"`
	Fee         *uint64          `json:"fee"`
	Replacement *json.RawMessage `json:"replacementBlockhash"`
}

var errTables = errors.New("a lookup table lacks an account of the transaction")

// simulate runs a transaction on the newest state, and reads the accounts that it may write before it. Both are in one
// batch, so that they are of nearly the same slot. The error is [errTables], that of the transport, or the refusal of a
// node; unless it is that of the transport, the accounts before the transaction are read. If the accounts after the
// transaction exceed the size of a response, only those that can hold assets of the owner are read.
func simulate(ctx context.Context, node chainclient.Transport, t Transaction) (r run, err error) {
	tables, err := svm.ReadAccounts(ctx, node, t.tables(), tableSize)
	if err != nil {
		return r, err
	}
	var isWhole bool
	if r.keys, isWhole = t.keysOf(tables); !isWhole {
		r.lacksTable = true
		return r, cmp.Or(r.readBefore(ctx, node, t), errTables)
	}
	err = r.simulate(ctx, node, t)
	if refusal, ok := errors.AsType[*chainclient.NodeError](err); !ok || refusal.Code != jsonrpc.CodeLimitExceeded {
		return r, err
	}
	if err := r.leaveOut(ctx, node); err != nil {
		return r, err
	}
	return r, r.simulate(ctx, node, t)
}

// readBefore reads the writable accounts, and whether the cluster knows the blockhash, of a transaction that cannot be simulated.
func (r *run) readBefore(ctx context.Context, node chainclient.Transport, t Transaction) error {
	before := svm.AccountList{Addresses: r.writable, Size: accountHead}
	results, err := node.Batch(ctx, append(before.Calls(), t.blockhashCall())...)
	if err != nil {
		return err
	}
	last := len(results) - 1
	found, err := before.Read(results[:last])
	if err != nil {
		return err
	}
	r.before = stateOf(r.writable, found)
	r.isRecent, err = readRecent(results[last])
	return err
}

// simulate reads the writable accounts before and after the transaction.
func (r *run) simulate(ctx context.Context, node chainclient.Transport, t Transaction) error {
	addresses := make([]string, len(r.writable))
	for i, a := range r.writable {
		addresses[i] = a.String()
	}
	before := svm.AccountList{Addresses: r.writable, Size: accountHead}
	calls := append(before.Calls(), chainclient.Call{Method: "simulateTransaction", Params: []any{t.wire(), map[string]any{
		"encoding": "base64", "commitment": "confirmed", "sigVerify": false, "replaceRecentBlockhash": true,
		"accounts": map[string]any{"encoding": "base64", "addresses": addresses},
	}}}, t.blockhashCall())
	results, err := node.Batch(ctx, calls...)
	if err != nil {
		return err
	}
	last := len(results) - 2
	found, err := before.Read(results[:last])
	if err != nil {
		return err
	}
	r.before = stateOf(r.writable, found)
	if r.isRecent, err = readRecent(results[last+1]); err != nil {
		return err
	}
	var answer struct{ Value simulated }
	if err := results[last].Decode(&answer); err != nil {
		return err
	}
	return r.read(answer.Value)
}

// blockhashCall returns the call that asks whether the cluster knows the blockhash.
func (t Transaction) blockhashCall() chainclient.Call {
	return chainclient.Call{Method: "isBlockhashValid", Params: []any{t.blockhash().String(), map[string]any{"commitment": "processed"}}}
}

func readRecent(r chainclient.Result) (*bool, error) {
	var recent struct{ Value *bool }
	err := r.Decode(&recent)
	return recent.Value, err
}

// askAgain asks once more whether the cluster knows the blockhash: a node that is behind the others does not know a new one.
func (r *run) askAgain(ctx context.Context, node chainclient.Transport, t Transaction) {
	results, err := node.Batch(ctx, t.blockhashCall())
	if err != nil {
		return
	}
	if isRecent, err := readRecent(results[0]); err == nil {
		r.isRecent = isRecent
	}
}

// isForeign reports whether a transaction is not for this cluster: its blockhash is not one of the cluster's, and not the value of its durable nonce.
// One without a blockhash is accepted by no cluster.
func (r *run) isForeign(t Transaction, nonce *svm.Address) bool {
	if r.isRecent == nil || *r.isRecent || t.blockhash() == (svm.Address{}) {
		return false
	}
	return nonce == nil || r.before[*nonce].nonce == nil || *r.before[*nonce].nonce != t.blockhash()
}

// leaveOut leaves out writable accounts that are large, and accounts of programs that hold no assets of the owner.
func (r *run) leaveOut(ctx context.Context, node chainclient.Transport) error {
	found, err := svm.ReadAccounts(ctx, node, r.writable, accountHead)
	if err != nil {
		return err
	}
	r.before, r.isPartial = stateOf(r.writable, found), true
	r.writable = slices.DeleteFunc(slices.Clone(r.writable), func(a svm.Address) bool {
		was, exists := r.before[a]
		return exists && was.holder == nil && (was.size == accountHead || !slices.Contains(holdingPrograms, was.program))
	})
	return nil
}

// holdingPrograms are the programs of accounts that can hold lamports or tokens of users.
var holdingPrograms = []svm.Address{svm.SystemProgram, svm.TokenProgram, svm.Token2022Program, svm.StakeProgram}

func (r *run) read(s simulated) error {
	if len(s.Err) > 0 && string(s.Err) != "null" {
		r.err = s.Err
	} else if len(s.Accounts) != len(r.writable) {
		return fmt.Errorf("%w: %d accounts after the transaction, want %d", chainclient.ErrAnswer, len(s.Accounts), len(r.writable))
	}
	r.logs, r.units, r.fee = s.Logs, s.Units, s.Fee
	if r.err == nil {
		r.after = stateOf(r.writable, s.Accounts)
	}
	if s.Replacement != nil {
		var used struct{ Blockhash string }
		if err := json.Unmarshal(*s.Replacement, &used); err != nil {
			return fmt.Errorf("%w: %w", chainclient.ErrAnswer, err)
		}
		blockhash, err := svm.ParseAddress(used.Blockhash)
		if err != nil {
			return fmt.Errorf("%w: %w", chainclient.ErrAnswer, err)
		}
		r.blockhash = blockhash
	}
	return nil
}

// readCosts reads the fee of the transaction if the simulation did not return it, and the owner's token balances.
// Values that cannot be read are absent.
func readCosts(ctx context.Context, node chainclient.Transport, t Transaction, r *run, owner svm.Address, mints []svm.Address) map[svm.Address]uint64 {
	var calls []chainclient.Call
	for _, mint := range mints {
		calls = append(calls, svm.HoldingsCall(owner, mint))
	}
	needsFee := r.fee == nil && r.blockhash != svm.Address{}
	if needsFee {
		calls = append(calls, chainclient.Call{Method: "getFeeForMessage", Params: []any{t.messageWith(r.blockhash), map[string]any{"commitment": "confirmed"}}})
	}
	held := map[svm.Address]uint64{}
	if len(calls) == 0 {
		return held
	}
	results, err := node.Batch(ctx, calls...)
	if err != nil {
		return held
	}
	for i, mint := range mints {
		if units, err := svm.ReadHoldings(results[i], owner, mint); err == nil {
			held[mint] = units
		}
	}
	if needsFee {
		var answer struct{ Value *uint64 }
		if results[len(results)-1].Decode(&answer) == nil {
			r.fee = answer.Value
		}
	}
	return held
}
