package onramp

import (
	"regexp"
	"strings"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/ramp"
)

var (
	countryForm     = regexp.MustCompile(`^[A-Z]{2}$`)
	subdivisionForm = regexp.MustCompile(`^[A-Z0-9]{1,3}$`)
	currencyForm    = regexp.MustCompile(`^[A-Z]{3}$`)
	methodForm      = regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`)
	sellerForm      = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
)

// parseRegion parses a country (ISO 3166-1 alpha-2) and a subdivision (ISO 3166-2), in any case; both are optional.
func parseRegion(field, country, subdivision string) (ramp.Region, error) {
	at := ramp.Region{Country: strings.ToUpper(country), Subdivision: strings.ToUpper(subdivision)}
	if at.Country != "" && !countryForm.MatchString(at.Country) {
		return ramp.Region{}, invalid(field, "two letters of ISO 3166-1, such as US")
	}
	if at.Subdivision != "" && !subdivisionForm.MatchString(at.Subdivision) {
		return ramp.Region{}, invalid("subdivision", "the second part of ISO 3166-2, such as NY")
	}
	return at, nil
}

// parseCountries parses a comma-separated list of countries.
func parseCountries(text string) ([]string, error) {
	countries := listed(text)
	for i, country := range countries {
		at, err := parseRegion("countries", country, "")
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
		return "", invalid(field, "three letters of ISO 4217, such as USD")
	}
	return currency, nil
}

// parseMethod parses a payment method; empty for any.
func parseMethod(field, text string) (string, error) {
	if text != "" && !methodForm.MatchString(text) {
		return "", invalid(field, "letters, digits and underscores, such as card")
	}
	return text, nil
}

// parseSellers parses names of sellers.
func parseSellers(field string, names []string) ([]string, error) {
	for _, name := range names {
		if !sellerForm.MatchString(name) {
			return nil, invalid(field, "the names of sellers")
		}
	}
	return names, nil
}

// listed splits a comma-separated list.
func listed(text string) []string {
	var all []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

func invalid(field, wanted string) error {
	return apiparse.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, field, "Invalid parameter: `%s` must be %s", field, wanted)
}

// unsupported returns the error of something that no provider sells.
func unsupported(field, format string, args ...any) error {
	return apiparse.Invalid(faultv1.Reason_REASON_ONRAMP_UNSUPPORTED, field, format, args...)
}

func notOfChain(field string) error {
	return apiparse.Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, field, "The address provided is invalid: it is not one of the chain's")
}
