package classifier

import (
	"math/big"
	"reflect"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

var (
	payer    = evm.Address{1}
	splitter = evm.Address{2}
	receiver = evm.Address{3}
)

// nativeLog is a log of EIP-7708.
func nativeLog(from, to evm.Address, units int64) node.Log {
	return node.Log{
		Contract: common.HexToAddress("0xfffffffffffffffffffffffffffffffffffffffe"),
		Topics:   []node.Hash{node.Transfer, common.BytesToHash(from[:]), common.BytesToHash(to[:])},
		Data:     common.BigToHash(big.NewInt(units)).Bytes(),
	}
}

func paid(value int64, logs ...node.Log) []node.Found {
	return []node.Found{{
		Transaction: node.Transaction{From: payer, To: &splitter, Value: big.NewInt(value)},
		Receipt:     node.Receipt{Succeeded: true, Fee: big.NewInt(1), Logs: logs},
	}}
}

func TestLoggedNativeTransferReachesBothSides(t *testing.T) {
	t.Parallel()
	found := paid(5, nativeLog(payer, splitter, 5), nativeLog(splitter, receiver, 3), nativeLog(splitter, payer, 2))
	rows := rowsOf(t, found, "eip155:1", []evm.Address{payer, splitter, receiver})
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	native := index.Asset{Standard: index.Native}
	// The two that came back are subtracted.
	out := index.Transfer{Asset: native, Direction: index.Out, From: payer, To: splitter, Units: big.NewInt(3)}
	if got, want := rows[0].Transfers, []index.Transfer{out}; !reflect.DeepEqual(got, want) {
		t.Errorf("payer: got %v, want %v", got, want)
	}
	if n := len(rows[1].Transfers); n != 3 {
		t.Errorf("splitter: %d transfers", n)
	}
	in := index.Transfer{Asset: native, Direction: index.In, From: splitter, To: receiver, Units: big.NewInt(3)}
	if got, want := rows[2].Transfers, []index.Transfer{in}; rows[2].Operation != index.Receive || !reflect.DeepEqual(got, want) {
		t.Errorf("receiver: got %v %v, want %v", rows[2].Operation, got, want)
	}
}

func TestOwnValueCountsWithoutItsLog(t *testing.T) {
	t.Parallel()
	rows := rowsOf(t, paid(5, nativeLog(splitter, receiver, 5)), "eip155:1", []evm.Address{payer})
	if len(rows) != 1 || len(rows[0].Transfers) != 1 || rows[0].Transfers[0].To != splitter {
		t.Errorf("got %+v", rows)
	}
}

func TestNativeLogOfAnotherFormIsNoTransfer(t *testing.T) {
	t.Parallel()
	four, long := nativeLog(splitter, receiver, 3), nativeLog(splitter, receiver, 3)
	four.Topics = append(four.Topics, node.Hash{9})
	long.Data = append(long.Data, 0)
	if rows := rowsOf(t, paid(0, four, long), "eip155:1", []evm.Address{receiver}); len(rows) != 0 {
		t.Errorf("got %+v", rows)
	}
}
