//go:build cluster

package live

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// load is requests that begin at a steady rate, whether or not those before were answered.
type load struct {
	stop context.CancelFunc
	over chan struct{}

	mu            sync.Mutex
	asked, failed int
	reasons       map[string]int
	latencies     []time.Duration
}

// startLoad asks the addresses in turn until the load is ended: every other request on a connection of its own, as browsers that come for the first time make them.
func startLoad(t *testing.T, perSecond int, addresses ...string) *load {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	l := &load{stop: stop, over: make(chan struct{}), reasons: map[string]int{}}
	kept := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}, Timeout: 35 * time.Second}
	fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 35 * time.Second}
	go func() {
		defer close(l.over)
		var asking sync.WaitGroup
		ticks := time.NewTicker(time.Second / time.Duration(perSecond))
		defer ticks.Stop()
		for n := 0; ; n++ {
			select {
			case <-ctx.Done():
				asking.Wait()
				return
			case <-ticks.C:
			}
			client := kept
			if n%2 == 0 {
				client = fresh
			}
			asking.Go(func() { l.ask(client, addresses[n/2%len(addresses)]) })
		}
	}()
	return l
}

func (l *load) ask(client *http.Client, address string) {
	began := time.Now()
	reason := get(client, address)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked++
	l.latencies = append(l.latencies, time.Since(began))
	if reason != "" {
		l.failed++
		l.reasons[reason]++
	}
}

// get returns why a request failed, or "".
func get(client *http.Client, address string) (reason string) {
	res, err := client.Get(address)
	if err != nil {
		return strings.TrimPrefix(err.Error(), fmt.Sprintf("Get %q: ", address))
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return "half an answer: " + err.Error()
	}
	if res.StatusCode != http.StatusOK {
		var refusal struct{ Code string }
		_ = json.Unmarshal(body, &refusal)
		return res.Status + " " + refusal.Code
	}
	return ""
}

// end waits for the last answers and returns how many requests failed.
func (l *load) end(t *testing.T) (failed int, told string) {
	t.Helper()
	l.stop()
	<-l.over
	slices.Sort(l.latencies)
	for _, reason := range slices.Sorted(maps.Keys(l.reasons)) {
		t.Logf("%d times: %s", l.reasons[reason], reason)
	}
	if l.asked == 0 {
		t.Fatal("nothing was asked")
	}
	return l.failed, fmt.Sprintf("%d of %d requests failed, p50 %s, p99 %s", l.failed, l.asked, l.at(50), l.at(99))
}

func (l *load) at(percent int) time.Duration {
	return l.latencies[(len(l.latencies)-1)*percent/100].Round(time.Millisecond)
}
