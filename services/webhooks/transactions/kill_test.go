package transactions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/killtest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
	"github.com/hawser-dev/hawser/services/webhooks/transactions"
)

// life is what a process is started with: its database, the node of the local chain, and the time.
type life struct {
	DSN, Node string
	Now       time.Time
}

// endpoint gets the transactions.
var endpoint = deliveries.Endpoint{ID: "endpoint", Project: project, Kinds: []string{deliveries.TransactionConfirmed}, Enabled: true}

// live is the process that is killed: it tells transactions, and prints a line for each.
func live(ctx context.Context, in *json.Decoder) error {
	var l life
	if err := in.Decode(&l); err != nil {
		return err
	}
	db, err := store.Open(ctx, l.DSN)
	if err != nil {
		return err
	}
	kept, err := deliveries.NewStore(ctx, db)
	if err != nil {
		return err
	}
	tell := func(ctx context.Context, f transactions.Followed, _ transactions.Result) error {
		now := l.Now
		event := deliveries.Event{Project: f.Project, Kind: deliveries.TransactionConfirmed, Key: f.Hash.String(), Account: "sender", At: now}
		_, err := kept.Add(ctx, event, []deliveries.Endpoint{endpoint}, 1000, 1000, now, now.Add(time.Hour))
		_, _ = fmt.Fprintln(os.Stdout, f.Hash)
		return err
	}
	return transactions.New(transactions.Deps{
		Store: transactions.NewStore(db), Chains: &network{chain: devnettest.Chain{RPCURL: l.Node}}, Lock: db.Exclusively, Tell: tell,
		Clock: clocktest.StoppedAt(l.Now), Log: slog.New(slog.DiscardHandler),
	}).Run(ctx)
}

// The process is killed whenever it told a transaction, before or after it forgets that one.
func TestEachTransactionIsStoredOnceOverKills(t *testing.T) {
	if testing.Short() {
		t.Skip("it kills processes")
	}
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		w := newWorld(t, storetest.Open(t, dsn), 0)
		w.stop()
		kept, err := deliveries.NewStore(t.Context(), w.db)
		if err != nil {
			t.Fatal(err)
		}
		if err := kept.Insert(t.Context(), endpoint); err != nil {
			t.Fatal(err)
		}
		const sent = 5
		for range sent {
			hash, _ := w.send(w.payment())
			if err := w.insertWithin(transactions.Rules{OfProject: sent, Total: sent}, project, hash, ""); err != nil {
				t.Fatal(err)
			}
		}
		born := life{dsn, w.net.chain.RPCURL, w.clock.Now()}
		// Each process forgets one before it is killed. What it sent to the database before that may be stored after it.
		for w.left() > 2 {
			p := killtest.Start(t, born)
			p.Await(2)
			p.Kill()
		}
		killtest.Start(t, born)
		for w.left() > 0 {
			time.Sleep(pollPause)
		}
		list, err := kept.Deliveries(t.Context(), project, deliveries.Filter{Limit: 100})
		if err != nil || len(list) != sent {
			t.Errorf("%d deliveries, %v", len(list), err)
		}
	})
}
