package preview

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
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

// A contract can log as many changes and approvals as it likes, to hide what matters among them.
func TestOfManyEffectsThoseOfListedTokensAreKept(t *testing.T) {
	listed, thief := evm.Address{1}, evm.Address{2}
	var e effect.Effects
	for i := range 300 {
		other := evm.Address{3, byte(i), byte(i >> 8)}
		e.Changes = append(e.Changes, effect.Change{Asset: effect.Asset{Kind: effect.ERC20, Contract: other}, Amount: big.NewInt(1), Other: other},
			effect.Change{Asset: effect.Asset{Kind: effect.ERC20, Contract: listed}, Outgoing: true, Amount: big.NewInt(1), Other: other})
		e.Approvals = append(e.Approvals, effect.Approval{Asset: effect.Asset{Kind: effect.ERC20, Contract: other}, Spender: other})
	}
	e.Approvals = append(e.Approvals, effect.Approval{Asset: effect.Asset{Kind: effect.ERC20, Contract: listed}, Spender: thief})
	e.Bound(func(contract evm.Address) bool { return contract == listed })
	sum := new(big.Int)
	for _, c := range e.Changes {
		if c.Asset.Contract == listed && c.Outgoing {
			sum.Add(sum, c.Amount)
		}
	}
	if !e.IsCut || len(e.Changes) > 102 || sum.Int64() != 300 {
		t.Errorf("%d changes, of which %s leave", len(e.Changes), sum)
	}
	if len(e.Approvals) != 100 || e.Approvals[0].Spender != thief {
		t.Errorf("%d approvals, the first for %s", len(e.Approvals), e.Approvals[0].Spender)
	}
	few := effect.Effects{Changes: e.Changes[:1:1]}
	if few.Bound(func(evm.Address) bool { return false }); few.IsCut || len(few.Changes) != 1 {
		t.Errorf("few: %+v", few)
	}
}
