package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

const (
	// deviation is how much the cost of a unit may grow from the smaller size to the larger one.
	deviation = 0.2
	// topicsPerSocket is how many topics each client of the relay subscribes to: about as many as a wallet with some sessions.
	topicsPerSocket = 10
	// minedBlocks is how many blocks are mined while accounts are watched, one each blockTime.
	minedBlocks = 20
	blockTime   = 500 * time.Millisecond
	// pairs is how many clients publish messages to as many others.
	pairs = 32
	// quietFor is how long the process is left alone before its memory is read.
	quietFor = 5 * time.Second
)

// manyClients lets all clients of the relay come from one address.
const manyClients = "relay: {requests_per_second: 1000000, burst: 10000000, connects_per_second: 1000000, connect_burst: 1000000, store_bytes: 6442450944, " +
	"connections: 1000000, connections_per_address: 1000000, topics: 100000000, topics_per_address: 100000000, publications: 1000000, publications_per_address: 1000000}\n"

// factor is what one unit of load costs.
type factor struct {
	what, unit string
	// sizes are how many units there were, and costs what each of them cost.
	sizes [2]int
	costs [2]float64
}

// measureCapacity prints what each kind of load costs a process, at two sizes. It fails if a cost per unit grows with the size: then it
// cannot be multiplied.
func measureCapacity(ctx context.Context, w *world) error {
	w.settings += manyClients
	relay := freeport.Address()
	p, err := w.startAllInOneAt(ctx, relay)
	if err != nil {
		return err
	}
	var failed []error
	for _, measure := range []func(context.Context, *process) ([]factor, error){
		w.reads,
		w.watched,
		func(ctx context.Context, p *process) ([]factor, error) { return w.sockets(ctx, p, "ws://"+relay) },
		func(ctx context.Context, p *process) ([]factor, error) { return w.messages(ctx, p, "ws://"+relay) },
	} {
		factors, err := measure(ctx, p)
		if err != nil {
			return err
		}
		for _, f := range factors {
			failed = append(failed, f.print())
		}
	}
	return errors.Join(failed...)
}

// print prints a factor. It fails if the cost of a unit grew.
func (f factor) print() error {
	growth := f.costs[1]/f.costs[0] - 1
	fmt.Printf("%-58s %8.2f of %6d, %8.2f of %6d %-4s %+4.0f %%\n", f.what, f.costs[0], f.sizes[0], f.costs[1], f.sizes[1], f.unit, 100*growth)
	if growth > deviation {
		return fmt.Errorf("%s: the cost of one grew by %.0f %%", f.what, 100*growth)
	}
	return nil
}

// memoryAtSizes measures what n of something hold, in KiB each, at two sizes. open makes them and returns what closes them. A round
// before those that count fills caches and pools, and what a round held is free before the next one begins.
func (w *world) memoryAtSizes(ctx context.Context, p *process, what string, sizes [2]int, open func(n int) (func(), error)) (factor, error) {
	cost := func(n int) (float64, error) {
		before, err := emptyMiB(ctx, p)
		if err != nil {
			return 0, err
		}
		closes, err := open(n)
		if err != nil {
			return 0, err
		}
		held, err := liveMiB(ctx, p.metrics)
		err = errors.Join(err, w.profile(ctx, p, fmt.Sprintf("%s-%d.heap", strings.ReplaceAll(what, " ", "-"), n), "heap")())
		closes()
		return (held - before) * 1024 / float64(n), err
	}
	if _, err := cost(sizes[1]); err != nil {
		return factor{}, fmt.Errorf("%s: %w", what, err)
	}
	return atSizes(what, "KiB", sizes, cost)
}

// emptyMiB returns the live memory once it does not fall any more.
func emptyMiB(ctx context.Context, p *process) (float64, error) {
	least, err := liveMiB(ctx, p.metrics)
	for same := 0; err == nil && same < 5; same++ {
		pause(ctx, quietFor)
		var now float64
		if now, err = liveMiB(ctx, p.metrics); now < least-0.2 {
			least, same = now, 0
		}
	}
	return least, err
}

// atSizes measures the cost of a unit at two sizes.
func atSizes(what, unit string, sizes [2]int, cost func(n int) (float64, error)) (factor, error) {
	f := factor{what: what, unit: unit, sizes: sizes}
	for i, n := range sizes {
		var err error
		if f.costs[i], err = cost(n); err != nil {
			return f, fmt.Errorf("%s: %w", what, err)
		}
	}
	return f, nil
}

// reads measures the CPU of a balance that the gateway keeps, and of one that it does not.
func (w *world) reads(ctx context.Context, p *process) ([]factor, error) {
	path := p.url + "/v1/account/" + w.account + "/balance?currency=usd&chainId=eip155:31337&projectId=" + project
	if err := load(ctx, path, 1_000); err != nil {
		return nil, err
	}
	measure := func(what, url string) (factor, error) {
		return atSizes(what, "µs", [2]int{10_000, 40_000}, func(n int) (float64, error) {
			used, err := cost(ctx, url, n, p.pid)
			return float64(used.Microseconds()) / float64(n), err
		})
	}
	kept, err := measure("CPU of a read that is kept", path)
	if err != nil {
		return nil, err
	}
	other, err := measure("CPU of a read that is not kept", path+"&request=%d")
	return []factor{kept, other}, err
}

// watched measures the memory of pages that each watch an account of their own, and the CPU of a block that changes none of the accounts.
func (w *world) watched(ctx context.Context, p *process) ([]factor, error) {
	sizes := [2]int{1_000, 4_000}
	blocks := factor{what: "CPU of a block, per watched account without a change", unit: "µs", sizes: sizes}
	memory, err := w.memoryAtSizes(ctx, p, "memory of a page that watches an account", sizes, func(n int) (func(), error) {
		leave, err := openStreams(ctx, p.url, n, n)
		if err != nil {
			return nil, err
		}
		if blocks.costs[slices.Index(sizes[:], n)], err = w.blockCost(ctx, p, n); err != nil {
			leave()
			return nil, err
		}
		return leave, nil
	})
	return []factor{memory, blocks}, err
}

// blockCost returns the CPU of a block in microseconds, divided by n.
func (w *world) blockCost(ctx context.Context, p *process, n int) (float64, error) {
	pause(ctx, quietFor)
	var used [2]time.Duration
	for round, mines := range []bool{false, true} {
		before, err := cpu([]int{p.pid})
		if err != nil {
			return 0, err
		}
		for range minedBlocks {
			if mines {
				if err := w.mine(ctx); err != nil {
					return 0, err
				}
			}
			pause(ctx, blockTime)
		}
		after, err := cpu([]int{p.pid})
		if err != nil {
			return 0, err
		}
		used[round] = after - before
	}
	return math.Max(0, float64((used[1]-used[0]).Microseconds())) / minedBlocks / float64(n), nil
}

// mine adds an empty block to the chain.
func (w *world) mine(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.chainURL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}`))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// sockets measures the memory of connections to the relay that are subscribed to some topics.
func (w *world) sockets(ctx context.Context, p *process, relay string) ([]factor, error) {
	what := fmt.Sprintf("memory of a connection to the relay with %d topics", topicsPerSocket)
	f, err := w.memoryAtSizes(ctx, p, what, [2]int{1_000, 4_000}, func(n int) (func(), error) {
		clients, err := dial(ctx, relay, n)
		for _, c := range clients {
			topics := make([]string, topicsPerSocket)
			for i := range topics {
				topics[i] = relaytest.Topic()
			}
			if err == nil {
				err = called(c.Call("irn_batchSubscribe", map[string]any{"topics": topics}))
			}
		}
		if err != nil {
			closeAll(clients)
			return nil, err
		}
		pause(ctx, quietFor)
		return func() { closeAll(clients) }, nil
	})
	return []factor{f}, err
}

// messages measures the CPU and the disk of messages that are published, stored and delivered.
func (w *world) messages(ctx context.Context, p *process, relay string) ([]factor, error) {
	sizes := [2]int{pairs * 100, pairs * 400}
	disk := factor{what: "disk of a message of 1 KiB that nobody has received", unit: "KiB", sizes: sizes}
	i := 0
	used, err := atSizes("CPU of a message of 1 KiB, published and delivered", "µs", sizes, func(n int) (float64, error) {
		spent, err := w.exchange(ctx, p, relay, n)
		if err != nil {
			return 0, err
		}
		before := w.diskBytes()
		if err := w.publish(ctx, relay, n); err != nil {
			return 0, err
		}
		disk.costs[i] = float64(w.diskBytes()-before) / 1024 / float64(n)
		i++
		return float64(spent.Microseconds()) / float64(n), nil
	})
	return []factor{used, disk}, err
}

// exchange sends n messages between pairs of clients, and returns the CPU that they cost.
func (w *world) exchange(ctx context.Context, p *process, relay string, n int) (time.Duration, error) {
	clients, err := dial(ctx, relay, 2*pairs)
	defer closeAll(clients)
	if err != nil {
		return 0, err
	}
	before, err := cpu([]int{p.pid})
	if err != nil {
		return 0, err
	}
	errs := make(chan error, pairs)
	for i := range pairs {
		from, to := clients[i], clients[pairs+i]
		go func() { errs <- converse(from, to, n/pairs) }()
	}
	for range pairs {
		err = errors.Join(err, <-errs)
	}
	if err != nil {
		return 0, err
	}
	after, err := cpu([]int{p.pid})
	return after - before, err
}

// converse publishes n messages from one client to another, each when the one before has arrived.
func converse(from, to *relaytest.Client, n int) error {
	topic := relaytest.Topic()
	if err := called(to.Call("irn_subscribe", map[string]any{"topic": topic})); err != nil {
		return err
	}
	for i := range n {
		if err := called(from.Call("irn_publish", relaytest.Publication(topic, text(i), 1))); err != nil {
			return err
		}
		select {
		case <-to.Deliveries:
		case <-time.After(30 * time.Second):
			return errors.New("a message did not arrive")
		}
	}
	return nil
}

// publish publishes n messages to topics without a subscriber.
func (w *world) publish(ctx context.Context, relay string, n int) error {
	clients, err := dial(ctx, relay, pairs)
	defer closeAll(clients)
	if err != nil {
		return err
	}
	errs := make(chan error, pairs)
	for _, c := range clients {
		go func() {
			topic := relaytest.Topic()
			var err error
			for i := 0; i < n/pairs && err == nil; i++ {
				if i%100 == 0 {
					topic = relaytest.Topic()
				}
				err = called(c.Call("irn_publish", relaytest.Publication(topic, text(i), 1)))
			}
			errs <- err
		}()
	}
	for range pairs {
		err = errors.Join(err, <-errs)
	}
	return err
}

// text returns a message of 1 KiB.
func text(n int) string { return fmt.Sprintf("%01024d", n) }

// called returns the error of a call of the relay.
func called(answer relaytest.Answer, err error) error {
	if err == nil && answer.Error != nil {
		err = fmt.Errorf("the relay answered %d: %s", answer.Error.Code, answer.Error.Message)
	}
	return err
}

// dial opens connections to the relay. After an error it returns those that are open.
func dial(ctx context.Context, relay string, n int) ([]*relaytest.Client, error) {
	var mu sync.Mutex
	var clients []*relaytest.Client
	errs := make(chan error, pairs)
	for i := range pairs {
		go func() {
			var err error
			for k := i; k < n && err == nil; k += pairs {
				var c *relaytest.Client
				if c, err = relaytest.DialContext(ctx, relay, relaytest.Options{Queue: 16}); err == nil {
					mu.Lock()
					clients = append(clients, c)
					mu.Unlock()
				}
			}
			errs <- err
		}()
	}
	var err error
	for range pairs {
		err = errors.Join(err, <-errs)
	}
	return clients, err
}

func closeAll(clients []*relaytest.Client) {
	for _, c := range clients {
		c.Close()
	}
}

// diskBytes returns the size of all files of the processes.
func (w *world) diskBytes() (size int64) {
	_ = filepath.WalkDir(w.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
