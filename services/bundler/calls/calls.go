// Package calls sends batches of calls, and what ends the delegation of an account, and remembers them by id (EIP-5792).
package calls

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Statuses of EIP-5792.
const (
	StatusPending   = 100
	StatusConfirmed = 200
	StatusFailed    = 400
	StatusReverted  = 500
	StatusPartly    = 600
)

// resendAfter is how long transactions may be missing on the chain until a status request sends them again.
const resendAfter = 10 * time.Second

// giveUpAfter is how long transactions may wait for an earlier nonce of their account, which is how long nodes keep such transactions. Then they
// are not sent again, and the batch has failed unless a block has them nevertheless.
const giveUpAfter = 3 * time.Hour

// Errors of batches.
var (
	// ErrUsed is returned if the account used the id for other calls.
	ErrUsed = errors.New("the id is of other calls of the account")
	// ErrUnknown is returned if the account sent no calls under this id.
	ErrUnknown = errors.New("the account sent no calls under this id")
	// ErrMalformed is returned for a request that is not one user operation, or one or more transactions.
	ErrMalformed = errors.New("malformed calls")
	// ErrSigner is returned if the account did not sign.
	ErrSigner = errors.New("the account did not sign the calls")
)

// Batch is a stored batch: a user operation, transactions, or the removal of a delegation.
type Batch struct {
	Project string
	Account evm.Address
	ID      string
	ChainID string
	// Operation is the hash of the user operation, or of the removal if IsRemoval.
	Operation    common.Hash
	IsRemoval    bool
	Transactions []hexutil.Bytes
	Created      time.Time
}

// Atomic reports whether the calls succeed or revert together.
func (b Batch) Atomic() bool { return len(b.Transactions) <= 1 }

// same reports whether two batches have the same calls.
func (b Batch) same(other Batch) bool {
	return b.ChainID == other.ChainID && b.Operation == other.Operation && b.IsRemoval == other.IsRemoval &&
		slices.EqualFunc(b.Transactions, other.Transactions, func(x, y hexutil.Bytes) bool { return string(x) == string(y) })
}

// Receipt is the receipt of a transaction with the logs of the batch.
type Receipt struct {
	Success         bool
	TransactionHash common.Hash
	BlockHash       common.Hash
	BlockNumber     uint64
	GasUsed         uint64
	Logs            []chainclient.LogJSON
}

// Store stores batches.
type Store interface {
	// InsertBatch stores a batch. If a batch with its id exists, it returns that one instead.
	InsertBatch(ctx context.Context, b Batch) (existing *Batch, err error)
	// FindBatch returns a batch. It fails with [ErrUnknown].
	FindBatch(ctx context.Context, project string, account evm.Address, id string) (Batch, error)
	// DeleteBatch deletes a batch that was not sent.
	DeleteBatch(ctx context.Context, b Batch) error
}

// Operations sends user operations and finds their receipts.
type Operations interface {
	// HashOf returns the hash of an operation.
	HashOf(ctx context.Context, chainID string, entryPoint evm.Address, o *userop.Operation) (common.Hash, error)
	// Send sends an operation.
	Send(ctx context.Context, project, chainID string, entryPoint evm.Address, o *userop.Operation) error
	// Remove sends an account's authorization that ends its delegation, and returns a hash for it.
	Remove(ctx context.Context, project, chainID string, account evm.Address, a userop.Authorization) (common.Hash, error)
	// FindReceipt returns the receipt of an operation or a removal: nil while it is pending. failed reports that it will not be included.
	FindReceipt(ctx context.Context, chainID string, hash common.Hash) (receipt *Receipt, failed bool, err error)
}

// Sender sends batches. It is safe for concurrent use.
type Sender struct {
	connect    func(chainID string) chainclient.Transport
	operations Operations
	store      Store
	clock      clock.Clock
}

// New returns a sender.
func New(connect func(chainID string) chainclient.Transport, operations Operations, store Store, c clock.Clock) *Sender {
	return &Sender{connect: connect, operations: operations, store: store, clock: c}
}

// SendOperation stores a batch that is one user operation and sends it. If the id is empty, one is generated. It
// returns the stored batch.
func (s *Sender) SendOperation(ctx context.Context, b Batch, entryPoint evm.Address, o *userop.Operation) (Batch, error) {
	if o.Sender != b.Account {
		return b, ErrSigner
	}
	hash, err := s.operations.HashOf(ctx, b.ChainID, entryPoint, o)
	if err != nil {
		return b, err
	}
	b.Operation = hash
	b, err = s.keep(ctx, b)
	if err != nil {
		return b, err
	}
	if err := s.operations.Send(ctx, b.Project, b.ChainID, entryPoint, o); err != nil {
		return b, errors.Join(err, s.store.DeleteBatch(context.WithoutCancel(ctx), b))
	}
	return b, nil
}

// SendRemoval sends an authorization that ends the delegation of the batch's account, and stores the batch under the hash of the removal. It returns the stored batch.
func (s *Sender) SendRemoval(ctx context.Context, b Batch, a userop.Authorization) (Batch, error) {
	hash, err := s.operations.Remove(ctx, b.Project, b.ChainID, b.Account, a)
	if err != nil {
		return b, err
	}
	// If the process ends before the batch is stored, the same authorization again stores it.
	b.ID, b.Operation, b.IsRemoval = hash.Hex(), hash, true
	return s.keep(ctx, b)
}

// SendTransactions stores a batch of signed transactions and sends them in order. If the id is empty, one is generated.
// It returns the stored batch.
func (s *Sender) SendTransactions(ctx context.Context, b Batch, number *big.Int) (Batch, error) {
	if err := checkTransactions(b, number); err != nil {
		return b, err
	}
	b, err := s.keep(ctx, b)
	if err != nil {
		return b, err
	}
	for i, raw := range b.Transactions {
		if err := s.send(ctx, b.ChainID, raw); err != nil {
			if i == 0 {
				return b, errors.Join(err, s.store.DeleteBatch(context.WithoutCancel(ctx), b))
			}
			// The remaining transactions are sent when the status is requested.
			return b, nil
		}
	}
	return b, nil
}

// checkTransactions checks that the account signed consecutive transactions for the chain.
func checkTransactions(b Batch, number *big.Int) error {
	signer := types.LatestSignerForChainID(number)
	var last uint64
	for i, raw := range b.Transactions {
		var t types.Transaction
		if err := t.UnmarshalBinary(raw); err != nil {
			return fmt.Errorf("%w: transaction %d is not valid", ErrMalformed, i)
		}
		from, err := types.Sender(signer, &t)
		if err != nil || from != b.Account || t.ChainId().Cmp(number) != 0 {
			return ErrSigner
		}
		if i > 0 && t.Nonce() != last+1 {
			return fmt.Errorf("%w: the nonces of the transactions are not consecutive", ErrMalformed)
		}
		last = t.Nonce()
	}
	return nil
}

func (s *Sender) send(ctx context.Context, chainID string, raw []byte) error {
	_, err := s.connect(chainID).Call(ctx, "eth_sendRawTransaction", hexutil.Bytes(raw))
	return err
}

// keep stores a batch before it is sent. The same batch under the same id is stored once.
func (s *Sender) keep(ctx context.Context, b Batch) (Batch, error) {
	if b.ID == "" {
		var id [32]byte
		if _, err := rand.Read(id[:]); err != nil {
			return b, err
		}
		b.ID = "0x" + hex.EncodeToString(id[:])
	}
	b.Created = s.clock.Now()
	existing, err := s.store.InsertBatch(ctx, b)
	if err == nil && existing != nil && !existing.same(b) {
		err = ErrUsed
	}
	return b, err
}

// Status is the status of a batch.
type Status struct {
	Batch
	// Code is a status code of EIP-5792.
	Code     uint32
	Receipts []Receipt
}

// Status returns the status of a batch. It fails with [ErrUnknown].
func (s *Sender) Status(ctx context.Context, project string, account evm.Address, id string) (Status, error) {
	b, err := s.store.FindBatch(ctx, project, account, id)
	if err != nil {
		return Status{}, err
	}
	if len(b.Transactions) > 0 {
		return s.statusOfTransactions(ctx, b)
	}
	receipt, failed, err := s.operations.FindReceipt(ctx, b.ChainID, b.Operation)
	switch {
	case err != nil:
		return Status{}, err
	case failed:
		return Status{Batch: b, Code: StatusFailed}, nil
	case receipt == nil:
		return Status{Batch: b, Code: StatusPending}, nil
	case receipt.Success:
		return Status{Batch: b, Code: StatusConfirmed, Receipts: []Receipt{*receipt}}, nil
	}
	return Status{Batch: b, Code: StatusReverted, Receipts: []Receipt{*receipt}}, nil
}

func (s *Sender) statusOfTransactions(ctx context.Context, b Batch) (Status, error) {
	status := Status{Batch: b, Code: StatusPending}
	var decoded []*types.Transaction
	calls := []chainclient.Call{{Method: "eth_getTransactionCount", Params: []any{b.Account, "latest"}}}
	for _, raw := range b.Transactions {
		t := new(types.Transaction)
		if err := t.UnmarshalBinary(raw); err != nil {
			return status, err
		}
		decoded = append(decoded, t)
		calls = append(calls, chainclient.Call{Method: "eth_getTransactionReceipt", Params: []any{t.Hash()}})
	}
	results, err := s.connect(b.ChainID).Batch(ctx, calls...)
	if err != nil {
		return status, err
	}
	used, err := results[0].Quantity()
	if err != nil {
		return status, err
	}
	succeeded, lost := 0, false
	for i, result := range results[1:] {
		receipt, err := readReceipt(result, decoded[i].Hash())
		switch {
		case err != nil:
			return status, err
		case receipt != nil:
			status.Receipts = append(status.Receipts, *receipt)
			if receipt.Success {
				succeeded++
			}
		case s.clock.Now().Sub(b.Created) > resendAfter && used.Uint64() > decoded[i].Nonce():
			lost = true // another transaction used the nonce
		case s.clock.Now().Sub(b.Created) > giveUpAfter && used.Uint64() < decoded[0].Nonce():
			lost = true
		case s.clock.Now().Sub(b.Created) > resendAfter:
			_ = s.send(ctx, b.ChainID, b.Transactions[i])
		}
	}
	switch n := len(b.Transactions); {
	case len(status.Receipts) < n && !lost:
	case lost && len(status.Receipts) == 0:
		status.Code = StatusFailed
	case succeeded == n:
		status.Code = StatusConfirmed
	case succeeded == 0:
		status.Code = StatusReverted
	default:
		status.Code = StatusPartly
	}
	return status, nil
}

// readReceipt returns the receipt of a transaction, and nil if it is not in a block.
func readReceipt(r chainclient.Result, hash common.Hash) (*Receipt, error) {
	raw, err := r.JSON()
	if err != nil {
		return nil, err
	}
	receipt, err := ParseReceipt(raw)
	if receipt != nil {
		receipt.TransactionHash = hash
	}
	return receipt, err
}

// ParseReceipt parses the receipt that a node returned; it returns nil for null.
func ParseReceipt(raw json.RawMessage) (*Receipt, error) {
	var r *struct {
		Status chainclient.Uint64    `json:"status"`
		Hash   common.Hash           `json:"transactionHash"`
		Block  *common.Hash          `json:"blockHash"`
		Number chainclient.Uint64    `json:"blockNumber"`
		Gas    chainclient.Uint64    `json:"gasUsed"`
		Logs   []chainclient.LogJSON `json:"logs"`
	}
	if err := json.Unmarshal(raw, &r); err != nil || r == nil || r.Block == nil {
		return nil, err
	}
	return &Receipt{
		Success: r.Status == 1, TransactionHash: r.Hash, BlockHash: *r.Block, BlockNumber: uint64(r.Number), GasUsed: uint64(r.Gas), Logs: r.Logs,
	}, nil
}
