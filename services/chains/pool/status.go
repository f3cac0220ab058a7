package pool

import (
	"context"
	"errors"
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// Status describes the nodes in the operator's order, for operators.
func (p *Pool) Status() *statusv1.Chain {
	now, top := p.clock.Now(), p.height.get()
	c := &statusv1.Chain{ChainId: p.chain.ID, Height: top}
	scores := p.scores(now)
	for i, n := range p.nodes {
		s := p.nodeStatus(n, top, now)
		if score, ok := scores[i]; ok {
			s.Score = &statusv1.NodeScore{
				Total: score.Total(), Latency: score.Latency, Errors: score.Errors, Freshness: score.Freshness, Correctness: score.Correctness,
			}
		}
		c.Nodes = append(c.Nodes, s)
	}
	return c
}

// Refresh probes every node, except nodes that back off, unless that was done within [upstream.RefreshPause].
func (p *Pool) Refresh(ctx context.Context) {
	if p.canProbe() && p.probes.refreshIsDue(p.clock.Now()) {
		p.probeAll(ctx)
	}
}

func (p *Pool) nodeStatus(n *Node, top uint64, now time.Time) *statusv1.Node {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := &statusv1.Node{
		Host: n.host, Head: n.head, Behind: max(top, n.head) - n.head,
		AnswerMs: float64(n.light.mean) / float64(time.Millisecond), LastError: string(n.lastError),
	}
	if n.lastError != "" {
		s.LastErrorSeconds = int64(now.Sub(n.lastErrorAt) / time.Second)
	}
	known := n.light.count+n.heavy.count > 0
	if p.canProbe() {
		known = n.identity != identityUnknown && now.Sub(n.probedAt) < upstream.KnownFor
	}
	s.State = upstream.NodeFacts{
		OtherChain: n.identity == identityWrong || n.forked, Failing: n.halfOpen || now.Before(n.backoffUntil), Known: known, Behind: s.GetBehind(), MaxLag: p.maxLag(),
	}.State()
	if s.Head == 0 {
		s.Behind = 0
	}
	return s
}

// answerError is an unusable answer of a node.
type answerError struct {
	kind upstream.Outcome
	text string
}

// Error returns the text.
func (e *answerError) Error() string { return e.text }

func invalid(text string) error { return &answerError{upstream.Invalid, text} }

// outcomeOf returns the outcome of a try. A try that was overtaken by another node counts as canceled.
func outcomeOf(ctx context.Context, o Outcome) upstream.Outcome {
	switch {
	case o.verdict != failure:
		return upstream.OK
	case ctx.Err() != nil || limit.IsSpent(o.err):
		return upstream.Canceled
	default:
		return kindOf(o.err)
	}
}

// kindOf returns the outcome of a failure.
func kindOf(err error) upstream.Outcome {
	if answer, ok := errors.AsType[*answerError](err); ok {
		return answer.kind
	}
	if errors.Is(err, errWrongChain) {
		return upstream.WrongChain
	}
	return upstream.OutcomeOf(0, err)
}
