package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const namesUsage = "names wants ens-signer or deploy-resolver"

// nameService is `hawser names`.
func nameService(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return usagef(namesUsage)
	}
	var d resolverCommand
	verb, rest := args[0], args[1:]
	flags := newFlags("names " + verb)
	do := printSigners
	switch verb {
	case "ens-signer":
	case "deploy-resolver":
		d.flags(flags)
		do = d.deploy
	default:
		return usagef("%s, not %q", namesUsage, verb)
	}
	c, err := load(flags, rest, out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	return do(ctx, c, out)
}

// printSigners prints the accounts whose signatures a resolver contract has to trust, one a line, the one that signs now before the others.
func printSigners(ctx context.Context, c Config, out io.Writer) error {
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
