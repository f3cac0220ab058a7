package media

import (
	"errors"
	"net/url"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/hawser-dev/hawser/services/platform/cache"
)

const (
	// restAfter is how many fetches from a host have to time out in a row before it rests for restFor.
	restAfter = 4
	restFor   = 10 * time.Minute
	// maxHosts bounds the hosts that are remembered.
	maxHosts = 10_000
)

// errResting means that the host did not answer in time before.
var errResting = errors.New("the host did not answer in time")

// resting remembers hosts that hang, so that nothing waits for them.
type resting struct {
	timeouts *cache.Cache[string, int]
}

func newResting() resting {
	return resting{cache.New(cache.Options[string, int]{MaxEntries: maxHosts, LifetimeOf: func(int) time.Duration { return restFor }})}
}

// isResting reports whether a host hung before.
func (r resting) isResting(host string) bool {
	n, _ := r.timeouts.Get(host)
	return n >= restAfter
}

// record records whether a host did not answer in time.
func (r resting) record(host string, late bool) {
	n, known := r.timeouts.Get(host)
	switch {
	case late:
		r.timeouts.Set(host, n+1)
	case known:
		r.timeouts.Set(host, 0)
	}
}

// site returns the registrable domain of a URL, because its owner has any number of hosts below it; the host itself if it has none.
func site(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	name, err := publicsuffix.EffectiveTLDPlusOne(u.Hostname())
	if err != nil {
		return u.Hostname()
	}
	return name
}
