// Command bench measures the suite's budgets as ratios within one run: it starts the real binary beside a bare net/http server that
// writes the same JSON, sends both the same load, and compares the CPU that each process used.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	project = "00000000000000000000000000000001"
	clients = 32
)

func main() {
	bare := flag.String("bare", "", "serve the JSON on standard input at this address, and nothing else")
	calls := flag.String("calls", "", "with -bare: the address of a gRPC service to call for every request")
	bareService := flag.String("bare-service", "", "serve the JSON on standard input at this address as a gRPC service, and nothing else")
	hawser := flag.String("hawser", ".tmp/bin/hawser", "the binary to measure")
	requests := flag.Int("requests", 40_000, "requests a round")
	profiles := flag.String("profiles", "", "write CPU and heap profiles to this folder")
	capacity := flag.Bool("capacity", false, "print what each unit of load costs, at two sizes, instead of the budgets")
	flag.Parse()
	if err := run(*bare, *calls, *bareService, *hawser, *profiles, *requests, *capacity); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(bare, calls, bareService, hawser, profiles string, requests int, capacity bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch {
	case bare != "":
		return serveBare(ctx, bare, calls, os.Stdin)
	case bareService != "":
		return serveBareService(ctx, bareService, os.Stdin)
	}
	w, err := newWorld(ctx, hawser)
	if err != nil {
		return err
	}
	defer w.close()
	w.profiles = profiles
	if capacity {
		return measureCapacity(ctx, w)
	}
	return measure(ctx, w, requests)
}

// measure prints one line a budget.
func measure(ctx context.Context, w *world, requests int) error {
	all, err := w.startAllInOne(ctx)
	if err != nil {
		return err
	}
	idle, err := residentMiB(all.pid)
	if err != nil {
		return err
	}
	path := "/v1/account/" + w.account + "/balance?currency=usd&chainId=eip155:31337&projectId=" + project
	answer, err := fetch(ctx, all.url+path)
	if err != nil {
		return err
	}
	base, err := w.startBare(ctx, answer)
	if err != nil {
		return err
	}
	hop, err := w.startBareHop(ctx, answer)
	if err != nil {
		return err
	}
	split, err := w.startSplit(ctx)
	if err != nil {
		return err
	}
	// No two of these requests are equal, so that the gateway keeps none of their answers.
	uncached := path + "&request=%d"
	// A round before the one that counts fills caches and pools.
	var bareCPU, hopCPU, allCPU, splitCPU, uncachedCPU time.Duration
	for _, n := range []int{requests / 10, requests} {
		if bareCPU, err = cost(ctx, base.url+"/", n, base.pid); err != nil {
			return err
		}
		if hopCPU, err = cost(ctx, hop.url+"/", n, hop.pid, hop.servicePID); err != nil {
			return err
		}
		saved := w.profile(ctx, all, "kept-read.cpu", "profile?seconds=2")
		if allCPU, err = cost(ctx, all.url+path, n, all.pid); err != nil {
			return err
		}
		if err = saved(); err != nil {
			return err
		}
		if splitCPU, err = cost(ctx, split.url+path, n, split.pid, split.servicePID); err != nil {
			return err
		}
		saved = w.profile(ctx, split, "uncached-gateway.cpu", "profile?seconds=5")
		savedServices := w.profile(ctx, &process{metrics: split.serviceMetrics}, "uncached-services.cpu", "profile?seconds=5")
		if uncachedCPU, err = cost(ctx, split.url+uncached, n, split.pid, split.servicePID); err != nil {
			return err
		}
		if err = errors.Join(saved(), savedServices()); err != nil {
			return err
		}
	}
	per := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(requests) }
	fmt.Printf("%-58s %8.1f µs a request, %d bytes\n", "bare net/http, the same JSON", per(bareCPU), len(answer))
	fmt.Printf("%-58s %8.1f µs a request, %.2f x\n", "the same with a call of a bare gRPC service, two processes", per(hopCPU), per(hopCPU)/per(bareCPU))
	report("cached read through REST, one process", per(allCPU)/per(bareCPU), "x", 2.5, fmt.Sprintf("%.1f µs", per(allCPU)))
	report("the same, gateway and service in two processes", per(splitCPU)/per(bareCPU), "x", 2.5, fmt.Sprintf("%.1f µs", per(splitCPU)))
	// A hop between processes has a cost of its own, which differs between machines: this read is compared with a bare one.
	report("a read that the gateway does not keep / bare gRPC call", per(uncachedCPU)/per(hopCPU), "x", 2.3,
		fmt.Sprintf("%.1f µs, %.2f x of bare net/http", per(uncachedCPU), per(uncachedCPU)/per(bareCPU)))
	report("first answer after the start, one process", all.started.Seconds(), "s", 1, "")
	report("idle memory, one process", idle, "MiB", 80, "")
	return errors.Join(churn(ctx, all), watch(ctx, w, all))
}

// churn connects and disconnects 10,000 clients, and measures the goroutines and the memory that are left.
func churn(ctx context.Context, all *process) error {
	before, err := goroutines(ctx, all.metrics)
	if err != nil {
		return err
	}
	for range 100 {
		var g sync.WaitGroup
		for range 100 {
			g.Go(func() {
				c := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 30 * time.Second}
				if res, err := c.Get(all.url + "/v1/supported-chains"); err == nil {
					_, _ = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
				}
			})
		}
		g.Wait()
	}
	after, err := settled(ctx, all, before)
	if err != nil {
		return err
	}
	mib, err := residentMiB(all.pid)
	if err != nil {
		return err
	}
	report("goroutines after 10,000 clients came and went", float64(after)/float64(before), "x", 1.05, fmt.Sprintf("%d, before %d", after, before))
	fmt.Printf("%-58s %8.1f MiB\n", "memory after all of it", mib)
	return nil
}

func report(what string, got float64, unit string, budget float64, detail string) {
	verdict := "ok"
	if got > budget {
		verdict = "OVER"
	}
	fmt.Printf("%-58s %8.2f %-4s budget %5.2f  %-4s %s\n", what, got, unit, budget, verdict, detail)
}

// cost sends n requests and returns the CPU that the processes used for them.
func cost(ctx context.Context, url string, n int, pids ...int) (time.Duration, error) {
	before, err := cpu(pids)
	if err != nil {
		return 0, err
	}
	if err := load(ctx, url, n); err != nil {
		return 0, err
	}
	after, err := cpu(pids)
	return after - before, err
}

func load(ctx context.Context, url string, n int) error {
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}, Timeout: 30 * time.Second}
	defer client.CloseIdleConnections()
	errs := make(chan error, clients)
	for i := range clients {
		go func() { errs <- request(ctx, &client, url, i*n/clients, n/clients) }()
	}
	var failed []error
	for range clients {
		failed = append(failed, <-errs)
	}
	return errors.Join(failed...)
}

// request sends n requests; a %d in url becomes the number of the request, from first on.
func request(ctx context.Context, client *http.Client, url string, first, n int) error {
	for i := range n {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.Replace(url, "%d", strconv.Itoa(first+i), 1), nil)
		if err != nil {
			return err
		}
		res, err := client.Do(req)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		if err != nil {
			return err
		}
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("%s answered %s", req.URL.Path, res.Status)
		}
	}
	return nil
}

func fetch(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answered %s: %s", req.URL.Path, res.Status, body)
	}
	return body, err
}
