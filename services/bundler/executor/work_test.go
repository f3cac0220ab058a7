package executor

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// oneOperation is a store with one operation.
type oneOperation struct{ Store }

func (oneOperation) List(context.Context, string, int) ([]Open, error) {
	return []Open{{Record: Record{Operation: &userop.Operation{}}, Transactions: []Transaction{{}}}}, nil
}

func (oneOperation) Exclusively(_ context.Context, _ string, work func() error) (bool, error) {
	return true, work()
}

func TestAStepEndsBeforePostgreSQLEndsItsLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := func(string) chainclient.Transport {
			return func(ctx context.Context, _ []byte) ([]byte, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
		}
		e := New(nodes, oneOperation{}, nil, Options{}, clock.System{}, slog.New(slog.DiscardHandler))
		begun := time.Now()
		if err := e.Step(t.Context(), "eip155:1", big.NewInt(1)); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) >= 30*time.Second {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
	})
}
