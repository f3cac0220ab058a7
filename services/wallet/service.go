package wallet

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"google.golang.org/grpc"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/signature"
	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/development"
	"github.com/hawser-dev/hawser/services/wallet/device"
	"github.com/hawser-dev/hawser/services/wallet/factor"
	"github.com/hawser-dev/hawser/services/wallet/farcaster"
	"github.com/hawser-dev/hawser/services/wallet/mail"
	"github.com/hawser-dev/hawser/services/wallet/schema"
	"github.com/hawser-dev/hawser/services/wallet/seal"
	"github.com/hawser-dev/hawser/services/wallet/session"
	"github.com/hawser-dev/hawser/services/wallet/social"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// Name is what -target and peers call the service.
const Name = "wallet"

// cleanupInterval is how often what has expired is deleted.
const cleanupInterval = time.Minute

// Deps are the dependencies of the service.
type Deps struct {
	// Chain reads the registries of Farcaster and verifies signatures of contracts.
	Chain Chains
	DB    *store.DB
	Clock clock.Clock
	Log   *slog.Logger
}

// Chains leads to the nodes of chains; [chainclient.Client] is the real one.
type Chains interface {
	// Agreed returns a transport whose answers several nodes agree on.
	Agreed(chainID string) chainclient.Transport
}

// Server has the RPC handlers.
type Server struct {
	walletv1.UnimplementedLoginServiceServer
	walletv1.UnimplementedSessionServiceServer
	walletv1.UnimplementedWalletServiceServer

	cfg        Config
	clock      clock.Clock
	log        *slog.Logger
	devices    *device.Verifier
	challenges *challenge.Challenges
	sessions   *session.Sessions
	users      *user.Users
	wallets    *factor.Wallets
	logins     *social.Logins
	// mailer is nil if there is no login by email.
	mailer *mail.Mailer
	// relay is nil if there is no login by Farcaster; registry and signatures verify it.
	relay      *farcaster.Relay
	registry   farcaster.Registry
	signatures farcaster.Verifier
	sealer     *seal.Sealer
	// client calls the social providers.
	client *http.Client
	// dev is nil except in development.
	dev *development.Servers
	// stopping is closed when the process begins to shut down: calls that wait return.
	stopping chan struct{}

	removed  *removals
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
	if err := schema.Migrate(ctx, deps.DB); err != nil {
		return nil, err
	}
	sealer, err := openSealer(ctx, cfg, deps.DB)
	if err != nil {
		return nil, err
	}
	key, err := secret(ctx, deps.DB, sealer, pepper)
	if err != nil {
		return nil, err
	}
	seed, err := secret(ctx, deps.DB, sealer, signingSeed)
	if err != nil {
		return nil, err
	}
	proofs := device.NewSQLStore(deps.DB)
	s := &Server{
		cfg: cfg, clock: deps.Clock, log: deps.Log, stopping: make(chan struct{}), sealer: sealer, client: social.NewClient(),
		devices: device.NewVerifier(proofs, deps.Clock),
		users:   user.NewUsers(user.NewSQLStore(deps.DB), deps.Clock),
		wallets: factor.NewWallets(factor.NewSQLStore(deps.DB), sealer, deps.Clock),
	}
	if s.sessions, err = session.New(session.NewSQLStore(deps.DB), deps.Clock, seed); err != nil {
		return nil, err
	}
	if err := s.openRemovals(ctx); err != nil {
		return nil, err
	}
	if err := s.openOutside(ctx, deps, key); err != nil {
		return nil, err
	}
	s.challenges = challenge.New(challenge.NewSQLStore(deps.DB), s, deps.Clock, cfg.limits(), key)
	s.expiring = []func(ctx context.Context) error{
		func(ctx context.Context) error { return proofs.DeleteExpired(ctx, deps.Clock.Now()) },
		s.challenges.DeleteExpired, s.sessions.DeleteExpired, s.logins.DeleteExpired, s.users.DeleteEnded,
	}
	return s, nil
}

// openOutside opens what the service calls: the SMTP server, the social providers and Farcaster.
func (s *Server) openOutside(ctx context.Context, deps Deps, key seal.Secret) (err error) {
	s.registry, s.signatures = farcaster.NewChainRegistry(deps.Chain.Agreed), signature.NewVerifier(deps.Chain.Agreed)
	if s.cfg.Inbox != "" {
		if !s.cfg.Development {
			return errors.New("wallet.inbox is for development only, and chains.dev is not set: remove it, and configure wallet.mail")
		}
		to := development.Config{Inbox: s.cfg.Inbox, PublicURL: s.cfg.PublicURL, Callback: s.cfg.FrameOrigin + socialCallback}
		if s.dev, err = development.Open(ctx, to, deps.Clock); err != nil {
			return err
		}
		s.cfg.Mail, s.cfg.Social, s.cfg.FarcasterRelay = s.cfg.Mail.Local(s.dev.Inbox.Port()), s.dev.Social, s.dev.Relay
		s.registry, s.client.Transport = s.dev.Registry, s.dev
	}
	if s.cfg.Mail.Enabled() {
		if s.mailer, err = mail.New(s.cfg.Mail); err != nil {
			return err
		}
	}
	if s.cfg.FarcasterRelay != "" {
		s.relay = farcaster.NewRelay(s.cfg.FarcasterRelay, s.client)
	}
	providers, err := s.cfg.Social.Providers(deps.Clock)
	s.logins = social.New(social.NewSQLStore(deps.DB), deps.Clock, key, s.cfg.FrameOrigin+socialCallback, providers, s.client)
	return err
}

// Register adds the services to a registrar.
func (s *Server) Register(to grpc.ServiceRegistrar) {
	walletv1.RegisterLoginServiceServer(to, s)
	walletv1.RegisterSessionServiceServer(to, s)
	walletv1.RegisterWalletServiceServer(to, s)
	walletv1.RegisterKeyServiceServer(to, keyServer{sessions: s.sessions})
	walletv1.RegisterDevPageServiceServer(to, development.NewPageServer(s.dev))
}

// work deletes what has expired and runs the servers for development, until ctx ends.
func (s *Server) work(ctx context.Context) error {
	context.AfterFunc(ctx, func() { close(s.stopping) })
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error { return s.cleanUp(ctx) })
	if s.dev != nil {
		g.Go(func() error { return s.dev.Inbox.Serve(ctx) })
	}
	return g.Wait()
}

func (s *Server) cleanUp(ctx context.Context) error {
	tick := time.NewTicker(cleanupInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		for _, expire := range s.expiring {
			if err := expire(ctx); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "expired rows not deleted", "error", err)
			}
		}
	}
}
