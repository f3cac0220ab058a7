package nfts

import (
	"context"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// Holdings is the index of the tokens that moved to accounts.
type Holdings interface {
	// Touched returns the tokens that moved to an account, the most recent first, and whether older blocks are still being indexed.
	Touched(ctx context.Context, chainID string, owner evm.Address) (list []Touched, backfilling bool, err error)
}

// historyIndex is the index of the activity service.
type historyIndex struct {
	index activityv1.HoldingsServiceClient
}

// Touched calls the activity service.
func (h historyIndex) Touched(ctx context.Context, chainID string, owner evm.Address) ([]Touched, bool, error) {
	res, err := h.index.ListTouched(caller.Forward(ctx), &activityv1.ListTouchedRequest{Account: chainID + ":" + owner.String()})
	if err != nil {
		return nil, false, err
	}
	var list []Touched
	for _, c := range res.GetContracts() {
		address, err := evm.ParseAddress(c.GetAddress())
		standard := asset.Standard(c.GetStandard())
		if err != nil || standard != asset.ERC721 && standard != asset.ERC1155 {
			continue
		}
		t := Touched{Contract: asset.Contract{ChainID: chainID, Address: address, Standard: standard}}
		for _, text := range c.GetTokenIds() {
			if id, ok := asset.ParseID(text); ok {
				t.IDs = append(t.IDs, id)
			}
		}
		list = append(list, t)
	}
	return list, res.GetBackfilling(), nil
}

// nodeReader implements [media.Reader] with the nodes of the chains service.
type nodeReader struct {
	*evm.Reader
	chain *chainclient.Client
}

// decodedSize is how many bytes an answer takes for each of its own while it is decoded: the text, its parts and their bytes.
const decodedSize = 3

// CallEach makes calls whose answers are long or expensive.
func (r nodeReader) CallEach(ctx context.Context, chainID string, calls []evm.Call, held *limit.Bytes) ([]evm.Answer, error) {
	send := r.chain.Transport(chainID)
	return evm.CallEach(ctx, func(ctx context.Context, body []byte) ([]byte, error) {
		answer, err := send(ctx, body)
		if err == nil {
			err = held.Grow(decodedSize * int64(len(answer)))
		}
		return answer, err
	}, calls)
}
