package convert

import (
	"context"
	"errors"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	"github.com/hawser-dev/hawser/services/convert/engine"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
)

const (
	// maxWatchers bounds how many quotes are watched.
	maxWatchers = 2000
	// defaultWatchesPerCaller is the default number of quotes that one caller may watch.
	defaultWatchesPerCaller = 50
	// parallelSearches bounds how many watched quotes are searched at once.
	parallelSearches = 8
)

// intervals are the intervals of a stream of quotes.
type intervals struct {
	// least is the shortest time between two searches, however fast blocks are mined.
	least time.Duration
	// most is the longest time between two searches, and between two messages.
	most time.Duration
	// send is how long a client may take to receive one message.
	send time.Duration
}

var defaultIntervals = intervals{least: 500 * time.Millisecond, most: 10 * time.Second, send: 30 * time.Second}

// watchers wakes the streams of a chain at each new block.
type watchers struct {
	intervals intervals
	// searching is a semaphore for searches.
	searching chan struct{}

	mu     sync.Mutex
	chains map[string]*newestBlock
}

// newestBlock is the newest block of a chain; next closes at the block after it.
type newestBlock struct {
	number uint64
	next   chan struct{}
}

func newWatchers(i intervals) *watchers {
	return &watchers{intervals: i, searching: make(chan struct{}, parallelSearches), chains: map[string]*newestBlock{}}
}

// onHead wakes the streams of the chain.
func (w *watchers) onHead(chainID string, number uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p := w.chains[chainID]; p != nil {
		close(p.next)
	}
	w.chains[chainID] = &newestBlock{number: number, next: make(chan struct{})}
}

// newest returns the number of a chain's newest block, and a channel that closes at the next.
func (w *watchers) newest(chainID string) (number uint64, next <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.chains[chainID]
	if p == nil {
		p = &newestBlock{next: make(chan struct{})}
		w.chains[chainID] = p
	}
	return p.number, p.next
}

// WatchQuote sends the best quote, now and whenever a block changes it, until the client disconnects.
func (s *server) WatchQuote(r *convertv1.WatchQuoteRequest, stream grpc.ServerStreamingServer[convertv1.WatchQuoteResponse]) error {
	ctx := stream.Context()
	swap, err := readQuotes(r.GetSwap())
	if err != nil {
		return err
	}
	if _, err := s.engine.Chain(ctx, swap.ChainID); err != nil {
		return explain(err)
	}
	release, err := limit.Acquire(ctx, s.limiter, s.share, "watched quotes")
	if err != nil {
		return err
	}
	defer release()
	sent := lastSent{alive: s.watchers.intervals.most}
	for {
		number, next := s.watchers.newest(swap.ChainID)
		found := s.search(ctx, r.GetSwap(), swap)
		if ctx.Err() != nil {
			return nil // The client disconnected, which is how every stream ends.
		}
		if message := sent.next(found); message != nil {
			message.Block = max(number, found.GetQuote().GetBlock())
			if err := run.Send(stream, message, s.watchers.intervals.send); err != nil {
				return err
			}
		}
		s.watchers.wait(ctx, next)
	}
}

// lastSent is the message that a stream sent last.
type lastSent struct {
	// alive is the time after which an unchanged quote is answered with Alive.
	alive   time.Duration
	message *convertv1.WatchQuoteResponse
	at      time.Time
}

// next returns the message to send for a search: its result if that changed, Alive if the stream was silent for long, or nil.
func (l *lastSent) next(found *convertv1.WatchQuoteResponse) *convertv1.WatchQuoteResponse {
	switch {
	case !isSame(l.message, found):
		l.message = found
	case time.Since(l.at) >= l.alive:
		found = &convertv1.WatchQuoteResponse{Change: &convertv1.WatchQuoteResponse_Alive{Alive: &convertv1.Alive{}}}
	default:
		return nil
	}
	l.at = time.Now()
	return found
}

// wait waits for the next block, within the intervals.
func (w *watchers) wait(ctx context.Context, next <-chan struct{}) {
	start := time.Now()
	longest := time.NewTimer(w.intervals.most)
	defer longest.Stop()
	select {
	case <-next:
	case <-longest.C:
	case <-ctx.Done():
	}
	shortest := time.NewTimer(w.intervals.least - time.Since(start))
	defer shortest.Stop()
	select {
	case <-shortest.C:
	case <-ctx.Done():
	}
}

// search returns the current quote, or the reason why there is none.
func (s *server) search(ctx context.Context, r *convertv1.ListQuotesRequest, swap engine.Swap) *convertv1.WatchQuoteResponse {
	select {
	case s.watchers.searching <- struct{}{}:
		defer func() { <-s.watchers.searching }()
	case <-ctx.Done():
		return nil
	}
	answer, err := s.engine.Quote(ctx, swap)
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

// isSame reports whether two messages are equal except for the block, gas, its cost, and the bound.
func isSame(a, b *convertv1.WatchQuoteResponse) bool {
	if a == nil || b == nil {
		return a == b
	}
	return proto.Equal(withoutBlock(a), withoutBlock(b))
}

func withoutBlock(m *convertv1.WatchQuoteResponse) *convertv1.WatchQuoteResponse {
	m = proto.CloneOf(m)
	m.Block = 0
	if q := m.GetQuote(); q != nil {
		q.Block, q.Gas, q.GasPrice, q.NetworkFee, q.BoundBps = 0, "", "", "", nil
	}
	return m
}
