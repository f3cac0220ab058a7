package esplora

import (
	"context"
	"errors"
	"log/slog"
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// probeTimeout bounds one probe of one server.
	probeTimeout = 3 * time.Second
	// maxLag is how many blocks a server may be below the highest one.
	maxLag = 1
)

// Status describes the servers in the operator's order, for operators. If probe is set, each server is probed first,
// unless that was done within [upstream.RefreshPause].
func (c *Client) Status(ctx context.Context, probe bool) (nodes []*statusv1.Node, height uint64) {
	if probe {
		c.refresh(ctx)
	}
	now := c.clock.Now()
	for _, s := range c.servers {
		s.mu.Lock()
		height = max(height, s.tip)
		s.mu.Unlock()
	}
	for _, s := range c.servers {
		nodes = append(nodes, s.status(now, height))
	}
	return nodes, height
}

// Verify asks each server once for its network, and logs the servers of another network, which are not used, and those that do not answer, which are used as
// before.
func (c *Client) Verify(ctx context.Context, log *slog.Logger) {
	var asking routine.WaitGroup
	for i, s := range c.servers {
		asking.Go(ctx, func() {
			asking, cancel := context.WithTimeout(ctx, probeTimeout)
			defer cancel()
			err := c.verify(asking, s)
			if err == nil || ctx.Err() != nil {
				return
			}
			of := []any{"chain", "bip122:" + c.genesis, "node", i + 1, "host", upstream.Host(s.url)}
			if errors.Is(err, errNetwork) {
				c.note(ctx, s, err, 0)
				log.ErrorContext(ctx, "node is on another chain and is not used", of...)
				return
			}
			log.WarnContext(ctx, "node does not tell its chain", append(of, "error", err)...)
		})
	}
	asking.Wait()
}

// refresh probes each server, if that is due. Concurrent callers share the requests, which continue if the caller's
// context ends.
func (c *Client) refresh(ctx context.Context) {
	refreshed := c.refreshes.DoChan(ctx, "refresh", func() (any, error) {
		if at := c.refreshedAt.Load(); at != nil && c.clock.Now().Sub(*at) < upstream.RefreshPause {
			return nil, nil
		}
		var probing routine.WaitGroup
		for _, s := range c.servers {
			probing.Go(ctx, func() { c.probe(context.WithoutCancel(ctx), s) })
		}
		probing.Wait()
		now := c.clock.Now()
		c.refreshedAt.Store(&now)
		return nil, nil
	})
	select {
	case <-ctx.Done():
	case <-refreshed:
	}
}

// probe requests the newest block of a server.
func (c *Client) probe(ctx context.Context, s *server) {
	probing, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	begun := time.Now()
	err := c.ask(probing, s, query{path: tipPath}, func(body []byte) error {
		tip, err := parseHeight(body)
		if err == nil {
			s.setTip(tip)
		}
		return err
	})
	c.note(ctx, s, err, time.Since(begun))
}

func (s *server) setTip(height uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tip = height
}

func (s *server) status(now time.Time, height uint64) *statusv1.Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := &statusv1.Node{Host: upstream.Host(s.url), Head: s.tip, LastError: string(s.lastError), AnswerMs: float64(s.took) / float64(time.Millisecond)}
	if s.tip > 0 {
		n.Behind = height - s.tip
	}
	if s.lastError != "" {
		n.LastErrorSeconds = int64(now.Sub(s.lastErrorAt) / time.Second)
	}
	n.State = upstream.NodeFacts{
		OtherChain: s.failing && s.lastError == upstream.WrongChain, Failing: s.failing, Known: !s.answeredAt.IsZero() && now.Sub(s.answeredAt) < upstream.KnownFor,
		Behind: n.GetBehind(), MaxLag: maxLag,
	}.State()
	return n
}

// note records the outcome of a request to a server, and how long it took. A request that was ended by ctx is not
// recorded.
func (c *Client) note(ctx context.Context, s *server, err error, took time.Duration) {
	kind := kindOf(err)
	if kind != upstream.OK && ctx.Err() != nil {
		kind = upstream.Canceled
	}
	c.meter.Record(ctx, upstream.Host(s.url), took, kind)
	if kind == upstream.Canceled {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failing = kind != upstream.OK
	if !s.failing {
		s.answeredAt, s.took = c.clock.Now(), took
		return
	}
	s.lastError, s.lastErrorAt = kind, c.clock.Now()
}

// kindOf returns the outcome of a request. If a server does not have, or refuses, what a caller named, that counts as
// an answer.
func kindOf(err error) upstream.Outcome {
	if status, ok := errors.AsType[statusError](err); ok {
		return upstream.OutcomeOf(int(status), nil)
	}
	_, refused := errors.AsType[*RefusedError](err)
	switch {
	case err == nil, refused, errors.Is(err, ErrUnknown):
		return upstream.OK
	case errors.Is(err, errNetwork):
		return upstream.WrongChain
	case errors.Is(err, errResponse):
		return upstream.Invalid
	default:
		return upstream.OutcomeOf(0, err)
	}
}
