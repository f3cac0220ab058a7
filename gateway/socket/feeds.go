package socket

import (
	"context"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// subscribeTime bounds the start of a subscription to chains.
const subscribeTime = 10 * time.Second

// feeds are the gateway's subscriptions to the chains service. Callers with equal requests share one.
type feeds struct {
	client chainsv1.SubscriptionServiceClient

	mu sync.Mutex
	// open are the feeds by their marshalled request.
	open map[string]*feed
}

func newFeeds(client chainsv1.SubscriptionServiceClient) *feeds {
	return &feeds{client: client, open: map[string]*feed{}}
}

// feed is one subscription to the chains service and its listeners.
type feed struct {
	// begun is closed when the subscription is established, or failed with err.
	begun chan struct{}
	err   error
	stop  context.CancelFunc

	// users counts listeners and waiting callers; guarded by the lock of feeds.
	users int

	mu        sync.Mutex
	listeners map[*feedListener]struct{}
	// over is why the feed ended, or nil while it is open.
	over error
	// isSingle reports that the feed sends one event, as the status of a Solana signature does. single is that event.
	isSingle bool
	single   []byte
}

// feedListener receives the events of a feed. Its functions are called in order, must not block, and must not call the feed.
type feedListener struct {
	event func(result []byte)
	// end is called once when the feed ends by itself.
	end func(why error)
}

// join returns the feed of req when it is established. The feed stays open until leave is called.
func (f *feeds) join(ctx context.Context, req *chainsv1.SubscribeRequest) (joined *feed, leave func(), err error) {
	key, err := proto.MarshalOptions{Deterministic: true}.Marshal(req)
	if err != nil {
		return nil, nil, err
	}
	joined = f.enter(string(key), req)
	leave = sync.OnceFunc(func() { f.leave(string(key), joined) })
	select {
	case <-ctx.Done():
		leave()
		return nil, nil, ctx.Err()
	case <-joined.begun:
	}
	if joined.err != nil {
		leave()
		return nil, nil, joined.err
	}
	return joined, leave, nil
}

// enter finds or starts the feed of a request.
func (f *feeds) enter(key string, req *chainsv1.SubscribeRequest) *feed {
	f.mu.Lock()
	defer f.mu.Unlock()
	it := f.open[key]
	if it == nil {
		ctx, stop := context.WithCancel(context.Background())
		it = &feed{
			begun:     make(chan struct{}),
			stop:      stop,
			listeners: map[*feedListener]struct{}{},
			isSingle:  req.GetSolana().GetMethod() == signatureSubscription,
		}
		f.open[key] = it
		routine.Go(ctx, func() error {
			err := routine.Call(ctx, func() error { return it.run(ctx, f.client, req) })
			// Later callers start a new feed.
			f.forget(key, it)
			it.finish(err)
			return nil
		})
	}
	it.users++
	return it
}

func (f *feeds) leave(key string, it *feed) {
	f.mu.Lock()
	it.users--
	last := it.users == 0
	if last && f.open[key] == it {
		delete(f.open, key)
	}
	f.mu.Unlock()
	if last {
		it.stop()
	}
}

func (f *feeds) forget(key string, it *feed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open[key] == it {
		delete(f.open, key)
	}
}

// run subscribes and passes events to the listeners until the subscription ends, and returns why it ended.
func (it *feed) run(ctx context.Context, client chainsv1.SubscriptionServiceClient, req *chainsv1.SubscribeRequest) error {
	stream, err := it.begin(ctx, client, req)
	it.err = err
	close(it.begun)
	if err != nil {
		return err
	}
	for {
		received, err := stream.Recv()
		if err != nil {
			return err
		}
		it.mu.Lock()
		if it.isSingle {
			it.single = received.GetResult()
		}
		for l := range it.listeners {
			l.event(received.GetResult())
		}
		it.mu.Unlock()
	}
}

// begin subscribes and returns when the subscription is established.
func (it *feed) begin(ctx context.Context, client chainsv1.SubscriptionServiceClient, req *chainsv1.SubscribeRequest) (grpc.ServerStreamingClient[chainsv1.SubscribeResponse], error) {
	late := time.AfterFunc(subscribeTime, it.stop)
	defer late.Stop()
	stream, err := client.Subscribe(ctx, req)
	if err != nil {
		return nil, err
	}
	header, err := stream.Header()
	if err == nil && header == nil {
		// The stream ended before it was established; Recv returns the reason.
		_, err = stream.Recv()
	}
	if err != nil {
		return nil, fault.From(err)
	}
	return stream, nil
}

// listen adds a listener for the events after first was called, or ends it at once when the feed is over. first is called like l's functions.
func (it *feed) listen(l *feedListener, first func()) {
	it.mu.Lock()
	defer it.mu.Unlock()
	first()
	if it.single != nil {
		// It came before the caller listened.
		l.event(it.single)
	}
	if it.over != nil {
		l.end(it.over)
		return
	}
	it.listeners[l] = struct{}{}
}

func (it *feed) unlisten(l *feedListener) {
	it.mu.Lock()
	defer it.mu.Unlock()
	delete(it.listeners, l)
}

// finish ends all listeners.
func (it *feed) finish(why error) {
	it.stop()
	it.mu.Lock()
	defer it.mu.Unlock()
	it.over = why
	for l := range it.listeners {
		l.end(why)
	}
	clear(it.listeners)
}
