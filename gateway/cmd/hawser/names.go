package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// printSigners is `hawser names ens-signer`: it prints the accounts whose signatures a resolver contract has to trust, one a line, the one that signs now
// before the others.
func printSigners(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	signers, err := ensSigners(ctx, c)
	for _, signer := range signers {
		if _, err := fmt.Fprintln(out, signer); err != nil {
			return err
		}
	}
	return err
}

func ensSigners(ctx context.Context, c Config) (signers []evm.Address, err error) {
	db, err := store.Open(ctx, c.dsn())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return names.ENSSigners(ctx, c.Names.ENS, db)
}
