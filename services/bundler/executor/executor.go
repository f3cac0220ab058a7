// Package executor sends user operations to EntryPoints, each in a transaction of one of its keys, and authorizations that end the delegation of an account.
//
// An operation is stored together with its signed transaction before anything is sent, so it is not lost if the process
// is killed: the process that continues sends the same transaction again, which has no further effect. Nonces are
// assigned in the database, so several replicas can share the keys. A transaction that is not included in time is
// replaced at a higher fee, within bounds; one whose operation has become invalid is replaced by an empty one. A
// transaction whose key was removed from the configuration is sent again as it is, until its operation is too old.
package executor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/bundler/fees"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// JSON-RPC error codes of ERC-7769.
const (
	CodeInvalid   = -32602
	CodeRejected  = -32500
	CodePaymaster = -32501
	CodeLimited   = -32504
	CodeSignature = -32507
	CodeReverted  = -32521
)

// Refusal is the reason why an operation is not accepted.
type Refusal struct {
	// Code is a JSON-RPC error code (ERC-7769).
	Code int
	// Message is for the caller.
	Message string
	// Data is the revert data of a contract.
	Data []byte
}

// Error returns the message.
func (r *Refusal) Error() string { return r.Message }

func refuse(code int, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Message: fmt.Sprintf(format, args...)}
}

// ErrNoFunds is returned if no executor can pay for a transaction.
var ErrNoFunds = errors.New("no executor of the bundler can pay for the transaction")

// Errors of a [Store].
var (
	// ErrUnknown is returned if there is no such operation.
	ErrUnknown = errors.New("no such user operation")
	// ErrKnown is returned if the operation is stored already.
	ErrKnown = errors.New("the user operation is known")
	// ErrNoncePending is returned while another operation of the sender with the same nonce is pending.
	ErrNoncePending = errors.New("a user operation with this nonce is pending")
	// ErrAccountPending is returned for the removal of a delegation while an operation or a removal of the account is pending, and for an operation while a
	// removal is.
	ErrAccountPending = errors.New("an operation of the account, or the removal of its delegation, is pending")
	// ErrBudget is returned for a removal that a [Budget] does not allow.
	ErrBudget = errors.New("the sponsor does not pay for the removal")
)

// LimitError is returned by a [Store] for an operation over a limit.
type LimitError struct{ Limit Limit }

// Error says which limit was reached.
func (e *LimitError) Error() string { return string(e.Limit) }

// Limit is a limit, in words for the caller.
type Limit string

// The limits of an hour.
const (
	LimitProject     Limit = "the project reached its limit of user operations in an hour"
	LimitAccount     Limit = "the account reached its limit of user operations in an hour"
	LimitDropped     Limit = "too many user operations of the account failed in the last hour"
	LimitProjectLoss Limit = "user operations of the project that are pending or failed could cost this bundler its limit of an hour"
	LimitLoss        Limit = "user operations that are pending or failed could cost this bundler its limit of an hour"
)

// State of an operation.
type State int

// The states of an operation. A reorg can return an included one to Sent.
const (
	Sent State = iota + 1
	Included
	Final
	Dropped
)

// Record is a stored operation, or the removal of a delegation.
type Record struct {
	ChainID string
	Hash    common.Hash
	Project string
	// EntryPoint is the zero address for a removal.
	EntryPoint evm.Address
	Operation  *userop.Operation
	State      State
	Received   time.Time
	// Block is the block of an included operation, or of the transaction that used its nonce instead; 0 for none.
	Block uint64
	// MaxLoss is the most that an executor loses if the operation fails in a block, in wei. It is reserved until the operation is included. Of a dropped
	// operation it is what the executor lost, if that is known. For a removal, it is all that its transaction can cost.
	MaxLoss *big.Int
	// MaxFee is the most that a transaction of the operation pays for a unit of gas, in wei: MaxLoss is computed with it.
	MaxFee *big.Int
}

// Transaction is a signed transaction for an operation.
type Transaction struct {
	ChainID   string
	Hash      common.Hash
	Operation common.Hash
	Executor  evm.Address
	Nonce     uint64
	Raw       []byte
	Fee       Fee
	// Signed is when it was signed, and Sent when it was last sent.
	Signed, Sent time.Time
}

// Open is an operation with the transactions that may still include it, the oldest first.
type Open struct {
	Record
	Transactions []Transaction
}

// Signer returns the signed transaction for a nonce.
type Signer func(nonce uint64) (Transaction, error)

// Store stores operations and their transactions.
type Store interface {
	// Find returns an operation with its transactions. It fails with [ErrUnknown].
	Find(ctx context.Context, chainID string, hash common.Hash) (Open, error)
	// Insert stores an operation with its first transaction, which gets the next nonce of an executor: floor if none of its transactions is
	// open, at least floor otherwise. In the same transaction it counts the operation and reserves its loss within limits. It fails with [ErrKnown],
	// [ErrNoncePending], [ErrAccountPending] and a [*LimitError].
	Insert(ctx context.Context, r Record, limits Limits, executor evm.Address, floor uint64, sign Signer) (Transaction, error)
	// InsertRemoval stores a removal as Insert does, and counts its MaxLoss as paid for its project and account on this day, if the budget allows it. It also fails
	// with [ErrBudget].
	InsertRemoval(ctx context.Context, r Record, limits Limits, budget Budget, executor evm.Address, floor uint64, sign Signer) (Transaction, error)
	// Reassign gives an operation another transaction with the next nonce of an executor, and closes its previous
	// transactions.
	Reassign(ctx context.Context, r Record, executor evm.Address, floor uint64, sign Signer) (Transaction, error)
	// Replace adds a transaction with the nonce of another one.
	Replace(ctx context.Context, t Transaction) error
	// MarkSent sets when a transaction was last sent.
	MarkSent(ctx context.Context, t Transaction, at time.Time) error
	// List returns operations of a chain that are not final, the oldest first.
	List(ctx context.Context, chainID string, limit int) ([]Open, error)
	// SetState sets the state of an operation. Transactions are open while it is [Sent].
	SetState(ctx context.Context, r Record) error
	// Exclusively runs work unless another replica runs work of that name.
	Exclusively(ctx context.Context, name string, work func() error) (ran bool, err error)
}

// Limits bound the operations of an hour, and what the executors lose in it.
type Limits struct {
	ProjectPerHour int `yaml:"project_per_hour" doc:"user operations of one project in an hour; 0 for no limit"`
	AccountPerHour int `yaml:"account_per_hour" doc:"user operations of one account in an hour; 0 for no limit"`
	DroppedPerHour int `yaml:"dropped_per_hour" doc:"user operations of one account in an hour that were sent and not included, which cost the executor gas; 0 for no limit"`
	// ProjectLossPerHour and LossPerHour bound what user operations that are pending or failed may have cost the executors of one chain.
	ProjectLossPerHour string `yaml:"project_loss_wei_per_hour" doc:"wei that failed user operations of one project may cost the executors on one chain in an hour (UTC); those that are pending count"`
	LossPerHour        string `yaml:"loss_wei_per_hour" doc:"wei that failed user operations may cost the executors on one chain in an hour (UTC), over all projects; those that are pending count"`
}

// MostProjectLoss returns ProjectLossPerHour, and 0 if it is not a number.
func (l Limits) MostProjectLoss() *big.Int { return wei(l.ProjectLossPerHour) }

// MostLoss returns LossPerHour, and 0 if it is not a number.
func (l Limits) MostLoss() *big.Int { return wei(l.LossPerHour) }

func wei(text string) *big.Int {
	if n, ok := new(big.Int).SetString(text, 10); ok {
		return n
	}
	return new(big.Int)
}

// Options configure an [Executor].
type Options struct {
	Limits Limits
	// ReplaceAfter is how long a transaction may take until it is replaced.
	ReplaceAfter time.Duration
	// ChainIDs are the CAIP-2 ids of the chains that operations are sent to.
	ChainIDs []string
}

// Executor sends operations. It is safe for concurrent use.
type Executor struct {
	connect func(chainID string) chainclient.Transport
	store   Store
	keys    []account.Key
	options Options
	clock   clock.Clock
	log     *slog.Logger
	metrics *metrics
	// turn selects the next key.
	turn atomic.Uint32
}

// New returns an executor with at least one key.
func New(connect func(chainID string) chainclient.Transport, store Store, keys []account.Key, options Options, c clock.Clock, log *slog.Logger) *Executor {
	return &Executor{connect: connect, store: store, keys: keys, options: options, clock: c, log: log, metrics: newMetrics(options.ChainIDs)}
}

// Addresses returns the accounts that send transactions.
func (e *Executor) Addresses() []evm.Address {
	addresses := make([]evm.Address, len(e.keys))
	for i, k := range e.keys {
		addresses[i] = k.Address()
	}
	return addresses
}

// Chain is a chain that operations are sent to.
type Chain struct {
	// ChainID is the CAIP-2 id, and Number its reference.
	ChainID string
	Number  *big.Int
	// Fees are what the chain charges for a transaction.
	Fees fees.Rules
	// Accepted is the code that may validate an operation.
	Accepted Accepted
	// ProjectLossPerHour and LossPerHour take precedence over the limits of the same names where they are not empty.
	ProjectLossPerHour, LossPerHour string
}

// limits returns the limits of operations on the chain.
func (c Chain) limits(l Limits) Limits {
	if c.ProjectLossPerHour != "" {
		l.ProjectLossPerHour = c.ProjectLossPerHour
	}
	if c.LossPerHour != "" {
		l.LossPerHour = c.LossPerHour
	}
	return l
}

// Target is an EntryPoint of a chain.
type Target struct {
	Chain
	EntryPoint evm.Address
}

// Send stores an operation and sends it. It fails with a [*Refusal] if the operation would fail or a limit is reached. An operation that is known
// is not sent again, unless it was dropped.
func (e *Executor) Send(ctx context.Context, project string, t Target, o *userop.Operation) (common.Hash, error) {
	hash := o.Hash(t.EntryPoint, t.Number)
	known, err := e.store.Find(ctx, t.ChainID, hash)
	switch {
	case err == nil && known.State != Dropped:
		return hash, nil
	case err == nil:
		return hash, refuse(CodeRejected, "the user operation was sent before and not included")
	case !errors.Is(err, ErrUnknown):
		return hash, err
	}
	ready, err := e.check(ctx, t, o)
	if err != nil {
		return hash, err
	}
	record := Record{
		ChainID: t.ChainID, Hash: hash, Project: project, EntryPoint: t.EntryPoint, Operation: o, State: Sent, Received: e.clock.Now(),
		MaxLoss: ready.loss, MaxFee: ready.maxFee,
	}
	sent, err := e.store.Insert(ctx, record, t.limits(e.options.Limits), ready.key.Address(), ready.nonce, e.signer(record, t.Number, ready.key, ready.fee))
	if errors.Is(err, ErrKnown) {
		return hash, nil
	}
	if err := e.refusalOfStore(ctx, t.ChainID, err); err != nil {
		return hash, err
	}
	return hash, e.sendFirst(ctx, record, sent)
}

// refusalOfStore converts the error of an insertion to a refusal where it is one.
func (e *Executor) refusalOfStore(ctx context.Context, chainID string, err error) error {
	limited, isLimited := errors.AsType[*LimitError](err)
	switch {
	case isLimited:
		e.metrics.limited(ctx, chainID, limited.Limit)
		return refuse(CodeLimited, "%s", limited)
	case errors.Is(err, ErrNoncePending):
		return refuse(CodeRejected, "AA25 invalid account nonce: an operation with this nonce is pending")
	case errors.Is(err, ErrAccountPending):
		return refuse(CodeRejected, "%s", ErrAccountPending)
	case errors.Is(err, ErrBudget):
		return refuse(CodePaymaster, "%s", ErrBudget)
	}
	return err
}

// sendFirst sends the first transaction of an accepted record: from here on it is sent until it is included, also if this fails.
func (e *Executor) sendFirst(ctx context.Context, record Record, sent Transaction) error {
	err := e.broadcast(ctx, sent)
	if reason, refused := refusedForGood(err); refused {
		record.State = Dropped
		if err := e.store.SetState(ctx, record); err != nil {
			return err
		}
		return refuse(CodeRejected, "the network refuses the transaction: %s", Clip(reason))
	}
	if err != nil {
		e.log.WarnContext(ctx, "user operation not sent yet", "chain", record.ChainID, "operation", record.Hash, "error", err)
	}
	return nil
}

// lostGas returns the gas that a transaction uses if the validation of its operation fails in a block: what the execution may use is not spent then.
func lostGas(o *userop.Operation) *big.Int {
	// The floor for data is within what is added: the operation's own preVerificationGas may be any number.
	data := uint64(len(o.HandleOps(common.MaxAddress))) * maxByteGas
	return new(big.Int).SetUint64(verificationGas(o) + data + maxFixedGas)
}

const (
	// maxByteGas is more than the gas of a byte of data, and maxFixedGas more than that of a transaction and its authorization.
	maxByteGas  = 40
	maxFixedGas = 100_000
)
