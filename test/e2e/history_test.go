package e2e

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// historyTimeout bounds how long it may take until a transaction of a block is a row of the history.
const historyTimeout = 30 * time.Second

type historyPage struct {
	Data []struct {
		ID       string
		Metadata struct{ OperationType, Hash, Status string }
		// Transfers keep their spelling: clients read null where there is nothing.
		Transfers []map[string]any
	}
	Next     *string
	Coverage struct{ Backfilling bool }
}

// TestATransferIsARowWhateverHappensToTheProcess sends to an account that a page looks at, and again while there is no process.
func TestATransferIsARowWhateverHappensToTheProcess(t *testing.T) {
	skipInShort(t)
	t.Parallel()
	devnet := devnettest.Start(t)
	chain := devnet.Chain(t, "eip155:31337")
	const to = "0x0000000000000000000000000000000000c0ffee"
	send := func() (hash string) {
		sent := chain.Call(t, "eth_sendTransaction", map[string]any{"from": devnet.Accounts[4].Address, "to": to, "value": "0xde0b6b3a7640001"})
		if err := json.Unmarshal(sent, &hash); err != nil {
			t.Fatal(err)
		}
		return hash
	}
	s := startAllInOne(t, plain, "")
	s.waitForHistory(t, to)
	if first := s.history(t, to); len(first.Data) != 0 || first.Next != nil {
		t.Errorf("before anything happened: %+v", first)
	}

	begun := time.Now()
	hash := send()
	row := s.waitForRow(t, to, hash, 1).Data[0]
	t.Logf("%s from sending to the row", time.Since(begun).Round(time.Millisecond))
	transfer := row.Transfers[0]
	quantity, _ := transfer["quantity"].(map[string]any)
	info, _ := transfer["fungible_info"].(map[string]any)
	if row.ID != chain.CAIP2+":"+hash || row.Metadata.OperationType != "receive" || row.Metadata.Status != "confirmed" ||
		transfer["direction"] != "in" || quantity["numeric"] != "1.000000000000000001" || info["symbol"] != "ETH" {
		t.Errorf("%+v", row)
	}
	for _, key := range []string{"nft_info", "value", "price"} {
		if value, there := transfer[key]; !there || value != nil {
			t.Errorf("%s is %v, want null", key, value)
		}
	}

	s.kill(t)
	missed := send()
	s.restart(t)
	s.wait(t)
	begun = time.Now()
	s.waitForRow(t, to, missed, 2)
	t.Logf("%s from being up again to the row", time.Since(begun).Round(time.Millisecond))
}

// waitForRow polls until the newest row is a transaction, the last of so many.
func (s *suite) waitForRow(t *testing.T, account, hash string, rows int) historyPage {
	t.Helper()
	var page historyPage
	for deadline := time.Now().Add(historyTimeout); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		page = s.history(t, account)
		if len(page.Data) == rows && page.Data[0].Metadata.Hash == hash {
			return page
		}
	}
	t.Fatalf("no row of %s after %s: %+v", hash, historyTimeout, page)
	return historyPage{}
}

// waitForHistory polls until the index has read an account's history to the chain's first block.
func (s *suite) waitForHistory(t *testing.T, account string) {
	t.Helper()
	for deadline := time.Now().Add(historyTimeout); s.history(t, account).Coverage.Backfilling; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the history of %s is not read after %s", account, historyTimeout)
		}
	}
}

func (s *suite) history(t *testing.T, account string) historyPage {
	t.Helper()
	res, body := s.open(t, "/v1/account/"+account+"/history?chainId=eip155:31337&projectId="+project)
	var page historyPage
	if err := json.Unmarshal(body, &page); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v: %s", res.StatusCode, err, body)
	}
	return page
}
