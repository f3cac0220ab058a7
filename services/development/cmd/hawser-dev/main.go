package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/files"
	"github.com/hawser-dev/hawser/services/platform/observe"
)

func main() {
	files.Umask(false)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	if err := hawserDev(ctx, os.Args[1:], os.Stderr); err != nil {
		report(os.Stderr, err)
		os.Exit(1)
	}
}

// hawserDev hosts the servers until ctx ends.
func hawserDev(ctx context.Context, args []string, log io.Writer) error {
	c, err := load(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	logger, err := observe.NewLogger(log, c.Log)
	if err != nil {
		return err
	}
	err = serve(ctx, c, logger)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// report prints an error, each fault of the configuration on a line.
func report(out io.Writer, err error) {
	faults, ok := config.IsFaults(err)
	if !ok {
		fmt.Fprintln(out, "hawser-dev:", err)
	}
	for _, f := range faults {
		fmt.Fprintln(out, "hawser-dev:", f)
	}
}
