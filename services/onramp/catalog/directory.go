package catalog

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/cache"
)

// listLifetime is how long lists of providers are cached, and maxLists how many.
const listLifetime, maxLists = 10 * time.Minute, 200

// KeyOf is the member that identifies the objects of a list.
var KeyOf = map[ramp.Kind]string{
	ramp.Countries: "countryCode", ramp.CryptoCurrencies: "currencyCode", ramp.FiatCurrencies: "currencyCode",
	ramp.PaymentMethods: "paymentMethod", ramp.FiatPurchasesLimits: "currencyCode", ramp.CountriesDefaults: "countryCode",
}

// Directory caches the lists of providers.
type Directory struct {
	catalog *Catalog
	cache   *cache.Cache[string, []json.RawMessage]
}

// NewDirectory returns an empty cache.
func NewDirectory(m *Catalog) *Directory {
	return &Directory{catalog: m, cache: cache.New(cache.Options[string, []json.RawMessage]{
		MaxEntries: maxLists, Lifetime: listLifetime,
	})}
}

// Properties returns one list over all providers. Of objects with the same key, the first provider's is returned. It
// fails if no provider answers.
func (d *Directory) Properties(ctx context.Context, kind ramp.Kind, f ramp.Filter) ([]json.RawMessage, error) {
	key := strings.Join([]string{string(kind), strings.Join(f.Countries, ","), strings.Join(f.Without, ",")}, "/")
	return d.cache.GetOrLoad(context.WithoutCancel(ctx), key, func(ctx context.Context) ([]json.RawMessage, error) {
		all := QueryAll(ctx, d.catalog.sellers, func(ctx context.Context, l ramp.Directory) ([]json.RawMessage, error) {
			return l.Properties(ctx, kind, f)
		})
		return d.join(all, KeyOf[kind])
	})
}

// join concatenates lists without duplicates.
func (d *Directory) join(all []Result[[]json.RawMessage], key string) ([]json.RawMessage, error) {
	joined := []json.RawMessage{}
	var failures []error
	seen := map[string]bool{}
	for _, s := range all {
		if s.Err != nil {
			d.catalog.onFailure(s.Provider.Name(), s.Err)
			failures = append(failures, s.Err)
		}
		for _, object := range s.Value {
			if id := memberOf(object, key); id == "" || !seen[id] {
				seen[id] = true
				joined = append(joined, object)
			}
		}
	}
	if len(joined) == 0 && len(failures) > 0 {
		return nil, mostHelpful(failures)
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
