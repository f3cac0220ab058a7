package preview

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

// A contract can log as many ids as fit into the response of a node. A search through the changes for each id takes minutes here.
func TestABatchOfManyTokensIsRead(t *testing.T) {
	const n = 40_000
	account, other := evm.Address{1}, evm.Address{2}
	ids := make([]*big.Int, n)
	for i := range ids {
		ids[i] = big.NewInt(int64(i/2) + 1) // each twice
	}
	topics := []common.Hash{
		crypto.Keccak256Hash([]byte("TransferBatch(address,address,address,uint256[],uint256[])")), {},
		common.BytesToHash(account[:]), common.BytesToHash(other[:]),
	}
	data := calldata.Types("(uint256[],uint256[])").Write(ids, ids)
	e := effect.Of(account, []chainclient.LogJSON{{Contract: evm.Address{3}, Topics: topics, Data: data}})
	if len(e.Changes) != n/2 || e.Changes[1].Amount.Int64() != 4 || !e.Changes[1].Outgoing || e.Changes[1].Other != other {
		t.Errorf("%d changes", len(e.Changes))
	}
}
