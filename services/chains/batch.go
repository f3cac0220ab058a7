package chains

import (
	"context"
	"sync"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// aloneAtOnce is how many requests of a batch that go by themselves are under way at once.
const aloneAtOnce = 4

// answerBatch answers what it can here, sends by itself what must go by itself, and the rest on as one batch. The answers stand in the order of the
// requests; nil says that none of them wants one.
func (d *door) answerBatch(ctx context.Context, items []jsonrpc.Item, agreed bool) ([]byte, error) {
	b := batch{door: d, requests: make([]request, len(items)), answers: make([][]byte, len(items))}
	var together, alone []int
	for i, item := range items {
		q, refusal := d.read(item)
		b.requests[i] = q
		switch {
		case refusal != nil:
			b.answers[i] = refuse(q, refusal)
		case q.IsNotification():
		default:
			answer, ok := d.atHand(q)
			switch {
			case ok:
				b.answers[i] = answer
			case agreed || q.goesAlone():
				alone = append(alone, i)
			default:
				together = append(together, i)
			}
		}
	}
	if err := b.ask(ctx, together, alone, agreed); err != nil {
		return nil, err
	}
	return b.body(), nil
}

// goesAlone reports whether q must not share a body with other requests: it is split, or its failure means something.
func (q request) goesAlone() bool {
	return q.Method == methodGetLogs || q.Method == methodSend || q.Method == methodBlockNumber || q.known.once
}

// batch is the requests of one batch, and their answers at the same places; nil where there is none.
type batch struct {
	door     *door
	requests []request
	answers  [][]byte
}

// ask fills in the answers to the requests at these places. It fails only when none of them was answered.
func (b *batch) ask(ctx context.Context, together, alone []int, agreed bool) error {
	var mu sync.Mutex
	var failed []int
	var failure error
	answered := 0
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(aloneAtOnce)
	part := func(places []int, ask func() error) {
		g.Go(func() error {
			err := ask()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed, failure = append(failed, places...), err
			} else {
				answered++
			}
			return nil
		})
	}
	if len(together) > 0 {
		part(together, func() error { return b.askTogether(ctx, together) })
	}
	for _, i := range alone {
		part([]int{i}, func() (err error) {
			b.answers[i], err = b.door.answerOne(ctx, b.requests[i], agreed)
			return err
		})
	}
	_ = g.Wait()
	if failure != nil && answered == 0 {
		return failure
	}
	for _, i := range failed {
		b.answers[i] = jsonrpc.AppendError(nil, b.requests[i].ID, jsonrpc.Error{Code: jsonrpc.CodeInternal, Message: "no node answered"})
	}
	return nil
}

// askTogether sends requests to one node as one batch, numbered by their order, and notes what the answers say for good.
func (b *batch) askTogether(ctx context.Context, places []int) error {
	d := b.door
	c := call{batch: true, heavy: true, asked: make([]request, len(places)), body: []byte("[")}
	for i, place := range places {
		q := b.requests[place]
		if i > 0 {
			c.body = append(c.body, ',')
		}
		c.body = jsonrpc.AppendRequest(c.body, i, q.Method, q.Params)
		c.asked[i] = q
		c.fresh = c.fresh || q.isFresh()
		if c.avoid == nil {
			c.avoid = d.finals.tellers(d.keyOf(q), d.pool.clock.Now())
		}
		if !q.isRead() {
			d.changed()
			defer d.changed()
		}
	}
	c.body = append(c.body, ']')
	o, err := d.pool.ask(ctx, c)
	if err != nil {
		return err
	}
	for i, place := range places {
		// A node that refuses a whole batch has said so of each part.
		said := o.response
		if o.parts != nil {
			said = o.parts[i]
		}
		b.answers[place] = c.asked[i].reply(said)
		if said.Error == nil {
			d.learn(ctx, c.asked[i], o.node, said.Result)
		}
	}
	return nil
}

// body is the answers as one JSON array, or nil when there are none.
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
