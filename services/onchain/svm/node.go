package svm

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

const (
	// commitment is the commitment level of reads: blocks that most of the stake has voted for.
	commitment = "confirmed"
	// accountsPerCall is how many accounts a node returns in one call.
	accountsPerCall = 100
)

// Owned is what an account owns.
type Owned struct {
	// Slot is the slot of the state that was read; if there are two slots, the older one.
	Slot     uint64
	Lamports uint64
	// Units are the amounts of tokens in base units, by mint, over all token accounts of the owner. Tokens without units are absent.
	Units map[Address]uint64
	// More is set if the owner has more token accounts of a program than fit into a response. The accounts of that
	// program are then not read.
	More bool
}

// contextual is a result with the slot of its state.
type contextual struct {
	Context struct {
		Slot uint64 `json:"slot"`
	} `json:"context"`
	Value json.RawMessage `json:"value"`
}

// ReadOwned reads what an account owns in one batch: its balance, and its accounts of both token programs. Only the 72
// bytes of a token account that contain mint and amount are requested. If the response is too large, each call is made
// separately. The error is that of [chainclient.Transport.Batch], or the refusal of a node.
func ReadOwned(ctx context.Context, send chainclient.Transport, owner Address) (Owned, error) {
	results, err := batchOrAlone(ctx, send, BalanceCall(owner), tokenAccountsCall(owner, TokenProgram, tokenAccountHead), tokenAccountsCall(owner, Token2022Program, tokenAccountHead))
	if err != nil {
		return Owned{}, err
	}
	o := Owned{Units: map[Address]uint64{}}
	if o.Slot, o.Lamports, err = ReadBalance(results[0]); err != nil {
		return Owned{}, err
	}
	for _, r := range results[1:] {
		if isTooLarge(r) {
			o.More = true
			continue
		}
		var answer contextual
		if err := r.Decode(&answer); err != nil {
			return Owned{}, err
		}
		o.Slot = min(o.Slot, answer.Context.Slot)
		if err := o.add(owner, answer.Value); err != nil {
			return Owned{}, err
		}
	}
	return o, nil
}

// isTooLarge reports whether a call failed because its response, or that of its batch, exceeds the limit for responses.
func isTooLarge(r chainclient.Result) bool {
	refusal, ok := errors.AsType[*chainclient.NodeError](r.Err())
	return ok && refusal.Code == jsonrpc.CodeLimitExceeded
}

// add adds the token accounts of one program.
func (o *Owned) add(owner Address, list json.RawMessage) error {
	return eachTokenAccount(owner, list, func(_ Address, account TokenAccount, _ []byte) error {
		if account.Units > 0 {
			o.Units[account.Mint] += account.Units
		}
		return nil
	})
}

// eachTokenAccount calls visit with every account of a result of getTokenAccountsByOwner, its address, and the bytes of it that were read.
func eachTokenAccount(owner Address, list json.RawMessage, visit func(Address, TokenAccount, []byte) error) error {
	entries := json.NewDecoder(bytes.NewReader(list))
	if first, err := entries.Token(); err != nil || first != json.Delim('[') {
		return fmt.Errorf("%w: not a list of token accounts", chainclient.ErrAnswer)
	}
	for entries.More() {
		var entry struct {
			Pubkey  string
			Account Account
		}
		if err := entries.Decode(&entry); err != nil {
			return fmt.Errorf("%w: %w", chainclient.ErrAnswer, err)
		}
		account, err := ParseTokenAccount(entry.Account.Data)
		if err != nil || account.Owner != owner {
			return fmt.Errorf("%w: not a token account of the owner", chainclient.ErrAnswer)
		}
		address, err := ParseAddress(entry.Pubkey)
		if err != nil {
			return fmt.Errorf("%w: %w", chainclient.ErrAnswer, err)
		}
		if err := visit(address, account, entry.Account.Data); err != nil {
			return fmt.Errorf("%w: %w", chainclient.ErrAnswer, err)
		}
	}
	return nil
}

// ReadTokenAccounts reads the token accounts of an owner by their addresses, those of both token programs in one batch.
// more is set if the owner has more accounts of a program than fit into a response; the accounts of that program are
// then left out. It returns the errors of [ReadOwned].
func ReadTokenAccounts(ctx context.Context, send chainclient.Transport, owner Address) (accounts map[Address]TokenAccount, more bool, err error) {
	accounts = map[Address]TokenAccount{}
	more, err = readTokenAccounts(ctx, send, owner, tokenAccountHead, func(a Address, t TokenAccount, _ []byte) error {
		accounts[a] = t
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return accounts, more, nil
}

// Delegated is a token account of which a delegate may take units.
type Delegated struct {
	Address Address
	TokenAccount
	TokenRights
}

// ReadDelegated reads the token accounts of an owner that have a delegate, sorted by address. more is that of [ReadTokenAccounts]. It returns the errors
// of [ReadOwned].
func ReadDelegated(ctx context.Context, send chainclient.Transport, owner Address) (list []Delegated, more bool, err error) {
	more, err = readTokenAccounts(ctx, send, owner, tokenAccountSize, func(a Address, t TokenAccount, data []byte) error {
		rights, err := parseRights(data)
		if err == nil && rights.Delegate != nil {
			list = append(list, Delegated{a, t, rights})
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	slices.SortFunc(list, func(a, b Delegated) int { return bytes.Compare(a.Address[:], b.Address[:]) })
	return list, more, nil
}

// readTokenAccounts reads the first size bytes of the token accounts of an owner, those of both token programs in one batch. more is that of
// [ReadTokenAccounts].
func readTokenAccounts(ctx context.Context, send chainclient.Transport, owner Address, size int, visit func(Address, TokenAccount, []byte) error) (more bool, err error) {
	results, err := batchOrAlone(ctx, send, tokenAccountsCall(owner, TokenProgram, size), tokenAccountsCall(owner, Token2022Program, size))
	if err != nil {
		return false, err
	}
	for _, r := range results {
		if isTooLarge(r) {
			more = true
			continue
		}
		var answer contextual
		if err := r.Decode(&answer); err != nil {
			return false, err
		}
		if err := eachTokenAccount(owner, answer.Value, visit); err != nil {
			return false, err
		}
	}
	return more, nil
}

// batchOrAlone makes calls in one batch, and separately if the response is too large.
func batchOrAlone(ctx context.Context, send chainclient.Transport, calls ...chainclient.Call) ([]chainclient.Result, error) {
	results, err := send.Batch(ctx, calls...)
	if err != nil || !isTooLarge(results[0]) {
		return results, err
	}
	for i, c := range calls {
		alone, err := send.Batch(ctx, c)
		if err != nil {
			return nil, err
		}
		results[i] = alone[0]
	}
	return results, nil
}

// BalanceCall returns the call for the balance of an account. [ReadBalance] decodes its result.
func BalanceCall(owner Address) chainclient.Call {
	return chainclient.Call{Method: "getBalance", Params: []any{owner.String(), map[string]any{"commitment": commitment}}}
}

// ReadBalance returns the slot and the balance in lamports.
func ReadBalance(r chainclient.Result) (slot, lamports uint64, err error) {
	var answer contextual
	if err := r.Decode(&answer); err != nil {
		return 0, 0, err
	}
	var balance *uint64
	if json.Unmarshal(answer.Value, &balance) != nil || balance == nil {
		return 0, 0, fmt.Errorf("%w: not a balance", chainclient.ErrAnswer)
	}
	return answer.Context.Slot, *balance, nil
}

// HoldingsCall returns the call for the accounts in which an owner holds one token. [ReadHoldings] decodes its result.
func HoldingsCall(owner, mint Address) chainclient.Call {
	return chainclient.Call{Method: "getTokenAccountsByOwner", Params: []any{owner.String(), map[string]string{"mint": mint.String()}, config(tokenAccountHead)}}
}

// ReadHoldings returns how much an owner holds of a token over all accounts, in base units.
func ReadHoldings(r chainclient.Result, owner, mint Address) (uint64, error) {
	var answer contextual
	if err := r.Decode(&answer); err != nil {
		return 0, err
	}
	o := Owned{Units: map[Address]uint64{}}
	err := o.add(owner, answer.Value)
	return o.Units[mint], err
}

// tokenAccountsCall returns the call for the first size bytes of the accounts of a token program.
func tokenAccountsCall(owner, program Address, size int) chainclient.Call {
	return chainclient.Call{Method: "getTokenAccountsByOwner", Params: []any{
		owner.String(), map[string]string{"programId": program.String()}, config(size),
	}}
}

// config is the configuration of a call that returns the first bytes of accounts.
func config(size int) map[string]any {
	return map[string]any{"encoding": "base64", "commitment": commitment, "dataSlice": map[string]int{"offset": 0, "length": size}}
}

// Account is an account as a node returns it.
type Account struct {
	// Program owns the account.
	Program  Address
	Lamports uint64
	// Data has only the requested bytes.
	Data []byte
}

// UnmarshalJSON parses an account whose data is encoded in base 64.
func (a *Account) UnmarshalJSON(raw []byte) error {
	var node struct {
		Owner    string
		Lamports uint64
		Data     [2]string
	}
	err := json.Unmarshal(raw, &node)
	if err == nil {
		a.Program, err = ParseAddress(node.Owner)
	}
	if err == nil && node.Data[1] != "base64" {
		err = ErrLayout
	}
	if err == nil {
		a.Data, err = base64.StdEncoding.DecodeString(node.Data[0])
	}
	a.Lamports = node.Lamports
	return err
}

// ReadAccounts reads the first size bytes of each account, in one batch of calls with a hundred accounts each. Accounts
// that do not exist are nil.
func ReadAccounts(ctx context.Context, send chainclient.Transport, addresses []Address, size int) ([]*Account, error) {
	lists, err := ReadAccountLists(ctx, send, AccountList{Addresses: addresses, Size: size})
	if err != nil {
		return nil, err
	}
	return lists[0], nil
}

// AccountList is a list of accounts whose first bytes are read.
type AccountList struct {
	Addresses []Address
	// Size is in bytes.
	Size int
}

// Calls returns the calls for the list, with a hundred accounts each. [AccountList.Read] decodes their results.
func (l AccountList) Calls() (calls []chainclient.Call) {
	for rest := l.Addresses; len(rest) > 0; rest = rest[min(len(rest), accountsPerCall):] {
		texts := make([]string, min(len(rest), accountsPerCall))
		for i := range texts {
			texts[i] = rest[i].String()
		}
		calls = append(calls, chainclient.Call{Method: "getMultipleAccounts", Params: []any{texts, config(l.Size)}})
	}
	return calls
}

// ReadAccountLists reads several lists in one batch. The answers are in the order of the lists and of their addresses.
func ReadAccountLists(ctx context.Context, send chainclient.Transport, lists ...AccountList) ([][]*Account, error) {
	var calls []chainclient.Call
	for _, l := range lists {
		calls = append(calls, l.Calls()...)
	}
	if len(calls) == 0 {
		return make([][]*Account, len(lists)), nil
	}
	results, err := send.Batch(ctx, calls...)
	if err != nil {
		return nil, err
	}
	answers := make([][]*Account, len(lists))
	for i, l := range lists {
		n := len(l.Calls())
		if answers[i], err = l.Read(results[:n]); err != nil {
			return nil, err
		}
		results = results[n:]
	}
	return answers, nil
}

// Read joins the accounts in the results, one for each address of the list; accounts that do not exist are nil.
func (l AccountList) Read(results []chainclient.Result) ([]*Account, error) {
	var all []*Account
	for _, r := range results {
		var answer struct{ Value []*Account }
		if err := r.Decode(&answer); err != nil {
			return nil, err
		}
		all = append(all, answer.Value...)
	}
	if len(all) != len(l.Addresses) {
		return nil, fmt.Errorf("%w: %d accounts, want %d", chainclient.ErrAnswer, len(all), len(l.Addresses))
	}
	return all, nil
}
