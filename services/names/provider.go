package names

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/signature"
)

// Networks knows the chains of this installation; [chainclient.Client] is the real one.
type Networks interface {
	// Serves reports whether a chain, by CAIP-2 id, is in the network table.
	Serves(ctx context.Context, chainID string) (bool, error)
}

// Verifier tells who signed what; [signature.Verifier] is the real one.
type Verifier interface {
	Verify(ctx context.Context, chainID string, account evm.Address, message, sig []byte) (signature.Kind, error)
}

// Store keeps names, the history of their changes, and how much each account changed; and tells NameRegistered and NameChanged of every
// write that it acknowledges.
type Store interface {
	// Insert keeps a new name. It fails with [ErrTaken], [ErrUsed] or [ErrLimited].
	Insert(ctx context.Context, r Record, c Change) error
	// Update applies change to a name while nobody else changes it, and returns what is kept then. It fails with what change returns, with
	// [ErrUnregistered], [ErrUsed] or [ErrLimited], and keeps nothing. change may run more than once.
	Update(ctx context.Context, name Name, c Change, change func(r *Record) error) (Record, error)
	// Delete makes nobody have the name, unless allow refuses. It fails as Update does.
	Delete(ctx context.Context, name Name, c Change, allow func(r Record) error) error
	// Find returns a name. It fails with [ErrUnregistered].
	Find(ctx context.Context, name Name) (Record, error)
	// OwnedBy lists at most limit names that an account owns: those it signed for before those it was given, of both the oldest first.
	OwnedBy(ctx context.Context, account evm.Address, limit int) ([]Record, error)
	// Registered tells which of the names somebody has.
	Registered(ctx context.Context, among []Name) (map[Name]bool, error)
}

// Action is what a change did to a name.
type Action string

// The actions.
const (
	Registered    Action = "registered"
	SetAttributes Action = "attributes"
	SetAddress    Action = "address"
	Released      Action = "released"
	Transferred   Action = "transferred"
)

// Change is one entry of the history: who changed a name, when, and the proof that it was so.
type Change struct {
	Name   Name
	Action Action
	By     Signer
	// Message and Signature are as they came: anyone can verify them again.
	Message   string
	Signature []byte
	// At is exact to the millisecond.
	At time.Time
}
