package sandbox

import (
	"context"
	"time"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
)

// nameTimeout bounds the lookup of a receiver's name: the page can do without.
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
