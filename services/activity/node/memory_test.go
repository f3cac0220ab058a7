package node

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestReadsOfAllChainsHaveAShareBesideTheSuitesOwnCalls(t *testing.T) {
	m := limit.NewMemory(10_000)
	own := m.Hold(limit.Caller{})
	if err := own.Grow(4_000); err != nil {
		t.Fatal(err)
	}
	answer := fmt.Sprintf(`[{"jsonrpc":"2.0","id":0,"result":{"number":"0x1","hash":"0x%064x","parentHash":"0x%064x","timestamp":"0x1","extraData":"%s"}}]`,
		1, 0, strings.Repeat("0", 700))
	r := NewReader(func(string) chainclient.Transport {
		return func(context.Context, []byte) ([]byte, error) { return []byte(answer), nil }
	}, nil, m)
	if _, err := r.Head(t.Context(), "eip155:1"); err != nil {
		t.Errorf("beside calls that hold 40%%: %v", err)
	}
	if err := own.Grow(3_000); err != nil {
		t.Fatal(err)
	}
	for m.HoldOwn("activity").Grow(100) == nil {
	}
	if _, err := r.Head(t.Context(), "eip155:10"); !errors.Is(err, limit.ErrMemory) {
		t.Errorf("beside chains that hold the share: %v, want ErrMemory", err)
	}
}
