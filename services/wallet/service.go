package wallet

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/grpc"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/openid"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/wallet/account"
	"github.com/hawser-dev/hawser/services/wallet/call"
	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/contacts"
	"github.com/hawser-dev/hawser/services/wallet/device"
	"github.com/hawser-dev/hawser/services/wallet/factor"
	"github.com/hawser-dev/hawser/services/wallet/farcaster"
	"github.com/hawser-dev/hawser/services/wallet/login"
	"github.com/hawser-dev/hawser/services/wallet/mail"
	"github.com/hawser-dev/hawser/services/wallet/removal"
	"github.com/hawser-dev/hawser/services/wallet/schema"
	"github.com/hawser-dev/hawser/services/wallet/secret"
	"github.com/hawser-dev/hawser/services/wallet/session"
	"github.com/hawser-dev/hawser/services/wallet/social"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// Name is the name of the service in -target and peers.
const Name = "wallet"

// RemovedFile is the name of the file that lists removals, in data_dir or in the folder of the replica in removals_dir.
const RemovedFile = "wallet.removed"

// cleanupInterval is how often expired rows are deleted.
const cleanupInterval = time.Minute

// Deps are the dependencies of the service.
type Deps struct {
	// Chain reads the registries of Farcaster and verifies signatures of contracts.
	Chain Chains
	DB    *store.DB
	// Outbox publishes UserCreated.
	Outbox *bus.Outbox
	Clock  clock.Clock
	Log    *slog.Logger
}

// Chains returns transports to the nodes of chains; [chainclient.Client] implements it.
type Chains interface {
	// Agreed returns a transport for answers on which several nodes agree.
	Agreed(chainID string) chainclient.Transport
}

// Server implements the RPCs of the service.
type Server struct {
	walletv1.UnimplementedSessionServiceServer
	walletv1.UnimplementedOwnerServiceServer

	cfg      Config
	deps     Deps
	sealer   *seal.Sealer
	calls    *call.Authenticator
	sessions *session.Sessions
	users    *user.Users
	wallets  *factor.Wallets
	removals *removal.List
	logins   *login.Server
	accounts *account.Server
	// stopping is closed when the process begins to shut down; calls that wait then return.
	stopping chan struct{}
	expiring []func(ctx context.Context) error
}

// New returns the service. It creates the tables that do not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	s, err := NewServer(ctx, cfg, deps)
	if err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name:     Name,
		Register: s.Register,
		Work:     s.work,
		Ready:    deps.DB.Ready,
	}, nil
}

// NewServer returns the RPC handlers.
func NewServer(ctx context.Context, cfg Config, deps Deps) (*Server, error) {
	sealer, err := OpenSealer(ctx, cfg, deps)
	if err != nil {
		return nil, err
	}
	secrets := secret.NewStore(deps.DB, sealer)
	seed, pepper := secrets.Source(secret.SigningSeed), secrets.Source(secret.Pepper)
	for _, open := range []secret.Source{seed, pepper} {
		if _, err := open(ctx); err != nil && !errors.Is(err, seal.ErrUnavailable) {
			return nil, err
		}
	}
	proofs := device.NewSQLStore(deps.DB)
	s := &Server{
		cfg: cfg, deps: deps, sealer: sealer, stopping: make(chan struct{}),
		sessions: session.New(session.NewSQLStore(deps.DB), deps.Clock, seed),
		users:    user.NewUsers(user.NewSQLStore(deps.DB, deps.Outbox), deps.Clock),
		wallets:  factor.NewWallets(factor.NewSQLStore(deps.DB), sealer, deps.Clock),
	}
	s.calls = call.NewAuthenticator(device.NewVerifier(proofs, deps.Clock), s.sessions)
	if err := s.openRemovals(ctx); err != nil {
		return nil, err
	}
	if err := s.openHandlers(pepper); err != nil {
		return nil, err
	}
	s.expiring = append(s.expiring, func(ctx context.Context) error { return proofs.DeleteExpired(ctx, deps.Clock.Now()) },
		s.sessions.DeleteExpired, s.wallets.DeleteGuesses, func(ctx context.Context) error { return s.removals.Mark(ctx, deps.Clock.Now()) })
	return s, nil
}

// OpenSealer creates the tables that do not exist, and opens the keys of wallet.key and wallet.previous_keys.
func OpenSealer(ctx context.Context, cfg Config, deps Deps) (*seal.Sealer, error) {
	if err := schema.Migrate(ctx, deps.DB); err != nil {
		return nil, err
	}
	return cfg.Keys().Open(ctx, func(ctx context.Context) (bool, error) { return secret.IsUsed(ctx, deps.DB) }, deps.Log)
}

// openHandlers opens the login by email, the social providers and Farcaster, and the handlers that need them.
func (s *Server) openHandlers(pepper secret.Source) error {
	cfg, deps, client := s.cfg, s.deps, openid.NewClient()
	var mailer *mail.Mailer
	if cfg.Mail.Enabled() {
		var err error
		if mailer, err = mail.New(cfg.Mail); err != nil {
			return err
		}
	}
	providers, err := cfg.Social.Providers(deps.Clock)
	if err != nil {
		return err
	}
	mails := login.NewMails(mailer, cfg.FrameOrigin)
	challenges := challenge.New(challenge.NewSQLStore(deps.DB), mails, deps.Clock, cfg.limits(), pepper)
	logins := social.New(social.NewSQLStore(deps.DB), deps.Clock, pepper, cfg.FrameOrigin+login.Callback, providers, client)
	with := login.Deps{
		Calls: s.calls, Sessions: s.sessions, Users: s.users, Logins: logins, Sealer: s.sealer, Clock: deps.Clock, Log: deps.Log,
		FrameOrigin: cfg.FrameOrigin, Mailer: mailer, Stopping: s.stopping,
	}
	if cfg.FarcasterRelay != "" {
		chain := cfg.FarcasterNetwork
		with.Farcaster = &login.Farcaster{
			Chain: chain, Relay: farcaster.NewRelay(cfg.FarcasterRelay, client),
			Registry: farcaster.NewChainRegistry(deps.Chain.Agreed(chain)), Signatures: signature.NewVerifier(deps.Chain.Agreed),
		}
	}
	s.logins = login.NewServer(with, challenges)
	s.accounts = account.NewServer(account.Deps{
		Calls: s.calls, Challenges: challenges, Users: s.users, Wallets: s.wallets, Contacts: contacts.NewStore(deps.DB), Logins: s.logins, Mails: mails, Removals: s.removals,
		Clock: deps.Clock, Log: deps.Log, Origin: cfg.FrameOrigin, RecoveryByLogin: cfg.Recovery == recoveryByLogin,
	})
	s.expiring = append(s.expiring, challenges.DeleteExpired, logins.DeleteExpired, s.accounts.StartIdentities, s.accounts.EndIdentities)
	return nil
}

// openRemovals removes again what a restored database has of what was removed, ends its sessions, and logs it.
func (s *Server) openRemovals(ctx context.Context) (err error) {
	now := s.deps.Clock.Now()
	if s.removals, err = removal.Open(s.deps.DB, removal.Wallets, s.cfg.removals(), RemovedFile, now); err != nil {
		return err
	}
	hasEnded := false
	if err := s.removals.Lost(ctx, now, func(r removal.Removal) (bool, error) {
		isGone, err := s.removeAgain(ctx, r)
		if err != nil || !isGone || hasEnded {
			return isGone, err
		}
		s.deps.Log.ErrorContext(ctx, "the database is older than the list of removals, so all sessions of wallets ended: was the database restored from a backup?")
		hasEnded = true
		return true, s.sessions.EndEvery(ctx)
	}); err != nil {
		return err
	}
	return s.removals.Copy(ctx, now)
}

// removeAgain removes a factor, an identity or a user, and reports whether it was removed: the last factor of a wallet and
// the last identity of a user are kept.
func (s *Server) removeAgain(ctx context.Context, r removal.Removal) (isGone bool, err error) {
	key, isIdentity := r.Identity()
	item := r.Item
	if isIdentity {
		// The key of an identity is a hash that a guessed email can be compared with.
		item = "identity"
	}
	switch {
	case r.IsMark():
		return true, nil
	case isIdentity:
		isGone, err = s.users.Restored(ctx, r.User, key)
	case r.Item == "":
		isGone = true
		if _, err = s.users.Find(ctx, r.User); err == nil {
			err = s.users.Delete(ctx, r.User)
		}
	default:
		isGone = true
		err = s.wallets.Remove(ctx, r.User, r.Item)
	}
	switch {
	case errors.Is(err, factor.ErrNoFactor), errors.Is(err, user.ErrNone):
		return true, nil
	case errors.Is(err, factor.ErrLast), err == nil && !isGone:
		s.deps.Log.ErrorContext(ctx, "a removed factor or identity is back in the database, as the last one: was the database restored from a backup?", "user", r.User, "item", item)
		return false, nil
	case err != nil:
		return false, err
	}
	s.deps.Log.ErrorContext(ctx, "a removed factor, identity or user was back in the database, and was removed again: was the database restored from a backup?", "user", r.User, "item", item)
	return true, nil
}

// Register adds the services to a registrar.
func (s *Server) Register(to grpc.ServiceRegistrar) {
	walletv1.RegisterLoginServiceServer(to, s.logins)
	walletv1.RegisterSessionServiceServer(to, s)
	walletv1.RegisterWalletServiceServer(to, s.accounts)
	walletv1.RegisterOwnerServiceServer(to, s)
	walletv1.RegisterUserAdminServiceServer(to, adminServer{users: s.users, sessions: s.sessions, accounts: s.accounts, removals: s.removals, clock: s.deps.Clock})
	walletv1.RegisterKeyServiceServer(to, keyServer{sessions: s.sessions})
}

// work deletes expired rows, on one replica at a time, and copies removals on each replica, until ctx ends.
func (s *Server) work(ctx context.Context) error {
	context.AfterFunc(ctx, func() { close(s.stopping) })
	tick := time.NewTicker(cleanupInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		if err := s.expire(ctx); err != nil && ctx.Err() == nil {
			s.deps.Log.WarnContext(ctx, "expired rows not deleted, or removals not recorded", "error", err)
		}
	}
}

// expire deletes expired rows and makes first emails sign in, unless another replica does, and copies removals.
func (s *Server) expire(ctx context.Context) error {
	_, err := s.deps.DB.Exclusively(ctx, "wallet cleanup", func() error {
		var failed []error
		for _, expire := range s.expiring {
			failed = append(failed, expire(ctx))
		}
		return errors.Join(failed...)
	})
	return errors.Join(err, s.removals.Copy(ctx, s.deps.Clock.Now()))
}

// Rewrap seals everything that is sealed with wallet.key again, and returns how many values it changed. The previous
// keys are not needed afterwards.
func Rewrap(ctx context.Context, cfg Config, deps Deps) (int, error) {
	sealer, err := OpenSealer(ctx, cfg, deps)
	if err != nil {
		return 0, err
	}
	changed, failed := factor.NewWallets(factor.NewSQLStore(deps.DB), sealer, deps.Clock).Rewrap(ctx)
	secrets, err := secret.NewStore(deps.DB, sealer).Rewrap(ctx)
	return changed + secrets, errors.Join(failed, err)
}
