package bundler

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// oneOperation is a store with one operation.
type oneOperation struct{ executor.Store }

func (oneOperation) List(context.Context, string, int) ([]executor.Open, error) {
	return []executor.Open{{Record: executor.Record{Operation: &userop.Operation{}, MaxLoss: new(big.Int), MaxFee: new(big.Int)}, Transactions: []executor.Transaction{{}}}}, nil
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
		e := executor.New(nodes, oneOperation{}, nil, executor.Options{}, clock.System{}, slog.New(slog.DiscardHandler))
		begun := time.Now()
		if err := e.Step(t.Context(), executor.Chain{ChainID: "eip155:1", Number: big.NewInt(1)}); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) >= 30*time.Second {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
	})
}
