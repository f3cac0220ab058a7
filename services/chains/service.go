package chains

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/chains/heads"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/proxy"
	"github.com/hawser-dev/hawser/services/chains/pubsub"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/chains/traces"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// responseLimit bounds the response of one node, in bytes.
const responseLimit = 10 << 20

// Publisher publishes an event. Events with the same id are delivered once, whichever replica publishes them.
type Publisher interface {
	PublishID(ctx context.Context, id string, event proto.Message) error
}

// Deps are what the service needs.
type Deps struct {
	// Events publishes heads.
	Events Publisher
	Clock  clock.Clock
	Log    *slog.Logger
	// Memory bounds the bytes that the process holds for callers; nil is no limit.
	Memory *limit.Memory
	// OpenCache opens the database of final results. It is called, again while it fails, if Config.Cache is enabled. A process without it keeps none.
	OpenCache func(ctx context.Context) (*store.DB, error)
}

// newCache returns the database of final results; nil if it is not enabled.
func newCache(cfg Config, deps Deps) *finalcache.Cache {
	if !cfg.Cache.Enabled || deps.OpenCache == nil {
		return nil
	}
	open := func(ctx context.Context) (finalcache.Store, func() error, error) {
		db, err := deps.OpenCache(ctx)
		if err != nil {
			return nil, nil, err
		}
		if err := finalcache.Migrate(ctx, db); err != nil {
			return nil, nil, errors.Join(err, db.Close())
		}
		return finalcache.NewSQLStore(db), db.Close, nil
	}
	return finalcache.New(cfg.Cache, finalcache.Deps{Open: open, Clock: deps.Clock, Log: deps.Log})
}

// New returns the service for the networks that cfg serves. The error says what is wrong in cfg.
func New(_ context.Context, cfg Config, deps Deps) (run.Service, error) {
	networks, err := LoadNetworks(cfg)
	if err != nil {
		return run.Service{}, err
	}
	if len(networks) == 0 {
		deps.Log.Warn("no network is served: name nodes in chains.nodes, or set chains.public_nodes for public ones")
	}
	warnOfSingleNodes(networks, deps.Log)
	publish := func(ctx context.Context, chainID string, h rpc.Head) error {
		return deps.Events.PublishID(ctx, chainID+"/"+h.Hash, &chainsv1.Head{
			ChainId: chainID, Number: h.Number, Hash: h.Hash, ParentHash: h.ParentHash, Timestamp: cmp.Or(h.Timestamp, deps.Clock.Now().Unix()),
		})
	}
	s := &server{
		networks: networks,
		traces:   map[string]string{},
		untraced: warnings{at: map[string]time.Time{}},
		clock:    deps.Clock,
		log:      deps.Log,
		devnet:   devnet.Open(cfg.DevnetFile, deps.Log),
		proxies:  map[string]*proxy.Proxy{},
		heads:    heads.New(publish, deps.Clock, deps.Log),
		memory:   deps.Memory,
		hubs:     map[string]*pubsub.Hub{},
	}
	var pools, untracked, chosen []*pool.Pool
	poster, results := upstream.New(pool.NodeTimeout, responseLimit), proxy.NewResults()
	kept := newCache(cfg, deps)
	// A transaction that arrives twice is one transaction, and everything else is a read.
	poster.Repeats = true
	for _, n := range networks {
		if n.isBitcoin() {
			continue
		}
		s.traces[n.ChainID] = n.traceMethod(cfg)
		p := pool.New(n.chain(), poster, deps.Clock, deps.Log)
		pools = append(pools, p)
		if n.IsChosen() {
			chosen = append(chosen, p)
		}
		s.proxies[n.ChainID] = proxy.New(p, deps.Clock, results, kept, deps.Memory)
		if n.chain().IsSolana() {
			s.hubs[n.ChainID] = pubsub.New(n.RPC, s.proxies[n.ChainID].Answer, deps.Log)
		}
		if n.chain().IsEVM() || n.chain().IsSolana() {
			s.heads.Add(p)
		} else {
			untracked = append(untracked, p)
		}
	}
	return run.Service{
		Name: "chains",
		Register: func(r grpc.ServiceRegistrar) {
			chainsv1.RegisterChainsServiceServer(r, s)
			chainsv1.RegisterNodeServiceServer(r, nodeServer{server: s})
			chainsv1.RegisterSubscriptionServiceServer(r, subscriptionServer{server: s})
		},
		Work: func(ctx context.Context) error {
			g, running := routine.NewGroup(ctx)
			g.Go(func() error { return s.heads.Run(running) })
			// A mistake of the operator is logged before a node is needed. A public node is called only while its network is in use.
			for _, p := range chosen {
				g.Go(func() error {
					p.Verify(running)
					return nil
				})
			}
			for _, h := range s.hubs {
				g.Go(func() error { return h.Run(running) })
			}
			if kept != nil {
				g.Go(func() error { return kept.Run(running) })
			}
			err := g.Wait()
			if err == nil {
				// No chain is tracked.
				<-ctx.Done()
			}
			for _, p := range untracked {
				p.Close()
			}
			return err
		},
		Ready:  func(context.Context) error { return s.heads.Ready() },
		Chains: func(ctx context.Context, probe bool) []*statusv1.Chain { return describe(ctx, pools, probe) },
	}, nil
}

// describe returns the state of the nodes of each chain, after a probe of all nodes if probe is set.
func describe(ctx context.Context, pools []*pool.Pool, probe bool) (described []*statusv1.Chain) {
	var probing routine.WaitGroup
	for _, p := range pools {
		if probe {
			probing.Go(ctx, func() { p.Refresh(ctx) })
		}
	}
	probing.Wait()
	for _, p := range pools {
		described = append(described, p.Status())
	}
	return described
}

// warnOfSingleNodes logs the chains whose only node is trusted without a check.
func warnOfSingleNodes(networks []Network, log *slog.Logger) {
	var single []string
	for _, n := range networks {
		if len(n.servers()) == 1 && !n.Dev {
			single = append(single, n.ChainID)
		}
	}
	if len(single) > 0 {
		log.Warn("these chains have one node each, which is trusted without a check: name a second one in chains.nodes", "chains", single)
	}
}

// server implements ChainsService.
type server struct {
	chainsv1.UnimplementedChainsServiceServer
	networks []Network
	// traces are the methods that trace a block, by chain.
	traces   map[string]string
	untraced warnings
	clock    clock.Clock
	log      *slog.Logger
	// devnet describes the local development networks.
	devnet  devnet.Source
	proxies map[string]*proxy.Proxy
	heads   *heads.Tracker
	memory  *limit.Memory
	// hubs are the subscriptions to chains of Solana.
	hubs map[string]*pubsub.Hub
}

// ListSupportedChains lists the CAIP-2 ids of the networks, by transport.
func (s *server) ListSupportedChains(context.Context, *chainsv1.ListSupportedChainsRequest) (*chainsv1.ListSupportedChainsResponse, error) {
	res := &chainsv1.ListSupportedChainsResponse{}
	for _, n := range s.networks {
		if n.isBitcoin() {
			continue
		}
		res.Http = append(res.Http, n.ChainID)
		if n.chain().IsEVM() || n.chain().IsSolana() {
			res.Ws = append(res.Ws, n.ChainID)
		}
	}
	slices.Sort(res.Http)
	slices.Sort(res.Ws)
	return res, nil
}

// ListNetworks describes the networks.
func (s *server) ListNetworks(_ context.Context, r *chainsv1.ListNetworksRequest) (*chainsv1.ListNetworksResponse, error) {
	res := &chainsv1.ListNetworksResponse{}
	for _, n := range s.networks {
		network := &chainsv1.Network{
			ChainId:        n.ChainID,
			Name:           n.Name,
			NativeCurrency: &chainsv1.NativeCurrency{Name: n.Native.Name, Symbol: n.Native.Symbol, Decimals: n.Native.Decimals},
			Testnet:        n.Testnet,

			FinalAfterSeconds: uint32(n.finalAfter().Seconds()),
		}
		for _, e := range n.Explorers {
			network.Explorers = append(network.Explorers, &chainsv1.Explorer{Name: e.Name, Url: e.URL})
		}
		if description := s.devnet.Describe().Network(n.ChainID); description != nil && n.Dev && r.GetWithDevelopment() {
			var err error
			if network.Development, err = json.Marshal(description); err != nil {
				return nil, err
			}
		}
		res.Networks = append(res.Networks, network)
	}
	return res, nil
}

// warnEvery is how often a warning about a chain is repeated.
const warnEvery = time.Hour

// warnings remembers when a warning about a chain was logged.
type warnings struct {
	mu sync.Mutex
	at map[string]time.Time
}

// first reports whether a chain has no warning of the last hour, and records one.
func (w *warnings) first(chainID string, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at, ok := w.at[chainID]; ok && now.Sub(at) < warnEvery {
		return false
	}
	w.at[chainID] = now
	return true
}

// nodeServer implements NodeService. It is a separate type because NodeService is for other services only and is never
// registered at the gateway.
type nodeServer struct {
	chainsv1.UnimplementedNodeServiceServer
	*server
}

// Forward answers a JSON-RPC body.
func (s nodeServer) Forward(ctx context.Context, req *chainsv1.ForwardRequest) (*chainsv1.ForwardResponse, error) {
	p, ok := s.proxies[req.GetChainId()]
	if !ok {
		return nil, unsupported(req.GetChainId())
	}
	s.heads.Touch(req.GetChainId())
	answer := p.Answer
	if req.GetAgreed() {
		answer = p.AnswerAgreed
	}
	body, err := answer(ctx, req.GetBody())
	if errors.Is(err, pool.ErrNoNode) {
		return nil, unavailable(req.GetChainId(), err)
	}
	if err != nil {
		return nil, err
	}
	return &chainsv1.ForwardResponse{Body: body}, nil
}

// TraceBlock returns the native tokens that calls inside the transactions of a block moved.
func (s nodeServer) TraceBlock(ctx context.Context, req *chainsv1.TraceBlockRequest) (*chainsv1.TraceBlockResponse, error) {
	p, ok := s.proxies[req.GetChainId()]
	if !ok {
		return nil, unsupported(req.GetChainId())
	}
	method := s.traces[req.GetChainId()]
	if method == "" {
		return &chainsv1.TraceBlockResponse{}, nil
	}
	trace, err := p.Trace(ctx, method, traces.Block{Number: req.GetNumber(), Hash: common.BytesToHash(req.GetHash())})
	switch {
	case errors.Is(err, traces.ErrUntraced):
		if s.untraced.first(req.GetChainId(), s.clock.Now()) {
			s.log.WarnContext(ctx, "history lacks what contracts paid out in blocks", "chain", req.GetChainId(), "block", req.GetNumber(), "error", err)
		}
		return &chainsv1.TraceBlockResponse{}, nil
	case errors.Is(err, traces.ErrMoved):
		return nil, fault.New(codes.Aborted, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "number", "Block %d of %s was replaced", req.GetNumber(), req.GetChainId()).Because(err)
	case limit.IsSpent(err):
		return nil, fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "Too many bytes are in work at once. Try again later").Because(err)
	case err != nil:
		return nil, err
	}
	if n := len(trace.Skipped); n > 0 && s.untraced.first(req.GetChainId(), s.clock.Now()) {
		s.log.WarnContext(ctx, "history lacks what contracts paid out in transactions with too many or too deep calls",
			"chain", req.GetChainId(), "block", req.GetNumber(), "transactions", n, "first", trace.Skipped[0])
	}
	res := &chainsv1.TraceBlockResponse{Traced: true}
	for _, t := range trace.Transfers {
		res.Transfers = append(res.Transfers, &chainsv1.InnerTransfer{
			Transaction: t.Transaction.Bytes(), From: t.From.Bytes(), To: t.To.Bytes(), Value: t.Value.Bytes(),
		})
	}
	return res, nil
}

func unavailable(chainID string, cause error) error {
	return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId",
		"Requested %s chain provider is temporarily unavailable", chainID).Because(cause)
}

func unsupported(chainID string) error {
	return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId",
		"We don't support the chainId you provided: %s. See the list of supported chains here: /v1/supported-chains", chainID)
}
