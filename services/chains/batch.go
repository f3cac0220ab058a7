package chains

import (
	"context"
	"encoding/json"
	"sync"

	"golang.org/x/sync/errgroup"
)

const (
	// batchLimit is how many requests one batch may hold.
	batchLimit = 100
	// aloneAtOnce is how many requests of a batch that go by themselves are under way at once.
	aloneAtOnce = 4
)

// answerBatch answers what it can here, sends by itself what must go by itself, and the rest on as one batch. JSON-RPC lets the answers
// stand in any order.
func (d *door) answerBatch(ctx context.Context, body []byte) ([]byte, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(body, &items); err != nil || len(items) == 0 {
		return invalidRequest(nil, "the batch is empty"), nil
	}
	if len(items) > batchLimit {
		return invalidRequest(nil, "the batch holds more than 100 requests"), nil
	}
	var here []json.RawMessage
	var alone, left []request
	for _, item := range items {
		q, refusal := d.read(item)
		if refusal != nil {
			here = append(here, refusal)
			continue
		}
		if answer, ok := d.atHand(q); ok {
			here = append(here, answer)
			continue
		}
		if q.goesAlone() {
			alone = append(alone, q)
			continue
		}
		left = append(left, q)
	}
	if len(left) == 0 && len(alone) == 0 {
		return encode(here), nil
	}
	answered, err := d.askParts(ctx, left, alone)
	if err != nil {
		return nil, err
	}
	if len(here)+len(alone) == 0 && len(answered) == 1 {
		return answered[0], nil
	}
	return encode(append(here, flatten(answered)...)), nil
}

// goesAlone reports whether q must not share a body with other requests: it is split, or its failure means something.
func (q request) goesAlone() bool {
	return q.Method == methodGetLogs || q.Method == methodSend || q.Method == methodBlockNumber
}

// askParts returns the answer to left, which is one batch, and the answers to alone. It fails only when no part was answered.
func (d *door) askParts(ctx context.Context, left, alone []request) (answers []json.RawMessage, err error) {
	var mu sync.Mutex
	var failed []request
	var g errgroup.Group
	g.SetLimit(aloneAtOnce)
	part := func(asked []request, ask func() ([]byte, error)) {
		g.Go(func() error {
			answer, fault := ask()
			mu.Lock()
			defer mu.Unlock()
			if fault != nil {
				failed = append(failed, asked...)
				err = fault
				return nil
			}
			answers = append(answers, answer)
			return nil
		})
	}
	if len(left) > 0 {
		part(left, func() ([]byte, error) { return d.askBatch(ctx, left) })
	}
	for _, q := range alone {
		part([]request{q}, func() ([]byte, error) { return d.answerOne(ctx, q) })
	}
	_ = g.Wait()
	if len(answers) == 0 {
		return nil, err
	}
	for _, q := range failed {
		answers = append(answers, refuse(q.ID, codeInternal, "no node answered"))
	}
	return answers, nil
}

// askBatch sends requests to one node as one batch, and notes what the answers say for good.
func (d *door) askBatch(ctx context.Context, asked []request) ([]byte, error) {
	c := call{batch: true, heavy: true}
	byID := make(map[string]request, len(asked))
	bodies := make([]json.RawMessage, len(asked))
	for i, q := range asked {
		bodies[i] = q.raw
		c.fresh = c.fresh || q.isFresh()
		if len(q.ID) > 0 {
			c.wanted++
			byID[string(q.ID)] = q
		}
		if !q.isRead() {
			d.changed()
			defer d.changed()
		}
	}
	c.body = encode(bodies)
	o, err := d.pool.ask(ctx, c)
	if err != nil {
		return nil, err
	}
	var parts []response
	if json.Unmarshal(o.answer, &parts) != nil {
		return encode(spread(o.answer, asked)), nil
	}
	for _, part := range parts {
		if q, ok := byID[string(part.ID)]; ok && part.Error == nil {
			d.learn(q, o.node, part.Result)
		}
	}
	return o.answer, nil
}

// spread returns a node's answer to a batch as its parts; a node that answers a whole batch with one error has said it of each part.
func spread(answer []byte, asked []request) []json.RawMessage {
	var whole response
	if err := json.Unmarshal(answer, &whole); err != nil || whole.Error == nil {
		whole.Error = &rpcError{Code: codeInternal, Message: "the node gave no answer to the batch"}
	}
	parts := make([]json.RawMessage, len(asked))
	for i, q := range asked {
		parts[i] = encode(rpcResponse{ID: q.ID, Error: whole.Error})
	}
	return parts
}

// flatten makes one list of answers, some of which are lists.
func flatten(answers []json.RawMessage) []json.RawMessage {
	var flat []json.RawMessage
	for _, answer := range answers {
		var parts []json.RawMessage
		if json.Unmarshal(answer, &parts) == nil {
			flat = append(flat, parts...)
			continue
		}
		flat = append(flat, answer)
	}
	return flat
}
