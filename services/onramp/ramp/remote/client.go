package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// listLifetime is how long the list of providers is cached.
	listLifetime = time.Second
	// callTimeout bounds calls for which the interface has no context.
	callTimeout = 5 * time.Second
)

// Client lists the providers of another process. It is safe for concurrent use.
type Client struct {
	service sandboxv1.SellerServiceClient
	clock   clock.Clock

	mu   sync.Mutex
	list []ramp.Provider
	read time.Time
}

// NewClient returns a client of a [Server].
func NewClient(service sandboxv1.SellerServiceClient, c clock.Clock) *Client {
	return &Client{service: service, clock: c}
}

// Providers returns the providers of the other process, or those that it listed last if it does not answer.
func (c *Client) Providers() []ramp.Provider {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock.Now()
	if age := now.Sub(c.read); !c.read.IsZero() && age >= 0 && age < listLifetime {
		return c.list
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	all, err := call[[]description](ctx, c.service, "", methodProviders, nil)
	// Of the end of the call, so that callers that wait for a process that hangs do not each wait for a call of their own.
	c.read = c.clock.Now()
	if err != nil {
		return c.list
	}
	c.list = nil
	for _, d := range all {
		c.list = append(c.list, &provider{description: d, service: c.service})
	}
	return c.list
}

// provider is a provider of another process.
type provider struct {
	description
	service sandboxv1.SellerServiceClient
}

var _ Provider = (*provider)(nil)

// Name returns the configured name of the provider.
func (p *provider) Name() string { return p.description.Name }

// Profile describes the provider for display.
func (p *provider) Profile() ramp.Profile { return p.description.Profile }

// Options lists what is sold in a region.
func (p *provider) Options(ctx context.Context, at ramp.Region) (ramp.Options, error) {
	return call[ramp.Options](ctx, p.service, p.Name(), methodOptions, at)
}

// Quotes returns quotes for a purchase.
func (p *provider) Quotes(ctx context.Context, a ramp.Ask) ([]ramp.Quote, error) {
	return call[[]ramp.Quote](ctx, p.service, p.Name(), methodQuotes, a)
}

// Open starts a checkout.
func (p *provider) Open(ctx context.Context, purchase ramp.Purchase) (ramp.Widget, error) {
	return call[ramp.Widget](ctx, p.service, p.Name(), methodOpen, purchase)
}

// Read verifies and parses a webhook delivery.
func (p *provider) Read(d ramp.Delivery) ([]ramp.Event, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	return call[[]ramp.Event](ctx, p.service, p.Name(), methodRead, d)
}

// Poll returns the events of an order.
func (p *provider) Poll(ctx context.Context, placed ramp.Placed) ([]ramp.Event, error) {
	return call[[]ramp.Event](ctx, p.service, p.Name(), methodPoll, placed)
}

// Sellers lists the sellers behind the provider.
func (p *provider) Sellers(ctx context.Context, countries []string) ([]json.RawMessage, error) {
	return call[[]json.RawMessage](ctx, p.service, p.Name(), methodSellers, countries)
}

// Properties returns one list of the provider.
func (p *provider) Properties(ctx context.Context, kind ramp.Kind, f ramp.Filter) ([]json.RawMessage, error) {
	return call[[]json.RawMessage](ctx, p.service, p.Name(), methodProperties, propertiesArguments{kind, f})
}

// call makes one call. If the process does not answer, the error is [ramp.ErrUnavailable].
func call[R any](ctx context.Context, service sandboxv1.SellerServiceClient, seller, method string, arguments any) (result R, err error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return result, err
	}
	res, err := service.Call(ctx, &sandboxv1.CallRequest{Seller: seller, Method: method, Arguments: text})
	if err != nil {
		if errors.Is(ctx.Err(), context.Canceled) {
			return result, ctx.Err()
		}
		return result, fmt.Errorf("%w: %w", ramp.ErrUnavailable, err)
	}
	if r := res.GetRefusal(); r != nil {
		return result, errorOf(r)
	}
	if err := json.Unmarshal(res.GetResult(), &result); err != nil {
		return result, fmt.Errorf("%w: %w", ramp.ErrUnavailable, err)
	}
	return result, nil
}
