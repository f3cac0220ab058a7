package proxy

import (
	"context"
	"fmt"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/traces"
	"github.com/hawser-dev/hawser/services/plain"
)

// maxRefusal is how much of a node's error is repeated, in runes.
const maxRefusal = 200

// Trace returns the native tokens that calls inside the transactions of a block moved, as one node states them. The error wraps pool.ErrNoNode or
// [traces.ErrUntraced], or is that of ctx.
func (p *Proxy) Trace(ctx context.Context, method string, b traces.Block) ([]traces.Transfer, error) {
	o, err := p.pool.Do(ctx, pool.NewCall(traces.Request(method, b)))
	if err != nil {
		return nil, err
	}
	if refusal := o.Response.Error; refusal != nil {
		return nil, fmt.Errorf("%w: %d %s", traces.ErrUntraced, refusal.Code, plain.Text(refusal.Message, maxRefusal))
	}
	return traces.Read(method, b, o.Response.Result)
}
