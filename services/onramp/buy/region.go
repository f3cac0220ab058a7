package buy

import (
	"regexp"
	"strings"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

var (
	countryForm     = regexp.MustCompile(`^[A-Z]{2}$`)
	subdivisionForm = regexp.MustCompile(`^[A-Z0-9]{1,3}$`)
	currencyForm    = regexp.MustCompile(`^[A-Z]{3}$`)
	methodForm      = regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`)
	sellerForm      = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
)

// ParseRegion parses a country (ISO 3166-1 alpha-2) and a subdivision (ISO 3166-2), in any case; both are optional.
func ParseRegion(field, country, subdivision string) (ramp.Region, error) {
	at := ramp.Region{Country: strings.ToUpper(country), Subdivision: strings.ToUpper(subdivision)}
	if at.Country != "" && !countryForm.MatchString(at.Country) {
		return ramp.Region{}, Invalid(field, "two letters of ISO 3166-1, such as US")
	}
	if at.Subdivision != "" && !subdivisionForm.MatchString(at.Subdivision) {
		return ramp.Region{}, Invalid("subdivision", "the second part of ISO 3166-2, such as NY")
	}
	return at, nil
}

// ParseCountries parses a comma-separated list of countries.
func ParseCountries(text string) ([]string, error) {
	countries := SplitList(text)
	for i, country := range countries {
		at, err := ParseRegion("countries", country, "")
		if err != nil {
			return nil, err
		}
		countries[i] = at.Country
	}
	return countries, nil
}

// parseCurrency parses a currency of ISO 4217, in any case.
func parseCurrency(field, text string) (string, error) {
	currency := strings.ToUpper(text)
	if !currencyForm.MatchString(currency) {
		return "", Invalid(field, "three letters of ISO 4217, such as USD")
	}
	return currency, nil
}

// parseMethod parses a payment method; empty for any.
func parseMethod(field, text string) (string, error) {
	if text != "" && !methodForm.MatchString(text) {
		return "", Invalid(field, "letters, digits and underscores, such as card")
	}
	return text, nil
}

// ParseSellers parses names of sellers.
func ParseSellers(field string, names []string) ([]string, error) {
	for _, name := range names {
		if !sellerForm.MatchString(name) {
			return nil, Invalid(field, "the names of sellers")
		}
	}
	return names, nil
}

// SplitList splits a comma-separated list.
func SplitList(text string) []string {
	var all []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}
