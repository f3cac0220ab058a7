package media

import (
	"context"
	"slices"
	"sync"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// slotsPerHost is how many documents are fetched from one host at once. That of a gateway is shared by many tokens: it has slotsPerGateway, of which a
	// caller holds as many as are left free.
	slotsPerHost, slotsPerGateway = 8, 16
	// slotsPerListing is how many documents of one listing are fetched at once, and requestsPerListing how many of its requests to a node are made.
	slotsPerListing, requestsPerListing = 8, 2
)

// turn is whose document is fetched.
type turn struct {
	caller limit.Caller
	// listing is the listing that the document is read for; nil for a single picture.
	listing *int
}

// turnOf returns the turn of a call, with a listing of its own.
func turnOf(ctx context.Context) turn {
	c, _ := limit.From(ctx)
	return turn{caller: c, listing: new(int)}
}

// place is the host of a fetch; it has no name for a document that is in its URI.
type place struct {
	host    string
	gateway bool
}

// slots bounds how many fetches are in progress at once: in total, and for each host, listing and caller. A caller holds as many as are left free (the
// dynamic threshold of Choudhury and Hahne, 1998). Of those that wait, the caller with the fewest is next. It is safe for concurrent use.
type slots struct {
	total, perListing int

	mu      sync.Mutex
	held    []*fetching
	waiting []*fetching
}

// fetching is one fetch that holds a slot or waits for one.
type fetching struct {
	turn
	place
	granted chan struct{}
}

func newSlots(total, perListing int) *slots { return &slots{total: total, perListing: perListing} }

// acquire waits for a slot until ctx ends.
func (s *slots) acquire(ctx context.Context, by turn, at place) (release func(), err error) {
	f := &fetching{by, at, make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, f)
	s.grant()
	s.mu.Unlock()
	release = sync.OnceFunc(func() { s.release(f) })
	select {
	case <-f.granted:
		return release, nil
	case <-ctx.Done():
		release()
		return nil, errBusy
	}
}

func (s *slots) release(f *fetching) {
	s.mu.Lock()
	defer s.mu.Unlock()
	is := func(o *fetching) bool { return o == f }
	s.held = slices.DeleteFunc(s.held, is)
	s.waiting = slices.DeleteFunc(s.waiting, is)
	s.grant()
}

// grant gives free slots to those that wait.
func (s *slots) grant() {
	for len(s.held) < s.total {
		next, fewest := -1, 0
		for i, f := range s.waiting {
			if own := s.count(func(o *fetching) bool { return o.caller == f.caller }); s.mayHold(f, own) && (next < 0 || own < fewest) {
				next, fewest = i, own
			}
		}
		if next < 0 {
			return
		}
		f := s.waiting[next]
		s.waiting = slices.Delete(s.waiting, next, next+1)
		s.held = append(s.held, f)
		close(f.granted)
	}
}

// mayHold reports whether a fetch of a caller that holds own slots may have one more.
func (s *slots) mayHold(f *fetching, own int) bool {
	if own >= s.total-len(s.held) {
		return false
	}
	if f.listing != nil && s.count(func(o *fetching) bool { return o.listing == f.listing }) >= s.perListing {
		return false
	}
	if f.host == "" {
		return true
	}
	there := s.count(func(o *fetching) bool { return o.place == f.place })
	if !f.gateway {
		return there < slotsPerHost
	}
	ownThere := s.count(func(o *fetching) bool { return o.place == f.place && o.caller == f.caller })
	return ownThere < slotsPerGateway-there
}

func (s *slots) count(is func(*fetching) bool) (n int) {
	for _, f := range s.held {
		if is(f) {
			n++
		}
	}
	return n
}
