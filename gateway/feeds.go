package gateway

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

// subscribeTime bounds the start of a feed.
const subscribeTime = 10 * time.Second

// feeds are the subscriptions of the gateway at the chains: one for all callers who want the same.
type feeds struct {
	client chainsv1.SubscriptionServiceClient

	mu sync.Mutex
	// open are the feeds by what is wanted of them.
	open map[string]*feed
}

func newFeeds(client chainsv1.SubscriptionServiceClient) *feeds {
	return &feeds{client: client, open: map[string]*feed{}}
}

// feed is one subscription at the chains, and those who listen to it.
type feed struct {
	// begun is closed once nothing can be missed any more, or the feed failed to begin with err.
	begun chan struct{}
	err   error
	stop  context.CancelFunc

	// users counts those who listen or wait to; the feeds' lock guards it.
	users int

	mu        sync.Mutex
	listeners map[*feedListener]struct{}
	// over says that the feed ended, and why.
	over error
}

// feedListener is one who listens. Its functions are called one after the other, must not wait, and must not call the feed.
type feedListener struct {
	tell func(result []byte)
	// end is called once where the feed ends by itself.
	end func(why error)
}

// join waits until nothing that req asks for can be missed any more. Until leave is called, the feed goes on.
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

// enter finds or begins the feed.
func (f *feeds) enter(key string, req *chainsv1.SubscribeRequest) *feed {
	f.mu.Lock()
	defer f.mu.Unlock()
	it := f.open[key]
	if it == nil {
		ctx, stop := context.WithCancel(context.Background())
		it = &feed{begun: make(chan struct{}), stop: stop, listeners: map[*feedListener]struct{}{}}
		f.open[key] = it
		routine.Go(ctx, func() error {
			err := routine.Call(ctx, func() error { return it.run(ctx, f.client, req) })
			// Who comes from now on begins anew.
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

// run subscribes, and tells what comes until the subscription ends. It returns why it did.
func (it *feed) run(ctx context.Context, client chainsv1.SubscriptionServiceClient, req *chainsv1.SubscribeRequest) error {
	stream, err := it.begin(ctx, client, req)
	it.err = err
	close(it.begun)
	if err != nil {
		return err
	}
	for {
		told, err := stream.Recv()
		if err != nil {
			return err
		}
		it.mu.Lock()
		for l := range it.listeners {
			l.tell(told.GetResult())
		}
		it.mu.Unlock()
	}
}

// begin returns once nothing can be missed any more.
func (it *feed) begin(ctx context.Context, client chainsv1.SubscriptionServiceClient, req *chainsv1.SubscribeRequest) (grpc.ServerStreamingClient[chainsv1.SubscribeResponse], error) {
	late := time.AfterFunc(subscribeTime, it.stop)
	defer late.Stop()
	stream, err := client.Subscribe(ctx, req)
	if err != nil {
		return nil, err
	}
	header, err := stream.Header()
	if err == nil && header == nil {
		// It ended before it began, and says why.
		_, err = stream.Recv()
	}
	if err != nil {
		return nil, fault.From(err)
	}
	return stream, nil
}

// listen has l told what comes after first was called, or ended at once where the feed is over. first is called as l's functions are.
func (it *feed) listen(l *feedListener, first func()) {
	it.mu.Lock()
	defer it.mu.Unlock()
	first()
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

// finish ends everybody's listening.
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
