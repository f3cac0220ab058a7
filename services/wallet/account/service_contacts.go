package account

import (
	"context"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/wallet/call"
)

// GetContacts returns the contacts of the wallet.
func (s *Server) GetContacts(ctx context.Context, _ *walletv1.GetContactsRequest) (*walletv1.GetContactsResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.contacts.Find(ctx, c.Session.UserID)
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.GetContactsResponse{Version: found.Version, Blob: found.Blob}, nil
}

// SetContacts replaces the contacts of the wallet.
func (s *Server) SetContacts(ctx context.Context, r *walletv1.SetContactsRequest) (*walletv1.SetContactsResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	version, err := s.contacts.Replace(ctx, c.Session.UserID, r.GetWalletId(), r.GetVersion(), r.GetBlob())
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.SetContactsResponse{Version: version}, nil
}
