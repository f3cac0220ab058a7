package balances

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// youngFor is how long a pool counts as young. sampleBlocks is how many blocks measure how long a block of a chain takes.
const (
	youngFor     = time.Hour
	sampleBlocks = 1_000
)

var (
	pairCreated = crypto.Keccak256Hash([]byte("PairCreated(address,address,address,uint256)"))
	poolCreated = crypto.Keccak256Hash([]byte("PoolCreated(address,address,uint24,int24,address)"))
)

// poolLogs finds pools by the events of their factories.
type poolLogs struct {
	connect func(chainID string) chainclient.Transport
}

// Young implements [holdings.PoolLogs].
func (p poolLogs) Young(ctx context.Context, chainID string, factories, tokens []evm.Address) (map[evm.Address]bool, error) {
	send := p.connect(chainID)
	from, to, err := lastBlocks(ctx, send, youngFor)
	if err != nil {
		return nil, err
	}
	words := make([]common.Hash, len(tokens))
	for i, t := range tokens {
		words[i] = common.BytesToHash(t[:])
	}
	filter := chainclient.LogFilter{"address": factories, "topics": []any{[]common.Hash{pairCreated, poolCreated}, words, words}}
	results, err := send.Batch(ctx, filter.Between(from, to))
	if err != nil {
		return nil, err
	}
	logs, err := results[0].Logs()
	if err != nil {
		return nil, err
	}
	young := map[evm.Address]bool{}
	for _, l := range logs {
		// The pool is the first word of the data of a pair, and the second one of a pool with concentrated liquidity.
		at := 0
		if len(l.Topics) > 0 && l.Topics[0] == poolCreated {
			at = 32
		}
		if len(l.Data) >= at+32 {
			young[evm.Address(l.Data[at+12:at+32])] = true
		}
	}
	return young, nil
}

// lastBlocks returns about the first and the last block of the last while.
func lastBlocks(ctx context.Context, send chainclient.Transport, while time.Duration) (from, to uint64, err error) {
	newest, err := headerOf(send.Call(ctx, "eth_getBlockByNumber", chainclient.LatestBlock().Params...))
	if err != nil {
		return 0, 0, err
	}
	n := min(newest.Number, sampleBlocks)
	older, err := headerOf(send.Call(ctx, "eth_getBlockByNumber", chainclient.BlockByNumber(newest.Number-n, false).Params...))
	if err != nil {
		return 0, 0, err
	}
	took := max(1, newest.Time-older.Time)
	blocks := uint64(float64(n) * while.Seconds() / float64(took))
	return newest.Number - min(newest.Number, max(1, blocks)), newest.Number, nil
}

// headerOf decodes the header of a block.
func headerOf(raw json.RawMessage, err error) (chainclient.Header, error) {
	var h chainclient.HeaderJSON
	if err == nil {
		err = json.Unmarshal(raw, &h)
	}
	return h.Header(), err
}
