package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
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
	// do gets an empty flag set, whose name is that of the command, and what follows the name on the command line.
	do func(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error
	// args are the arguments before the flags, for the help.
	args string
	// bare is set if the command has neither arguments nor flags.
	bare bool
	// commands are set instead of do if the name of one of them has to follow.
	commands []command
}

func commands() []command {
	return []command{
		{name: "run", summary: "run the suite; what hawser does without a command", do: serve},
		{name: "project", summary: "create, list and change projects, and show what their visitors do", commands: []command{
			{name: "create", summary: "create a project", do: project},
			{name: "list", summary: "list the projects", do: project},
			{name: "set", args: "<id>", summary: "change the name, the origins or the limits of a project", do: project},
			{name: "enable", args: "<id>", summary: "answer the calls of a disabled project again", do: project},
			{name: "disable", args: "<id>", summary: "refuse the calls of a project", do: project},
			{name: "stats", args: "<id>", summary: "show what the visitors of a project do, by day", do: project},
		}},
		{name: "console", summary: "sign in to the operator's console, and say who its operators are", commands: []command{
			{name: "login", summary: "print a link that signs an operator in, once and within ten minutes", do: consoleLogin},
			{name: "users", summary: "list the operators, change their roles and remove them", commands: []command{
				{name: "list", summary: "list the operators", do: listOperators},
				{name: "role", args: "<name> <role>", summary: "change the role of an operator: viewer, support, operator or owner", do: setOperatorRole},
				{name: "remove", args: "<name>", summary: "remove an operator with the operator's sessions and links", do: removeOperator},
			}},
		}},
		{name: "webhook", summary: "create, list and change the webhooks of a project, and send them again", commands: []command{
			{name: "create", args: "<project>", summary: "add an endpoint, and print its secret", do: webhook},
			{name: "list", args: "<project>", summary: "list the endpoints of a project", do: webhook},
			{name: "deliveries", args: "<project>", summary: "list what was sent to the endpoints of a project, the newest first", do: webhook},
			{name: "rotate", args: "<endpoint>", summary: "give an endpoint a new secret, and print it", do: webhook},
			{name: "enable", args: "<endpoint>", summary: "send to a disabled endpoint again", do: webhook},
			{name: "disable", args: "<endpoint>", summary: "send nothing to an endpoint; its webhooks wait", do: webhook},
			{name: "delete", args: "<endpoint>", summary: "delete an endpoint, and what waits for it", do: webhook},
			{name: "replay", args: "<project>", summary: "send webhooks again that were delivered or given up", do: webhook},
		}},
		{name: "names", summary: "connect the names with the Ethereum Name Service", commands: []command{
			{name: "ens-signer", summary: "print the accounts whose signatures a resolver contract has to trust", do: printSigners},
			{name: "deploy-resolver", summary: "deploy a resolver contract that trusts the accounts of ens-signer, and print its address", do: deployResolver},
		}},
		{name: "wallet", summary: "replace the key that seals the embedded wallets", commands: []command{
			{name: "rewrap", summary: "seal with the key of wallet.key what the keys of wallet.previous_keys sealed", do: rewrap},
		}},
		{name: "bundler", summary: "seal the keys of the executors", commands: []command{
			{name: "seal", summary: "print the keys of bundler.executors, sealed", do: sealExecutors},
		}},
		{name: "migrate", summary: "bring the tables of the database to this release's versions", do: migrate},
		{name: "backup", summary: "copy the SQLite database of a running suite, and what is beside it", do: backUp},
		{name: "config", summary: "print or check the configuration", commands: []command{
			{name: "print", summary: "print every setting with its value and what it does; secrets are hidden", do: printConfig},
			{name: "check", summary: "report what is wrong with the configuration", do: checkConfig},
			{name: "document", summary: "print a page about every setting, in Markdown", do: documentConfig, bare: true},
		}},
		{name: "health", summary: "ask the process with this configuration whether it is ready", do: askHealth},
		{name: "status", summary: "show how the processes, the database, NATS and the nodes of a running suite are", do: showStatus},
		{name: "version", summary: "print the version", do: printVersion, bare: true},
	}
}

// run runs the command, or the one of its commands that args name. The path is what the command line has up to its name.
func (c command) run(ctx context.Context, path string, args []string, out io.Writer) error {
	flags := newFlags(path)
	if len(args) > 0 && isHelp(args[0]) && (c.bare || len(c.commands) > 0) {
		return c.help(flags, out)
	}
	switch {
	case c.bare && len(args) > 0:
		return usagef("%s takes no arguments", path)
	case len(c.commands) == 0:
		err := c.do(ctx, flags, args, out)
		if errors.Is(err, flag.ErrHelp) {
			return c.help(flags, out)
		}
		return err
	case len(args) == 0:
		return usagef("%s wants %s", path, c.choices())
	}
	for _, inner := range c.commands {
		if inner.name == args[0] {
			return inner.run(ctx, path+" "+inner.name, args[1:], out)
		}
	}
	return usagef("%s wants %s, not %q", path, c.choices(), args[0])
}

// usage is the command's name with its arguments.
func (c command) usage() string { return strings.TrimSpace(c.name + " " + c.args) }

// choices lists the commands of a command in a sentence.
func (c command) choices() string {
	texts := make([]string, len(c.commands))
	for i, inner := range c.commands {
		texts[i] = inner.usage()
	}
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// help prints what the command does, with its commands or its flags.
func (c command) help(flags *flag.FlagSet, out io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s%s.\n\nhawser %s", strings.ToUpper(c.summary[:1]), c.summary[1:], strings.TrimSpace(flags.Name()+" "+c.args))
	switch {
	case c.bare:
		text.WriteString("\n")
	case len(c.commands) > 0:
		text.WriteString(" <command> [flags]\n\n")
		list(&text, c.commands)
		fmt.Fprintf(&text, "\n`hawser %s <command> -h` lists the flags of a command.\n", flags.Name())
	default:
		var own strings.Builder
		flags.SetOutput(&own)
		flags.PrintDefaults()
		if own.Len() > 0 {
			own.WriteString("\n")
		}
		text.WriteString(" [flags]\n\n" + own.String() + settingsHelp)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// list prints the commands, one a line.
func list(out io.Writer, commands []command) {
	width := 0
	for _, c := range commands {
		width = max(width, len(c.usage()))
	}
	for _, c := range commands {
		fmt.Fprintf(out, "  %-*s  %s\n", width, c.usage(), c.summary)
	}
}

const settingsHelp = "Every setting that `hawser config print` shows can be given in a YAML file (-config, or HAWSER_CONFIG),\n" +
	"as a variable (HAWSER_LISTEN_GATEWAY) and as a flag (-listen.gateway), the later winning.\n"

// isHelp reports whether an argument asks for help; these are the flags for which the package flag returns [flag.ErrHelp].
func isHelp(arg string) bool { return slices.Contains([]string{"-h", "--h", "-help", "--help"}, arg) }

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
	if name == "help" || (len(args) == 1 && isHelp(args[0])) {
		help(out)
		return exitOK
	}
	if len(args) == 1 && (args[0] == "-version" || args[0] == "--version") {
		name, rest = "version", nil
	}
	for _, c := range commands() {
		if c.name == name {
			return report(errOut, c.run(ctx, name, rest, out))
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
	list(out, commands())
	fmt.Fprint(out, "\n`hawser <command> -h` describes a command.\n", settingsHelp)
}

func printVersion(_ context.Context, _ *flag.FlagSet, _ []string, out io.Writer) error {
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
