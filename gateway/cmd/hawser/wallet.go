package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/wallet"
)

// walletKeys is `hawser wallet`.
func walletKeys(ctx context.Context, args []string, out io.Writer) (err error) {
	if len(args) == 0 || args[0] != "rewrap" {
		return usagef("wallet wants rewrap")
	}
	c, err := load(newFlags("wallet rewrap"), args[1:], out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, c.dsn())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	changed, err := wallet.Rewrap(ctx, c.wallet(), db)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d values are sealed with the key of wallet.key now.\n", changed)
	return err
}

// wallet returns the configuration of the wallet service with what it has from others.
func (c Config) wallet() wallet.Config {
	w := c.Wallet
	w.PublicURL, w.FrameOrigin, w.DataDir, w.Development = c.publicURL(), c.frameOrigin(), c.DataDir, c.Chains.Dev
	return w
}
