package console

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	"github.com/hawser-dev/hawser/services/console/passkey"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// operatorServer implements OperatorService.
type operatorServer struct {
	adminv1.UnimplementedOperatorServiceServer
	*server
}

// Login starts a session with the token of a link.
func (s operatorServer) Login(ctx context.Context, r *adminv1.LoginRequest) (*adminv1.LoginResponse, error) {
	c := callOf(ctx)
	session, operator, err := s.operators.Redeem(ctx, r.GetToken(), c.browser())
	if err != nil {
		return nil, explain(err)
	}
	c.as(operator)
	c.about("operator " + operator.ID)
	return &adminv1.LoginResponse{Operator: operatorProto(operator), Session: s.sessionProto(session, session.ID)}, nil
}

// Logout ends the session of the caller.
func (s operatorServer) Logout(ctx context.Context, _ *adminv1.LogoutRequest) (*adminv1.LogoutResponse, error) {
	c := callOf(ctx)
	c.about("session " + c.session.ID)
	return &adminv1.LogoutResponse{}, s.operators.End(ctx, c.operator.ID, c.session.ID)
}

// GetMe returns the caller.
func (s operatorServer) GetMe(ctx context.Context, _ *adminv1.GetMeRequest) (*adminv1.GetMeResponse, error) {
	c := callOf(ctx)
	return &adminv1.GetMeResponse{
		Operator: operatorProto(c.operator), Session: s.sessionProto(c.session, c.session.ID),
		Version: s.deps.Version, Commit: s.deps.Commit, Documentation: documentation,
	}, nil
}

// ListSessions returns the sessions of the caller.
func (s operatorServer) ListSessions(ctx context.Context, _ *adminv1.ListSessionsRequest) (*adminv1.ListSessionsResponse, error) {
	c := callOf(ctx)
	found, err := s.operators.Sessions(ctx, c.operator.ID)
	if err != nil {
		return nil, err
	}
	res := &adminv1.ListSessionsResponse{}
	for _, f := range found {
		res.Sessions = append(res.Sessions, s.sessionProto(f, c.session.ID))
	}
	return res, nil
}

// EndSession ends a session of the caller.
func (s operatorServer) EndSession(ctx context.Context, r *adminv1.EndSessionRequest) (*adminv1.EndSessionResponse, error) {
	return &adminv1.EndSessionResponse{}, s.operators.End(ctx, callOf(ctx).operator.ID, r.GetId())
}

// ListOperators returns every operator.
func (s operatorServer) ListOperators(ctx context.Context, _ *adminv1.ListOperatorsRequest) (*adminv1.ListOperatorsResponse, error) {
	found, err := s.operators.List(ctx)
	if err != nil {
		return nil, err
	}
	res := &adminv1.ListOperatorsResponse{}
	for _, f := range found {
		res.Operators = append(res.Operators, operatorProto(f))
	}
	return res, nil
}

// SetOperatorRole changes the role of an operator.
func (s operatorServer) SetOperatorRole(ctx context.Context, r *adminv1.SetOperatorRoleRequest) (*adminv1.SetOperatorRoleResponse, error) {
	before, after, err := s.operators.SetRole(ctx, r.GetId(), roles[r.GetRole()])
	if err != nil {
		return nil, explain(err)
	}
	callOf(ctx).changed(operatorProto(before), operatorProto(after))
	return &adminv1.SetOperatorRoleResponse{Operator: operatorProto(after)}, nil
}

// RemoveOperator removes an operator.
func (s operatorServer) RemoveOperator(ctx context.Context, r *adminv1.RemoveOperatorRequest) (*adminv1.RemoveOperatorResponse, error) {
	removed, err := s.operators.Remove(ctx, r.GetId())
	if err != nil {
		return nil, explain(err)
	}
	callOf(ctx).changed(operatorProto(removed), nil)
	return &adminv1.RemoveOperatorResponse{}, nil
}

func operatorProto(o Operator) *adminv1.Operator {
	return &adminv1.Operator{Id: o.ID, Name: o.Name, Role: roleProto(o.Role), Issuer: o.Issuer, CreatedAt: unixOrZero(o.CreatedAt), UsedAt: unixOrZero(o.UsedAt)}
}

// roleProto returns a role as the proto has it; ROLE_UNSPECIFIED for none.
func roleProto(r Role) optionsv1.Role {
	for value, role := range roles {
		if role == r {
			return value
		}
	}
	return optionsv1.Role_ROLE_UNSPECIFIED
}

func (s *server) sessionProto(of Session, current string) *adminv1.OperatorSession {
	ends := of.CreatedAt.Add(s.cfg.SessionLifetime)
	idle := of.UsedAt.Add(s.cfg.SessionIdle)
	if idle.After(ends) {
		idle = ends
	}
	return &adminv1.OperatorSession{
		Id: of.ID, Address: of.Address, Browser: of.Browser, CreatedAt: of.CreatedAt.Unix(), UsedAt: of.UsedAt.Unix(), IdleEndsAt: idle.Unix(), EndsAt: ends.Unix(),
		Current: of.ID == current,
	}
}

// unixOrZero returns a time in Unix seconds; 0 for the zero time.
func unixOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// explain converts an error of the domain to the fault for the caller.
func explain(err error) error {
	switch {
	case errors.Is(err, ErrLink):
		return fault.New(codes.Unauthenticated, faultv1.Reason_REASON_LINK_ENDED, "token", "The link is unknown, used or older than ten minutes: run `hawser console login` again")
	case errors.Is(err, ErrUnknown):
		return fault.New(codes.NotFound, faultv1.Reason_REASON_OPERATOR_UNKNOWN, "id", "There is no such operator")
	case errors.Is(err, ErrLastOwner):
		return fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_OWNER_LAST, "id", "No owner would be left")
	case errors.Is(err, ErrProvided):
		return fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_OPERATOR_PROVIDED, "id", "The identity provider decides about this operator")
	case errors.Is(err, passkey.ErrRefused):
		return fault.New(codes.Unauthenticated, faultv1.Reason_REASON_PASSKEY_REFUSED, "credential", "The passkey was not accepted")
	case errors.Is(err, passkey.ErrUnavailable):
		return fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_PASSKEY_UNAVAILABLE, "", "Passkeys need https and a host name, or localhost")
	case errors.Is(err, passkey.ErrUnknown):
		return fault.New(codes.NotFound, faultv1.Reason_REASON_PASSKEY_UNKNOWN, "id", "There is no such passkey")
	case errors.Is(err, passkey.ErrFull):
		return fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_PASSKEYS_FULL, "", "There are %d passkeys, which is how many an operator can have", passkey.Most)
	}
	return err
}
