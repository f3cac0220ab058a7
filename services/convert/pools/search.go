package pools

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// pairsPerCaller bounds the pairs of one network that wait to be searched, and pairsWaiting those of all. A network has at most as many as there is
	// room left, see [limit.Held].
	pairsPerCaller, pairsWaiting = 200, 4_000
	// pairsPerSearch is about how many pairs are searched at once, while the view does not advance.
	pairsPerSearch = 200
)

var errBusy = errors.New("too many tokens are looked for at once")

// searches are the pairs that callers wait for, whose networks take turns.
type searches struct {
	// waiting is what the callers wait for, by their networks.
	waiting map[netip.Prefix]*search
	order   limit.Rotation
	held    limit.Held
	n       int
}

// search is what one caller waits for.
type search struct {
	round
	pairs []pair
}

func newSearches() searches { return searches{waiting: map[netip.Prefix]*search{}, held: limit.Held{}} }

// add adds pairs to those that a caller waits for; false if they are too many.
func (s *searches) add(c limit.Caller, pairs []pair) (*search, bool) {
	own := s.waiting[c.Network]
	var before []pair
	if own != nil {
		before = own.pairs
	}
	wanted := unique(append(before, pairs...))
	added := len(wanted) - len(before)
	if len(wanted) > pairsPerCaller || !s.held.Allows(c, int64(added), int64(pairsWaiting-s.n-added)) {
		return nil, false
	}
	if own == nil {
		own = &search{round: *newRound()}
		s.waiting[c.Network] = own
		s.order.Add(c)
	}
	own.pairs = wanted
	s.held.Add(c, int64(added))
	s.n += added
	return own, true
}

// take removes what the next callers wait for, until it is about n pairs.
func (s *searches) take(n int) (list []*search, pairs []pair) {
	for len(list) == 0 || len(pairs) < n {
		c, ok := s.order.Next()
		if !ok {
			break
		}
		next := s.waiting[c.Network]
		delete(s.waiting, c.Network)
		s.held.Add(c, int64(-len(next.pairs)))
		s.n -= len(next.pairs)
		list, pairs = append(list, next), append(pairs, next.pairs...)
	}
	return list, unique(pairs)
}

// request adds pairs to the next searches, and returns the round that ends when they were searched.
func (f *tracker) request(c limit.Caller, pairs []pair) *round {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.running {
		return newRound().end(ErrClosed)
	}
	s, ok := f.searches.add(c, pairs)
	if !ok {
		return newRound().end(errBusy)
	}
	f.signal()
	return &s.round
}

// seek searches the next pairs that callers wait for, and those of more.
func (f *tracker) seek(ctx context.Context, more []pair, checked time.Time) error {
	f.mu.Lock()
	list, pairs := f.searches.take(pairsPerSearch)
	if f.searches.n > 0 {
		f.signal() // The others are searched after the next advance, not with the next poll.
	}
	pairs = f.looked.missing(unique(append(more, pairs...)))
	f.mu.Unlock()
	err := routine.Call(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, turnTimeout)
		defer cancel()
		if len(pairs) == 0 {
			return nil
		}
		return f.find(ctx, pairs, checked)
	})
	for _, s := range list {
		s.end(err)
	}
	return err
}

// refuse ends all searches with an error.
func (f *tracker) refuse(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list, _ := f.searches.take(pairsWaiting)
	for _, s := range list {
		s.end(err)
	}
}
