package sandbox

import (
	"bytes"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/gagliardetto/solana-go"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/payout"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// withSolana returns a sandbox that sells tokens of the Solana chain too.
func withSolana(t *testing.T) (*world, *devnettest.Solana) {
	t.Helper()
	w := open(t, storetest.Open(t, storetest.SQLite(t)))
	w.nodes.solana = devnettest.StartSolana(t)
	w.cfg.SolanaTreasury = w.nodes.solana.Treasury.SecretKey
	w.Sandbox = w.replica(t)
	return w, w.nodes.solana
}

// solanaPurchase returns a purchase of a token of the Solana chain for a hundred dollars, with a new wallet.
func solanaPurchase(symbol string, chain *devnettest.Solana) ramp.Purchase {
	p := purchase(symbol, chain.CAIP2)
	p.Wallets = []ramp.Wallet{{Address: sdk.NewWallet().PublicKey().String()}}
	return p
}

func TestTokensOfSolanaArePaidOut(t *testing.T) {
	w, chain := withSolana(t)
	startWork(t, w.Sandbox)
	// 100 dollars less the fee of one percent and the network fee of 1.50, at 152.30, 1 and 0.9998 dollars.
	for symbol, want := range map[string]uint64{"SOL": 640_183_847, "tUSD": 97_500_000, "tPYUSD": 97_519_503} {
		p := solanaPurchase(symbol, chain)
		id := w.begin(t, p)
		w.submit(t, id, ActionPay, card("4242424242424242"))
		c := w.ends(t, id)
		owned, err := svm.ReadOwned(t.Context(), chain.Forward, svm.MustAddress(p.Wallets[0].Address))
		if err != nil {
			t.Fatal(err)
		}
		got := owned.Lamports
		if symbol != "SOL" {
			got = owned.Units[svm.MustAddress(chain.Token(t, symbol).Address)]
		}
		if c.Stage != checkout.Completed || got != want {
			t.Errorf("%s: the checkout is %s, and the wallet has %d, want %d", symbol, c.Stage, got, want)
		}
	}
}

func TestAWalletReceivesOnlyTokensOfItsNamespace(t *testing.T) {
	w, chain := withSolana(t)
	p := solanaPurchase("tUSD", chain)
	p.ChainID = one
	if _, err := w.sellers[0].Open(t.Context(), p); !errors.Is(err, ramp.ErrUnsupported) {
		t.Errorf("an EVM token for a Solana wallet: %v", err)
	}
	p = solanaPurchase("tUSD", chain)
	p.Wallets = []ramp.Wallet{{Address: newWallet()}}
	if _, err := w.sellers[0].Open(t.Context(), p); !errors.Is(err, ramp.ErrUnsupported) {
		t.Errorf("a Solana token for an EVM wallet: %v", err)
	}
	if got := w.sellers[0].Profile().Namespaces; !slices.Equal(got, []string{"eip155", "solana"}) {
		t.Errorf("the namespaces are %v", got)
	}
}

// The node may have forgotten a transaction that it executed.
func TestASolanaPayoutIsNotSignedAnewLongAfterThePayment(t *testing.T) {
	w, chain := withSolana(t)
	stop := startWork(t, w.Sandbox)
	refuse := func(body []byte) error {
		if bytes.Contains(body, []byte("sendTransaction")) {
			return errors.New("the node is away")
		}
		return nil
	}
	w.nodes.refuse.Store(&refuse)
	id := w.begin(t, solanaPurchase("SOL", chain))
	w.submit(t, id, ActionPay, card("4242424242424242"))
	w.kept(t, id)
	stop()
	chain.Call(t, "devnet_advanceSlots", 151)
	w.clock.Pass(payout.PrepareFor + time.Second)
	w.nodes.refuse.Store(nil)
	startWork(t, w.Sandbox)
	if c := w.ends(t, id); c.Stage != checkout.Refunded || c.Reason != checkout.PayoutUnconfirmed {
		t.Errorf("it is %s: %q", c.Stage, c.Reason)
	}
}

func TestASolanaPayoutWhoseBlockhashExpiredIsSignedAnew(t *testing.T) {
	w, chain := withSolana(t)
	refuse := func(body []byte) error {
		if bytes.Contains(body, []byte("sendTransaction")) {
			return errors.New("the node is away")
		}
		return nil
	}
	w.nodes.refuse.Store(&refuse)
	startWork(t, w.Sandbox)
	p := solanaPurchase("SOL", chain)
	id := w.begin(t, p)
	w.submit(t, id, ActionPay, card("4242424242424242"))
	signed := func() string {
		known, _, err := w.store.Payout(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return known.Hash
	}
	until(t, "a transaction is signed", func() bool { return signed() != "" })
	first := signed()
	chain.Call(t, "devnet_advanceSlots", 151)
	w.nodes.refuse.Store(nil)
	c := w.ends(t, id)
	owned, err := svm.ReadOwned(t.Context(), chain.Forward, svm.MustAddress(p.Wallets[0].Address))
	if err != nil {
		t.Fatal(err)
	}
	if c.Stage != checkout.Completed || owned.Lamports != 640_183_847 || signed() == first {
		t.Errorf("the checkout is %s, the wallet has %d, and the transaction is the first: %t", c.Stage, owned.Lamports, signed() == first)
	}
}

// A lagging node does not know a fresh blockhash, and neither the transaction.
func TestASolanaPayoutIsKeptWhileItCanBeExecuted(t *testing.T) {
	w, chain := withSolana(t)
	var sends atomic.Int32
	refuse := func(body []byte) error {
		if bytes.Contains(body, []byte("sendTransaction")) || bytes.Contains(body, []byte("isBlockhashValid")) {
			sends.Add(1)
		}
		if bytes.Contains(body, []byte("sendTransaction")) {
			return errors.New("the node is away")
		}
		return nil
	}
	unknown := func(answer []byte) []byte {
		return bytes.ReplaceAll(answer, []byte(`"value":true`), []byte(`"value":false`))
	}
	w.nodes.refuse.Store(&refuse)
	w.nodes.rewrite.Store(&unknown)
	startWork(t, w.Sandbox)
	id := w.begin(t, solanaPurchase("SOL", chain))
	w.submit(t, id, ActionPay, card("4242424242424242"))
	w.kept(t, id)
	first, _, err := w.store.Payout(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the payout is tried again", func() bool {
		w.clock.Pass(time.Second)
		return sends.Load() > 3
	})
	w.nodes.rewrite.Store(nil)
	w.nodes.refuse.Store(nil)
	if c := w.ends(t, id); c.Stage != checkout.Completed {
		t.Errorf("it is %s", c.Stage)
	}
	if last, _, err := w.store.Payout(t.Context(), id); err != nil || last.Hash != first.Hash {
		t.Errorf("another transaction was signed, %v", err)
	}
}
