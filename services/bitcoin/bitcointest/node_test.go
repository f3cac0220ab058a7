package bitcointest_test

import (
	"testing"

	"github.com/hawser-dev/hawser/services/bitcoin/bitcointest"
)

func TestStartContinuesTheNetworkOfItsDirectory(t *testing.T) {
	dir := t.TempDir()
	start := func() *bitcointest.Node {
		t.Helper()
		node, err := bitcointest.Start(dir)
		if err != nil {
			t.Fatal(err)
		}
		return node
	}
	account, err := bitcointest.NewAccount(3)
	if err != nil {
		t.Fatal(err)
	}
	node := start()
	if err := node.Fund(account.Address(), 50_000); err != nil {
		t.Fatal(err)
	}
	paid := node.Newest(account.Address())
	if err := node.Close(); err != nil {
		t.Fatal(err)
	}

	node = start()
	if got := node.Newest(account.Address()); got != paid || paid.ID == "" {
		t.Errorf("the newest output is %+v, want %+v", got, paid)
	}
	if err := node.Fund(account.Address(), 60_000); err != nil {
		t.Errorf("the network does not continue: %v", err)
	}
	if got := node.Newest(account.Address()); got.Height != paid.Height+1 {
		t.Errorf("the next block has height %d, want %d", got.Height, paid.Height+1)
	}
	if err := node.Close(); err != nil {
		t.Fatal(err)
	}
}
