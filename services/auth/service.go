package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/auth/proof"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is the name of the service in -target and peers.
const Name = "auth"

const (
	// maxCacaos bounds the messages of one sign-in.
	maxCacaos = 20
	// cleanupInterval is how often expired nonces and sessions are deleted.
	cleanupInterval = time.Minute
)

// Deps are the dependencies of the service.
type Deps struct {
	Chain  *chainclient.Client
	DB     *store.DB
	Outbox *bus.Outbox
	Clock  clock.Clock
	Log    *slog.Logger
}

// New returns the service. It creates the tables that do not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	kept, err := NewSQLStore(ctx, deps.DB, deps.Outbox)
	if err != nil {
		return run.Service{}, err
	}
	a := NewAuthenticator(kept, deps.Chain, signature.NewVerifier(deps.Chain.Agreed), deps.Clock, rand.Reader, cfg.SessionLifetime)
	return run.Service{
		Name:     Name,
		Register: func(s grpc.ServiceRegistrar) { authv1.RegisterAuthServiceServer(s, NewServer(a)) },
		Work:     func(ctx context.Context) error { return cleanUp(ctx, kept, deps) },
		Ready:    deps.DB.Ready,
	}, nil
}

// cleanUp deletes expired nonces and sessions at intervals, until ctx ends.
func cleanUp(ctx context.Context, kept Store, deps Deps) error {
	tick := time.NewTicker(cleanupInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		if err := kept.DeleteExpired(ctx, deps.Clock.Now()); err != nil && ctx.Err() == nil {
			deps.Log.WarnContext(ctx, "expired sessions not deleted", "error", err)
		}
	}
}

type server struct {
	authv1.UnimplementedAuthServiceServer
	auth *Authenticator
}

// NewServer returns the RPC handlers.
func NewServer(a *Authenticator) authv1.AuthServiceServer { return &server{auth: a} }

// CreateNonce returns a nonce for the caller's page.
func (s *server) CreateNonce(ctx context.Context, _ *authv1.CreateNonceRequest) (*authv1.CreateNonceResponse, error) {
	site, err := siteOf(ctx)
	if err != nil {
		return nil, explain(err)
	}
	n, token, err := s.auth.CreateNonce(ctx, site)
	if err != nil {
		return nil, err
	}
	return &authv1.CreateNonceResponse{Nonce: n.Value, Token: token, ExpiresAt: n.Expires.Format(time.RFC3339)}, nil
}

// Authenticate opens a session.
func (s *server) Authenticate(ctx context.Context, r *authv1.AuthenticateRequest) (*authv1.AuthenticateResponse, error) {
	site, err := siteOf(ctx)
	if err != nil {
		return nil, explain(err)
	}
	proofs, err := readProofs(r)
	if err != nil {
		return nil, explain(err)
	}
	token := r.GetNonceToken()
	if token == "" {
		token = caller.From(ctx).NonceToken
	}
	session, secret, err := s.auth.Authenticate(ctx, site, token, proofs)
	if err != nil {
		return nil, explain(err)
	}
	return &authv1.AuthenticateResponse{Token: secret, Session: sessionProto(session)}, nil
}

// GetSession returns the session of the caller's token.
func (s *server) GetSession(ctx context.Context, _ *authv1.GetSessionRequest) (*authv1.GetSessionResponse, error) {
	who := caller.From(ctx)
	session, err := s.auth.Session(ctx, who.Project, who.Origin, who.SessionToken)
	if err != nil {
		return nil, explain(err)
	}
	return &authv1.GetSessionResponse{Session: sessionProto(session)}, nil
}

// SignOut ends the session of the caller's token.
func (s *server) SignOut(ctx context.Context, _ *authv1.SignOutRequest) (*authv1.SignOutResponse, error) {
	who := caller.From(ctx)
	if who.SessionToken == "" {
		return nil, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "authorization", "The request has no header Authorization: Bearer")
	}
	if err := s.auth.SignOut(ctx, who.Project, who.SessionToken); err != nil {
		return nil, err
	}
	return &authv1.SignOutResponse{}, nil
}

func siteOf(ctx context.Context) (Site, error) {
	who := caller.From(ctx)
	return SiteOf(who.Project, who.Origin)
}

// readProofs parses the message or the CACAOs of a request.
func readProofs(r *authv1.AuthenticateRequest) ([]proof.Proof, error) {
	if len(r.GetCacaos()) > maxCacaos {
		return nil, request.Invalid(faultv1.Reason_REASON_SIGN_IN_INVALID, "cacaos", "There are over %d CACAOs", maxCacaos)
	}
	if len(r.GetCacaos()) == 0 {
		p, err := proof.Read(r.GetMessage(), r.GetSignature())
		return []proof.Proof{p}, err
	}
	proofs := make([]proof.Proof, 0, len(r.GetCacaos()))
	for _, c := range r.GetCacaos() {
		p, err := cacaoOf(c).Read()
		if err != nil {
			return nil, err
		}
		proofs = append(proofs, p)
	}
	return proofs, nil
}

func cacaoOf(c *authv1.Cacao) proof.Cacao {
	p := c.GetP()
	return proof.Cacao{
		Issuer: p.GetIss(), Form: c.GetH().GetT(), Signature: c.GetS().GetS(),
		Fields: siwe.Message{
			Domain: p.GetDomain(), Statement: p.GetStatement(), URI: p.GetAud(), Version: p.GetVersion(), Nonce: p.GetNonce(), IssuedAt: p.GetIat(),
			ExpirationTime: p.GetExp(), NotBefore: p.GetNbf(), RequestID: p.GetRequestId(), Resources: p.GetResources(),
		},
	}
}

func sessionProto(s Session) *authv1.Session {
	return &authv1.Session{
		Address: s.Address, ChainId: s.ChainID, ChainIds: s.ChainIDs, AllChains: s.AllChains, Domain: s.Domain,
		IssuedAt: s.IssuedAt.Format(time.RFC3339), ExpiresAt: s.Expires.Format(time.RFC3339),
	}
}

// refusals are the faults of errors that the caller caused.
var refusals = []struct {
	err    error
	code   codes.Code
	reason faultv1.Reason
	field  string
	text   string
}{
	{ErrOrigin, codes.InvalidArgument, faultv1.Reason_REASON_SIGN_IN_INVALID, "origin", "Sign-in is for pages: the request has no valid Origin header"},
	{ErrDomain, codes.InvalidArgument, faultv1.Reason_REASON_SIGN_IN_INVALID, "message", "The message is for another site than the one that sent it"},
	{ErrAddress, codes.InvalidArgument, faultv1.Reason_REASON_SIGN_IN_INVALID, "message", "The address of the message is not valid, or has no checksum"},
	{ErrAccounts, codes.InvalidArgument, faultv1.Reason_REASON_SIGN_IN_INVALID, "cacaos", "The messages are of several accounts or nonces"},
	{ErrStale, codes.InvalidArgument, faultv1.Reason_REASON_TIMESTAMP_STALE, "message", "The message is expired or not yet valid"},
	{ErrNonce, codes.Unauthenticated, faultv1.Reason_REASON_NONCE_INVALID, "nonce", "The nonce is unknown, expired or used"},
	{ErrSession, codes.Unauthenticated, faultv1.Reason_REASON_SESSION_ABSENT, "authorization", "No session has this token"},
	{signature.ErrMalformed, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "signature", "The signature is malformed"},
	{signature.ErrWrong, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "signature", "The account did not sign this message"},
	{signature.ErrUnavailable, codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "message", "The signature of a contract cannot be verified now: its chain does not answer"},
}

// explain converts an error to the fault for the caller.
func explain(err error) error {
	if errors.Is(err, siwe.ErrMessage) {
		return request.Invalid(faultv1.Reason_REASON_SIGN_IN_INVALID, "message", "Invalid sign-in message: %s", err).Because(err)
	}
	if e, ok := errors.AsType[*ChainError](err); ok {
		return request.UnsupportedChain(e.ChainID).Because(err)
	}
	for _, known := range refusals {
		if errors.Is(err, known.err) {
			return fault.New(known.code, known.reason, known.field, "%s", known.text).Because(err)
		}
	}
	return err
}
