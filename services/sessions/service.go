package sessions

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/sessions/grant"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
	"github.com/hawser-dev/hawser/services/sessions/operation"
	"github.com/hawser-dev/hawser/services/sessions/proof"
	"github.com/hawser-dev/hawser/services/sessions/record"
	"github.com/hawser-dev/hawser/services/sessions/session"
	"github.com/hawser-dev/hawser/services/wallet/removal"
)

// Name is the name of the service in -target and peers.
const Name = "sessions"

// RevokedFile is the name of the file that lists revoked sessions, in data_dir or in the folder of the replica in removals_dir.
const RevokedFile = "sessions.revoked"

// cleanupInterval is how often expired rows are deleted.
const cleanupInterval = time.Minute

// Deps are the dependencies of the service.
type Deps struct {
	Chain    onchain.Chains
	Projects projectsv1.ProjectsServiceClient
	// Bundler sends user operations, and Owners verifies device proofs of the embedded wallet.
	Bundler bundlerv1.UserOperationServiceClient
	Owners  walletv1.OwnerServiceClient
	DB      *store.DB
	// Outbox publishes SessionChanged.
	Outbox *bus.Outbox
	// Origins are those of the gateway and of the embedded wallet's pages, which proofs of accounts name.
	Origins []string
	// Removals is where the file is that lists revoked sessions.
	Removals removal.Folder
	// Sealer opens the keys with which the keys of co-signers are sealed.
	Sealer func(ctx context.Context) (*seal.Sealer, error)
	Clock  clock.Clock
	Log    *slog.Logger
}

type server struct {
	sessionsv1.UnimplementedSmartSessionsServiceServer
	sessionsv1.UnimplementedSessionCallsServiceServer

	cfg      Config
	clock    clock.Clock
	records  *record.Store
	revoked  *removal.List
	chain    *onchain.Reader
	proofs   proof.Verifier
	sessions *session.Sessions
	sender   *operation.Sender
	projects *projectcache.Cache
	owners   walletv1.OwnerServiceClient
}

// New returns the service. It creates the tables that do not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	s, err := newServer(ctx, cfg, deps)
	if err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			sessionsv1.RegisterSessionAdminServiceServer(r, adminServer{server: s})
			sessionsv1.RegisterSmartSessionsServiceServer(r, s)
			sessionsv1.RegisterSessionCallsServiceServer(r, s)
		},
		Work: func(ctx context.Context) error {
			defer s.sender.Close()
			return s.cleanUp(ctx, deps.Log)
		},
		Ready: deps.DB.Ready,
	}, nil
}

func newServer(ctx context.Context, cfg Config, deps Deps) (*server, error) {
	sealer, err := deps.Sealer(ctx)
	if err != nil {
		return nil, err
	}
	records, err := record.New(ctx, deps.DB, sealer, deps.Outbox)
	if err != nil {
		return nil, err
	}
	revoked, err := openRevoked(ctx, records, deps)
	if err != nil {
		return nil, err
	}
	signatures := signature.NewVerifier(deps.Chain.Agreed)
	chain := onchain.New(deps.Chain, cfg.Chains)
	return &server{
		cfg: cfg, clock: deps.Clock, records: records, revoked: revoked, chain: chain, proofs: proof.Verifier{Signatures: signatures, Store: records, Origins: deps.Origins},
		sessions: &session.Sessions{
			Records: records, Chain: chain, Signatures: signatures, Clock: deps.Clock, NeedsCoSigner: cfg.needsCoSigner, Denied: cfg.denied(), SignedPerHour: cfg.SignedPerHour,
		},
		sender: operation.New(deps.Bundler, cfg.PaymasterHosts), projects: projectcache.New(deps.Projects), owners: deps.Owners,
	}, nil
}

// openRevoked opens the list of revoked sessions, and revokes those again that a restored database has, so that the
// co-signer does not sign for them.
func openRevoked(ctx context.Context, records *record.Store, deps Deps) (*removal.List, error) {
	now := deps.Clock.Now()
	list, err := removal.Open(deps.DB, record.Revocations, deps.Removals, RevokedFile, now)
	if err != nil {
		return nil, err
	}
	if err := list.Lost(ctx, now, func(r removal.Removal) (bool, error) {
		if r.IsMark() {
			return true, nil
		}
		err := records.Revoke(ctx, r.ID(), nil, now)
		if errors.Is(err, record.ErrRevoked) {
			return true, nil
		}
		if err == nil {
			deps.Log.ErrorContext(ctx, "a revoked session was active in the database, and was revoked again: was the database restored from a backup?", "pci", r.ID())
		}
		return err == nil, err
	}); err != nil {
		return nil, err
	}
	return list, list.Copy(ctx, now)
}

// Rewrap seals the keys of all co-signers with the current key, and returns how many it changed.
func Rewrap(ctx context.Context, db *store.DB, sealer *seal.Sealer) (int, error) {
	records, err := record.New(ctx, db, sealer, nil)
	if err != nil {
		return 0, err
	}
	return records.Rewrap(ctx)
}

// cleanUp deletes expired rows at intervals, until ctx ends.
func (s *server) cleanUp(ctx context.Context, log *slog.Logger) error {
	tick := time.NewTicker(cleanupInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		now := s.clock.Now()
		if err := errors.Join(s.records.DeleteExpired(ctx, now), s.revoked.Mark(ctx, now), s.revoked.Copy(ctx, now)); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "expired sessions not deleted, or revocations not recorded", "error", err)
		}
	}
}

// refusals maps errors caused by the caller to faults.
var refusals = []struct {
	err    error
	code   codes.Code
	reason faultv1.Reason
	field  string
	// text replaces the text of the error, unless it is empty.
	text string
}{
	{record.ErrUnknown, codes.InvalidArgument, faultv1.Reason_REASON_SESSION_UNKNOWN, "pci", ""},
	{record.ErrRevoked, codes.FailedPrecondition, faultv1.Reason_REASON_SESSION_REVOKED, "pci", "Permission is revoked"},
	{record.ErrUsed, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_USED, "proof", ""},
	{record.ErrSpent, codes.Unauthenticated, faultv1.Reason_REASON_PERMISSION_EXCEEDED, "", ""},
	{session.ErrInactive, codes.FailedPrecondition, faultv1.Reason_REASON_SESSION_INACTIVE, "pci", ""},
	{session.ErrExpired, codes.FailedPrecondition, faultv1.Reason_REASON_SESSION_EXPIRED, "pci", ""},
	{session.ErrActive, codes.FailedPrecondition, faultv1.Reason_REASON_SESSION_ACTIVE, "context", ""},
	{session.ErrContext, codes.InvalidArgument, faultv1.Reason_REASON_CONTEXT_INVALID, "context", ""},
	{session.ErrSiteKey, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "signature", ""},
	{session.ErrPrefix, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "signature", ""},
	{session.ErrDenied, codes.Unauthenticated, faultv1.Reason_REASON_PERMISSION_EXCEEDED, "", ""},
	{session.ErrOperation, codes.InvalidArgument, faultv1.Reason_REASON_USER_OPERATION_REFUSED, "userOp", ""},
	{delegation.ErrContext, codes.InvalidArgument, faultv1.Reason_REASON_CONTEXT_INVALID, "context", ""},
	{delegation.ErrCall, codes.InvalidArgument, faultv1.Reason_REASON_USER_OPERATION_REFUSED, "userOp", ""},
	{userop.ErrInvalid, codes.InvalidArgument, faultv1.Reason_REASON_USER_OPERATION_REFUSED, "userOp", ""},
	{grant.ErrWider, codes.InvalidArgument, faultv1.Reason_REASON_CONTEXT_INVALID, "permissions", ""},
	{grant.ErrUnsupported, codes.InvalidArgument, faultv1.Reason_REASON_PERMISSION_UNSUPPORTED, "permissions", ""},
	{grant.ErrMalformed, codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "permissions", ""},
	{grant.ErrExceeded, codes.Unauthenticated, faultv1.Reason_REASON_PERMISSION_EXCEEDED, "", ""},
	{proof.ErrMalformed, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "proof", ""},
	{proof.ErrStale, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "proof", ""},
	{signature.ErrMalformed, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "proof", "The signature is malformed"},
	{signature.ErrWrong, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "proof", "The account did not sign this"},
	{signature.ErrUnavailable, codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "", ""},
	{operation.ErrPaymaster, codes.InvalidArgument, faultv1.Reason_REASON_USER_OPERATION_REFUSED, "paymasterService", "The paymaster does not pay, or is not allowed"},
	{seal.ErrUnavailable, codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "The service is temporarily unavailable"},
}

// explain converts an error to the fault for the caller.
func explain(err error) error {
	for _, r := range refusals {
		if errors.Is(err, r.err) {
			text := r.text
			if text == "" {
				text = sentence(err.Error())
			}
			return fault.New(r.code, r.reason, r.field, "%s", text).Because(err)
		}
	}
	if refused, ok := errors.AsType[*operation.RefusedError](err); ok {
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_USER_OPERATION_REFUSED, "", "%.300s", sentence(refused.Message)).Because(err)
	}
	return err
}

// sentence returns a text with its first letter in upper case.
func sentence(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}
