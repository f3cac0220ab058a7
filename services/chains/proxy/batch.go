package proxy

import (
	"context"
	"sync"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// batchConcurrency is how many calls of one batch are in flight at once.
const batchConcurrency = 4

// answerBatch answers what it can locally, sends some requests individually, and the rest as one batch. The responses
// are in the order of the requests; nil if no request expects a response.
func (p *Proxy) answerBatch(ctx context.Context, items []jsonrpc.Item, agreed bool) ([]byte, error) {
	b := batch{proxy: p, requests: make([]rpc.Request, len(items)), answers: make([][]byte, len(items))}
	var together, alone []int
	for i, item := range items {
		q, refusal := p.read(item)
		b.requests[i] = q
		switch {
		case refusal != nil:
			b.answers[i] = refuse(q, refusal)
		case q.IsNotification():
		default:
			answer, ok := p.answerLocally(q)
			switch {
			case ok:
				b.answers[i] = answer
			case agreed || needsOwnCall(q):
				alone = append(alone, i)
			default:
				together = append(together, i)
			}
		}
	}
	if err := b.send(ctx, together, alone, agreed); err != nil {
		return nil, err
	}
	return b.body(), nil
}

// needsOwnCall reports whether q must not share a call with other requests: because it is split, or because its error
// must be examined.
func needsOwnCall(q rpc.Request) bool {
	return q.Method == rpc.MethodGetLogs || q.Method == rpc.MethodSend || q.Method == rpc.MethodSendSync || q.Method == rpc.MethodBlockNumber || q.Spec.Once
}

// batch holds the requests of a batch, and their responses by position; a response is nil while there is none.
type batch struct {
	proxy    *Proxy
	requests []rpc.Request
	answers  [][]byte
}

// send fills in the responses to the requests at these positions. It fails only if no request got a response.
func (b *batch) send(ctx context.Context, together, alone []int, agreed bool) error {
	var mu sync.Mutex
	var failed []int
	var failure error
	succeeded, until := 0, waitsEnd(ctx)
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(batchConcurrency)
	start := func(positions []int, call func() error) {
		g.Go(func() error {
			err := call()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed, failure = append(failed, positions...), err
			} else {
				succeeded++
			}
			return nil
		})
	}
	if len(together) > 0 {
		start(together, func() error { return b.sendTogether(ctx, together) })
	}
	for _, i := range alone {
		start([]int{i}, func() (err error) {
			b.answers[i], err = b.proxy.answerOne(ctx, b.requests[i], agreed, until)
			return err
		})
	}
	_ = g.Wait()
	if failure != nil && succeeded == 0 {
		return failure
	}
	for _, i := range failed {
		b.answers[i] = jsonrpc.AppendError(nil, b.requests[i].ID, jsonrpc.Error{Code: jsonrpc.CodeInternal, Message: "no node answered"})
	}
	return nil
}

// sendTogether sends requests to one node as one batch, and records the results that are final.
func (b *batch) sendTogether(ctx context.Context, positions []int) error {
	p := b.proxy
	requests := make([]rpc.Request, len(positions))
	var avoid []*pool.Node
	for i, position := range positions {
		q := b.requests[position]
		requests[i] = q
		if avoid == nil {
			avoid = p.results.claimants(p.key(q), p.clock.Now())
		}
		if !q.IsRead() {
			p.countWrite()
			defer p.countWrite()
		}
	}
	c := pool.NewBatch(requests)
	c.Avoid = avoid
	o, err := p.pool.Do(ctx, c)
	if err != nil {
		return err
	}
	for i, position := range positions {
		// An error for the whole batch is returned for each request.
		response := o.Response
		if o.Parts != nil {
			response = o.Parts[i]
		}
		b.answers[position] = requests[i].Reply(response)
		if response.Error == nil {
			p.record(ctx, requests[i], o.Node, response.Result)
		}
	}
	return nil
}

// body returns the responses as one JSON array, or nil if there are none.
func (b *batch) body() []byte {
	var body []byte
	for _, answer := range b.answers {
		if answer == nil {
			continue
		}
		separator := byte(',')
		if body == nil {
			separator = '['
		}
		body = append(append(body, separator), answer...)
	}
	if body == nil {
		return nil
	}
	return append(body, ']')
}
