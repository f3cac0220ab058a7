package registry

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
)

// Networks is the network table; [chainclient.Client] implements it.
type Networks interface {
	// Serves reports whether a chain, by CAIP-2 id, is in the network table.
	Serves(ctx context.Context, chainID string) (bool, error)
}

// Verifier verifies signatures; [signature.Verifier] implements it.
type Verifier interface {
	Verify(ctx context.Context, chainID string, account evm.Address, message, sig []byte) (signature.Kind, error)
}

// Store stores names, the history of their changes, and the number of changes of each account. It publishes NameRegistered or NameChanged for
// every write, in the same transaction.
type Store interface {
	// Insert stores a new name. It fails with [ErrTaken], [ErrUsed] or [ErrLimited].
	Insert(ctx context.Context, r Record, c Change) error
	// Update applies change to a name in one transaction, and returns the new record. It fails with the error of change, [ErrUnregistered],
	// [ErrUsed] or [ErrLimited], and then stores nothing. change may run more than once.
	Update(ctx context.Context, name Name, c Change, change func(r *Record) error) (Record, error)
	// Delete releases the name, unless allow returns an error. It returns the errors of Update.
	Delete(ctx context.Context, name Name, c Change, allow func(r Record) error) error
	// Find returns a name. It fails with [ErrUnregistered].
	Find(ctx context.Context, name Name) (Record, error)
	// OwnedBy lists at most limit names that an account owns: first those that it signed for, then those that were
	// transferred to it, the oldest first.
	OwnedBy(ctx context.Context, account evm.Address, limit int) ([]Record, error)
	// Registered returns which of the names are registered.
	Registered(ctx context.Context, among []Name) (map[Name]bool, error)
	Moderation
}

// Action is the kind of a change.
type Action string

// The actions.
const (
	Registered    Action = "registered"
	SetAttributes Action = "attributes"
	SetAddress    Action = "address"
	Released      Action = "released"
	Transferred   Action = "transferred"
	// Taken is a release by the operator, without a signature.
	Taken Action = "taken"
)

// Change is one entry of the history: who changed a name and when, with the signed text as proof.
type Change struct {
	Name   Name
	Action Action
	By     Signer
	// Message and Signature are as received, so that they can be verified again.
	Message   string
	Signature []byte
	// At is exact to the millisecond.
	At time.Time
	// Project is that of the site at which a name is registered. It is published and not stored.
	Project string
}
