package auth

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

// Verifier verifies signatures of accounts of EVM chains; [signature.Verifier] implements it.
type Verifier interface {
	Verify(ctx context.Context, chainID string, account evm.Address, message, sig []byte) (signature.Kind, error)
}

// Store stores nonces and sessions.
type Store interface {
	// InsertNonce stores a nonce.
	InsertNonce(ctx context.Context, n Nonce) error
	// TakeNonce deletes a nonce and returns it. Of several calls for one nonce, one succeeds; the others fail with [ErrNonce].
	TakeNonce(ctx context.Context, value string) (Nonce, error)
	// InsertSession stores a session, and publishes SignedIn in the same transaction.
	InsertSession(ctx context.Context, s Session) error
	// FindSession returns the session of a token's hash, also if it has expired. It fails with [ErrSession].
	FindSession(ctx context.Context, tokenHash string) (Session, error)
	// DeleteSession deletes the session of a token's hash if it is the project's.
	DeleteSession(ctx context.Context, project, tokenHash string) error
	// DeleteExpired deletes the nonces and sessions that expire at now or earlier.
	DeleteExpired(ctx context.Context, now time.Time) error
}
