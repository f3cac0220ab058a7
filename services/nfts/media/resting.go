package media

import (
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// restAfter is how many fetches from a source have to hang in a row before it rests for restFor. Of a source that rests, one fetch in probeEvery is
	// made; if it does not hang, the rest ends.
	restAfter  = 4
	restFor    = 10 * time.Minute
	probeEvery = 30 * time.Second
	// hangsAfter is how long a fetch takes at least that was cancelled because it hung.
	hangsAfter = 2 * time.Second
	// maxResting bounds the sources that are remembered.
	maxResting = 10_000
)

// resting remembers the sources that hang for a caller, so that a listing does not wait for them. A caller cannot make a source rest for others.
// It is safe for concurrent use.
type resting struct {
	now func() time.Time

	mu    sync.Mutex
	known *cache.Cache[restKey, hung]
}

type restKey struct {
	source  string
	network netip.Prefix
}

// hung is how many fetches hung in a row, and when the last one was made.
type hung struct {
	n    int
	last time.Time
}

func newResting() *resting {
	return &resting{now: time.Now, known: cache.New(cache.Options[restKey, hung]{MaxEntries: maxResting, Lifetime: restFor})}
}

// skip reports whether a fetch for a caller is left out because its source hung before.
func (r *resting) skip(c limit.Caller, source string) bool {
	key := restKey{source, c.Network}
	r.mu.Lock()
	defer r.mu.Unlock()
	h, _ := r.known.Get(key)
	if h.n < restAfter {
		return false
	}
	if r.now().Sub(h.last) < probeEvery {
		return true
	}
	r.known.Set(key, hung{h.n, r.now()})
	return false
}

// record records whether a fetch for a caller hung.
func (r *resting) record(c limit.Caller, source string, hangs bool) {
	key := restKey{source, c.Network}
	r.mu.Lock()
	defer r.mu.Unlock()
	h, known := r.known.Get(key)
	switch {
	case source == "":
	case hangs:
		r.known.Set(key, hung{h.n + 1, r.now()})
	case known:
		r.known.Set(key, hung{})
	}
}

// restSource returns what rests if documents at a URL hang: their site or, of a gateway to IPFS, which serves the content of others, what is under one
// content id.
func restSource(u *url.URL) string {
	if id, ok := contentID(u); ok {
		return site(u) + "/" + id
	}
	return site(u)
}

// contentID returns the content id of a URL of a gateway to IPFS, which is in the path or the first label of the host; false for another URL.
func contentID(u *url.URL) (string, bool) {
	labels := strings.SplitN(u.Hostname(), ".", 3)
	if len(labels) == 3 && isContentSpace(labels[1]) {
		return labels[0], true
	}
	parts := strings.SplitN(strings.TrimPrefix(u.Path, "/"), "/", 3)
	if len(parts) > 1 && isContentSpace(parts[0]) {
		return parts[1], true
	}
	return "", false
}

func isContentSpace(name string) bool { return name == "ipfs" || name == "ipns" }

// site returns the registrable domain of a URL, because its owner has any number of hosts below it; the host itself if it has none.
func site(u *url.URL) string {
	name, err := publicsuffix.EffectiveTLDPlusOne(u.Hostname())
	if err != nil {
		return u.Hostname()
	}
	return name
}
