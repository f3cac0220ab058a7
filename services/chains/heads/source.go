package heads

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// poolSource reads blocks from the nodes of a pool.
type poolSource struct{ pool *pool.Pool }

func (s poolSource) block(ctx context.Context, hash string) (block, error) {
	o, err := s.pool.Do(ctx, pool.NewCall(rpc.NewRequest("eth_getBlockByHash", hash, false)))
	if err != nil {
		return block{}, err
	}
	h, err := rpc.ParseHead(o.Body)
	if err != nil {
		return block{}, err
	}
	if !strings.EqualFold(h.Hash, hash) {
		return block{}, errors.New("the node returned another block")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(o.Response.Result, &fields); err != nil {
		return block{}, err
	}
	var bloom string
	_ = json.Unmarshal(fields["logsBloom"], &bloom)
	// A subscription sends the header only (types.Header of go-ethereum).
	for _, name := range []string{"transactions", "uncles", "size", "totalDifficulty", "withdrawals"} {
		delete(fields, name)
	}
	return block{Head: h, header: rpc.Encode(fields), hasLogs: isMeaningful(bloom)}, nil
}

// isMeaningful reports whether a bloom filter is computed from logs. Some chains send all zeros, or all ones, for every
// block.
func isMeaningful(bloom string) bool {
	digits := strings.TrimPrefix(bloom, "0x")
	return strings.Trim(digits, "0") != "" && strings.Trim(strings.ToLower(digits), "f") != ""
}

func (s poolSource) logs(ctx context.Context, b block) ([]logEntry, error) {
	c := pool.NewCall(rpc.NewRequest(rpc.MethodGetLogs, map[string]string{"blockHash": b.Hash}))
	c.MinHeight = min(b.Number, s.pool.Height())
	o, err := s.pool.Do(ctx, c)
	if err != nil {
		return nil, err
	}
	if refusal := o.Response.Error; refusal != nil && (jsonrpc.IsTooLarge(refusal.Code, refusal.Data) || rpc.IsTooMuch(*refusal)) {
		return nil, errTooManyLogs
	}
	if o.Response.Error != nil {
		return nil, fmt.Errorf("reading the logs of a block: error %d", o.Response.Error.Code)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(o.Response.Result, &list); err != nil {
		return nil, err
	}
	if len(list) == 0 && b.hasLogs {
		return nil, errors.New("the node does not have the block's logs yet")
	}
	entries := make([]logEntry, len(list))
	for i, raw := range list {
		if entries[i], err = parseLog(raw); err != nil {
			return nil, err
		}
	}
	return entries, nil
}
