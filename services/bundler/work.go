package bundler

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/seal"
)

const (
	// stepInterval is how often sent operations are checked.
	stepInterval = time.Second
	// openInterval is the interval of attempts to open the keys of executors.
	openInterval = 10 * time.Second
	// cleanupInterval is how often old rows are deleted.
	cleanupInterval = 10 * time.Minute
	// giveBackInterval is how often sponsorships whose operations were not sent are given back.
	giveBackInterval = time.Minute
	// fundsInterval is how often the funds of the executors and the paymaster are read, fundsRetry when they are read again after a failure, and fundsTimeout
	// bounds one reading.
	fundsInterval = time.Minute
	fundsRetry    = 5 * time.Second
	fundsTimeout  = 20 * time.Second
)

// sealedKey is the associated data of the sealed key of an executor.
const sealedKey = "bundler executor"

// openExecutor opens the keys of the executors. It fails with [seal.ErrUnavailable] if one is sealed by a key that is not available.
func (s *server) openExecutor(ctx context.Context) error {
	texts, err := s.cfg.keys()
	if err != nil || len(texts) == 0 {
		return err
	}
	var sealer *seal.Sealer
	if slices.ContainsFunc(texts, seal.IsSealed) {
		if sealer, err = s.deps.Sealer(ctx); err != nil {
			return err
		}
	}
	keys := make([]account.Key, len(texts))
	for i, text := range texts {
		if seal.IsSealed(text) {
			opened, err := sealer.Open(ctx, text, sealedKey)
			if err != nil {
				return fmt.Errorf("executor %d: %w", i, err)
			}
			text = string(opened)
		}
		if keys[i], err = account.ParseKey(text); err != nil {
			return fmt.Errorf("executor %d: %w", i, err)
		}
	}
	options := executor.Options{Limits: s.cfg.Limits, ReplaceAfter: s.cfg.ReplaceAfter}
	for id, c := range s.cfg.Chains {
		if c.URL == "" {
			options.ChainIDs = append(options.ChainIDs, id)
		}
	}
	s.executor.Store(executor.New(s.deps.Chain.Transport, s.store, keys, options, s.deps.Clock, s.deps.Log))
	return nil
}

// SealExecutors returns the configured keys of executors, sealed by the current key encryption key.
func SealExecutors(ctx context.Context, cfg Config, with *seal.Sealer) ([]string, error) {
	texts, err := cfg.keys()
	if err != nil {
		return nil, err
	}
	sealed := make([]string, len(texts))
	for i, text := range texts {
		if seal.IsSealed(text) {
			sealed[i], _, err = with.Rewrap(ctx, text, sealedKey)
		} else if _, err = account.ParseKey(text); err == nil {
			sealed[i], err = with.Seal(ctx, seal.Secret(text), sealedKey)
		}
		if err != nil {
			return nil, fmt.Errorf("executor %d: %w", i, err)
		}
	}
	return sealed, nil
}

// work advances sent operations and deletes old rows, until ctx ends.
func (s *server) work(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error { return s.bringForward(ctx) })
	g.Go(func() error {
		return every(ctx, cleanupInterval, func() {
			if err := s.deleteOld(ctx); err != nil && ctx.Err() == nil {
				s.deps.Log.WarnContext(ctx, "old rows not deleted", "error", err)
			}
		})
	})
	return g.Wait()
}

// every calls do at each interval until ctx ends.
func every(ctx context.Context, interval time.Duration, do func()) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			do()
		}
	}
}

// bringForward advances the operations of each chain on its own, so that nodes that hang do not delay other chains.
func (s *server) bringForward(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	gauge := newFundsGauge()
	for id, c := range s.cfg.Chains {
		if c.URL == "" {
			g.Go(func() error { return every(ctx, stepInterval, func() { s.step(ctx, id) }) })
			g.Go(func() error { return s.watchFunds(ctx, id, gauge) })
		}
	}
	for id := range s.cfg.Chains {
		g.Go(func() error { return every(ctx, giveBackInterval, func() { s.giveBack(ctx, id) }) })
	}
	g.Go(func() error {
		return every(ctx, openInterval, func() {
			if s.executor.Load() != nil {
				return
			}
			if err := s.openExecutor(ctx); err != nil && ctx.Err() == nil {
				s.deps.Log.ErrorContext(ctx, "keys of executors not opened", "error", err)
			}
		})
	})
	return g.Wait()
}

// step advances the operations of a chain.
func (s *server) step(ctx context.Context, chainID string) {
	x := s.executor.Load()
	if x == nil {
		return
	}
	err := routine.Call(ctx, func() error {
		chain, err := s.endpoint.Chain(ctx, chainID)
		if err != nil {
			return err
		}
		return x.Step(ctx, chain)
	})
	if err != nil && ctx.Err() == nil {
		s.deps.Log.WarnContext(ctx, "user operations not advanced", "chain", chainID, "error", err)
	}
}

// giveBack gives back the sponsorships of a chain whose operations were not sent, on one replica at a time.
func (s *server) giveBack(ctx context.Context, chainID string) {
	_, err := s.deps.DB.Exclusively(ctx, "bundler sponsorships "+chainID, func() error {
		ctx, cancel := context.WithTimeout(ctx, giveBackInterval/3)
		defer cancel()
		return s.endpoint.Paymaster.GiveBack(ctx, s.deps.Chain.Transport(chainID), chainID)
	})
	if err != nil && ctx.Err() == nil {
		s.deps.Log.WarnContext(ctx, "sponsorships not given back", "chain", chainID, "error", err)
	}
}

// deleteOld deletes rows that are older than KeepFor, on one replica at a time.
func (s *server) deleteOld(ctx context.Context) error {
	_, err := s.deps.DB.Exclusively(ctx, "bundler cleanup", func() error {
		if err := s.store.DeleteBefore(ctx, s.deps.Clock.Now().Add(-s.cfg.KeepFor)); err != nil {
			return err
		}
		// Limits of an hour count the operations of the last one.
		return s.store.KeepNewest(ctx, s.cfg.KeepOperations, s.deps.Clock.Now().Add(-2*time.Hour))
	})
	return err
}
