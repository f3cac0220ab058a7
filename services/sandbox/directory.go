package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"slices"

	"github.com/hawser-dev/hawser/services/ramp"
)

// country is one that the lists name; purchases are taken from everywhere.
type country struct{ code, name, currency string }

var countries = []country{
	{"US", "United States", "USD"}, {"AT", "Austria", "EUR"}, {"BE", "Belgium", "EUR"}, {"CA", "Canada", "USD"}, {"CH", "Switzerland", "EUR"},
	{"DE", "Germany", "EUR"}, {"ES", "Spain", "EUR"}, {"FI", "Finland", "EUR"}, {"FR", "France", "EUR"}, {"GB", "United Kingdom", "EUR"},
	{"IE", "Ireland", "EUR"}, {"IT", "Italy", "EUR"}, {"JP", "Japan", "USD"}, {"NL", "Netherlands", "EUR"}, {"PT", "Portugal", "EUR"},
}

// Sellers is the seller itself.
func (s *seller) Sellers(context.Context, []string) ([]json.RawMessage, error) {
	mark := s.logo()
	return raw(map[string]any{
		"categories":      []string{"CRYPTO_ONRAMP"},
		"logos":           map[string]string{"dark": mark, "darkShort": mark, "light": mark, "lightShort": mark},
		"name":            s.Title,
		"serviceProvider": s.code(),
		"status":          "LIVE",
		"websiteUrl":      s.publicURL,
	})
}

// Properties is one list, of what there is wherever the filter allows.
func (s *seller) Properties(ctx context.Context, kind ramp.Kind, f ramp.Filter) ([]json.RawMessage, error) {
	if slices.Contains(f.Without, s.code()) {
		return []json.RawMessage{}, nil
	}
	switch kind {
	case ramp.Countries, ramp.CountriesDefaults:
		return listCountries(kind, f)
	case ramp.CryptoCurrencies:
		return s.listTokens(ctx)
	case ramp.FiatCurrencies:
		return raw(
			map[string]any{"currencyCode": "USD", "name": "US Dollar", "symbolImageUrl": picture("$")},
			map[string]any{"currencyCode": "EUR", "name": "Euro", "symbolImageUrl": picture("€")},
		)
	case ramp.PaymentMethods:
		return raw(
			map[string]any{"paymentMethod": methodCard, "name": "Card", "paymentType": "CARD"},
			map[string]any{"paymentMethod": methodBank, "name": "Bank debit", "paymentType": "BANK_TRANSFER"},
		)
	case ramp.FiatPurchasesLimits:
		return listLimits()
	}
	return nil, fmt.Errorf("%w: there is no such list", ramp.ErrUnsupported)
}

func listCountries(kind ramp.Kind, f ramp.Filter) ([]json.RawMessage, error) {
	var all []any
	for _, c := range countries {
		switch {
		case len(f.Countries) > 0 && !slices.Contains(f.Countries, c.code):
		case kind == ramp.Countries:
			all = append(all, map[string]any{"countryCode": c.code, "name": c.name, "flagImageUrl": picture(flag(c.code))})
		default:
			all = append(all, map[string]any{"countryCode": c.code, "defaultCurrencyCode": c.currency, "defaultPaymentMethods": []string{methodCard}})
		}
	}
	return raw(all...)
}

func (s *seller) listTokens(ctx context.Context) ([]json.RawMessage, error) {
	sold, err := s.market.assets(ctx)
	if err != nil {
		return nil, err
	}
	var all []any
	named := map[string]bool{}
	for _, a := range sold {
		// A code means one token of one chain: the first is called by its symbol alone.
		code := a.Symbol
		if named[code] {
			code += "_" + slug(a.ChainName)
		}
		named[a.Symbol] = true
		all = append(all, map[string]any{
			"currencyCode": code, "name": a.Name, "chainCode": slug(a.ChainName), "chainName": a.ChainName, "chainId": a.ChainID,
			"contractAddress": a.contract(), "symbolImageUrl": picture(a.Symbol),
		})
	}
	return raw(all...)
}

// listLimits spans all methods, as the form has one limit a currency.
func listLimits() ([]json.RawMessage, error) {
	var all []any
	for _, c := range currencies {
		least, most := c.Limits[0].Min, c.Limits[0].Max
		for _, l := range c.Limits[1:] {
			if l.Min.LessThan(least) {
				least = l.Min
			}
			if l.Max.GreaterThan(most) {
				most = l.Max
			}
		}
		all = append(all, map[string]any{
			"currencyCode": c.ID, "defaultAmount": json.Number("100.00"), "minimumAmount": json.Number(money(least)), "maximumAmount": json.Number(money(most)),
		})
	}
	return raw(all...)
}

func raw(items ...any) ([]json.RawMessage, error) {
	all := make([]json.RawMessage, len(items))
	for i, item := range items {
		text, err := json.Marshal(item)
		if err != nil {
			return nil, err
		}
		all[i] = text
	}
	return all, nil
}

// flag spells a country's flag by its regional indicators.
func flag(code string) string {
	const indicatorA = 0x1F1E6
	return string([]rune{indicatorA + rune(code[0]-'A'), indicatorA + rune(code[1]-'A')})
}

// picture is a round mark with the beginning of a text, that needs no server: a data URL (RFC 2397).
func picture(text string) string {
	runes := []rune(text)
	if runes[0] < 0x1F1E6 && len(runes) > 1 {
		runes = runes[:1]
	}
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" fill="#2450d8"/>` +
		`<text x="20" y="27" font-family="system-ui,sans-serif" font-size="20" text-anchor="middle" fill="#fff">` + html.EscapeString(string(runes)) + `</text></svg>`
	return dataURL([]byte(svg))
}
