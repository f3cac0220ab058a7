package vendors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// callerPart is the part of a vendor's rate that one caller may use on average, and reservePart the part that is kept for callers that use little, as
	// divisors.
	callerPart, reservePart = 4, 4
	// littlePart is the part of a caller's share that is little, as a divisor.
	littlePart = 8
	// callerBurst is how many requests a caller may make at once: quotes while an amount is typed, and those for an approval and a transaction. littleBurst
	// is how many of them are little.
	callerBurst, littleBurst = 8, 3
)

// ErrShare is wrapped, beside [ErrRateLimited], by the failure of a request that was not made: the caller has used its share of the vendor's rate, or its turn did not
// come in time. It says nothing about the vendor.
var ErrShare = errors.New("no request is left for the caller")

// share divides a vendor's rate among callers, which are IPv4 addresses and IPv6 /48s whatever their projects are. Each may use a part of it. Those that use
// little have a reserve, and those that use more take turns for the rest. nil does not limit anything.
type share struct {
	limiter      limit.Limiter
	vendor       string
	each, little limit.Rate
	common, all  *queue
}

// newShare returns the share of a vendor that answers this many requests in a second; 0 is no limit.
func newShare(l limit.Limiter, vendor string, perSecond float64) *share {
	if perSecond <= 0 {
		return nil
	}
	rate := func(name string, perSecond, burst float64) limit.Rate {
		return limit.Rate{Name: "swap vendor requests" + name, PerSecond: perSecond, Burst: burst}
	}
	owner := limit.Caller{Project: "vendor/" + vendor}
	return &share{
		limiter: l, vendor: vendor,
		each:   rate("", perSecond/callerPart, callerBurst),
		little: rate(", little", perSecond/callerPart/littlePart, littleBurst),
		// One at a time: vendors count in windows of a second, which a burst and the requests after it would exceed.
		common: newQueue(l, owner, rate(" in common", perSecond-perSecond/reservePart, 1)),
		all:    newQueue(l, owner, rate(" of all", perSecond, 1)),
	}
}

// take waits until the caller of ctx may make a request, or fails with [ErrShare]. Calls of the suite itself only wait for the vendor's rate.
func (s *share) take(ctx context.Context) error {
	if s == nil {
		return nil
	}
	c, known := limit.From(ctx)
	if known {
		site := limit.Caller{Project: "vendor/" + s.vendor, Network: c.Site()}
		if wait := s.limiter.Take(ctx, site, s.each, 1); wait > 0 {
			return s.refusal(wait)
		}
		if s.limiter.Take(ctx, site, s.little, 1) > 0 {
			if err := s.common.pass(ctx, c); err != nil {
				return s.refusal(time.Second)
			}
		}
	}
	if err := s.all.pass(ctx, c); err != nil {
		return s.refusal(time.Second)
	}
	return nil
}

// refusal returns the error of a request that is not made before a time has passed.
func (s *share) refusal(wait time.Duration) error {
	return fmt.Errorf("%w: %w: %w", ErrRateLimited, ErrShare, limit.Refusal("quotes of "+s.vendor, wait))
}
