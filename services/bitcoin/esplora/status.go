package esplora

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// wrongChain is the kind of failure of a server of another network.
	wrongChain upstream.Outcome = "wrong_chain"
	// knownFor is how long what a server answered is believed of its state.
	knownFor = time.Minute
	// maxLag is how many blocks a server may be below the highest.
	maxLag = 1
)

// Status describes the servers in the operator's order, for operators. With probe each is asked for its newest block first.
func (c *Client) Status(ctx context.Context, probe bool) (nodes []*statusv1.Node, height uint64) {
	if probe {
		var probing routine.WaitGroup
		for _, s := range c.servers {
			probing.Go(ctx, func() { c.probe(ctx, s) })
		}
		probing.Wait()
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

// probe asks a server for its newest block.
func (c *Client) probe(ctx context.Context, s *server) {
	begun := time.Now()
	err := c.verify(ctx, s)
	var status int
	var body []byte
	if err == nil {
		status, body, err = c.http.GetJSON(ctx, s.url+"/blocks/tip/height")
	}
	if err == nil && status == http.StatusOK {
		var tip uint64
		if tip, err = strconv.ParseUint(strings.TrimSpace(string(body)), 10, 32); err != nil {
			err = errResponse
		} else {
			s.mu.Lock()
			s.tip = tip
			s.mu.Unlock()
		}
	}
	if !errors.Is(err, context.Canceled) {
		c.note(ctx, s, kindOf(status, err), time.Since(begun))
	}
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
	switch {
	case s.failing && s.lastError == wrongChain:
		n.State = statusv1.NodeState_NODE_STATE_WRONG_CHAIN
	case s.failing:
		n.State = statusv1.NodeState_NODE_STATE_DOWN
	case s.answeredAt.IsZero() || now.Sub(s.answeredAt) >= knownFor:
		n.State = statusv1.NodeState_NODE_STATE_UNKNOWN
	case n.Behind > maxLag:
		n.State = statusv1.NodeState_NODE_STATE_BEHIND
	default:
		n.State = statusv1.NodeState_NODE_STATE_UP
	}
	return n
}

// note records what became of a request to a server, and how long it took.
func (c *Client) note(ctx context.Context, s *server, kind upstream.Outcome, took time.Duration) {
	c.meter.Record(ctx, upstream.Host(s.url), took, kind)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failing = kind != upstream.OK
	if !s.failing {
		s.answeredAt, s.took = c.clock.Now(), took
		return
	}
	s.lastError, s.lastErrorAt = kind, c.clock.Now()
}

// kindOf returns the kind of what became of a request.
func kindOf(status int, err error) upstream.Outcome {
	switch {
	case errors.Is(err, errNetwork):
		return wrongChain
	case errors.Is(err, errResponse):
		return upstream.Invalid
	case err == nil && status == http.StatusBadRequest, err == nil && status == http.StatusNotFound:
		return upstream.OK
	case err != nil && status > 0 && status != http.StatusOK:
		return upstream.OutcomeOf(status, nil)
	default:
		return upstream.OutcomeOf(status, err)
	}
}
