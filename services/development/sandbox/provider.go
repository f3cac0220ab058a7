package sandbox

import (
	"log/slog"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// PagePath followed by the id of a checkout is the path of its page below the public URL.
const PagePath = "/sandbox/checkout/"

// Deps are the dependencies of the sandbox.
type Deps struct {
	Chain *chainclient.Client
	DB    *store.DB
	Clock clock.Clock
	Log   *slog.Logger
}
