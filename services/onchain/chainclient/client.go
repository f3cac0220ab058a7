package chainclient

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// callTimeout bounds one JSON-RPC body.
	callTimeout = 15 * time.Second
	// tableTimeout bounds one read of the network table.
	tableTimeout = 5 * time.Second
	// tableLifetime is how long the network table is cached. It changes when the chains service restarts, and with the development chains.
	tableLifetime = 10 * time.Second
	// tableBackoff is the pause after a failed read of the network table. Until then callers get the cached table, or the error.
	tableBackoff = 2 * time.Second
)

// Network is one chain of the network table.
type Network struct {
	// ChainID is the CAIP-2 chain id.
	ChainID string
	// Name is the chain's display name.
	Name string
	// Native is the token that pays for gas.
	Native Currency
	// Testnet marks a network whose tokens have no value.
	Testnet bool
	// FinalAfter is how long it takes a block to become final; 0 on a development network, whose blocks count as final at once.
	FinalAfter time.Duration
}

// Currency is a native token.
type Currency struct {
	Name, Symbol string
	Decimals     uint8
}

// NetworkLister is the part of [chainsv1.ChainsServiceClient] that a [Client] calls.
type NetworkLister interface {
	ListNetworks(ctx context.Context, in *chainsv1.ListNetworksRequest, opts ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error)
}

// Forwarder is the part of [chainsv1.NodeServiceClient] that a [Client] calls.
type Forwarder interface {
	Forward(ctx context.Context, in *chainsv1.ForwardRequest, opts ...grpc.CallOption) (*chainsv1.ForwardResponse, error)
}

// Client reaches chains through the chains service. It is safe for concurrent use; one client serves a whole process.
type Client struct {
	lister NetworkLister
	nodes  Forwarder
	clock  clock.Clock

	mu       sync.Mutex
	networks []Network
	byID     map[string]Network
	local    *devnet.Description
	read     time.Time
	// failed is the time of the last failed read of the table, and failure its error.
	failed  time.Time
	failure error
}

// New returns a client of the chains service behind conn.
func New(conn grpc.ClientConnInterface, c clock.Clock) *Client {
	return NewFrom(chainsv1.NewChainsServiceClient(conn), chainsv1.NewNodeServiceClient(conn), c)
}

// NewFrom returns a client that reads the network table from lister and sends JSON-RPC bodies through nodes.
func NewFrom(lister NetworkLister, nodes Forwarder, c clock.Clock) *Client {
	return &Client{lister: lister, nodes: nodes, clock: c}
}

// Networks returns the network table, in the order of the chains service. If the table cannot be read, it returns the
// last one read, or the error if there is none.
func (c *Client) Networks(ctx context.Context) ([]Network, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refresh(ctx)
	if c.byID == nil {
		return nil, c.failure
	}
	return c.networks, nil
}

// Network returns the network with a CAIP-2 chain id, and false if it is not in the table. It returns the errors of
// [Client.Networks].
func (c *Client) Network(ctx context.Context, chainID string) (Network, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refresh(ctx)
	if c.byID == nil {
		return Network{}, false, c.failure
	}
	n, ok := c.byID[chainID]
	return n, ok, nil
}

// Serves reports whether a chain is in the network table. It returns the errors of [Client.Networks].
func (c *Client) Serves(ctx context.Context, chainID string) (bool, error) {
	_, ok, err := c.Network(ctx, chainID)
	return ok, err
}

// Describe returns the contracts of the development chains in the network table, as of its last read. It makes Client a
// [devnet.Source].
func (c *Client) Describe() *devnet.Description {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refresh(context.Background())
	if c.local == nil {
		return &devnet.Description{}
	}
	return c.local
}

// refresh reads the table if it is old and the last failure is not recent. It ignores the caller's cancellation, because other callers wait for
// the table too.
func (c *Client) refresh(ctx context.Context) {
	now := c.clock.Now()
	if now.Sub(c.read) < tableLifetime || now.Sub(c.failed) < tableBackoff {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tableTimeout)
	defer cancel()
	res, err := c.lister.ListNetworks(ctx, &chainsv1.ListNetworksRequest{WithDevelopment: true})
	if err != nil {
		c.failed, c.failure = now, err
		return
	}
	networks := make([]Network, len(res.GetNetworks()))
	byID := make(map[string]Network, len(networks))
	local := &devnet.Description{}
	for i, n := range res.GetNetworks() {
		native := n.GetNativeCurrency()
		networks[i] = Network{
			ChainID: n.GetChainId(), Name: n.GetName(), Testnet: n.GetTestnet(),
			Native:     Currency{Name: native.GetName(), Symbol: native.GetSymbol(), Decimals: uint8(min(native.GetDecimals(), 255))},
			FinalAfter: time.Duration(n.GetFinalAfterSeconds()) * time.Second,
		}
		byID[n.GetChainId()] = networks[i]
		if n.GetDevelopment() == nil {
			continue
		}
		if err := local.Add(n.GetChainId(), n.GetDevelopment()); err != nil {
			c.failed, c.failure = now, fmt.Errorf("development network %s: %w", n.GetChainId(), err)
			return
		}
	}
	c.networks, c.byID, c.local, c.read, c.failure = networks, byID, local, now, nil
}

// Transport returns the transport to the nodes of a chain, by CAIP-2 id. Each body is answered within 15 seconds.
func (c *Client) Transport(chainID string) Transport { return c.transport(chainID, false) }

// Agreed is [Client.Transport] for responses on which two nodes of the chain agree, if it has two.
func (c *Client) Agreed(chainID string) Transport { return c.transport(chainID, true) }

func (c *Client) transport(chainID string, agreed bool) Transport {
	return func(ctx context.Context, body []byte) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		res, err := c.nodes.Forward(ctx, &chainsv1.ForwardRequest{ChainId: chainID, Body: body, Agreed: agreed})
		return res.GetBody(), err
	}
}
