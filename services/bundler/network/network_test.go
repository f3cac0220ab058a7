package network

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const chainID = "eip155:1"

// world is a chain whose nodes respond to an estimate with a text, and the clock of its table.
type world struct {
	estimate string
	now      time.Time
}

func (w *world) Now() time.Time { return w.now }

func (w *world) answer(_ context.Context, body []byte) ([]byte, error) {
	var calls []struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if err := json.Unmarshal(body, &calls); err != nil {
		return nil, err
	}
	answers := make([]string, len(calls))
	for i, c := range calls {
		result := `"result":"0x01"`
		if c.Method == "eth_estimateGas" {
			result = w.estimate
		}
		answers[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, c.ID, result)
	}
	return []byte("[" + strings.Join(answers, ",") + "]"), nil
}

func newTable(estimate string) (*world, *Table) {
	w := &world{estimate: estimate, now: time.Unix(1_800_000_000, 0)}
	configured := map[string]Settings{chainID: {Contracts: Contracts{Delegate: evm.MustAddress("0x00000000000000000000000000000000000000d1")}}}
	return w, New(func(string) chainclient.Transport { return w.answer }, nil, configured, w)
}

func (w *world) delegation(t *testing.T, table *Table) (delegation bool, err error) {
	t.Helper()
	n, err := table.Of(t.Context(), chainID)
	return n.Delegation, err
}

func TestDelegationIsTriedOnTheNodes(t *testing.T) {
	for _, c := range []struct {
		name, estimate string
		want, fails    bool
	}{
		{"a node that charges for the authorization", `"result":"0xb3b0"`, true, false},
		{"a node that ignores it", `"result":"0x5208"`, false, false},
		{"a node that refuses it", `"error":{"code":-32602,"message":"unknown field"}`, false, false},
		{"a node at its limit", `"error":{"code":-32005,"message":"limit exceeded"}`, false, true},
		{"a node that fails", `"error":{"code":-32603,"message":"internal error"}`, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, table := newTable(c.estimate)
			got, err := w.delegation(t, table)
			if got != c.want || (err != nil) != c.fails {
				t.Errorf("got %t, %v", got, err)
			}
		})
	}
}

func TestDelegationIsNotLost(t *testing.T) {
	w, table := newTable(`"result":"0xb3b0"`)
	for _, estimate := range []string{w.estimate, `"error":{"code":-32603,"message":"internal error"}`, `"result":"0x5208"`} {
		w.estimate = estimate
		w.now = w.now.Add(2 * lifetime)
		if got, err := w.delegation(t, table); err == nil && !got {
			t.Errorf("the accounts cannot delegate any more after %s", estimate)
		}
	}
}
