package wallet

import (
	"context"
	"encoding/base64"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/wallet/account"
	"github.com/hawser-dev/hawser/services/wallet/call"
	"github.com/hawser-dev/hawser/services/wallet/login"
	"github.com/hawser-dev/hawser/services/wallet/notice"
	"github.com/hawser-dev/hawser/services/wallet/session"
)

// revokeSession is the name of the call that ends one session.
const revokeSession = "RevokeSession"

// Refresh exchanges a refresh token.
func (s *Server) Refresh(ctx context.Context, r *walletv1.RefreshRequest) (*walletv1.RefreshResponse, error) {
	c, err := s.calls.FromDevice(ctx)
	if err != nil {
		return nil, err
	}
	tokens, err := s.sessions.Refresh(ctx, c.Project, c.Key, r.GetRefreshToken())
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.RefreshResponse{Tokens: login.TokensProto(tokens)}, nil
}

// SignOut ends the session of the caller.
func (s *Server) SignOut(ctx context.Context, _ *walletv1.SignOutRequest) (*walletv1.SignOutResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	_, err = s.sessions.End(ctx, c.Session.UserID, c.Session.ID, false)
	return &walletv1.SignOutResponse{}, err
}

// ListSessions returns the sessions of the user.
func (s *Server) ListSessions(ctx context.Context, _ *walletv1.ListSessionsRequest) (*walletv1.ListSessionsResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.sessions.List(ctx, c.Session.UserID)
	if err != nil {
		return nil, err
	}
	res := &walletv1.ListSessionsResponse{}
	for _, f := range found {
		res.Sessions = append(res.Sessions, &walletv1.WalletSession{
			Id: f.ID, Browser: f.Browser, System: f.System, Site: f.Site, CreatedAt: f.CreatedAt.Unix(), UsedAt: f.UsedAt.Unix(), Current: f.ID == c.Session.ID,
		})
	}
	return res, nil
}

// RevokeSession ends a session of the user.
func (s *Server) RevokeSession(ctx context.Context, r *walletv1.RevokeSessionRequest) (*walletv1.RevokeSessionResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	if r.GetId() != c.Session.ID {
		if _, err := s.accounts.Authorize(ctx, c, revokeSession, r.GetId(), r.GetProof()); err != nil {
			return nil, err
		}
	}
	ended, err := s.sessions.End(ctx, c.Session.UserID, r.GetId(), true)
	if err != nil || !ended {
		return &walletv1.RevokeSessionResponse{}, err
	}
	if err := s.accounts.TellUser(ctx, c.Session.UserID, notice.SessionEnded); err != nil {
		return nil, err
	}
	return &walletv1.RevokeSessionResponse{}, s.removals.Copy(ctx, s.deps.Clock.Now())
}

// RevokeAllSessions ends every session of the user.
func (s *Server) RevokeAllSessions(ctx context.Context, r *walletv1.RevokeAllSessionsRequest) (*walletv1.RevokeAllSessionsResponse, error) {
	c, err := s.calls.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.accounts.Authorize(ctx, c, account.RevokeAll, "", r.GetProof()); err != nil {
		return nil, err
	}
	if err := s.sessions.EndAll(ctx, c.Session.UserID); err != nil {
		return nil, err
	}
	if err := s.accounts.TellUser(ctx, c.Session.UserID, notice.SignedOut); err != nil {
		return nil, err
	}
	return &walletv1.RevokeAllSessionsResponse{}, s.removals.Copy(ctx, s.deps.Clock.Now())
}

// keyServer publishes the key of access tokens.
type keyServer struct {
	walletv1.UnimplementedKeyServiceServer

	sessions *session.Sessions
}

// ListKeys returns the key as a JSON Web Key Set.
func (k keyServer) ListKeys(ctx context.Context, _ *walletv1.ListKeysRequest) (*walletv1.ListKeysResponse, error) {
	public, id, err := k.sessions.Key(ctx)
	if err != nil {
		return nil, call.Explain(err)
	}
	return &walletv1.ListKeysResponse{Keys: []*walletv1.JsonWebKey{
		{Kty: "OKP", Crv: "Ed25519", Kid: id, X: base64.RawURLEncoding.EncodeToString(public), Alg: "EdDSA", Use: "sig"},
	}}, nil
}
