package chains

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// answerLimit bounds one node's answer, in bytes.
const answerLimit = 10 << 20

// Publisher tells an event to whoever listens; id makes the same event of two replicas one.
type Publisher interface {
	PublishID(ctx context.Context, id string, event proto.Message) error
}

// Deps are what the service works with.
type Deps struct {
	// Events is where heads are published.
	Events Publisher
	Clock  clock.Clock
	Log    *slog.Logger
}

// New returns the service for the networks that cfg serves. The error names what is wrong in cfg.
func New(_ context.Context, cfg Config, deps Deps) (run.Service, error) {
	networks, err := LoadNetworks(cfg)
	if err != nil {
		return run.Service{}, err
	}
	log, events := deps.Log, deps.Events
	s := newServer(networks, upstream.New(nodeTimeout, answerLimit), deps.Clock)
	s.local = devnet.Open(cfg.DevnetFile, log)
	s.heads.log = log
	if len(networks) == 0 {
		log.Warn("no network is served: name nodes in chains.nodes, or set chains.public_nodes for public ones")
	}
	warnOfSingleNodes(networks, log)
	for id, d := range s.doors {
		d.pool.tally.log = log.With(attrChain, id)
	}
	s.heads.tell = func(ctx context.Context, chainID string, h head) error {
		return events.PublishID(ctx, chainID+"/"+h.hash, &chainsv1.Head{
			ChainId: chainID, Number: h.number, Hash: h.hash, ParentHash: h.parentHash, Timestamp: h.timestamp,
		})
	}
	return run.Service{
		Name: "chains",
		Register: func(r grpc.ServiceRegistrar) {
			chainsv1.RegisterChainsServiceServer(r, s)
			chainsv1.RegisterNodeServiceServer(r, nodeServer{server: s})
			chainsv1.RegisterSubscriptionServiceServer(r, subscriptionServer{server: s})
		},
		Work:  s.heads.run,
		Ready: func(context.Context) error { return s.heads.ready() },
	}, nil
}

// warnOfSingleNodes tells the operator of the chains whose only node is believed, whatever it says.
func warnOfSingleNodes(networks []Network, log *slog.Logger) {
	var single []string
	for _, n := range networks {
		if len(n.RPC) == 1 && !n.Dev {
			single = append(single, n.ChainID)
		}
	}
	if len(single) > 0 {
		log.Warn("these chains have one node each, which is believed unchecked: name a second one in chains.nodes", "chains", single)
	}
}

type server struct {
	chainsv1.UnimplementedChainsServiceServer
	networks []Network
	// local describes the development networks.
	local devnet.Source
	doors map[string]*door
	heads *follower
}

func newServer(networks []Network, poster Poster, c clock.Clock) *server {
	s := &server{networks: networks, local: devnet.Open("", nil), doors: map[string]*door{}, heads: &follower{chains: map[string]*followed{}, now: c.Now}}
	kept := newFinals()
	for _, n := range networks {
		d := newDoor(n, poster, c, kept)
		s.doors[n.ChainID] = d
		s.heads.chains[n.ChainID] = &followed{network: n, door: d, feed: newFeed(d.pool), wake: make(chan struct{}, 1)}
	}
	return s
}

// ListSupportedChains lists every network of the table.
func (s *server) ListSupportedChains(context.Context, *chainsv1.ListSupportedChainsRequest) (*chainsv1.ListSupportedChainsResponse, error) {
	res := &chainsv1.ListSupportedChainsResponse{}
	for _, n := range s.networks {
		res.Http = append(res.Http, n.ChainID)
		if n.isEVM() {
			res.Ws = append(res.Ws, n.ChainID)
		}
	}
	slices.Sort(res.Http)
	slices.Sort(res.Ws)
	return res, nil
}

// ListNetworks describes every network of the table.
func (s *server) ListNetworks(_ context.Context, r *chainsv1.ListNetworksRequest) (*chainsv1.ListNetworksResponse, error) {
	res := &chainsv1.ListNetworksResponse{}
	for _, n := range s.networks {
		network := &chainsv1.Network{
			ChainId:        n.ChainID,
			Name:           n.Name,
			NativeCurrency: &chainsv1.NativeCurrency{Name: n.Native.Name, Symbol: n.Native.Symbol, Decimals: n.Native.Decimals},
			Testnet:        n.Testnet,
		}
		for _, e := range n.Explorers {
			network.Explorers = append(network.Explorers, &chainsv1.Explorer{Name: e.Name, Url: e.URL})
		}
		if chain, ok := s.local.Describe().Chain(n.ChainID); ok && n.Dev && r.GetWithDevelopment() {
			description, err := json.Marshal(chain)
			if err != nil {
				return nil, err
			}
			network.Development = description
		}
		res.Networks = append(res.Networks, network)
	}
	return res, nil
}

// nodeServer is the private face: a type of its own, because NodeService is never registered at the gateway.
type nodeServer struct {
	chainsv1.UnimplementedNodeServiceServer
	*server
}

// Forward answers a JSON-RPC body from the network table or from a node.
func (s nodeServer) Forward(ctx context.Context, req *chainsv1.ForwardRequest) (*chainsv1.ForwardResponse, error) {
	d, ok := s.doors[req.GetChainId()]
	if !ok {
		return nil, unsupported(req.GetChainId())
	}
	s.heads.touch(req.GetChainId())
	answer, err := d.respond(ctx, req.GetBody(), req.GetAgreed())
	if errors.Is(err, errNoNode) {
		return nil, unavailable(req.GetChainId(), err)
	}
	if err != nil {
		return nil, err
	}
	return &chainsv1.ForwardResponse{Body: answer}, nil
}

func unavailable(chainID string, cause error) error {
	return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId",
		"Requested %s chain provider is temporarily unavailable", chainID).Because(cause)
}

func unsupported(chainID string) error {
	return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId",
		"We don't support the chainId you provided: %s. See the list of supported chains here: /v1/supported-chains", chainID)
}
