package e2e

import (
	"database/sql"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// open reads the database beside the suite.
func (k *killable) open(t *testing.T) store.Queries {
	t.Helper()
	return storetest.Open(t, k.dsn).Reader()
}

// wantNames compares names, and the history of what was signed, with what was acknowledged.
func (k *killable) wantNames(t *testing.T) {
	db := k.open(t)
	acknowledged := 0
	for _, w := range k.names {
		var attributes string
		err := db.QueryRowContext(t.Context(), `SELECT attributes FROM names WHERE name = $1`, w.name).Scan(&attributes)
		if err == sql.ErrNoRows { //nolint:errorlint // Scan returns it as it is
			if w.acknowledged {
				t.Errorf("%s was acknowledged and is not there", w.name)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var said struct{ Bio string }
		if err := json.Unmarshal([]byte(attributes), &said); err != nil {
			t.Fatal(err)
		}
		if said.Bio != w.says && said.Bio != w.doubt {
			t.Errorf("%s says %q; acknowledged was %q, in doubt %q", w.name, said.Bio, w.says, w.doubt)
		}
		var changes int
		if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM name_history WHERE name = $1`, w.name).Scan(&changes); err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{"first": 1, "second": 2}[said.Bio]; changes != want {
			t.Errorf("%s says %q after %d changes", w.name, said.Bio, changes)
		}
		if w.acknowledged {
			acknowledged++
		}
	}
	t.Logf("names: %d acknowledged of %d", acknowledged, len(k.names))
}

// wantOrders waits until every payment has led to tokens, and compares orders, wallets and the treasury.
func (k *killable) wantOrders(t *testing.T, sentBefore int64) {
	db, sandbox := k.open(t), storetest.Open(t, k.sandbox).Reader()
	chain := k.devnet.Chain(t, devChain)
	token := chain.Token(t, "tUSD").Address
	var ordered, paid, completed int64
	for _, w := range k.orders {
		var orders int
		if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM onramp_orders WHERE LOWER(wallet) = $1`, w.wallet).Scan(&orders); err != nil {
			t.Fatal(err)
		}
		switch {
		case w.id != "" && orders != 1:
			t.Errorf("order %s was acknowledged and is there %d times", w.id, orders)
		case orders > 1:
			t.Errorf("wallet %s has %d orders of one request", w.wallet, orders)
		}
		if w.id == "" {
			continue
		}
		ordered++
		tokens := int64(0)
		if w.paid {
			paid++
			k.untilCompleted(t, db, w.id)
		}
		if w.doubt {
			k.untilSettled(t, sandbox, w.id)
		}
		if k.state(t, db, w.id) == "completed" {
			tokens = 98_000_000
			completed++
		}
		if held := balanceOf(t, chain, token, w.wallet); held.Cmp(big.NewInt(tokens)) != 0 {
			t.Errorf("order %s is %s, and its wallet holds %s", w.id, k.state(t, db, w.id), held)
		}
	}
	if sent := k.payouts(t) - sentBefore; sent != completed {
		t.Errorf("the treasury sent %d transactions for %d completed orders", sent, completed)
	}
	t.Logf("orders: %d acknowledged of %d, %d of their payments, %d paid out", ordered, len(k.orders), paid, completed)
}

func (k *killable) state(t *testing.T, db store.Queries, id string) (state string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), `SELECT state FROM onramp_orders WHERE id = $1`, id).Scan(&state); err != nil {
		t.Fatal(err)
	}
	return state
}

func (k *killable) untilCompleted(t *testing.T, db store.Queries, id string) {
	t.Helper()
	for deadline := time.Now().Add(2 * startTimeout); k.state(t, db, id) != "completed"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("order %s was paid, and is %s", id, k.state(t, db, id))
		}
	}
}

// untilSettled waits while a payment that was in doubt is under way: its checkout has a next step that needs no visitor, or an event to send.
func (k *killable) untilSettled(t *testing.T, sandbox store.Queries, id string) {
	t.Helper()
	for deadline := time.Now().Add(2 * startTimeout); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var stage string
		var untold int
		const checkout = `SELECT stage FROM onramp_sandbox_checkouts WHERE order_id = $1`
		if err := sandbox.QueryRowContext(t.Context(), checkout, id).Scan(&stage); err != nil {
			t.Fatal(err)
		}
		const events = `SELECT COUNT(*) FROM onramp_sandbox_events WHERE order_id = $1 AND due_at IS NOT NULL`
		if err := sandbox.QueryRowContext(t.Context(), events, id).Scan(&untold); err != nil {
			t.Fatal(err)
		}
		if untold == 0 && slices.Contains([]string{"choosing", "paying", "completed"}, stage) {
			return
		}
	}
	t.Fatalf("order %s does not come to an end", id)
}

// payouts counts the transactions of the treasury.
func (k *killable) payouts(t *testing.T) int64 {
	t.Helper()
	treasury, err := account.ParseKey(treasuryKey)
	if err != nil {
		t.Fatal(err)
	}
	var count string
	if err := json.Unmarshal(k.devnet.Chain(t, devChain).Call(t, "eth_getTransactionCount", treasury.Address().String(), "latest"), &count); err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(count, "0x"), 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
