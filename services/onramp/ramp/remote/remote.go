// Package remote makes a [ramp.Provider] available in another process: [Serve] serves its methods and [Client] calls
// them. Arguments and results are sent as JSON, errors of package ramp as a refusal of the same kind.
package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Provider has every capability except that of a marketplace.
type Provider interface {
	ramp.Provider
	ramp.Lister
	ramp.Quoter
	ramp.Opener
	ramp.Listener
	ramp.Poller
	ramp.Directory
}

// The methods of CallRequest.
const (
	methodProviders  = "providers"
	methodOptions    = "options"
	methodQuotes     = "quotes"
	methodOpen       = "open"
	methodRead       = "read"
	methodPoll       = "poll"
	methodSellers    = "sellers"
	methodProperties = "properties"
)

// description is the description of a provider that a client caches.
type description struct {
	Name    string
	Profile ramp.Profile
}

// propertiesArguments are those of [ramp.Directory.Properties].
type propertiesArguments struct {
	Kind   ramp.Kind
	Filter ramp.Filter
}

// kinds maps the names on the wire to the errors of package ramp.
var kinds = map[string]error{
	"unsupported": ramp.ErrUnsupported,
	"unavailable": ramp.ErrUnavailable,
	"credentials": ramp.ErrCredentials,
	"signature":   ramp.ErrSignature,
	"stale":       ramp.ErrStale,
	"malformed":   ramp.ErrMalformed,
}

const kindLimit = "limit"

// Server answers calls of providers.
type Server struct {
	sandboxv1.UnimplementedSellerServiceServer
	providers func() []Provider
}

// Serve returns a server of the providers that the function lists.
func Serve(providers func() []Provider) *Server { return &Server{providers: providers} }

// Call runs one method of one provider.
func (s *Server) Call(ctx context.Context, r *sandboxv1.CallRequest) (*sandboxv1.CallResponse, error) {
	result, err := s.call(ctx, r)
	if refusal := refusalOf(err); refusal != nil {
		return &sandboxv1.CallResponse{Outcome: &sandboxv1.CallResponse_Refusal{Refusal: refusal}}, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	return &sandboxv1.CallResponse{Outcome: &sandboxv1.CallResponse_Result{Result: text}}, nil
}

func (s *Server) call(ctx context.Context, r *sandboxv1.CallRequest) (any, error) {
	all := s.providers()
	if r.GetMethod() == methodProviders {
		list := []description{}
		for _, p := range all {
			list = append(list, description{p.Name(), p.Profile()})
		}
		return list, nil
	}
	i := slices.IndexFunc(all, func(p Provider) bool { return p.Name() == r.GetSeller() })
	if i < 0 {
		return nil, unknown("seller")
	}
	p, arguments := all[i], r.GetArguments()
	switch r.GetMethod() {
	case methodOptions:
		return run(arguments, func(a ramp.Region) (ramp.Options, error) { return p.Options(ctx, a) })
	case methodQuotes:
		return run(arguments, func(a ramp.Ask) ([]ramp.Quote, error) { return p.Quotes(ctx, a) })
	case methodOpen:
		return run(arguments, func(a ramp.Purchase) (ramp.Widget, error) { return p.Open(ctx, a) })
	case methodRead:
		return run(arguments, p.Read)
	case methodPoll:
		return run(arguments, func(a ramp.Placed) ([]ramp.Event, error) { return p.Poll(ctx, a) })
	case methodSellers:
		return run(arguments, func(a []string) ([]json.RawMessage, error) { return p.Sellers(ctx, a) })
	case methodProperties:
		return run(arguments, func(a propertiesArguments) ([]json.RawMessage, error) { return p.Properties(ctx, a.Kind, a.Filter) })
	}
	return nil, unknown("method")
}

// run decodes the arguments of a method and calls it.
func run[A, R any](arguments []byte, method func(A) (R, error)) (any, error) {
	var a A
	if err := json.Unmarshal(arguments, &a); err != nil {
		return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_MALFORMED, "arguments", "The arguments are not JSON of the method").Because(err)
	}
	return method(a)
}

func unknown(field string) error {
	return fault.New(codes.NotFound, faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, field, "There is no such %s", field)
}

// refusalOf returns the refusal for an error of package ramp; nil for other errors.
func refusalOf(err error) *sandboxv1.Refusal {
	var limit *ramp.LimitError
	if errors.As(err, &limit) {
		bounds, _ := json.Marshal(limit)
		return &sandboxv1.Refusal{Kind: kindLimit, Text: err.Error(), Limit: bounds}
	}
	for kind, sentinel := range kinds {
		if errors.Is(err, sentinel) {
			return &sandboxv1.Refusal{Kind: kind, Text: err.Error()}
		}
	}
	return nil
}

// errorOf is the inverse of refusalOf.
func errorOf(r *sandboxv1.Refusal) error {
	if r.GetKind() == kindLimit {
		limit := &ramp.LimitError{}
		if err := json.Unmarshal(r.GetLimit(), limit); err == nil {
			return limit
		}
	}
	sentinel, ok := kinds[r.GetKind()]
	if !ok {
		sentinel = ramp.ErrUnavailable
	}
	return fmt.Errorf("%w: %s", sentinel, r.GetText())
}
