package media

import (
	"bytes"
	"context"
	"math/big"
	"runtime"
	"testing"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// oneURI is a chain whose tokens all have the same metadata URI.
type oneURI struct {
	Reader

	uri []byte
}

func (r oneURI) CallEach(_ context.Context, _ string, calls []evm.Call, _ *limit.Bytes) ([]evm.Answer, error) {
	word := func(n int) []byte { return big.NewInt(int64(n)).FillBytes(make([]byte, 32)) }
	answers := make([]evm.Answer, len(calls))
	for i := range answers {
		answers[i] = evm.Answer{OK: true, Data: bytes.Join([][]byte{word(32), word(len(r.uri)), r.uri}, nil)}
	}
	return answers, nil
}

// The id takes sixteen times the place of its placeholder.
func TestAURIOfManyPlaceholdersTakesLittleMemory(t *testing.T) {
	uri := append([]byte("data:,"), bytes.Repeat([]byte("{id}"), maxDocument/4)...)
	m := NewMetadata(oneURI{uri: uri}, nil, Gateways{}, nil)
	token := asset.Token{Contract: asset.Contract{ChainID: "eip155:1", Standard: asset.ERC1155}}
	before := allocated()
	found, inTime := m.Read(t.Context(), "eip155:1", []asset.Token{token})
	if took := allocated() - before; took > 6*uint64(len(uri)) {
		t.Errorf("a URI of %d bytes took %d", len(uri), took)
	}
	if d, known := found[token]; d != nil || !known || !inTime {
		t.Errorf("found %v, %t", found, inTime)
	}
}

// allocated returns the bytes that were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
