package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/hawser-dev/hawser/services/activity/sqlstore"
	"github.com/hawser-dev/hawser/services/analytics"
	"github.com/hawser-dev/hawser/services/auth"
	bundlerstore "github.com/hawser-dev/hawser/services/bundler/sqlstore"
	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/handoff"
	namestore "github.com/hawser-dev/hawser/services/names/sqlstore"
	"github.com/hawser-dev/hawser/services/nfts"
	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/projects"
	"github.com/hawser-dev/hawser/services/sessions/record"
	"github.com/hawser-dev/hawser/services/wallet/schema"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
)

// migrate is `hawser migrate`: it brings the tables of every service to the versions of this release. Services do the same when they start. Run before an
// upgrade, it shows whether the migrations work while the previous release still answers. Processes that run it at the same time take turns under a lock
// of the database, and each version is applied once.
func migrate(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	if err := c.protect(); err != nil {
		return err
	}
	if err := migrateAll(ctx, c.dsn()); err != nil {
		return err
	}
	if err := c.migrateCache(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "The tables of %s are up to date.\n", c.database())
	return err
}

// migrateCache migrates the database of final results, if there is to be one.
func (c Config) migrateCache(ctx context.Context) (err error) {
	if !c.Chains.Cache.Enabled {
		return nil
	}
	db, err := store.OpenPool(ctx, c.cacheDSN(), cacheConnections)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return finalcache.Migrate(ctx, db)
}

func migrateAll(ctx context.Context, dsn string) (err error) {
	db, err := store.Open(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, part := range []func() error{
		func() error { _, err := bus.NewOutbox(ctx, db); return err },
		func() error { _, err := projects.NewSQLStore(ctx, db, nil); return err },
		func() error { _, err := analytics.NewSQLStore(ctx, db); return err },
		func() error { _, err := auth.NewSQLStore(ctx, db, nil); return err },
		func() error { _, err := handoff.NewSQLStore(ctx, db); return err },
		func() error { return schema.Migrate(ctx, db) },
		func() error { _, err := bundlerstore.New(ctx, db); return err },
		func() error { _, err := record.New(ctx, db, nil, nil); return err },
		func() error { _, err := orders.NewSQLStore(ctx, db, nil); return err },
		func() error { _, err := sqlstore.New(ctx, db, nil, nil); return err },
		func() error { return namestore.Migrate(ctx, db) },
		func() error { return nfts.Migrate(ctx, db) },
		func() error { _, err := deliveries.NewStore(ctx, db); return err },
		func() error { return console.Migrate(ctx, db) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}
