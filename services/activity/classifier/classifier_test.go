package classifier

import (
	"context"
	"encoding/binary"
	"errors"
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// rowsOf returns the rows of transactions.
func rowsOf(tb testing.TB, found []node.Found, chainID string, accounts []evm.Address) []index.Row {
	tb.Helper()
	rows, err := Rows(context.Background(), found, chainID, accounts)
	if err != nil {
		tb.Fatal(err)
	}
	return rows
}

// numbered returns n accounts.
func numbered(n int) []evm.Address {
	accounts := make([]evm.Address, n)
	for i := range accounts {
		binary.BigEndian.PutUint64(accounts[i][4:], uint64(i+1))
	}
	return accounts
}

// batchLog is a TransferBatch of this many items to an account.
func batchLog(to evm.Address, items int) node.Log {
	data := make([]byte, (2+2*(1+items))*word)
	second := (3 + items) * word
	data[word-1] = 2 * word
	binary.BigEndian.PutUint64(data[2*word-8:], uint64(second))
	binary.BigEndian.PutUint64(data[3*word-8:], uint64(items))
	binary.BigEndian.PutUint64(data[second+word-8:], uint64(items))
	return node.Log{Contract: token, Topics: []node.Hash{node.TransferBatch, {}, {}, topic(to)}, Data: data}
}

func TestATransactionIsDecodedOnceForAllAccounts(t *testing.T) {
	var logs []node.Log
	for range 2_000 {
		logs = append(logs, transferLog(token, other, third, 1))
	}
	accounts := numbered(200)
	logs[0] = transferLog(token, other, accounts[0], 1)
	found := []node.Found{sent(other, token, 0, logs...)}
	count := func(n int) float64 {
		return testing.AllocsPerRun(3, func() {
			if rows := rowsOf(t, found, "eip155:1", accounts[:n]); len(rows) != 1 || len(rows[0].Transfers) != 1 {
				t.Errorf("%d rows", len(rows))
			}
		})
	}
	if few, many := count(1), count(200); many > few+200 || few > 200 {
		t.Errorf("%v allocations for one account, %v for 200", few, many)
	}
}

func TestATooLongBatchIsNotUnpacked(t *testing.T) {
	found := []node.Found{sent(other, token, 0, batchLog(me, 20_000))}
	allocations := testing.AllocsPerRun(3, func() {
		if rows := rowsOf(t, found, "eip155:1", []evm.Address{me}); len(rows) != 0 {
			t.Errorf("%d rows", len(rows))
		}
	})
	if allocations > 100 {
		t.Errorf("%v allocations", allocations)
	}
	longest := batchLog(me, itemsPerLog)
	longest.Data[(3+itemsPerLog)*word+word+word-1] = 1
	if rows := rowsOf(t, []node.Found{sent(other, token, 0, longest)}, "eip155:1", []evm.Address{me}); len(rows) != 1 || len(rows[0].Transfers) != itemsPerLog {
		t.Errorf("%d rows of the longest batch", len(rows))
	}
}

func TestMovesOfATransactionAreBounded(t *testing.T) {
	accounts := numbered(4)
	var logs []node.Log
	for i := range maxHits + 8 {
		logs = append(logs, transferLog(token, other, accounts[i%3], 1))
	}
	logs = append(logs, transferLog(token, other, accounts[3], 1))
	d := decode(sent(other, token, 0, logs...), node.AccountsOf(accounts))
	if d.hits != maxHits || d.shares[accounts[3]] != nil {
		t.Errorf("%d moves are kept", d.hits)
	}
}

func TestRowsStopWhenTheirContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if rows, err := Rows(ctx, []node.Found{sent(me, other, 1)}, "eip155:1", []evm.Address{me}); !errors.Is(err, context.Canceled) || rows != nil {
		t.Errorf("%v, %v", rows, err)
	}
}

func BenchmarkRows(b *testing.B) {
	accounts := numbered(2_000)
	var found []node.Found
	for i := range 50 {
		logs := make([]node.Log, 5)
		for j := range logs {
			logs[j] = transferLog(token, accounts[i], other, 5)
		}
		f := sent(accounts[i], token, 0, logs...)
		f.Receipt.Fee = big.NewInt(1)
		found = append(found, f)
	}
	for b.Loop() {
		rowsOf(b, found, "eip155:1", accounts)
	}
}
