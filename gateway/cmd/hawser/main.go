package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/files"
)

// Set by the linker.
var (
	version = "dev"
	commit  = "unknown"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	// exitUsage is for a wrong command line.
	exitUsage = 2
)

// command is one thing that hawser does.
type command struct {
	name    string
	summary string
	do      func(ctx context.Context, args []string, out io.Writer) error
}

func commands() []command {
	return []command{
		{"run", "run the suite; what hawser does without a command", serve},
		{"project", "create, list and change projects, and show what their visitors do", project},
		{"names", "connect the names with the Ethereum Name Service", nameService},
		{"wallet", "replace the key that seals the embedded wallets", walletKeys},
		{"bundler", "seal the keys of the executors", executorKeys},
		{"migrate", "bring the tables of the database to this release's versions", migrate},
		{"backup", "copy the SQLite database of a running suite to a file", backUp},
		{"config", "print or check the configuration", configuration},
		{"health", "ask the process with this configuration whether it is ready", askHealth},
		{"status", "show how the processes, the database, NATS and the nodes of a running suite are", showStatus},
		{"version", "print the version", printVersion},
	}
}

func main() {
	tuneGC()
	files.Umask(false)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	os.Exit(hawser(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// hawser runs a command and returns the exit code. Errors are printed on one line each.
func hawser(ctx context.Context, args []string, out, errOut io.Writer) int {
	name, rest := "run", args
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, rest = args[0], args[1:]
	}
	if name == "help" || (len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help")) {
		help(out)
		return exitOK
	}
	if len(args) == 1 && (args[0] == "-version" || args[0] == "--version") {
		name, rest = "version", nil
	}
	for _, c := range commands() {
		if c.name == name {
			return report(errOut, c.do(ctx, rest, out))
		}
	}
	return report(errOut, usagef("there is no command %q; `hawser help` lists them", name))
}

func report(errOut io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	if faults, ok := config.IsFaults(err); ok {
		for _, f := range faults {
			fmt.Fprintln(errOut, "hawser:", f)
		}
	} else {
		fmt.Fprintln(errOut, "hawser:", err)
	}
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit.code
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	return exitFailed
}

func help(out io.Writer) {
	fmt.Fprint(out, "Wallet connection and token management that a site hosts itself.\n\nhawser <command> [flags]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(out, "  %-8s  %s\n", c.name, c.summary)
	}
	fmt.Fprint(out, "\nEvery setting that `hawser config print` shows can be given in a YAML file (-config, or HAWSER_CONFIG),\n"+
		"as a variable (HAWSER_LISTEN_GATEWAY) and as a flag (-listen.gateway), the later winning.\n")
}

func printVersion(_ context.Context, args []string, out io.Writer) error {
	if len(args) > 0 {
		return usagef("version takes no arguments")
	}
	_, err := fmt.Fprintf(out, "hawser %s (%s)\n", version, commit)
	return err
}

// usageError is the error of a wrong command line.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{text: fmt.Sprintf(format, args...)} }

// exitError is an error with an exit code of its own.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }

func (e *exitError) Unwrap() error { return e.err }

// newFlags returns a flag set that prints nothing by itself.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}
