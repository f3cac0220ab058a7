package vendors

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
)

// Config is what an operator sets for one vendor. An empty one switches a vendor on that needs no key.
type Config struct {
	Key       string              `yaml:"key" doc:"the vendor's key; ${NAME} is taken from the environment" secret:"true"`
	URL       string              `yaml:"url" doc:"where the vendor answers, without a slash at its end; empty for its usual place; ${NAME} is taken from the environment" secret:"url"`
	Contracts map[string][]string `yaml:"contracts" doc:"further contracts, by CAIP-2 chain id, that the vendor's transactions may call or ask an allowance for"`
}

// Translator speaks a vendor's wire format, and trusts what it reads. It is asked about chains only that the vendor has contracts on.
type Translator interface {
	// Quote leaves Vendor to the guard, and Spender when the vendor does not say it.
	Quote(ctx context.Context, a Request) (Quote, error)
	// Build leaves Spender likewise, and MinOut when the vendor does not say it.
	Build(ctx context.Context, a Request, q Quote) (Transaction, error)
}

// Vendor is what is known of a vendor.
type Vendor struct {
	// URL is where it answers unless the operator says otherwise.
	URL string
	// KeyURL is where it answers those who have a key; empty for the same place.
	KeyURL string
	// NeedsKey: without a key it answers nobody.
	NeedsKey bool
	// Header is what every call carries, given the key.
	Header func(key string) http.Header
	// Explain reads an answer that is not HTTP 200 and returns the kind of failure; nil leaves it to the status.
	Explain func(status int, body []byte) error
	// Contracts are pinned; a chain without any is not served.
	Contracts Contracts
	// Calls are the functions of the contracts that are let through.
	Calls []Call
	// New returns the translator.
	New func(*API) Translator
}

// Open returns the sources that an operator configured, in the order of their names, out of those that are known.
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

// open never spells the key or the URL in an error.
func open(name string, v Vendor, cfg Config) (Source, error) {
	key, base := os.ExpandEnv(cfg.Key), os.ExpandEnv(cfg.URL)
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
	contracts, err := v.Contracts.with(cfg.Contracts)
	if err != nil {
		return nil, err
	}
	api := newAPI(strings.TrimSuffix(base, "/"), v.Header(key), v.Explain)
	return &guard{name: name, vendor: v.New(api), contracts: contracts, calls: v.Calls}, nil
}

// Kinds of failure, to be told apart with [errors.Is].
var (
	// ErrNoLiquidity: nobody pays anything for so much of the token.
	ErrNoLiquidity = errors.New("no liquidity")
	// ErrChain: the vendor does not serve the chain.
	ErrChain = errors.New("the chain is not supported")
	// ErrToken: the vendor does not know, or refuses, one of the tokens.
	ErrToken = errors.New("a token is not supported")
	// ErrRejected: the vendor does not take the request as it is.
	ErrRejected = errors.New("the request was refused")
	// ErrKey: the vendor does not take the operator's key, or nobody without one.
	ErrKey = errors.New("access was refused")
	// ErrRateLimited: too many requests.
	ErrRateLimited = errors.New("too many requests")
	// ErrBroken: no answer in time, or one in another form than documented.
	ErrBroken = errors.New("no usable answer")
	// ErrMoved: the transaction would pay less than the quote allows; a new quote is due.
	ErrMoved = errors.New("the rate has moved")
	// ErrUnsafe: the vendor's answer must not be given to a user.
	ErrUnsafe = errors.New("an unsafe answer was refused")
	// ErrPaused: the vendor failed lately and is not asked.
	ErrPaused = errors.New("the vendor rests after failures")
)

// isFault reports whether an error is the vendor's own fault, rather than a plain answer to a swap that it cannot do.
func isFault(err error) bool {
	for _, kind := range []error{ErrKey, ErrRateLimited, ErrBroken, ErrUnsafe} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}
