package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"connectrpc.com/connect"

	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1/updatesv1connect"
)

const (
	watchers        = 10_000
	watchedAccounts = 100
	// watchTimeout bounds the opening of all streams.
	watchTimeout = 2 * time.Minute
)

// watch lets 10,000 pages watch 100 accounts through the gateway, and measures what they cost, and what is left when they are closed.
func watch(ctx context.Context, w *world, all *process) error {
	// A round before the one that counts fills caches, and the pool of connections to the nodes.
	leave, err := openStreams(ctx, all.url, watchers, watchedAccounts)
	if err != nil {
		return err
	}
	leave()
	before, err := settled(ctx, all, 0)
	if err != nil {
		return err
	}
	idle, err := liveMiB(ctx, all.metrics)
	if err != nil {
		return err
	}
	if leave, err = openStreams(ctx, all.url, watchers, watchedAccounts); err != nil {
		return err
	}
	held, err := liveMiB(ctx, all.metrics)
	err = errors.Join(err, w.profile(ctx, all, "watchers.heap", "heap")(), w.profile(ctx, all, "watchers.goroutines", "goroutine?debug=1")())
	leave()
	if err != nil {
		return err
	}
	after, err := settled(ctx, all, before)
	if err != nil {
		return err
	}
	left, err := released(ctx, all, 1.25*idle)
	if err = errors.Join(err, w.profile(ctx, all, "after-watchers.heap", "heap")()); err != nil {
		return err
	}
	report("memory of each of 10,000 watchers of 100 accounts", (held-idle)*1024/watchers, "KiB", 32, fmt.Sprintf("%.1f MiB", held-idle))
	report("goroutines after they left", float64(after)/float64(before), "x", 1.05, fmt.Sprintf("%d, before %d", after, before))
	report("memory within a minute after they left", left/idle, "x", 1.25, fmt.Sprintf("%.1f MiB, before %.1f", left, idle))
	return nil
}

// openStreams opens so many streams of so many accounts, and returns once every stream has brought its first message.
func openStreams(ctx context.Context, url string, streams, accounts int) (leave func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: protocols, IdleConnTimeout: time.Second}
	client := connect.NewClient[updatesv1.WatchAccountRequest, updatesv1.WatchAccountResponse](&http.Client{Transport: transport},
		url+updatesv1connect.UpdatesServiceWatchAccountProcedure)
	var open sync.WaitGroup
	first := make(chan error, streams)
	for i := range streams {
		open.Go(func() {
			req := connect.NewRequest(&updatesv1.WatchAccountRequest{
				Address: fmt.Sprintf("0x%040x", 0xacc0000+i%accounts), ChainId: "eip155:31337", Currency: "usd",
			})
			req.Header().Set("Hawser-Project-Id", project)
			stream, err := client.CallServerStream(ctx, req)
			if err != nil {
				first <- err
				return
			}
			defer func() { _ = stream.Close() }()
			if stream.Receive() {
				first <- nil
			} else {
				first <- fmt.Errorf("a stream ended before its first message: %w", stream.Err())
			}
			for stream.Receive() { // until all leave
			}
		})
	}
	leave = func() {
		cancel()
		open.Wait()
	}
	timeout := time.After(watchTimeout)
	for range streams {
		select {
		case err = <-first:
		case <-timeout:
			err = fmt.Errorf("not every stream was open within %s", watchTimeout)
		}
		if err != nil {
			leave()
			return nil, err
		}
	}
	return leave, nil
}

// released returns the live memory once it is at most limit, in MiB, or after a minute.
func released(ctx context.Context, p *process, limit float64) (left float64, err error) {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Second) {
		if left, err = liveMiB(ctx, p.metrics); err != nil || left <= limit {
			return left, err
		}
	}
	return left, nil
}

// settled returns how many goroutines are left once they are as many as before, or do not become fewer any more.
func settled(ctx context.Context, p *process, before int) (after int, err error) {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if after, err = goroutines(ctx, p.metrics); err != nil || after <= before {
			return after, err
		}
	}
	return after, nil
}
