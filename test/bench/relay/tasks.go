package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// runClients does a task against the relay at address, and prints numbers.
func runClients(ctx context.Context, task, address, second string, n, topics int) error {
	if second == "" {
		second = address
	}
	switch task {
	case "hold":
		return hold(ctx, address, n)
	case "rate":
		return rate(ctx, address, second, n)
	case "most":
		return most(ctx, address, second, n)
	case "return":
		return comeBack(ctx, address, n, topics)
	default:
		return fmt.Errorf("there is no task %q", task)
	}
}

// each calls do for the numbers below n, on 128 goroutines.
func each(n int, do func(i int) error) error {
	var next atomic.Int64
	var first atomic.Pointer[error]
	var running sync.WaitGroup
	for range 128 {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && first.Load() == nil; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					first.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	running.Wait()
	if err := first.Load(); err != nil {
		return *err
	}
	return nil
}

// hold opens n connections. When it reads a line from its standard input, it subscribes each to five topics.
func hold(ctx context.Context, address string, n int) error {
	peers := make([]*peer, n)
	err := each(n, func(i int) (err error) {
		if peers[i], err = newPeer(address, func(string) {}); err != nil {
			return err
		}
		return peers[i].open(ctx, nil)
	})
	if err != nil {
		return err
	}
	fmt.Println(n)
	input := bufio.NewScanner(os.Stdin)
	if !input.Scan() {
		return nil
	}
	if err := each(n, func(i int) error {
		return peers[i].subscribe(newTopic(), newTopic(), newTopic(), newTopic(), newTopic())
	}); err != nil {
		return err
	}
	fmt.Println(n)
	input.Scan()
	return nil
}

// pairs opens n publishers at one relay and as many subscribers at another, one topic each.
func pairs(ctx context.Context, address, second string, n int, receive func(string)) ([]*peer, []string, error) {
	publishers, topics := make([]*peer, n), make([]string, n)
	err := each(n, func(i int) (err error) {
		topics[i] = newTopic()
		subscriber, err := newPeer(second, receive)
		if err != nil {
			return err
		}
		if err := subscriber.open(ctx, nil); err != nil {
			return err
		}
		if err := subscriber.subscribe(topics[i]); err != nil {
			return err
		}
		if publishers[i], err = newPeer(address, func(string) {}); err != nil {
			return err
		}
		return publishers[i].open(ctx, nil)
	})
	return publishers, topics, err
}

// padding makes messages about as long as a request of a page.
var padding = strings.Repeat("x", 900)

const pairCount = 200

// rate publishes n messages a second for some seconds, and prints percentiles of the time from publishing to delivery and to the answer, in
// milliseconds, and how many messages were delivered.
func rate(ctx context.Context, address, second string, n int) error {
	var mu sync.Mutex
	var delivered, answered []float64
	counting := false
	record := func(to *[]float64, since time.Time) {
		mu.Lock()
		defer mu.Unlock()
		if counting {
			*to = append(*to, float64(time.Since(since).Microseconds())/1000)
		}
	}
	publishers, topics, err := pairs(ctx, address, second, pairCount, func(message string) {
		nanos, _, _ := strings.Cut(message, " ")
		at, _ := strconv.ParseInt(nanos, 10, 64)
		record(&delivered, time.Unix(0, at))
	})
	if err != nil {
		return err
	}
	const warmUp, seconds = 2, 15
	start := time.Now()
	var failed atomic.Int64
	var running sync.WaitGroup
	for i := range n * (warmUp + seconds) {
		due := start.Add(time.Duration(i) * time.Second / time.Duration(n))
		if wait := time.Until(due); wait > 0 {
			time.Sleep(wait)
		}
		if i == n*warmUp {
			mu.Lock()
			counting = true
			mu.Unlock()
		}
		running.Go(func() {
			at := time.Now()
			if publishers[i%pairCount].publish(topics[i%pairCount], fmt.Sprintf("%d %d %s", at.UnixNano(), i, padding)) != nil {
				failed.Add(1)
			}
			record(&answered, at)
		})
	}
	running.Wait()
	time.Sleep(time.Second)
	if failed.Load() > 0 {
		return fmt.Errorf("%d messages were not stored", failed.Load())
	}
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(delivered)
	slices.Sort(answered)
	at := func(all []float64, p float64) float64 { return all[int(float64(len(all)-1)*p)] }
	fmt.Println(at(delivered, 0.5), at(delivered, 0.99), at(answered, 0.5), at(answered, 0.99), len(delivered))
	return nil
}

// unread is how many messages of one topic may be on their way.
const unread = 4

// most publishes as fast as n publishers can, each waiting for its answer, and prints how many messages were delivered in a second.
func most(ctx context.Context, address, second string, n int) error {
	var delivered atomic.Int64
	room := make([]chan struct{}, n)
	for i := range room {
		room[i] = make(chan struct{}, unread)
	}
	publishers, topics, err := pairs(ctx, address, second, n, func(message string) {
		delivered.Add(1)
		pair, _, _ := strings.Cut(message, " ")
		if i, err := strconv.Atoi(pair); err == nil {
			<-room[i]
		}
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	start := time.Now()
	err = each(1<<40, func(i int) error {
		select {
		case room[i%n] <- struct{}{}:
			return publishers[i%n].publish(topics[i%n], fmt.Sprint(i%n, " ", i, padding))
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	fmt.Println(float64(delivered.Load()) / time.Since(start).Seconds())
	return nil
}

// returning are clients that connect again whenever their connection ends.
type returning struct {
	peers []*peer
	// topics are those of each client. The first of them has messages.
	topics [][]string
	// there is how many are connected and subscribed, and failed how often one could not connect or subscribe.
	there, failed atomic.Int64
	allBack       atomic.Pointer[time.Time]
}

// states of a connection of a returning client.
const (
	connecting = iota
	subscribed
	ended
)

// enter connects and subscribes a client. When its connection ends, it comes back.
func (r *returning) enter(ctx context.Context, i int) error {
	var state atomic.Int32
	err := r.peers[i].open(ctx, func() {
		if !state.CompareAndSwap(connecting, ended) {
			r.there.Add(-1)
			go r.connect(ctx, i)
		}
	})
	if err != nil {
		return err
	}
	if err := r.peers[i].subscribe(r.topics[i]...); err != nil {
		r.peers[i].close()
		return err
	}
	if !state.CompareAndSwap(connecting, subscribed) {
		return errors.New("the connection ended")
	}
	if r.there.Add(1) == int64(len(r.peers)) {
		now := time.Now()
		r.allBack.Store(&now)
	}
	return nil
}

// connect connects a client again, at once and then after longer and longer pauses.
func (r *returning) connect(ctx context.Context, i int) {
	for wait := 100 * time.Millisecond; ctx.Err() == nil; wait = min(2*wait, 5*time.Second) {
		time.Sleep(time.Duration(mathrand.Int64N(int64(wait))))
		if r.enter(ctx, i) == nil {
			return
		}
		r.failed.Add(1)
	}
}

// comeBack holds n clients of some topics each that come back whenever their connection ends, and publishes meanwhile. It prints a line when
// all are connected. After a line on its standard input, which says that the relay was restarted, it prints the seconds until all are connected
// and subscribed again, how many messages were acknowledged, how many of those were lost, how many clients are not back, and how many
// attempts have failed since.
func comeBack(ctx context.Context, address string, n, topicsEach int) error {
	var received sync.Map
	r := returning{peers: make([]*peer, n), topics: make([][]string, n)}
	first := make([]string, n)
	err := each(n, func(i int) (err error) {
		for range topicsEach {
			r.topics[i] = append(r.topics[i], newTopic())
		}
		first[i] = r.topics[i][0]
		if r.peers[i], err = newPeer(address, func(message string) { received.Store(message, true) }); err != nil {
			return err
		}
		return r.enter(ctx, i)
	})
	if err != nil {
		return err
	}
	acknowledged := publishUntil(ctx, address, first)
	fmt.Println(n)
	input := bufio.NewScanner(os.Stdin)
	input.Scan()
	// Attempts while the relay was down do not count.
	r.failed.Store(0)
	restarted := time.Now()
	for r.there.Load() < int64(n) && time.Since(restarted) < 2*time.Minute {
		time.Sleep(10 * time.Millisecond)
	}
	back := r.allBack.Load().Sub(restarted).Seconds()
	messages := acknowledged()
	lost := len(messages)
	for deadline := time.Now().Add(10 * time.Second); lost > 0 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		lost = 0
		for _, message := range messages {
			if _, ok := received.Load(message); !ok {
				lost++
			}
		}
	}
	fmt.Println(back, len(messages), lost, n-int(r.there.Load()), r.failed.Load())
	return nil
}

// publishUntil publishes until the function that it returns is called, which returns the messages that the relay acknowledged.
func publishUntil(ctx context.Context, address string, topics []string) (end func() []string) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan []string)
	go func() {
		var acknowledged []string
		var p *peer
		for i := 0; ctx.Err() == nil; i++ {
			if p == nil {
				fresh, err := newPeer(address, func(string) {})
				if err != nil || fresh.open(ctx, nil) != nil {
					time.Sleep(20 * time.Millisecond)
					continue
				}
				p = fresh
			}
			message := fmt.Sprint("message ", i)
			if p.publish(topics[mathrand.IntN(len(topics))], message) != nil {
				p = nil
				continue
			}
			acknowledged = append(acknowledged, message)
			time.Sleep(2 * time.Millisecond)
		}
		done <- acknowledged
	}()
	return func() []string {
		cancel()
		return <-done
	}
}
