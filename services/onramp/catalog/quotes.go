package catalog

import (
	"context"
	"errors"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// maxQuotes bounds one response.
const maxQuotes = 20

var errDoesNotAddUp = errors.New("the quote does not add up")

// Quotes requests quotes from all providers and returns the best first. Without any quote it fails with the most helpful error.
func (c *Catalog) Quotes(ctx context.Context, a ramp.Ask) ([]ramp.Quote, error) {
	var quotes []ramp.Quote
	var failures []error
	for _, s := range QueryAll(ctx, c.sellers, func(ctx context.Context, q ramp.Quoter) ([]ramp.Quote, error) { return q.Quotes(ctx, a) }) {
		if s.Err != nil {
			c.onFailure(s.Provider.Name(), s.Err)
			failures = append(failures, s.Err)
		}
		for _, q := range s.Value {
			switch {
			case !q.AddsUp():
				c.onFailure(s.Provider.Name(), errDoesNotAddUp)
				failures = append(failures, errDoesNotAddUp)
			case !slices.Contains(a.Without, q.Seller):
				if q.ID == "" {
					q.ID = ulid.Make().String()
				}
				quotes = append(quotes, q)
			}
		}
	}
	if len(quotes) == 0 {
		return nil, mostHelpful(failures)
	}
	slices.SortStableFunc(quotes, func(a, b ramp.Quote) int { return b.Purchase.Value.Cmp(a.Purchase.Value) })
	return quotes[:min(len(quotes), maxQuotes)], nil
}

// mostHelpful returns the most helpful error: an amount outside the limits, then an unavailable provider, then unsupported.
func mostHelpful(failures []error) error {
	var limits *ramp.LimitError
	for _, err := range failures {
		var one *ramp.LimitError
		if errors.As(err, &one) {
			limits = wider(limits, one)
		}
	}
	if limits != nil {
		return limits
	}
	for _, err := range failures {
		if !errors.Is(err, ramp.ErrUnsupported) {
			return err
		}
	}
	if len(failures) > 0 {
		return ramp.ErrUnsupported
	}
	return ramp.ErrUnavailable
}

// wider returns the union of two limits.
func wider(a, b *ramp.LimitError) *ramp.LimitError {
	if a == nil {
		return b
	}
	all := &ramp.LimitError{}
	if a.Method == b.Method {
		all.Method = a.Method
	}
	if a.Min != nil && b.Min != nil {
		all.Min = a.Min
		if b.Min.Value.LessThan(a.Min.Value) {
			all.Min = b.Min
		}
	}
	if a.Max != nil && b.Max != nil {
		all.Max = a.Max
		if b.Max.Value.GreaterThan(a.Max.Value) {
			all.Max = b.Max
		}
	}
	return all
}
