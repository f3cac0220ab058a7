package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/hawser-dev/hawser/services/bundler"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/sessions"
	"github.com/hawser-dev/hawser/services/wallet"
	"github.com/hawser-dev/hawser/services/webhooks"
)

// rewrap is `hawser wallet rewrap`.
func rewrap(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	return withKeys(ctx, flags, args, true, func(c Config, deps wallet.Deps) error {
		sealer, err := wallet.OpenSealer(ctx, c.wallet(), deps)
		if err != nil {
			return err
		}
		ofWallets, failed := wallet.Rewrap(ctx, c.wallet(), deps)
		ofSessions, err := sessions.Rewrap(ctx, deps.DB, sealer)
		ofWebhooks, errOfWebhooks := webhooks.Rewrap(ctx, deps.DB, sealer)
		n := ofWallets + ofSessions + ofWebhooks
		if err := errors.Join(failed, err, errOfWebhooks); err != nil {
			return fmt.Errorf("%d values in %s are sealed with the key of wallet.key now, but not all: %w", n, c.database(), err)
		}
		_, err = fmt.Fprintf(out, "%d values in %s are sealed with the key of wallet.key now.\n", n, c.database())
		return err
	})
}

// sealExecutors is `hawser bundler seal`.
func sealExecutors(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	return withKeys(ctx, flags, args, false, func(c Config, deps wallet.Deps) error {
		sealer, err := wallet.OpenSealer(ctx, c.wallet(), deps)
		if err != nil {
			return err
		}
		sealed, err := bundler.SealExecutors(ctx, c.Bundler, sealer)
		if err != nil {
			return err
		}
		for _, line := range sealed {
			if _, err := fmt.Fprintln(out, line); err != nil {
				return err
			}
		}
		return nil
	})
}

// withKeys loads the configuration, opens its database, which is made unless it has to exist, and calls do.
func withKeys(ctx context.Context, flags *flag.FlagSet, args []string, mustExist bool, do func(c Config, deps wallet.Deps) error) (err error) {
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	if file, isNew := c.databaseFile(); isNew && mustExist {
		return noDatabase(file)
	}
	db, err := store.Open(ctx, c.dsn())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(c, wallet.Deps{DB: db, Clock: clock.System{}, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
}

// wallet returns the configuration of the wallet service with what it has from others.
func (c Config) wallet() wallet.Config {
	w := c.Wallet
	w.FrameOrigin, w.DataDir, w.Removals, w.Development = c.frameOrigin(), c.DataDir, c.removals(), c.Chains.Dev
	return w
}
