package console

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"time"

	"google.golang.org/grpc/codes"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/console/passkey"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// freshLogin is how long after a login an operator may add a passkey. Who finds a browser unattended, or takes a cookie, gets no login that lasts.
const freshLogin = time.Hour

// passkeyServer implements PasskeyService.
type passkeyServer struct {
	adminv1.UnimplementedPasskeyServiceServer
	*server
}

// StartPasskeyLogin returns a challenge for any passkey.
func (s passkeyServer) StartPasskeyLogin(ctx context.Context, _ *adminv1.StartPasskeyLoginRequest) (*adminv1.StartPasskeyLoginResponse, error) {
	options, err := s.passkeys.StartLogin(ctx, s.origin(callOf(ctx)))
	if err != nil {
		return nil, explain(err)
	}
	return &adminv1.StartPasskeyLoginResponse{Options: options}, nil
}

// FinishPasskeyLogin starts a session with the answer to a challenge.
func (s passkeyServer) FinishPasskeyLogin(ctx context.Context, r *adminv1.FinishPasskeyLoginRequest) (*adminv1.FinishPasskeyLoginResponse, error) {
	c := callOf(ctx)
	used, err := s.passkeys.FinishLogin(ctx, s.origin(c), r.GetCredential())
	if used.ID != "" {
		c.about("passkey " + used.ID)
	}
	if errors.Is(err, passkey.ErrCopied) {
		s.deps.Log.WarnContext(ctx, "a passkey of the console is refused: its counter did not go on, so that it may have been copied", "passkey", used.ID, "operator", used.OperatorID)
	}
	if err != nil {
		return nil, explain(err)
	}
	session, operator, err := s.operators.Begin(ctx, used.OperatorID, c.browser())
	if err != nil {
		return nil, explain(err)
	}
	c.as(operator)
	return &adminv1.FinishPasskeyLoginResponse{Operator: operatorProto(operator), Session: s.sessionProto(session, session.ID)}, nil
}

// ListPasskeys returns the passkeys of the caller.
func (s passkeyServer) ListPasskeys(ctx context.Context, _ *adminv1.ListPasskeysRequest) (*adminv1.ListPasskeysResponse, error) {
	found, err := s.passkeys.List(ctx, callOf(ctx).operator.ID)
	if err != nil {
		return nil, err
	}
	res := &adminv1.ListPasskeysResponse{}
	for _, p := range found {
		res.Passkeys = append(res.Passkeys, passkeyProto(p))
	}
	return res, nil
}

// StartPasskey returns a challenge to add a passkey.
func (s passkeyServer) StartPasskey(ctx context.Context, _ *adminv1.StartPasskeyRequest) (*adminv1.StartPasskeyResponse, error) {
	c := callOf(ctx)
	if err := s.mayAdd(c); err != nil {
		return nil, err
	}
	options, err := s.passkeys.Start(ctx, s.origin(c), passkey.Owner{ID: c.operator.ID, Name: c.operator.Name}, c.session.ID)
	if err != nil {
		return nil, explain(err)
	}
	return &adminv1.StartPasskeyResponse{Options: options}, nil
}

// AddPasskey adds a passkey of the caller.
func (s passkeyServer) AddPasskey(ctx context.Context, r *adminv1.AddPasskeyRequest) (*adminv1.AddPasskeyResponse, error) {
	c := callOf(ctx)
	if err := s.mayAdd(c); err != nil {
		return nil, err
	}
	added, err := s.passkeys.Add(ctx, s.origin(c), passkey.Owner{ID: c.operator.ID, Name: c.operator.Name}, c.session.ID, r.GetName(), r.GetCredential())
	if err != nil {
		return nil, explain(err)
	}
	c.about("passkey " + added.ID)
	c.changed(nil, passkeyProto(added))
	return &adminv1.AddPasskeyResponse{Passkey: passkeyProto(added)}, nil
}

// RemovePasskey removes a passkey of the caller.
func (s passkeyServer) RemovePasskey(ctx context.Context, r *adminv1.RemovePasskeyRequest) (*adminv1.RemovePasskeyResponse, error) {
	c := callOf(ctx)
	removed, err := s.passkeys.Remove(ctx, c.operator.ID, r.GetId())
	if err != nil {
		return nil, explain(err)
	}
	c.changed(passkeyProto(removed), nil)
	return &adminv1.RemovePasskeyResponse{}, nil
}

// mayAdd refuses a call whose session began too long ago, and one of an operator of the identity provider: whoever leaves there must not keep a login here.
func (s *server) mayAdd(c *call) error {
	if c.operator.Issuer != "" {
		return explain(ErrProvided)
	}
	if s.deps.Clock.Now().Sub(c.session.CreatedAt) <= freshLogin {
		return nil
	}
	return fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_LOGIN_STALE, "", "Sign out and in again first: the login is over an hour old")
}

// origin returns the origin that a call is made at. Without a configured one it is that of the page, if the page is of this machine: that of another name would
// be what a name server says.
func (s *server) origin(c *call) string {
	at, err := url.Parse(c.from.Origin)
	if s.cfg.Origin == "" && (err != nil || at.Hostname() != "localhost") {
		return ""
	}
	return cmp.Or(s.cfg.Origin, c.from.Origin)
}

func passkeyProto(p passkey.Passkey) *adminv1.Passkey {
	return &adminv1.Passkey{Id: p.ID, Name: p.Name, CreatedAt: unixOrZero(p.CreatedAt), UsedAt: unixOrZero(p.UsedAt), Synced: p.BackupEligible}
}
