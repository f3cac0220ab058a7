package bundler

import (
	"context"
	"errors"
	"math/big"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/bundler/calls"
	"github.com/hawser-dev/hawser/services/bundler/endpoint"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// switched is a key encryption key that a test can disable.
type switched struct {
	seal.KEK
	off atomic.Bool
}

func (k *switched) Unwrap(ctx context.Context, wrapped, aad []byte) ([]byte, error) {
	if k.off.Load() {
		return nil, seal.ErrUnavailable
	}
	return k.KEK.Unwrap(ctx, wrapped, aad)
}

func TestSealedKeysOfExecutorsAreOpenedWhenTheirKeyIsAvailable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wallet.key")
	if err := seal.CreateAge(file); err != nil {
		t.Fatal(err)
	}
	kek, err := seal.OpenAge(file)
	if err != nil {
		t.Fatal(err)
	}
	key := &switched{KEK: kek}
	sealer := seal.New(key)
	key.off.Store(true)
	w := newWorld(t, open(t), func(c *Config) {
		plain := c.Executors
		if c.Executors, err = SealExecutors(t.Context(), *c, sealer); err != nil {
			t.Fatal(err)
		}
		for i, text := range c.Executors {
			if !seal.IsSealed(text) || strings.Contains(text, plain[i]) {
				t.Errorf("executor %d is %s", i, text)
			}
		}
		if faults := c.Check(); len(faults) > 0 {
			t.Errorf("a sealed key is refused: %v", faults)
		}
		if again, err := SealExecutors(t.Context(), *c, sealer); err != nil || again[0] != c.Executors[0] {
			t.Errorf("sealing again: %v, %v", again, err)
		}
	}, func(d *Deps) { d.Sealer = func(context.Context) (*seal.Sealer, error) { return sealer, nil } })
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"pimlico_getUserOperationGasPrice","params":[]}`)
	if _, err := w.endpoint.Answer(t.Context(), project, local, "", body); !errors.Is(err, endpoint.ErrUnavailable) {
		t.Fatalf("while the key is not available: %v", err)
	}
	key.off.Store(false)
	if err := w.openExecutor(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := w.newPerson()
	if r := w.receipt(w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}
}

func TestOldRowsAreDeletedAfterTheirTime(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, nil)
		p := w.newPerson()
		ended := w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
		w.receipt(ended)
		w.step()
		w.clock.Pass(20 * time.Minute)
		w.step()
		w.withhold.Store(true)
		waiting := p.operation(receiver, 2)
		waiting.Nonce = userop.NewQuantity(1)
		open := w.send(p.sign(p.estimated(waiting)))
		old := calls.Batch{Project: project, Account: p.key.Address(), ID: "old", ChainID: local, Created: w.clock.Now()}
		if _, err := w.store.InsertBatch(t.Context(), old); err != nil {
			t.Fatal(err)
		}
		for _, ahead := range []time.Duration{w.cfg.KeepFor - time.Hour, 2 * time.Hour} {
			w.clock.Pass(ahead)
			if err := w.deleteOld(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, errOperation := w.store.Find(t.Context(), local, ended)
			_, errBatch := w.store.FindBatch(t.Context(), project, p.key.Address(), "old")
			if ahead > 2*time.Hour && (errOperation != nil || errBatch != nil) {
				t.Errorf("before their time: %v, %v", errOperation, errBatch)
			}
			if ahead == 2*time.Hour && (!errors.Is(errOperation, executor.ErrUnknown) || !errors.Is(errBatch, calls.ErrUnknown)) {
				t.Errorf("after their time: %v, %v", errOperation, errBatch)
			}
		}
		if _, err := w.store.Find(t.Context(), local, open); err != nil {
			t.Errorf("an operation that may still be included: %v", err)
		}
		var left int
		if err := db.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM bundler_transactions WHERE operation = $1`, ended.Hex()).Scan(&left); err != nil || left != 0 {
			t.Errorf("%d transactions are left, %v", left, err)
		}
	})
}

func TestAChainWhoseNodesHangDoesNotDelayOthers(t *testing.T) {
	const hanging = "eip155:4242"
	w := newWorld(t, open(t), func(c *Config) { c.Chains[hanging] = Chain{} })
	p := w.newPerson()
	o := p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))
	record := executor.Record{ChainID: hanging, Hash: common.Hash{1}, Operation: o, State: executor.Sent, Received: w.clock.Now(), MaxLoss: new(big.Int), MaxFee: new(big.Int)}
	if _, err := w.store.Insert(t.Context(), record, executor.Limits{ProjectLossPerHour: "1", LossPerHour: "1"}, receiver, 0, func(nonce uint64) (executor.Transaction, error) {
		return executor.Transaction{ChainID: hanging, Operation: record.Hash, Nonce: nonce, Fee: executor.Fee{Max: big.NewInt(1), Tip: big.NewInt(1)}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var working sync.WaitGroup
	working.Go(func() { _ = w.work(ctx) })
	defer working.Wait()
	defer stop()
	for !w.hangs.Load() {
		time.Sleep(20 * time.Millisecond)
	}
	w.withhold.Store(true)
	hash := w.send(o)
	w.withhold.Store(false)
	w.clock.Pass(3 * time.Second)
	if r := w.receipt(hash); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}
}
