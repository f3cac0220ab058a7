package e2e

import (
	"errors"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/hawser-dev/hawser/services/bitcoin/bitcointest"
)

// bitcoinNetwork is a Bitcoin network with an account that was paid, and one that can pay.
type bitcoinNetwork struct {
	url string
	// names are for case files.
	names map[string]string
}

// localBitcoin starts the Bitcoin network that all tests of this process share. TestMain removes its files.
var localBitcoin = sync.OnceValues(func() (n bitcoinNetwork, err error) {
	buildLock.Lock()
	defer buildLock.Unlock()
	dir, err := os.MkdirTemp("", "hawser-e2e-")
	if err != nil {
		return n, err
	}
	buildDirs = append(buildDirs, dir)
	node, err := bitcointest.Start(dir)
	if err != nil {
		return n, err
	}
	payer, err := bitcointest.NewAccount(1)
	saver, saverErr := bitcointest.NewAccount(2)
	if err = errors.Join(err, saverErr); err != nil {
		return n, err
	}
	if err := errors.Join(node.Fund(payer.Address(), 100_000), node.Fund(saver.Address(), 250_000)); err != nil {
		return n, err
	}
	payment, coin := node.Newest(saver.Address()), node.Newest(payer.Address())
	raw, err := payer.Spend(coin.ID, coin.Index, 100_000, "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", 99_000)
	if err != nil {
		return n, err
	}
	id, err := node.Send(raw)
	return bitcoinNetwork{url: httptest.NewServer(node.Handler()).URL, names: map[string]string{
		"bitcoin.chain": bitcointest.ChainID, "bitcoin.saver": saver.Address(), "bitcoin.payment": payment.ID, "bitcoin.index": strconv.Itoa(int(payment.Index)),
		"bitcoin.height": strconv.Itoa(int(payment.Height)), "bitcoin.raw": raw, "bitcoin.sent": id, "bitcoin.zeros": strings.Repeat("0", 64),
		"bitcoin.miner": node.Miner(),
	}}, err
})
