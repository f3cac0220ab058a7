package proxy

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// batchConcurrency is how many calls of one batch are in flight at once.
const batchConcurrency = 4

// answerBatch answers what it can locally, sends some requests individually, and the rest as one batch. The responses
// are in the order of the requests; nil if no request expects a response. replies bounds them: when it is used up, the work for the rest is cancelled.
func (p *Proxy) answerBatch(ctx context.Context, items []jsonrpc.Item, agreed bool, replies *limit.Bytes) ([]byte, error) {
	b := batch{proxy: p, replies: replies, requests: make([]rpc.Request, len(items)), answers: make([][]byte, len(items))}
	var spent error
	var together, alone []int
	for i, item := range items {
		q, refusal := p.read(item)
		b.requests[i] = q
		switch {
		case refusal != nil:
			b.answers[i] = refuse(q, refusal)
		case q.IsNotification():
		default:
			answer, ok := p.answerLocally(ctx, q)
			switch {
			case ok:
				if err := b.reply(i, answer); err != nil {
					b.answers[i], spent = refuse(q, tooMuch(err)), err
				}
			case agreed || needsOwnCall(q):
				alone = append(alone, i)
			default:
				together = append(together, i)
			}
		}
	}
	if spent != nil {
		b.refuse(append(together, alone...), tooMuch(spent))
		return b.body(), nil
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
	replies  *limit.Bytes
	requests []rpc.Request
	answers  [][]byte
}

// reply records the response to the request at a position.
func (b *batch) reply(position int, r rpc.Response) (err error) {
	b.answers[position], err = replyWith(b.replies, b.requests[position], r)
	return err
}

// refuse answers the requests at these positions with an error, unless they are answered already.
func (b *batch) refuse(positions []int, e *jsonrpc.Error) {
	for _, i := range positions {
		if b.answers[i] == nil {
			b.answers[i] = refuse(b.requests[i], e)
		}
	}
}

// hasAnswer reports whether one of the requests at these positions is answered.
func (b *batch) hasAnswer(positions []int) bool {
	return slices.ContainsFunc(positions, func(i int) bool { return b.answers[i] != nil })
}

// send fills in the responses to the requests at these positions. It fails only if no request got a response.
func (b *batch) send(ctx context.Context, together, alone []int, agreed bool) error {
	var mu sync.Mutex
	var failed []int
	var failure, spent error
	succeeded, until := 0, waitsEnd(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(batchConcurrency)
	start := func(positions []int, call func() error) {
		g.Go(func() error {
			err := ctx.Err()
			if err == nil {
				err = call()
			}
			mu.Lock()
			defer mu.Unlock()
			if limit.IsSpent(err) {
				spent = cmp.Or(spent, err)
				cancel()
			}
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
		start([]int{i}, func() error {
			response, err := b.proxy.answerOne(ctx, b.requests[i], agreed, until)
			if err != nil {
				return err
			}
			return b.reply(i, response)
		})
	}
	_ = g.Wait()
	switch {
	case spent != nil:
		b.refuse(failed, tooMuch(spent))
	case failure != nil && succeeded == 0 && !b.hasAnswer(failed):
		return failure
	default:
		b.refuse(failed, &jsonrpc.Error{Code: jsonrpc.CodeInternal, Message: "no node answered"})
	}
	return nil
}

// findKept answers what the database of final results has, and returns the other positions.
func (b *batch) findKept(ctx context.Context, positions []int, final finalUntil) (left []int, err error) {
	requests := make([]rpc.Request, len(positions))
	for i, position := range positions {
		requests[i] = b.requests[position]
	}
	found, err := b.proxy.find(ctx, requests, final)
	if err != nil || len(found) == 0 {
		return positions, err
	}
	for i, position := range positions {
		result, ok := found[i]
		if !ok {
			left = append(left, position)
			continue
		}
		if err := b.reply(position, rpc.Response{Result: result}); err != nil {
			return nil, err
		}
		// The reply is a copy.
		limit.BytesOf(ctx).Shrink(int64(len(result)))
	}
	return left, nil
}

// sendTogether sends requests to one node as one batch, and records the results that are final.
func (b *batch) sendTogether(ctx context.Context, positions []int) error {
	p := b.proxy
	final := p.finalNow()
	positions, err := b.findKept(ctx, positions, final)
	if err != nil || len(positions) == 0 {
		return err
	}
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
		if err := b.reply(position, response); err != nil {
			return err
		}
		if response.Error == nil {
			p.record(ctx, requests[i], o.Node, response.Result, final)
		}
	}
	// The replies are copies.
	limit.BytesOf(ctx).Shrink(int64(len(o.Body)))
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
