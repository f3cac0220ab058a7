package paymaster

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

const (
	// expiredLimit bounds the sponsorships that are settled in one request, and expiredRounds those requests.
	expiredLimit  = 100
	expiredRounds = 20
)

var getNonce = calldata.Parse("getNonce(address,uint192)")

// GiveBack subtracts from the sum of the day what was signed for operations that were not sent before the signature expired. The nonce of the account
// shows whether it was executed by others: then it stays.
func (p *Paymaster) GiveBack(ctx context.Context, node chainclient.Transport, chainID string) error {
	if p == nil {
		return nil
	}
	for range expiredRounds {
		list, err := p.store.ExpiredSponsorships(ctx, chainID, p.clock.Now(), expiredLimit)
		if err != nil || len(list) == 0 {
			return err
		}
		settled, err := p.settle(ctx, node, chainID, list)
		if err != nil || settled < expiredLimit {
			return err
		}
	}
	return nil
}

// settle settles sponsorships whose signatures have expired by the time of the chain, which is the one that contracts compare. It returns how many.
func (p *Paymaster) settle(ctx context.Context, node chainclient.Transport, chainID string, list []Sponsorship) (settled int, err error) {
	calls := []chainclient.Call{chainclient.LatestBlock()}
	for _, n := range list {
		call := map[string]any{"to": userop.EntryPoint07, "data": hexutil.Bytes(getNonce.Write(n.Account, new(big.Int).Rsh(n.Nonce, 64)))}
		calls = append(calls, chainclient.Call{Method: "eth_call", Params: []any{call, "latest"}})
	}
	results, err := node.Batch(ctx, calls...)
	if err != nil {
		return 0, err
	}
	var newest struct {
		Time chainclient.Uint64 `json:"timestamp"`
	}
	if err := results[0].Decode(&newest); err != nil {
		return 0, err
	}
	for i, n := range list {
		word, err := results[i+1].Bytes()
		if err != nil {
			return settled, err
		}
		if len(word) != 32 {
			return settled, chainclient.ErrAnswer
		}
		isUsed := new(big.Int).SetBytes(word).Cmp(n.Nonce) > 0
		switch {
		case isUsed:
			err = p.store.SpendSponsorship(ctx, chainID, n.Account, n.Nonce)
		case uint64(newest.Time) > uint64(n.Expires.Unix()): //nolint:gosec // after 1970
			err = p.store.ReleaseSponsorship(ctx, chainID, n.Account, n.Nonce)
		default:
			continue
		}
		if err != nil {
			return settled, err
		}
		settled++
	}
	return settled, nil
}
