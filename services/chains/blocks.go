package chains

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// block reads one block from a node that has it.
func (p *pool) block(ctx context.Context, hash string) (block, error) {
	o, err := p.ask(ctx, lookUp("eth_getBlockByHash", hash, false))
	if err != nil {
		return block{}, err
	}
	h, err := parseHead(o.answer)
	if err != nil {
		return block{}, err
	}
	if !strings.EqualFold(h.hash, hash) {
		return block{}, errors.New("the node answered another block")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(o.response.Result, &fields); err != nil {
		return block{}, err
	}
	var bloom string
	_ = json.Unmarshal(fields["logsBloom"], &bloom)
	// What a subscription does not tell of a block (go-ethereum's types.Header).
	for _, name := range []string{"transactions", "uncles", "size", "totalDifficulty", "withdrawals"} {
		delete(fields, name)
	}
	return block{head: h, header: encode(fields), hasLogs: isTelling(bloom)}, nil
}

// isTelling reports whether a bloom filter was made from logs. Some chains leave it empty, or fill it, whatever the block holds.
func isTelling(bloom string) bool {
	digits := strings.TrimPrefix(bloom, "0x")
	return strings.Trim(digits, "0") != "" && strings.Trim(strings.ToLower(digits), "f") != ""
}

// logs reads the logs of a block.
func (p *pool) logs(ctx context.Context, b block) ([]logEntry, error) {
	c := lookUp(methodGetLogs, map[string]string{"blockHash": b.hash})
	c.atLeast = min(b.number, p.height.get())
	o, err := p.ask(ctx, c)
	if err != nil {
		return nil, err
	}
	if o.response.Error != nil {
		return nil, fmt.Errorf("no logs of the block: error %d", o.response.Error.Code)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(o.response.Result, &list); err != nil {
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
