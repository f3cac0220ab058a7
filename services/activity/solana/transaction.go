package solana

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mr-tron/base58"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// errTransaction is returned for a transaction that is not in the documented form.
var errTransaction = errors.New("not a transaction")

// maxInstructionText bounds the instruction data that is decoded, in characters of base 58. Instructions that are
// evaluated have up to 12 bytes.
const maxInstructionText = 64

// transaction holds the parts of a transaction that a history needs.
type transaction struct {
	// blockTime is in seconds since 1970; 0 if it is not known.
	blockTime int64
	// fee is in lamports; the first key paid it.
	fee uint64
	// failure is the error, see [failureText]; empty if the transaction succeeded.
	failure string
	// keys are the accounts of the transaction, including those of lookup tables. The first `signers` keys signed.
	keys    []svm.Address
	signers int
	// before and after are the lamports of the keys.
	before, after []uint64
	// tokensBefore and tokensAfter are the token accounts among the keys. An account that was opened or closed is in
	// only one of the lists.
	tokensBefore, tokensAfter []tokenBalance
	instructions              []instruction
}

// tokenBalance is what a token account held.
type tokenBalance struct {
	// account is the index of its key.
	account     int
	mint, owner svm.Address
	units       uint64
	decimals    uint8
}

// instruction is a call of a program.
type instruction struct {
	program svm.Address
	// accounts are indexes of keys.
	accounts []int
	// data is empty if it is longer than the data of any instruction that is evaluated.
	data []byte
	// inner is set if another program made the call.
	inner bool
}

// weight returns approximately how many bytes of memory a transaction takes.
func (t *transaction) weight() uint32 {
	size := 200 + 48*len(t.keys) + 96*(len(t.tokensBefore)+len(t.tokensAfter))
	for _, i := range t.instructions {
		size += 100 + 8*len(i.accounts)
	}
	return uint32(size)
}

// nodeTransaction is the result of getTransaction with the encoding json.
type nodeTransaction struct {
	BlockTime *int64
	Meta      *struct {
		Err                                 json.RawMessage
		Fee                                 uint64
		PreBalances, PostBalances           []uint64
		PreTokenBalances, PostTokenBalances []nodeTokenBalance
		InnerInstructions                   []struct{ Instructions []nodeInstruction }
		LoadedAddresses                     struct{ Writable, Readonly []string }
	}
	Transaction struct {
		Message struct {
			AccountKeys  []string
			Header       struct{ NumRequiredSignatures int }
			Instructions []nodeInstruction
		}
	}
}

type nodeTokenBalance struct {
	AccountIndex  int
	Mint, Owner   string
	UITokenAmount struct {
		Amount   string
		Decimals uint8
	} `json:"uiTokenAmount"`
}

type nodeInstruction struct {
	ProgramIDIndex int `json:"programIdIndex"`
	Accounts       []int
	Data           string
}

// parseTransaction parses the result of getTransaction with the encoding json. Indexes that are out of range are an error.
func parseTransaction(raw json.RawMessage) (*transaction, error) {
	var n nodeTransaction
	if err := json.Unmarshal(raw, &n); err != nil {
		return nil, fmt.Errorf("%w: %w", errTransaction, err)
	}
	if n.Meta == nil {
		return nil, fmt.Errorf("%w: it has no meta", errTransaction)
	}
	meta, message := n.Meta, n.Transaction.Message
	t := &transaction{fee: meta.Fee, failure: failureText(meta.Err), signers: message.Header.NumRequiredSignatures, before: meta.PreBalances, after: meta.PostBalances}
	if n.BlockTime != nil {
		t.blockTime = *n.BlockTime
	}
	for _, list := range [][]string{message.AccountKeys, meta.LoadedAddresses.Writable, meta.LoadedAddresses.Readonly} {
		for _, text := range list {
			key, err := svm.ParseAddress(text)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", errTransaction, err)
			}
			t.keys = append(t.keys, key)
		}
	}
	if t.signers < 1 || t.signers > len(t.keys) || len(t.before) != len(t.keys) || len(t.after) != len(t.keys) {
		return nil, fmt.Errorf("%w: it has %d keys, %d signers and %d balances", errTransaction, len(t.keys), t.signers, len(t.after))
	}
	var err error
	if t.tokensBefore, err = t.tokens(meta.PreTokenBalances); err != nil {
		return nil, err
	}
	if t.tokensAfter, err = t.tokens(meta.PostTokenBalances); err != nil {
		return nil, err
	}
	if err := t.add(message.Instructions, false); err != nil {
		return nil, err
	}
	for _, inner := range meta.InnerInstructions {
		if err := t.add(inner.Instructions, true); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// tokens parses token balances. The owner is zero in old transactions, for which nodes did not record it.
func (t *transaction) tokens(list []nodeTokenBalance) ([]tokenBalance, error) {
	parsed := make([]tokenBalance, len(list))
	for i, n := range list {
		mint, err := svm.ParseAddress(n.Mint)
		var owner svm.Address
		if err == nil && n.Owner != "" {
			owner, err = svm.ParseAddress(n.Owner)
		}
		var units uint64
		if err == nil {
			units, err = strconv.ParseUint(n.UITokenAmount.Amount, 10, 64)
		}
		if err != nil || n.AccountIndex < 0 || n.AccountIndex >= len(t.keys) {
			return nil, fmt.Errorf("%w: token balance of account %d: %w", errTransaction, n.AccountIndex, err)
		}
		parsed[i] = tokenBalance{account: n.AccountIndex, mint: mint, owner: owner, units: units, decimals: n.UITokenAmount.Decimals}
	}
	return parsed, nil
}

// withOwner returns the transaction with the owner set in token accounts for which nodes did not record it: those in
// accounts, and the associated accounts, which may have been closed since.
func (t *transaction) withOwner(owner svm.Address, accounts []svm.Address) *transaction {
	filled := *t
	for _, list := range []*[]tokenBalance{&filled.tokensBefore, &filled.tokensAfter} {
		isUnknown := func(b tokenBalance) bool { return b.owner.IsZero() }
		if !slices.ContainsFunc(*list, isUnknown) {
			continue
		}
		// The transaction may be in the cache.
		*list = slices.Clone(*list)
		for i, b := range *list {
			key := t.keys[b.account]
			// At that time there was only one token program.
			if isUnknown(b) && (slices.Contains(accounts, key) || svm.AssociatedAccount(owner, b.mint, svm.TokenProgram) == key) {
				(*list)[i].owner = owner
			}
		}
	}
	return &filled
}

// add parses instructions.
func (t *transaction) add(list []nodeInstruction, inner bool) error {
	for _, n := range list {
		for _, index := range append([]int{n.ProgramIDIndex}, n.Accounts...) {
			if index < 0 || index >= len(t.keys) {
				return fmt.Errorf("%w: an instruction names account %d of %d", errTransaction, index, len(t.keys))
			}
		}
		i := instruction{program: t.keys[n.ProgramIDIndex], accounts: n.Accounts, inner: inner}
		if len(n.Data) <= maxInstructionText {
			data, err := base58.Decode(n.Data)
			if err != nil && n.Data != "" {
				return fmt.Errorf("%w: instruction data: %w", errTransaction, err)
			}
			i.data = data
		}
		t.instructions = append(t.instructions, i)
	}
	return nil
}

// token returns the token account of a key, after the transaction or, if it was closed, before.
func (t *transaction) token(account int) (tokenBalance, bool) {
	for _, list := range [][]tokenBalance{t.tokensAfter, t.tokensBefore} {
		for _, b := range list {
			if b.account == account {
				return b, true
			}
		}
	}
	return tokenBalance{}, false
}

// party returns the party of a key: the owner of a token account, otherwise the account itself.
func (t *transaction) party(account int) svm.Address {
	if b, ok := t.token(account); ok && !b.owner.IsZero() {
		return b.owner
	}
	return t.keys[account]
}

// signedBy reports whether an account signed the transaction.
func (t *transaction) signedBy(account svm.Address) bool {
	for _, key := range t.keys[:t.signers] {
		if key == account {
			return true
		}
	}
	return false
}

// failureText returns the error of a transaction, a TransactionError in the JSON of nodes, as short text: its name, and
// for an error of an instruction the instruction's number, from 1, and the name or number that the program returned. It
// is empty for null.
func failureText(raw json.RawMessage) string {
	var name string
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if json.Unmarshal(raw, &name) == nil {
		return name
	}
	var failed struct{ InstructionError []json.RawMessage }
	if json.Unmarshal(raw, &failed) == nil && len(failed.InstructionError) == 2 {
		var number int
		var custom struct{ Custom *uint32 }
		if json.Unmarshal(failed.InstructionError[0], &number) == nil {
			number++
			if json.Unmarshal(failed.InstructionError[1], &name) == nil {
				return fmt.Sprintf("Instruction %d: %s", number, name)
			}
			if json.Unmarshal(failed.InstructionError[1], &custom) == nil && custom.Custom != nil {
				return fmt.Sprintf("Instruction %d: custom program error 0x%x", number, *custom.Custom)
			}
			return fmt.Sprintf("Instruction %d", number)
		}
	}
	var named map[string]json.RawMessage
	if json.Unmarshal(raw, &named) == nil && len(named) == 1 {
		for name := range named {
			return name
		}
	}
	return "Unknown error"
}

// The first bytes of the instructions that are evaluated. They are the same in both token programs.
const (
	tokenTransfer        = 3
	tokenApprove         = 4
	tokenRevoke          = 5
	tokenMint            = 7
	tokenBurn            = 8
	tokenTransferChecked = 12
	tokenApproveChecked  = 13
	tokenMintChecked     = 14
	tokenBurnChecked     = 15
	// tokenClose and tokenWithdrawExcess move lamports from their first account to their second one.
	tokenClose          = 9
	tokenWithdrawExcess = 38
	// systemTransfer is an integer of 4 bytes in the instruction.
	systemTransfer = 2
)

// tokenCall returns the kind of an instruction of a token program, and false for another program.
func (i instruction) tokenCall() (kind byte, ok bool) {
	if i.program != svm.TokenProgram && i.program != svm.Token2022Program || len(i.data) == 0 {
		return 0, false
	}
	return i.data[0], true
}

// isTransfer reports whether it moves SOL.
func (i instruction) isTransfer() bool {
	return i.program == svm.SystemProgram && len(i.data) == 12 && binary.LittleEndian.Uint32(i.data) == systemTransfer
}

// funds reports whether it pays lamports from its first account to its second one, by a transfer or by creating an
// account.
func (i instruction) funds() bool {
	return (i.program == svm.SystemProgram || i.program == svm.AssociatedTokenProgram) && len(i.accounts) >= 2
}

// releases reports whether it pays lamports from its first account, a token account, to its second one.
func (i instruction) releases() bool {
	kind, ok := i.tokenCall()
	return ok && (kind == tokenClose || kind == tokenWithdrawExcess) && len(i.accounts) >= 2
}

// units returns the amount of an instruction of a token program.
func (i instruction) units() uint64 {
	if len(i.data) < 9 {
		return 0
	}
	return binary.LittleEndian.Uint64(i.data[1:])
}
