package onramp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/ramp"
)

const (
	// listLifetime is how long lists of providers are cached, and maxLists how many.
	listLifetime, maxLists = 10 * time.Minute, 200
	// onrampCategory is the category of every seller.
	onrampCategory = "CRYPTO_ONRAMP"
	live           = "LIVE"
)

// keyOf is the member that identifies the objects of a list.
var keyOf = map[ramp.Kind]string{
	ramp.Countries: "countryCode", ramp.CryptoCurrencies: "currencyCode", ramp.FiatCurrencies: "currencyCode",
	ramp.PaymentMethods: "paymentMethod", ramp.FiatPurchasesLimits: "currencyCode", ramp.CountriesDefaults: "countryCode",
}

// directory caches the lists of providers.
type directory struct {
	catalog *catalog
	kept    *otter.Cache[string, []json.RawMessage]
}

func newDirectory(m *catalog) *directory {
	return &directory{catalog: m, kept: otter.Must(&otter.Options[string, []json.RawMessage]{
		MaximumSize: maxLists, ExpiryCalculator: otter.ExpiryWriting[string, []json.RawMessage](listLifetime),
	})}
}

// Properties returns one list over all providers; of equal objects the first provider's. It fails if no provider answers.
func (d *directory) Properties(ctx context.Context, kind ramp.Kind, f ramp.Filter) ([]json.RawMessage, error) {
	key := strings.Join([]string{string(kind), strings.Join(f.Countries, ","), strings.Join(f.Without, ",")}, "/")
	return d.kept.Get(context.WithoutCancel(ctx), key, otter.LoaderFunc[string, []json.RawMessage](func(ctx context.Context, _ string) ([]json.RawMessage, error) {
		all := queryAll(ctx, d.catalog.sellers, func(ctx context.Context, l ramp.Directory) ([]json.RawMessage, error) {
			return l.Properties(ctx, kind, f)
		})
		return d.join(all, keyOf[kind])
	}))
}

// join concatenates lists without duplicates.
func (d *directory) join(all []result[[]json.RawMessage], key string) ([]json.RawMessage, error) {
	joined := []json.RawMessage{}
	var failures []error
	seen := map[string]bool{}
	for _, s := range all {
		if s.err != nil {
			d.catalog.told(s.by.Name(), s.err)
			failures = append(failures, s.err)
		}
		for _, object := range s.is {
			if id := memberOf(object, key); id == "" || !seen[id] {
				seen[id] = true
				joined = append(joined, object)
			}
		}
	}
	if len(joined) == 0 && len(failures) > 0 {
		return nil, worst(failures)
	}
	return joined, nil
}

func memberOf(object json.RawMessage, name string) string {
	var members map[string]json.RawMessage
	var value string
	_ = json.Unmarshal(object, &members)
	_ = json.Unmarshal(members[name], &value)
	return value
}

// ListProviderProperties returns one list over all providers.
func (s *server) ListProviderProperties(ctx context.Context, r *onrampv1.ListProviderPropertiesRequest) (*onrampv1.ListProviderPropertiesResponse, error) {
	if r.GetType() == "" {
		return nil, missing("type")
	}
	kind := ramp.Kind(r.GetType())
	if keyOf[kind] == "" {
		return nil, invalid("type", "countries, crypto-currencies, fiat-currencies, payment-methods, fiat-purchases-limits or countries-defaults")
	}
	countries, err := parseCountries(r.GetCountries())
	if err != nil {
		return nil, err
	}
	without, err := parseSellers("excludeProviders", listed(r.GetExcludeProviders()))
	if err != nil {
		return nil, err
	}
	objects, err := s.directory.Properties(ctx, kind, ramp.Filter{Countries: countries, Without: without})
	if err != nil {
		return nil, explain("", err)
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

// ListProviders lists the sellers: those behind a marketplace, and every provider that sells itself.
func (s *server) ListProviders(ctx context.Context, r *onrampv1.ListProvidersRequest) (*onrampv1.ListProvidersResponse, error) {
	countries, err := parseCountries(r.GetCountries())
	if err != nil {
		return nil, err
	}
	behind := queryAll(ctx, s.sellers, func(ctx context.Context, d ramp.Directory) ([]json.RawMessage, error) {
		return d.Sellers(ctx, countries)
	})
	res := &onrampv1.ListProvidersResponse{}
	for _, p := range s.sellers.all() {
		i := slices.IndexFunc(behind, func(b result[[]json.RawMessage]) bool { return b.by == p })
		if _, resells := p.(ramp.Marketplace); !resells || i < 0 {
			res.Providers = append(res.Providers, sellerToProto(p))
			continue
		}
		if behind[i].err != nil {
			s.logFailure(p.Name(), behind[i].err)
		}
		for _, object := range behind[i].is {
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

// sellerToProto returns the seller that a provider is itself.
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
