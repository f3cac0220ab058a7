package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	analyticsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/access"
	"github.com/hawser-dev/hawser/services/activity"
	"github.com/hawser-dev/hawser/services/analytics"
	"github.com/hawser-dev/hawser/services/auth"
	"github.com/hawser-dev/hawser/services/balances"
	"github.com/hawser-dev/hawser/services/bitcoin"
	"github.com/hawser-dev/hawser/services/bundler"
	"github.com/hawser-dev/hawser/services/chains"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/convert"
	"github.com/hawser-dev/hawser/services/directory"
	"github.com/hawser-dev/hawser/services/handoff"
	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/nfts"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/onramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/preview"
	"github.com/hawser-dev/hawser/services/projects"
	"github.com/hawser-dev/hawser/services/relay"
	"github.com/hawser-dev/hawser/services/sessions"
	"github.com/hawser-dev/hawser/services/updates"
	"github.com/hawser-dev/hawser/services/wallet"
	"github.com/hawser-dev/hawser/services/webhooks"
)

// service is one of the services that a process may host.
type service struct {
	name string
	// calls are the services that it calls.
	calls []string
	// stores reports whether it stores something in the database.
	stores bool
	// make makes it for a suite, which has the connections to the services before it in the table.
	make func(ctx context.Context, s *suite) (run.Service, error)
}

// services are the targets beside all and gateway, in the order in which they are made: each calls those before it.
var services = []service{
	{
		name: serviceChains,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			return chains.New(ctx, s.config.Chains, chains.Deps{Events: s.bus, Clock: clock.System{}, Log: s.log, Memory: s.memory, OpenCache: s.openCache})
		},
	},
	{
		name:   projects.Name,
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			return projects.New(ctx, s.config.Projects, projects.Deps{DB: s.db, Outbox: s.outbox, Log: s.log})
		},
	},
	{
		name:   analytics.Name,
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			return analytics.New(ctx, s.config.Analytics, analytics.Deps{DB: s.db, Clock: clock.System{}, Log: s.log})
		},
	},
	{
		name:   auth.Name,
		calls:  []string{serviceChains},
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			return auth.New(ctx, s.config.Auth, auth.Deps{Chain: s.chain, DB: s.db, Outbox: s.outbox, Clock: clock.System{}, Log: s.log})
		},
	},
	{
		name:   wallet.Name,
		calls:  []string{serviceChains},
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			return wallet.New(ctx, s.config.wallet(), wallet.Deps{Chain: s.chain, DB: s.db, Outbox: s.outbox, Clock: clock.System{}, Log: s.log})
		},
	},
	{
		name:   bundler.Name,
		calls:  []string{serviceChains},
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			return bundler.New(ctx, s.config.Bundler, bundler.Deps{Chain: s.chain, DB: s.db, Sealer: s.openSealer, Clock: clock.System{}, Log: s.log})
		},
	},
	{
		name:   sessions.Name,
		calls:  []string{serviceChains, projects.Name, wallet.Name, bundler.Name},
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			return sessions.New(ctx, s.config.Sessions, sessions.Deps{
				Chain:    s.chain,
				Projects: projectsv1.NewProjectsServiceClient(s.conns[projects.Name]),
				Bundler:  bundlerv1.NewUserOperationServiceClient(s.conns[bundler.Name]),
				Owners:   walletv1.NewOwnerServiceClient(s.conns[wallet.Name]),
				DB:       s.db,
				Outbox:   s.outbox,
				Origins:  s.config.origins(),
				Removals: s.config.removals(),
				Sealer:   s.openSealer,
				Clock:    clock.System{},
				Log:      s.log,
			})
		},
	},
	{
		name:   handoff.Name,
		calls:  []string{projects.Name},
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			limiter, err := s.limiter(ctx, handoff.Name, serviceCallers)
			if err != nil {
				return run.Service{}, err
			}
			return handoff.New(ctx, handoff.Config{LocalPages: s.config.Chains.Dev}, handoff.Deps{
				Limiter:  limiter,
				Projects: projectsv1.NewProjectsServiceClient(s.conns[projects.Name]),
				DB:       s.db,
				Bus:      s.bus,
				Clock:    clock.System{},
				Log:      s.log,
			})
		},
	},
	{
		name: directory.Name,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			return directory.New(ctx, s.config.Directory)
		},
	},
	{
		name:   onramp.Name,
		calls:  []string{projects.Name},
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			cfg := s.config.Onramp
			cfg.PublicURL = s.config.publicURL()
			cfg.LocalPages = s.config.Chains.Dev
			limiter, err := s.limiter(ctx, onramp.Name, serviceCallers)
			if err != nil {
				return run.Service{}, err
			}
			deps := onramp.Deps{
				Limiter:  limiter,
				Projects: projectsv1.NewProjectsServiceClient(s.conns[projects.Name]),
				DB:       s.db,
				Outbox:   s.outbox,
				Clock:    clock.System{},
				Log:      s.log,
			}
			if address := cfg.Sellers; address != "" {
				conn, err := s.dial("onramp.sellers", address)
				if err != nil {
					return run.Service{}, err
				}
				deps.Sellers = sandboxv1.NewSellerServiceClient(conn)
			}
			return onramp.New(ctx, cfg, deps)
		},
	},
	{
		name:   activity.Name,
		calls:  []string{serviceChains, onramp.Name},
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			lists, err := tokens.Load(s.config.Balances.Tokens, s.chain)
			if err != nil {
				return run.Service{}, err
			}
			limiter, err := s.limiter(ctx, activity.Name, serviceCallers)
			if err != nil {
				return run.Service{}, err
			}
			return activity.New(ctx, s.config.Activity, activity.Deps{
				Limiter:   limiter,
				Memory:    s.memory,
				Lists:     lists,
				Mints:     lists,
				Chain:     s.chain,
				Tracer:    chainsv1.NewNodeServiceClient(s.conns[serviceChains]),
				Purchases: onrampv1.NewPurchaseServiceClient(s.conns[onramp.Name]),
				DB:        s.db,
				Outbox:    s.outbox,
				Bus:       s.bus,
				Clock:     clock.System{},
				Log:       s.log,
			})
		},
	},
	{
		name:  balances.Name,
		calls: []string{serviceChains, activity.Name},
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			return balances.New(ctx, s.config.Balances, balances.Deps{
				Chain:    s.chain,
				Clock:    clock.System{},
				Log:      s.log,
				Holdings: activityv1.NewHoldingsServiceClient(s.conns[activity.Name]),
				Bus:      s.bus,
			})
		},
	},
	{
		name:   nfts.Name,
		calls:  []string{serviceChains, activity.Name},
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			return nfts.New(ctx, s.config.NFTs, nfts.Deps{
				Chain:    s.chain,
				Holdings: activityv1.NewHoldingsServiceClient(s.conns[activity.Name]),
				DB:       s.db,
				Memory:   s.memory,
			})
		},
	},
	{
		name:  access.Name,
		calls: []string{serviceChains, activity.Name, balances.Name},
		make: func(_ context.Context, s *suite) (run.Service, error) {
			lists, err := tokens.Load(s.config.Balances.Tokens, s.chain)
			if err != nil {
				return run.Service{}, err
			}
			return access.New(s.config.Access, access.Deps{
				Chain:    s.chain,
				Holdings: activityv1.NewHoldingsServiceClient(s.conns[activity.Name]),
				Lists:    lists,
				Prices:   balancesv1.NewBalancesServiceClient(s.conns[balances.Name]),
			}), nil
		},
	},
	{
		name:   names.Name,
		calls:  []string{serviceChains, nfts.Name},
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			cfg := s.config.Names
			cfg.Installation = strings.TrimSuffix(s.config.PublicURL, "/")
			limiter, err := s.limiter(ctx, names.Name, serviceCallers)
			if err != nil {
				return run.Service{}, err
			}
			return names.New(ctx, cfg, names.Deps{
				Limiter:  limiter,
				Chain:    s.chain,
				Pictures: nftsv1.NewPictureServiceClient(s.conns[nfts.Name]),
				DB:       s.db,
				Outbox:   s.outbox,
				Bus:      s.bus,
				Clock:    clock.System{},
				Log:      s.log,
			})
		},
	},
	{
		name:  preview.Name,
		calls: []string{serviceChains, balances.Name},
		make: func(_ context.Context, s *suite) (run.Service, error) {
			lists, err := tokens.Load(s.config.Balances.Tokens, s.chain)
			if err != nil {
				return run.Service{}, err
			}
			return preview.New(s.config.Preview, preview.Deps{
				Chain: s.chain, Lists: lists, Clock: clock.System{}, Prices: balancesv1.NewBalancesServiceClient(s.conns[balances.Name]),
			})
		},
	},
	{
		name:  convert.Name,
		calls: []string{serviceChains},
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			cfg := s.config.Convert
			if cfg.Pools.Snapshots == "" {
				cfg.Pools.Snapshots = filepath.Join(s.config.DataDir, "convert")
			}
			limiter, err := s.limiter(ctx, convert.Name, serviceCallers)
			if err != nil {
				return run.Service{}, err
			}
			return convert.New(ctx, cfg, convert.Deps{
				Limiter: limiter,
				Chain:   s.chain,
				Bus:     s.bus,
				Clock:   clock.System{},
				Log:     s.log,
			})
		},
	},
	{
		name: bitcoin.Name,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			table, err := chains.LoadNetworks(s.config.Chains)
			if err != nil {
				return run.Service{}, err
			}
			servers := map[string][]string{}
			var chosen []string
			for _, n := range table {
				if len(n.Esplora) == 0 {
					continue
				}
				servers[n.ChainID] = n.Esplora
				if n.IsChosen() {
					chosen = append(chosen, n.ChainID)
				}
			}
			if len(servers) == 0 && s.config.Target != targetAll {
				s.log.Warn("no network of Bitcoin is served: name servers of it in chains.nodes of this process, or set chains.public_nodes")
			}
			return bitcoin.New(ctx, bitcoin.Config{Servers: servers, Chosen: chosen}, bitcoin.Deps{Clock: clock.System{}, Log: s.log})
		},
	},
	{
		name:  updates.Name,
		calls: []string{balances.Name},
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			limiter, err := s.limiter(ctx, updates.Name, updatesCallers)
			if err != nil {
				return run.Service{}, err
			}
			return updates.New(ctx, s.config.Updates, updates.Deps{
				Limiter:  limiter,
				Accounts: balancesv1.NewAccountServiceClient(s.conns[balances.Name]),
				Bus:      s.bus,
				Clock:    clock.System{},
			})
		},
	},
	{
		name:   webhooks.Name,
		calls:  []string{serviceChains, projects.Name},
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			limiter, err := s.limiter(ctx, webhooks.Name, serviceCallers)
			if err != nil {
				return run.Service{}, err
			}
			return webhooks.New(ctx, s.config.webhooks(), webhooks.Deps{
				Projects: projectsv1.NewProjectsServiceClient(s.conns[projects.Name]),
				Chains:   s.chain,
				Limiter:  limiter,
				DB:       s.db,
				Bus:      s.bus,
				Sealer:   s.openSealer,
				Clock:    clock.System{},
				Log:      s.log,
			})
		},
	},
	{
		name:  relay.Name,
		calls: []string{projects.Name},
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			cfg := s.config.Relay
			cfg.PublicURL = s.config.PublicURL
			cfg.LocalPages = s.config.Chains.Dev
			limiter, err := s.limiter(ctx, relay.Name, relayCallers)
			if err != nil {
				return run.Service{}, err
			}
			return relay.New(ctx, cfg, relay.Deps{
				Limiter:  limiter,
				Memory:   s.memory,
				Bus:      s.bus,
				Projects: projectsv1.NewProjectsServiceClient(s.conns[projects.Name]),
				Clock:    clock.System{},
				Log:      s.log,
			})
		},
	},
	{
		// It calls few services and describes them all: callsOf.
		name:   console.Name,
		stores: true,
		make: func(ctx context.Context, s *suite) (run.Service, error) {
			limiter, err := s.limiter(ctx, console.Name, consoleCallers)
			if err != nil {
				return run.Service{}, err
			}
			return console.New(ctx, s.config.Console, console.Deps{
				DB:           s.db,
				Projects:     projectsv1.NewProjectsServiceClient(s.conns[projects.Name]),
				ProjectAdmin: projectsv1.NewProjectAdminServiceClient(s.conns[projects.Name]),
				Users:        walletv1.NewUserAdminServiceClient(s.conns[wallet.Name]),
				Counts:       analyticsv1.NewCountServiceClient(s.conns[analytics.Name]),
				Orders:       onrampv1.NewOrderAdminServiceClient(s.conns[onramp.Name]),
				Names:        namesv1.NewNameAdminServiceClient(s.conns[names.Name]),
				Bundler:      bundlerv1.NewBundlerAdminServiceClient(s.conns[bundler.Name]),
				Sessions:     sessionsv1.NewSessionAdminServiceClient(s.conns[sessions.Name]),
				Suite:        s.describeSuite,
				Settings:     s.config.list,
				Target:       s.config.Target,
				Version:      version,
				Commit:       commit,
				Limiter:      limiter,
				Clock:        clock.System{},
				Log:          s.log,
			})
		},
	},
}

// serviceNames returns the names of the services, in the order of the table.
func serviceNames() (names []string) {
	for _, s := range services {
		names = append(names, s.name)
	}
	return names
}

// callsOf returns the services that a target calls. The gateway calls all but the console, which has a listener of its own, and the console asks all others
// how they are.
func callsOf(target string) []string {
	if target == targetGateway || target == console.Name {
		return slices.DeleteFunc(serviceNames(), func(name string) bool { return name == console.Name })
	}
	for _, s := range services {
		if s.name == target {
			return s.calls
		}
	}
	return nil
}

// Callers that the limiters of services have accounts for. An IPv6 caller counts as three.
const (
	serviceCallers = 10_000
	// consoleCallers is lower because few people are operators.
	consoleCallers = 1_000
	// relayCallers is higher because the relay limits every message, and updatesCallers because each of 20,000 watchers may be another caller.
	relayCallers   = 30_000
	updatesCallers = 60_000
)
