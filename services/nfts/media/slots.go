package media

import (
	"cmp"
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

// slots bounds how many fetches are in progress at once: in total, and for each host, listing and network of callers (see [limit.Held]). Of those that
// wait, the network that holds least is next, and among equals the one whose turn is longest ago. It is safe for concurrent use.
type slots struct {
	total, perListing int

	mu      sync.Mutex
	held    []*fetching
	own     limit.Held
	turns   *limit.Turns
	waiting []*fetching
}

// fetching is one fetch that holds a slot or waits for one.
type fetching struct {
	// turn is the one that it holds a slot in.
	turn
	place
	party   *party
	granted chan struct{}
}

func newSlots(total, perListing int) *slots {
	return &slots{total: total, perListing: perListing, own: limit.Held{}, turns: limit.NewTurns()}
}

// acquire waits for a slot in a turn of the party until ctx ends, and returns the turn.
func (s *slots) acquire(ctx context.Context, of *party, at place) (by turn, release func(), err error) {
	f := &fetching{place: at, party: of, granted: make(chan struct{})}
	of.waitFor(s)
	s.mu.Lock()
	s.waiting = append(s.waiting, f)
	s.grant()
	s.mu.Unlock()
	release = sync.OnceFunc(func() { s.release(f) })
	select {
	case <-f.granted:
		return f.turn, release, nil
	case <-ctx.Done():
		release()
		return turn{}, nil, errBusy
	}
}

func (s *slots) release(f *fetching) {
	s.mu.Lock()
	defer s.mu.Unlock()
	is := func(o *fetching) bool { return o == f }
	if slices.ContainsFunc(s.held, is) {
		s.own.Add(f.caller, -1)
	}
	s.held = slices.DeleteFunc(s.held, is)
	s.waiting = slices.DeleteFunc(s.waiting, is)
	s.grant()
}

// retry gives free slots to those that wait, after a caller has joined one of them.
func (s *slots) retry() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grant()
}

// grant gives free slots to those that wait.
func (s *slots) grant() {
	for len(s.held) < s.total {
		next, by := -1, turn{}
		for i, f := range s.waiting {
			for _, t := range f.party.waiting() {
				if s.mayHold(t, f.place) && (next < 0 || s.isBefore(t.caller, by.caller)) {
					next, by = i, t
				}
			}
		}
		if next < 0 {
			return
		}
		f := s.waiting[next]
		s.waiting = slices.Delete(s.waiting, next, next+1)
		f.turn = by
		f.party.charge(by)
		s.held = append(s.held, f)
		s.own.Add(by.caller, 1)
		s.turns.Take(by.caller)
		close(f.granted)
	}
}

func (s *slots) isBefore(a, b limit.Caller) bool {
	return cmp.Or(cmp.Compare(s.own.Load(a), s.own.Load(b)), s.turns.Compare(a, b)) < 0
}

// mayHold reports whether a caller may hold one more slot, for a fetch from a host.
func (s *slots) mayHold(by turn, at place) bool {
	if !s.own.Allows(by.caller, 1, int64(s.total-len(s.held))) {
		return false
	}
	if by.listing != nil && s.count(func(o *fetching) bool { return o.listing == by.listing }) >= s.perListing {
		return false
	}
	if at.host == "" {
		return true
	}
	if !at.gateway {
		return s.count(func(o *fetching) bool { return o.place == at }) < slotsPerHost
	}
	there, left := limit.Held{}, int64(slotsPerGateway)
	for _, o := range s.held {
		if o.place == at {
			there.Add(o.caller, 1)
			left--
		}
	}
	return there.Allows(by.caller, 1, left)
}

func (s *slots) count(is func(*fetching) bool) (n int) {
	for _, f := range s.held {
		if is(f) {
			n++
		}
	}
	return n
}
