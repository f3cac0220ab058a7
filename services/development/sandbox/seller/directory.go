package seller

import (
	"context"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"slices"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// country is an entry of the country lists. Purchases are accepted from every country.
type country struct{ code, name, currency string }

var countries = []country{
	{"US", "United States", "USD"}, {"AT", "Austria", "EUR"}, {"BE", "Belgium", "EUR"}, {"CA", "Canada", "USD"}, {"CH", "Switzerland", "EUR"},
	{"DE", "Germany", "EUR"}, {"ES", "Spain", "EUR"}, {"FI", "Finland", "EUR"}, {"FR", "France", "EUR"}, {"GB", "United Kingdom", "EUR"},
	{"IE", "Ireland", "EUR"}, {"IT", "Italy", "EUR"}, {"JP", "Japan", "USD"}, {"NL", "Netherlands", "EUR"}, {"PT", "Portugal", "EUR"},
}

// Sellers lists the seller itself.
func (s *Seller) Sellers(context.Context, []string) ([]json.RawMessage, error) {
	mark := s.logo()
	return raw(map[string]any{
		"categories":      []string{"CRYPTO_ONRAMP"},
		"logos":           map[string]string{"dark": mark, "darkShort": mark, "light": mark, "lightShort": mark},
		"name":            s.Title,
		"serviceProvider": s.code(),
		"status":          "LIVE",
		"websiteUrl":      s.PublicURL,
	})
}

// Properties returns the list of a kind, narrowed by the filter.
func (s *Seller) Properties(ctx context.Context, kind ramp.Kind, f ramp.Filter) ([]json.RawMessage, error) {
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
			map[string]any{"currencyCode": "USD", "name": "US Dollar", "symbolImageUrl": initial("$")},
			map[string]any{"currencyCode": "EUR", "name": "Euro", "symbolImageUrl": initial("€")},
		)
	case ramp.PaymentMethods:
		return raw(
			map[string]any{"paymentMethod": checkout.MethodCard, "name": "Card", "paymentType": "CARD"},
			map[string]any{"paymentMethod": checkout.MethodBank, "name": "Bank debit", "paymentType": "BANK_TRANSFER"},
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
			all = append(all, map[string]any{"countryCode": c.code, "name": c.name, "flagImageUrl": initial(flag(c.code))})
		default:
			all = append(all, map[string]any{"countryCode": c.code, "defaultCurrencyCode": c.currency, "defaultPaymentMethods": []string{checkout.MethodCard}})
		}
	}
	return raw(all...)
}

func (s *Seller) listTokens(ctx context.Context) ([]json.RawMessage, error) {
	sold, err := s.Market.Assets(ctx)
	if err != nil {
		return nil, err
	}
	var all []any
	named := map[string]bool{}
	for _, a := range sold {
		// A code identifies one token of one chain. For the first token with a symbol the code is the symbol alone.
		code := a.Symbol
		if named[code] {
			code += "_" + checkout.Slug(a.ChainName)
		}
		named[a.Symbol] = true
		all = append(all, map[string]any{
			"currencyCode": code, "name": a.Name, "chainCode": checkout.Slug(a.ChainName), "chainName": a.ChainName, "chainId": a.ChainID,
			"contractAddress": a.Contract, "symbolImageUrl": initial(a.Symbol),
		})
	}
	return raw(all...)
}

// listLimits returns one limit for each currency, which spans all payment methods.
func listLimits() ([]json.RawMessage, error) {
	var all []any
	for _, c := range checkout.Currencies {
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
			"currencyCode": c.ID, "defaultAmount": json.Number("100.00"), "minimumAmount": json.Number(checkout.FormatMoney(least)), "maximumAmount": json.Number(checkout.FormatMoney(most)),
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

// flag returns the emoji of a country's flag: its code in regional indicators.
func flag(code string) string {
	const indicatorA = 0x1F1E6
	return string([]rune{indicatorA + rune(code[0]-'A'), indicatorA + rune(code[1]-'A')})
}

// initial returns a round picture with the first letter of a text, as a data URL (RFC 2397).
func initial(text string) string {
	runes := []rune(text)
	if runes[0] < 0x1F1E6 && len(runes) > 1 {
		runes = runes[:1]
	}
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" fill="#2450d8"/>` +
		`<text x="20" y="27" font-family="system-ui,sans-serif" font-size="20" text-anchor="middle" fill="#fff">` + html.EscapeString(string(runes)) + `</text></svg>`
	return dataURL([]byte(svg))
}

// marks are the logos of sellers by name. The gateway serves the same ones.
//
//go:embed marks/*.svg
var marks embed.FS

// Mark returns the seller's picture as SVG; empty if it has none.
func (s *Seller) Mark() []byte {
	svg, err := marks.ReadFile("marks/" + s.Config.Name + ".svg")
	if err != nil {
		return nil
	}
	return svg
}

// logo returns the seller's picture as a data URL (RFC 2397), or the first letter of its title if it has none.
func (s *Seller) logo() string {
	if svg := s.Mark(); svg != nil {
		return dataURL(svg)
	}
	return initial(s.Title)
}

func dataURL(svg []byte) string {
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg)
}
