package paymaster

import (
	"context"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm/calldata"
	"github.com/hawser-dev/hawser/services/evm/userop"
)

const (
	// expiredLimit bounds the sponsorships that are given back at once.
	expiredLimit = 100
	// clockMargin is how much later than the local clock a block may say that a signature is still valid.
	clockMargin = 2 * time.Minute
)

var getNonce = calldata.Parse("getNonce(address,uint192)")

// GiveBack subtracts from the sums of the day what was signed for operations that were not sent before the signature expired. The nonce of the account
// shows whether it was executed by others: then it stays.
func (p *Paymaster) GiveBack(ctx context.Context, node chainclient.Transport, chainID string) error {
	if p == nil {
		return nil
	}
	list, err := p.store.ExpiredSponsorships(ctx, chainID, p.clock.Now().Add(-clockMargin), expiredLimit)
	if err != nil || len(list) == 0 {
		return err
	}
	calls := make([]chainclient.Call, len(list))
	for i, n := range list {
		sequenceKey := new(big.Int).Rsh(n.Nonce, 64)
		call := map[string]any{"to": userop.EntryPoint07, "data": hexutil.Bytes(getNonce.Write(n.Account, sequenceKey))}
		calls[i] = chainclient.Call{Method: "eth_call", Params: []any{call, "latest"}}
	}
	results, err := node.Batch(ctx, calls...)
	if err != nil {
		return err
	}
	for i, n := range list {
		word, err := results[i].Bytes()
		if err != nil {
			return err
		}
		if len(word) != 32 {
			return chainclient.ErrAnswer
		}
		settle := p.store.ReleaseSponsorship
		if used := new(big.Int).SetBytes(word); used.Cmp(n.Nonce) > 0 {
			settle = p.store.SpendSponsorship
		}
		if err := settle(ctx, chainID, n.Operation); err != nil {
			return err
		}
	}
	return nil
}
