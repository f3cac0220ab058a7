package quota

import (
	"context"
	"net/netip"
	"sync"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// readsAtOnce is how many messages a process reads from mailboxes at once: each may be of the longest, and is in memory several times while it is
	// decoded. siteReads is how many of them are for one site.
	readsAtOnce = 12
	siteReads   = 4
)

// reads are the places of those who read mailboxes. Sites wait in turn, because each has siteReads places in the queue at most.
type reads struct {
	all chan struct{}

	mu    sync.Mutex
	sites map[netip.Prefix]*site
}

// site is an IPv4 address or an IPv6 /48, for which someone reads or waits.
type site struct {
	places chan struct{}
	// users is guarded by the lock of reads.
	users int
}

func newReads() *reads {
	return &reads{all: make(chan struct{}, readsAtOnce), sites: map[netip.Prefix]*site{}}
}

// enter waits for a place until leave is called. The error is that of ctx.
func (r *reads) enter(ctx context.Context, c limit.Caller) (leave func(), err error) {
	at := c.Site()
	s := r.join(at)
	select {
	case s.places <- struct{}{}:
	case <-ctx.Done():
		r.part(at, s)
		return nil, ctx.Err()
	}
	select {
	case r.all <- struct{}{}:
	case <-ctx.Done():
		<-s.places
		r.part(at, s)
		return nil, ctx.Err()
	}
	return sync.OnceFunc(func() {
		<-r.all
		<-s.places
		r.part(at, s)
	}), nil
}

func (r *reads) join(at netip.Prefix) *site {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sites[at]
	if s == nil {
		s = &site{places: make(chan struct{}, siteReads)}
		r.sites[at] = s
	}
	s.users++
	return s
}

func (r *reads) part(at netip.Prefix, s *site) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.users--; s.users == 0 {
		delete(r.sites, at)
	}
}
