package activity

import (
	"fmt"
	"testing"
)

func TestAThousandTransactionsArePagedWithoutRepeatsOrGaps(t *testing.T) {
	const transactions, perBlock = 1_000, 25
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	nonces := map[string]uint32{}
	w.chain.Call(t, "evm_setAutomine", false)
	defer w.chain.Call(t, "evm_setAutomine", true)
	for n := range transactions {
		hash := text(t, w.chain.Call(t, "eth_sendTransaction", map[string]any{"from": from, "to": to, "value": fmt.Sprintf("0x%x", n+1), "nonce": fmt.Sprintf("0x%x", n)}))
		nonces[hash] = uint32(n)
		if n%perBlock == perBlock-1 {
			w.chain.Call(t, "evm_mine")
		}
	}
	w.chain.Call(t, "evm_setAutomine", true)
	seen, next, cursor := map[string]bool{}, transactions, ""
	for page := 0; ; page++ {
		res := w.request(t, to, cursor)
		for _, row := range res.GetData() {
			next--
			if hash := row.GetMetadata().GetHash(); seen[hash] || nonces[hash] != uint32(next) || row.GetMetadata().GetNonce() != uint32(next) {
				t.Fatalf("page %d: transaction %d instead of %d", page, nonces[hash], next)
			}
			seen[row.GetMetadata().GetHash()] = true
			if want := fmt.Sprintf("0.%018d", next+1); row.GetTransfers()[0].GetQuantity().GetNumeric() != want {
				t.Fatalf("quantity %s, want %s", row.GetTransfers()[0].GetQuantity().GetNumeric(), want)
			}
		}
		if len(res.GetData()) != pageSize || res.Next == nil {
			break
		}
		// New rows come before the first page.
		w.pay(t, from, to)
		cursor = res.GetNext()
	}
	if len(seen) != transactions || next != 0 {
		t.Errorf("%d transactions, down to %d", len(seen), next)
	}
	eventually(t, "the new rows are there", func() bool { return w.newest(t, to).GetMetadata().GetNonce() >= transactions+18 })
}
