package convert

import (
	"context"
	"errors"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
)

const (
	// watchersAtOnce bounds how many quotes are watched.
	watchersAtOnce = 2000
	// defaultWatchesPerCaller is how many of them one caller may hold.
	defaultWatchesPerCaller = 50
	// parallelLooks bounds how many watched quotes are found at once.
	parallelLooks = 8
)

// pauses are the times that watching keeps.
type pauses struct {
	// between is the shortest time from one look to the next, however fast blocks come.
	between time.Duration
	// refresh is the longest time between two looks; a watcher hears something at least that often.
	refresh time.Duration
	// patience is how long a watcher may take to read one message.
	patience time.Duration
}

var usualPauses = pauses{between: 500 * time.Millisecond, refresh: 10 * time.Second, patience: 30 * time.Second}

// watches wakes those who watch quotes when their chain has a new block.
type watches struct {
	pauses pauses
	// looking has a place for each look under way.
	looking chan struct{}

	mu     sync.Mutex
	chains map[string]*pulse
}

// pulse is the newest block of a chain; next closes when there is another.
type pulse struct {
	number uint64
	next   chan struct{}
}

func newWatches(p pauses) *watches {
	return &watches{pauses: p, looking: make(chan struct{}, parallelLooks), chains: map[string]*pulse{}}
}

// onHead wakes whoever watches a quote on the chain.
func (w *watches) onHead(chainID string, number uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p := w.chains[chainID]; p != nil {
		close(p.next)
	}
	w.chains[chainID] = &pulse{number: number, next: make(chan struct{})}
}

// beat returns a chain's newest block, and what closes with the next.
func (w *watches) beat(chainID string) (number uint64, next <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.chains[chainID]
	if p == nil {
		p = &pulse{next: make(chan struct{})}
		w.chains[chainID] = p
	}
	return p.number, p.next
}

// WatchQuote sends the best quote, now and whenever a block changes it, until the caller leaves.
func (s *Server) WatchQuote(r *convertv1.WatchQuoteRequest, stream grpc.ServerStreamingServer[convertv1.WatchQuoteResponse]) error {
	ctx := stream.Context()
	swap, err := readQuotes(r.GetSwap())
	if err != nil {
		return err
	}
	if _, err := s.desk.chain(ctx, swap.ChainID); err != nil {
		return explain(err)
	}
	release, err := limit.Acquire(ctx, s.limiter, s.share, "watched quotes")
	if err != nil {
		return err
	}
	defer release()
	said := monologue{silence: s.watches.pauses.refresh}
	for {
		number, next := s.watches.beat(swap.ChainID)
		news := s.look(ctx, r.GetSwap(), swap)
		if ctx.Err() != nil {
			return nil // the caller left, which is how every stream ends
		}
		if message := said.next(news); message != nil {
			message.Block = max(number, news.GetQuote().GetBlock())
			if err := run.Send(stream, message, s.watches.pauses.patience); err != nil {
				return err
			}
		}
		s.watches.rest(ctx, next)
	}
}

// monologue is what one watcher has been told.
type monologue struct {
	silence time.Duration // the longest
	told    *convertv1.WatchQuoteResponse
	spoke   time.Time
}

// next is what to say of the news: itself where it is any, a sign of life after a long silence, or nothing.
func (m *monologue) next(news *convertv1.WatchQuoteResponse) *convertv1.WatchQuoteResponse {
	switch {
	case !sameNews(m.told, news):
		m.told = news
	case time.Since(m.spoke) >= m.silence:
		news = &convertv1.WatchQuoteResponse{Change: &convertv1.WatchQuoteResponse_Alive{Alive: &convertv1.Alive{}}}
	default:
		return nil
	}
	m.spoke = time.Now()
	return news
}

// rest waits for the next block, but neither too short nor too long.
func (w *watches) rest(ctx context.Context, next <-chan struct{}) {
	start := time.Now()
	longest := time.NewTimer(w.pauses.refresh)
	defer longest.Stop()
	select {
	case <-next:
	case <-longest.C:
	case <-ctx.Done():
	}
	shortest := time.NewTimer(w.pauses.between - time.Since(start))
	defer shortest.Stop()
	select {
	case <-shortest.C:
	case <-ctx.Done():
	}
}

// look finds the quote of now, or why there is none.
func (s *Server) look(ctx context.Context, r *convertv1.ListQuotesRequest, swap Swap) *convertv1.WatchQuoteResponse {
	select {
	case s.watches.looking <- struct{}{}:
		defer func() { <-s.watches.looking }()
	case <-ctx.Done():
		return nil
	}
	answer, err := s.desk.Quote(ctx, swap)
	if err == nil {
		return &convertv1.WatchQuoteResponse{Change: &convertv1.WatchQuoteResponse_Quote{Quote: quote(r, swap, answer)}}
	}
	var f *fault.Error
	if !errors.As(explain(err), &f) {
		f = fault.Internal(err)
	}
	return &convertv1.WatchQuoteResponse{Change: &convertv1.WatchQuoteResponse_Absence{Absence: &convertv1.Absence{
		Code: fault.ReasonName(f.Reason), Description: f.Public,
	}}}
}

// sameNews says whether two messages tell the same: that a quote holds at a newer block, or gas costs a little more, is no news.
func sameNews(a, b *convertv1.WatchQuoteResponse) bool {
	if a == nil || b == nil {
		return a == b
	}
	return proto.Equal(undated(a), undated(b))
}

func undated(m *convertv1.WatchQuoteResponse) *convertv1.WatchQuoteResponse {
	m = proto.CloneOf(m)
	m.Block = 0
	if q := m.GetQuote(); q != nil {
		q.Block, q.Gas, q.GasPrice, q.NetworkFee, q.BoundBps = 0, "", "", "", nil
	}
	return m
}
