package classifier

import (
	"math/big"
	"reflect"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// approvalLog is a log with an event's topics and words of data.
func approvalLog(contract evm.Address, topics []node.Hash, data ...node.Hash) node.Log {
	l := node.Log{Contract: contract, Topics: topics}
	for _, w := range data {
		l.Data = append(l.Data, w[:]...)
	}
	return l
}

func TestApprovalsAreKeptInTheOrderOfTheirLogs(t *testing.T) {
	units := func(n int64) node.Hash { return common.BigToHash(big.NewInt(n)) }
	logs := []node.Log{
		transferLog(token, me, other, 9),
		approvalLog(token, []node.Hash{node.Approval, topic(me), topic(other)}, units(5)),
		approvalLog(token, []node.Hash{node.Approval, topic(other), topic(me)}, units(5)),
		approvalLog(third, []node.Hash{node.Approval, topic(me), topic(other), units(77)}),
		approvalLog(third, []node.Hash{node.Approval, topic(me), {}, units(78)}),
		approvalLog(third, []node.Hash{node.ApprovalForAll, topic(me), topic(other)}, units(1)),
		approvalLog(contracts.Permit2, []node.Hash{node.Permit2Approval, topic(me), topic(token), topic(other)}, units(6), units(1_000)),
		approvalLog(contracts.Permit2, []node.Hash{node.Permit2Permit, topic(me), topic(token), topic(third)}, units(7), units(1_000), units(3)),
		approvalLog(contracts.Permit2, []node.Hash{node.Permit2Lockdown, topic(me)}, topic(token), topic(other)),
		// Another contract's.
		approvalLog(token, []node.Hash{node.Permit2Approval, topic(me), topic(token), topic(other)}, units(6), units(1_000)),
		approvalLog(token, []node.Hash{node.Permit2Lockdown, topic(me)}, topic(token), topic(other)),
	}
	rows := rowsOf(t, []node.Found{sent(me, token, 0, logs...)}, "eip155:1", []evm.Address{me})
	if len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
	want := []index.Approval{
		{Kind: index.AllowanceApproval, Contract: token, Spender: other, Units: big.NewInt(5), Position: 1},
		{Kind: index.NFTApproval, Contract: third, Spender: other, TokenID: "77", Units: big.NewInt(1), Position: 3},
		{Kind: index.NFTApproval, Contract: third, TokenID: "78", Units: new(big.Int), Position: 4},
		{Kind: index.OperatorApproval, Contract: third, Spender: other, Units: big.NewInt(1), Position: 5},
		{Kind: index.Permit2Approval, Contract: token, Spender: other, Units: big.NewInt(6), Position: 6},
		{Kind: index.Permit2Approval, Contract: token, Spender: third, Units: big.NewInt(7), Position: 7},
		{Kind: index.Permit2Approval, Contract: token, Spender: other, Units: new(big.Int), Position: 8},
	}
	got := rows[0].Approvals
	if len(got) != len(want) {
		t.Fatalf("%d approvals, want %d: %+v", len(got), len(want), got)
	}
	for i := range want {
		if got[i].Units.Cmp(want[i].Units) != 0 {
			t.Errorf("%d: %s units, want %s", i, got[i].Units, want[i].Units)
		}
		got[i].Units, want[i].Units = nil, nil
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("got  %+v\nwant %+v", got[i], want[i])
		}
	}
}

func TestAFailedTransactionGivesNoApproval(t *testing.T) {
	f := sent(me, token, 0, approvalLog(token, []node.Hash{node.Approval, topic(me), topic(other)}, node.Hash{1}))
	f.Receipt.Succeeded = false
	rows := rowsOf(t, []node.Found{f}, "eip155:1", []evm.Address{me})
	if len(rows) != 1 || len(rows[0].Approvals) != 0 {
		t.Errorf("%+v", rows)
	}
}

func TestAnAllowanceOfPermit2IsARowOfTheToken(t *testing.T) {
	l := approvalLog(contracts.Permit2, []node.Hash{node.Permit2Permit, topic(me), topic(token), topic(third)}, common.BigToHash(big.NewInt(7)), node.Hash{}, node.Hash{})
	rows := rowsOf(t, []node.Found{sent(other, contracts.Permit2, 0, l)}, "eip155:1", []evm.Address{me})
	asset := index.Asset{Standard: index.ERC20, Contract: token}
	want := []index.Transfer{{Asset: asset, Direction: index.Out, From: me, To: third, Units: big.NewInt(7)}}
	if len(rows) != 1 || rows[0].Operation != index.Approve || !reflect.DeepEqual(rows[0].Transfers, want) {
		t.Errorf("%+v", rows)
	}
}
