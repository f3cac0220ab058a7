package vendors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config holds the settings of one vendor. An empty one enables a vendor that needs no key.
type Config struct {
	Key string `yaml:"key" doc:"the vendor's key; ${NAME} is taken from the environment" secret:"true"`
	URL string `yaml:"url" doc:"base URL of the vendor, without a slash at its end; empty for the vendor's own; ${NAME} is taken from the environment" secret:"url"`
	// RequestsPerSecond is the rate of the operator's plan, which callers share.
	RequestsPerSecond float64             `yaml:"requests_per_second" doc:"requests in a second that the vendor answers under your plan, to all replicas together; one caller may use a quarter of them, and a quarter is kept for callers that use little; 0 for those of its free plan: 1 of 1inch, 5 of 0x"`
	Contracts         map[string][]string `yaml:"contracts" doc:"further contracts, by CAIP-2 chain id, that the vendor's transactions may call or ask an allowance for"`
}

// Translator translates requests and responses of one vendor. It does not verify responses, and is called only for chains on which the vendor has contracts.
type Translator interface {
	// Quote requests a quote. The guard sets Vendor, and Spender if the response has none.
	Quote(ctx context.Context, a Request) (Quote, error)
	// Build requests the transaction of a quote. The guard sets Spender and MinOut if the response has none.
	Build(ctx context.Context, a Request, q Quote) (Transaction, error)
}

// Vendor describes a vendor.
type Vendor struct {
	// URL is the base URL of its API.
	URL string
	// KeyURL is the base URL for callers with a key; empty for URL.
	KeyURL string
	// NeedsKey says that the API requires a key.
	NeedsKey bool
	// RequestsPerSecond is how many requests it answers in a second under its smallest plan; 0 is no limit.
	RequestsPerSecond float64
	// Header returns the header of each request, by the key.
	Header func(key string) http.Header
	// Explain returns the kind of failure of a response that is not HTTP 200; nil to decide by the status.
	Explain func(status int, body []byte) error
	// Contracts are pinned; a chain without any is not served.
	Contracts Contracts
	// Calls are the functions of the contracts that transactions may call.
	Calls []aggregator.Call
	// New returns the translator.
	New func(*API) Translator
}

// Open returns the configured sources among the known vendors, sorted by name.
func Open(cfg map[string]Config, known map[string]Vendor) ([]Source, error) {
	sources := make([]Source, 0, len(cfg))
	for _, name := range slices.Sorted(maps.Keys(cfg)) {
		vendor, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("there is no vendor %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		source, err := open(name, vendor, cfg[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sources = append(sources, source)
	}
	return sources, nil
}

// open returns one source. Its errors contain neither key nor URL.
func open(name string, v Vendor, cfg Config) (Source, error) {
	key, err := config.Expand(cfg.Key)
	if err != nil {
		return nil, fmt.Errorf("key: %w", err)
	}
	base, err := config.Expand(cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	if base == "" && key != "" {
		base = v.KeyURL
	}
	if base == "" {
		base = v.URL
	}
	if v.NeedsKey && key == "" {
		return nil, errors.New("key: it answers only with a key")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("key: it has a character that no key has")
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" {
		return nil, errors.New("url: it is not an http or https URL without a query")
	}
	if cfg.RequestsPerSecond < 0 {
		return nil, errors.New("requests_per_second: it is below 0")
	}
	contracts, err := v.Contracts.with(cfg.Contracts)
	if err != nil {
		return nil, err
	}
	api := newAPI(strings.TrimSuffix(base, "/"), v.Header(key), v.Explain)
	perSecond := cmp.Or(cfg.RequestsPerSecond, v.RequestsPerSecond)
	return &guard{name: name, perSecond: perSecond, vendor: v.New(api), contracts: contracts, calls: v.Calls}, nil
}

// Kinds of failure, to distinguish with [errors.Is].
var (
	// ErrNoLiquidity: there is no liquidity for the amount.
	ErrNoLiquidity = errors.New("no liquidity")
	// ErrChain: the vendor does not serve the chain.
	ErrChain = errors.New("the chain is not supported")
	// ErrToken: the vendor does not support one of the tokens.
	ErrToken = errors.New("a token is not supported")
	// ErrRejected: the vendor refuses the request as it is.
	ErrRejected = errors.New("the request was refused")
	// ErrKey: the vendor refuses the operator's key, or requires one.
	ErrKey = errors.New("access was refused")
	// ErrRateLimited: too many requests.
	ErrRateLimited = errors.New("too many requests")
	// ErrBroken: no response in time, or one in another form than documented.
	ErrBroken = errors.New("no usable answer")
	// ErrMoved: the transaction would pay less than the quote allows; request a new quote.
	ErrMoved = errors.New("the rate has moved")
	// ErrUnsafe: the vendor's response must not be passed on.
	ErrUnsafe = errors.New("an unsafe answer was refused")
	// ErrPaused: the vendor failed recently and is paused.
	ErrPaused = errors.New("the vendor is not requested for a while, after failures")
)

// isFault reports whether an error is a fault of the vendor, rather than a valid response to a swap that it cannot make.
func isFault(err error) bool {
	for _, kind := range []error{ErrKey, ErrRateLimited, ErrBroken, ErrUnsafe} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}
