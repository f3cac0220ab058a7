package onramp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onramp/buy"
	"github.com/hawser-dev/hawser/services/onramp/catalog"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

const (
	// onrampCategory is the category of every seller.
	onrampCategory = "CRYPTO_ONRAMP"
	live           = "LIVE"
)

// ListConfigured lists the configured providers.
func (s *server) ListConfigured(context.Context, *onrampv1.ListConfiguredRequest) (*onrampv1.ListConfiguredResponse, error) {
	res := &onrampv1.ListConfiguredResponse{}
	for _, p := range s.sellers.All() {
		res.Providers = append(res.Providers, p.Name())
	}
	return res, nil
}

// ListProviderProperties returns one list over all providers.
func (s *server) ListProviderProperties(ctx context.Context, r *onrampv1.ListProviderPropertiesRequest) (*onrampv1.ListProviderPropertiesResponse, error) {
	if r.GetType() == "" {
		return nil, missing("type")
	}
	kind := ramp.Kind(r.GetType())
	if catalog.KeyOf[kind] == "" {
		return nil, buy.Invalid("type", "countries, crypto-currencies, fiat-currencies, payment-methods, fiat-purchases-limits or countries-defaults")
	}
	countries, err := buy.ParseCountries(r.GetCountries())
	if err != nil {
		return nil, err
	}
	without, err := buy.ParseSellers("excludeProviders", buy.SplitList(r.GetExcludeProviders()))
	if err != nil {
		return nil, err
	}
	objects, err := s.directory.Properties(ctx, kind, ramp.Filter{Countries: countries, Without: without})
	if err != nil {
		return nil, buy.Explain("", err)
	}
	res := &onrampv1.ListProviderPropertiesResponse{Properties: &structpb.ListValue{}}
	for _, object := range objects {
		value := &structpb.Value{}
		if err := protojson.Unmarshal(object, value); err == nil {
			res.Properties.Values = append(res.Properties.Values, value)
		}
	}
	return res, nil
}

// ListProviders lists the sellers: those behind a marketplace, and every provider that is a seller itself.
func (s *server) ListProviders(ctx context.Context, r *onrampv1.ListProvidersRequest) (*onrampv1.ListProvidersResponse, error) {
	countries, err := buy.ParseCountries(r.GetCountries())
	if err != nil {
		return nil, err
	}
	behind := catalog.QueryAll(ctx, s.sellers, func(ctx context.Context, d ramp.Directory) ([]json.RawMessage, error) {
		return d.Sellers(ctx, countries)
	})
	res := &onrampv1.ListProvidersResponse{}
	for _, p := range s.sellers.All() {
		i := slices.IndexFunc(behind, func(b catalog.Result[[]json.RawMessage]) bool { return b.Provider == p })
		if _, resells := p.(ramp.Marketplace); !resells || i < 0 {
			res.Providers = append(res.Providers, sellerToProto(p))
			continue
		}
		if behind[i].Err != nil {
			s.logFailure(p.Name(), behind[i].Err)
		}
		for _, object := range behind[i].Value {
			if one := parseSeller(object, p); one != nil {
				res.Providers = append(res.Providers, one)
			}
		}
	}
	return res, nil
}

// parseSeller parses a seller of a marketplace in the form of the API; nil if it is malformed.
func parseSeller(object json.RawMessage, behind ramp.Provider) *onrampv1.Seller {
	one := &onrampv1.Seller{}
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(object, one); err != nil || one.GetServiceProvider() == "" {
		return nil
	}
	own := sellerToProto(behind)
	one.Namespaces, one.FeePercent, one.Sandbox = own.GetNamespaces(), own.GetFeePercent(), own.GetSandbox()
	return one
}

// sellerToProto returns a provider that is a seller itself in the form of the API.
func sellerToProto(p ramp.Provider) *onrampv1.Seller {
	profile := p.Profile()
	return &onrampv1.Seller{
		Categories: []string{onrampCategory}, Logos: &onrampv1.Logos{}, Name: profile.Title, ServiceProvider: sellerName(p), Status: live,
		WebsiteUrl: profile.Website, Namespaces: profile.Namespaces, Sandbox: profile.Sandbox,
		FeePercent: &onrampv1.FeeRange{Min: profile.FeeMin.String(), Max: profile.FeeMax.String()},
	}
}

// sellerName returns the seller name of a provider that is a seller itself.
func sellerName(p ramp.Provider) string { return strings.ToUpper(p.Name()) }
