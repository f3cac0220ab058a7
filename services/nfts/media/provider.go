// Package media fetches metadata and pictures of tokens from chains and untrusted servers, and caches them.
package media

import (
	"context"
	"errors"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// Networks is the network table; [chainclient.Client] implements it.
type Networks interface {
	Serves(ctx context.Context, chainID string) (bool, error)
}

// Reader calls contracts of a chain.
type Reader interface {
	// Read makes many calls with short answers in one request.
	Read(ctx context.Context, chainID string, queries []evm.Query) (evm.Reading, error)
	// CallEach makes calls whose answers are long or expensive, each as a separate call. Before the answers are decoded, held grows by what they take.
	// The error wraps [limit.ErrMemory] if that is too much.
	CallEach(ctx context.Context, chainID string, calls []evm.Call, held *limit.Bytes) ([]evm.Answer, error)
}

// Fetcher fetches documents from untrusted URLs; [fetch.Client] implements it.
type Fetcher interface {
	Get(ctx context.Context, address string, want fetch.Want) ([]byte, error)
}

// ErrUnavailable means that the chain, or the index of its history, does not answer.
var ErrUnavailable = errors.New("the chain is unavailable")
