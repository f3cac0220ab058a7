package sandbox

import (
	"context"
	"log/slog"
	"time"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// PagePath followed by the id of a checkout is the path of its page below the public URL.
const PagePath = "/sandbox/checkout/"

// Deps are the dependencies of the sandbox.
type Deps struct {
	Chain *chainclient.Client
	// Names returns the primary name of the account that receives the tokens.
	Names namesv1.NamesServiceClient
	DB    *store.DB
	Clock clock.Clock
	Log   *slog.Logger
}

// nameTimeout bounds the lookup of a receiver's name. The page can be shown without it.
const nameTimeout = 500 * time.Millisecond

// nameOf returns the primary name of an account; empty if it has none or names does not answer in time.
func (s *Sandbox) nameOf(ctx context.Context, address string) string {
	if address == "" || s.names == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, nameTimeout)
	defer cancel()
	res, err := s.names.GetIdentity(ctx, &namesv1.GetIdentityRequest{Address: address})
	if err != nil {
		s.log.DebugContext(ctx, "the receiver's name could not be read", "error", err)
		return ""
	}
	return res.GetName()
}
