package console

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/console/identity"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// providerServer implements ProviderService.
type providerServer struct {
	adminv1.UnimplementedProviderServiceServer
	*server
}

// StartProviderLogin returns where the operator signs in.
func (s providerServer) StartProviderLogin(ctx context.Context, _ *adminv1.StartProviderLoginRequest) (*adminv1.StartProviderLoginResponse, error) {
	c := callOf(ctx)
	at, err := s.providerOrigin(c)
	if err != nil {
		return nil, err
	}
	address, err := s.provider.Start(ctx, at, c.from.LoginToken)
	if err != nil {
		return nil, s.explainProvider(ctx, err)
	}
	return &adminv1.StartProviderLoginResponse{Address: address}, nil
}

// FinishProviderLogin starts a session of whom the provider has signed in.
func (s providerServer) FinishProviderLogin(ctx context.Context, r *adminv1.FinishProviderLoginRequest) (*adminv1.FinishProviderLoginResponse, error) {
	c := callOf(ctx)
	at, err := s.providerOrigin(c)
	if err != nil {
		return nil, err
	}
	person, err := s.provider.Finish(ctx, at, c.from.LoginToken, identity.Callback{State: r.GetState(), Code: r.GetCode(), Issuer: r.GetIss(), Error: r.GetError()})
	if person.Subject != "" {
		c.about("identity " + person.Subject)
	}
	if errors.Is(err, identity.ErrRole) {
		if failed := s.operators.Expel(ctx, person.Issuer, person.Subject); failed != nil {
			return nil, failed
		}
	}
	if err != nil {
		return nil, s.explainProvider(ctx, err)
	}
	session, before, after, err := s.operators.Arrive(ctx, person.Issuer, person.Subject, person.Name, Role(person.Role), c.browser())
	if err != nil {
		return nil, explain(err)
	}
	c.as(after)
	c.about("operator " + after.ID)
	if before.ID == "" {
		c.changed(nil, operatorProto(after))
	} else if before.Role != after.Role || before.Name != after.Name {
		c.changed(operatorProto(before), operatorProto(after))
	}
	return &adminv1.FinishProviderLoginResponse{Operator: operatorProto(after), Session: s.sessionProto(session, session.ID)}, nil
}

// providerOrigin returns the origin to which the provider returns the operator.
func (s *server) providerOrigin(c *call) (string, error) {
	at := s.origin(c)
	if s.provider == nil || at == "" {
		return "", fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, "", "No identity provider is configured for this address of the console")
	}
	return at, nil
}

// explainProvider converts an error of a login at the provider to the fault for the caller, and logs what operators cannot see of it.
func (s *server) explainProvider(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, identity.ErrCanceled):
		return fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_SOCIAL_CANCELED, "", "The login was cancelled at the provider")
	case errors.Is(err, identity.ErrRole):
		return fault.New(codes.PermissionDenied, faultv1.Reason_REASON_OPERATOR_UNLISTED, "", "The rules of console.oidc.allowed give you no role")
	case errors.Is(err, identity.ErrFailed):
		s.deps.Log.WarnContext(ctx, "a login at the identity provider of the console failed", "error", err)
		return fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_SOCIAL_FAILED, "", "The login at the provider failed")
	}
	return err
}
