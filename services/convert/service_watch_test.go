package convert

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

// listener is the caller's end of a stream.
type listener struct {
	grpc.ServerStream
	ctx  context.Context
	said chan *convertv1.WatchQuoteResponse
}

func (l *listener) Context() context.Context { return l.ctx }

func (l *listener) Send(m *convertv1.WatchQuoteResponse) error {
	select {
	case l.said <- m:
	case <-l.ctx.Done():
	}
	return nil
}

func (l *listener) next(tb testing.TB) *convertv1.WatchQuoteResponse {
	tb.Helper()
	select {
	case m := <-l.said:
		return m
	case <-time.After(20 * time.Second):
		tb.Fatal("nothing was said")
		return nil
	}
}

// watch receives messages until the test ends, or until leave is called, which returns how the stream ended.
func (w world) watch(tb testing.TB, r *convertv1.ListQuotesRequest) (l *listener, leave func() error) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	l = &listener{ctx: ctx, said: make(chan *convertv1.WatchQuoteResponse)}
	ended := make(chan error, 1)
	go func() { ended <- w.WatchQuote(&convertv1.WatchQuoteRequest{Swap: r}, l) }()
	tb.Cleanup(cancel)
	return l, func() error {
		cancel()
		return <-ended
	}
}

func TestAWatcherReceivesAQuoteThatABlockChanged(t *testing.T) {
	w := open(t)
	w.follow(t)
	r := w.quoteRequest(t, "50000000000000000000", "ETH", "tUSD")
	r.Spender = ""
	l, leave := w.watch(t, r)
	first := l.next(t).GetQuote()
	if first == nil {
		t.Fatal("the first message is no quote")
	}
	other := w.quoteRequest(t, "50000000000000000000", "ETH", "tUSD")
	other.Spender = ""
	w.swap(t, other, "tUSD")
	w.follow(t)
	second := l.next(t).GetQuote()
	if second.GetToAmount() == first.GetToAmount() || second.GetBlock() <= first.GetBlock() {
		t.Errorf("got %s at block %d after %s at block %d", second.GetToAmount(), second.GetBlock(), first.GetToAmount(), first.GetBlock())
	}
	if err := leave(); err != nil {
		t.Errorf("a caller that leaves gets %v", err)
	}
}

func TestAWatcherReceivesTheReasonForNoQuote(t *testing.T) {
	w := open(t)
	l, _ := w.watch(t, w.quoteRequest(t, oneEther, "ETH", "RVRT"))
	if absence := l.next(t).GetAbsence(); absence.GetCode() != "ROUTE_ABSENT" || absence.GetDescription() == "" {
		t.Errorf("got %v", absence)
	}
}

func TestAnInvalidWatchEndsAtOnce(t *testing.T) {
	w := open(t)
	r := w.quoteRequest(t, oneEther, "ETH", "tUSD")
	r.From, r.To = "eip155:31338:"+ether, "eip155:31338:"+w.chain.Token(t, "tUSD").Address
	l := &listener{ctx: t.Context()}
	if err := w.WatchQuote(&convertv1.WatchQuoteRequest{Swap: r}, l); reasonOf(err) != faultv1.Reason_REASON_CHAIN_UNSUPPORTED {
		t.Errorf("got %v", err)
	}
}

func TestAQuietStreamIsKeptAlive(t *testing.T) {
	m := lastSent{alive: 0}
	news := &convertv1.WatchQuoteResponse{Change: &convertv1.WatchQuoteResponse_Quote{Quote: &convertv1.Quote{ToAmount: "1", Block: 1}}}
	if m.next(news).GetQuote() == nil {
		t.Error("news is not said")
	}
	later := &convertv1.WatchQuoteResponse{Change: &convertv1.WatchQuoteResponse_Quote{Quote: &convertv1.Quote{ToAmount: "1", Block: 2, GasPrice: "7"}}}
	if m.next(later).GetAlive() == nil {
		t.Error("no sign of life")
	}
	m.alive = time.Hour
	if got := m.next(later); got != nil {
		t.Errorf("said %v, though nothing changed", got)
	}
}

func TestACallerMayWatchOnlyItsShareOfQuotes(t *testing.T) {
	w := open(t)
	w.share.Each, w.share.Total = 2, 3
	r := w.quoteRequest(t, oneEther, "ETH", "tUSD")
	watch := func(address string) (*listener, <-chan error) {
		ctx := caller.NewIncomingContext(t.Context(), caller.Caller{Project: "p", Address: address})
		l := &listener{ctx: ctx, said: make(chan *convertv1.WatchQuoteResponse)}
		ended := make(chan error, 1)
		go func() { ended <- w.WatchQuote(&convertv1.WatchQuoteRequest{Swap: r}, l) }()
		return l, ended
	}
	for range 2 {
		l, _ := watch("192.0.2.1")
		l.next(t)
	}
	if _, ended := watch("192.0.2.1"); reasonOf(<-ended) != faultv1.Reason_REASON_RATE_LIMITED {
		t.Error("one caller watches a third quote")
	}
	l, _ := watch("192.0.2.2")
	l.next(t)
	if _, ended := watch("192.0.2.3"); reasonOf(<-ended) != faultv1.Reason_REASON_RATE_LIMITED {
		t.Error("more is watched than may be")
	}
}
