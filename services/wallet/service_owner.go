package wallet

import (
	"context"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/wallet/call"
	"github.com/hawser-dev/hawser/services/wallet/factor"
)

// GetOwner verifies the device proof of a call to another service, and returns the account of the caller's wallet, if
// its key signed for the user.
func (s *Server) GetOwner(ctx context.Context, r *walletv1.GetOwnerRequest) (*walletv1.GetOwnerResponse, error) {
	c, err := s.calls.SignedInFor(ctx, r.GetPath())
	if err != nil {
		return nil, err
	}
	wallet, err := s.wallets.Find(ctx, c.Session.UserID)
	if err != nil {
		return nil, call.Explain(err)
	}
	for _, a := range wallet.Accounts {
		if a.Namespace == "eip155" && a.Proven {
			return &walletv1.GetOwnerResponse{Address: a.Address}, nil
		}
	}
	return nil, call.Explain(factor.ErrUnproven)
}

// ListLogins lists the configured logins.
func (s *Server) ListLogins(context.Context, *walletv1.ListLoginsRequest) (*walletv1.ListLoginsResponse, error) {
	return s.logins.Configured(), nil
}
