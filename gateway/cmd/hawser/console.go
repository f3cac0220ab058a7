package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// operatorTools are what the commands about operators work with.
type operatorTools struct {
	operators *console.Operators
	log       *audit.Log
	config    Config
}

// withOperators loads the configuration, opens its database, which has to exist, and calls do.
func withOperators(ctx context.Context, flags *flag.FlagSet, args []string, do func(t operatorTools) error) (err error) {
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	if file, isNew := c.databaseFile(); isNew {
		return noDatabase(file)
	}
	db, err := store.Open(ctx, c.dsn())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := console.Migrate(ctx, db); err != nil {
		return err
	}
	return do(operatorTools{
		operators: console.NewOperators(c.Console, console.NewSQLStore(db), clock.System{}, rand.Reader), log: audit.New(db, clock.System{}), config: c,
	})
}

// consoleLogin is `hawser console login`: it prints a link that signs an operator in, who is added if there is none of the name.
func consoleLogin(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	name := flags.String("name", osUser(), "name of the operator")
	role := flags.String("role", "", "role of a new operator: viewer, support, operator or owner; owner if left out")
	return withOperators(ctx, flags, args, func(t operatorTools) error {
		wanted := console.Role(*role)
		if *role != "" {
			var err error
			if wanted, err = console.ParseRole(*role); err != nil {
				return usagef("-role: %s", err)
			}
		}
		var token string
		var of console.Operator
		err := audited(ctx, t.log, "console login", func(e *audit.Entry) (err error) {
			token, of, err = t.operators.Invite(ctx, *name, wanted)
			e.Target = "operator " + of.ID
			return err
		})
		if other, ok := errors.AsType[*console.OtherRoleError](err); ok {
			return fmt.Errorf("%w: `hawser console users role %q %s` changes it", other, other.Operator.Name, *role)
		}
		if errors.Is(err, console.ErrName) {
			return usagef("-name: %s", err)
		}
		if err != nil {
			return err
		}
		note := ""
		if t.config.Listen.Console == "" {
			note = "\nlisten.console is empty in this configuration: the console is off in a suite that has it too.\n"
		}
		_, err = fmt.Fprintf(out, "Written to %s.\n%s\n%s, whose role is %s, signs in within ten minutes, once, at\n\n  %s/login#%s\n", t.config.database(), note, of.Name, of.Role,
			t.config.consoleOrigin(), token)
		return err
	})
}

// listOperators is `hawser console users list`.
func listOperators(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	return withOperators(ctx, flags, args, func(t operatorTools) error {
		all, err := t.operators.List(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "NAME\tROLE\tCREATED\tLAST SEEN")
		for _, o := range all {
			seen := "never"
			if !o.UsedAt.IsZero() {
				seen = o.UsedAt.Format(time.DateTime)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", o.Name, o.Role, o.CreatedAt.Format(time.DateTime), seen)
		}
		return table.Flush()
	})
}

// setOperatorRole is `hawser console users role <name> <role>`.
func setOperatorRole(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	names, args, err := named(flags, args, "the name of an operator and a role", 2)
	if err != nil {
		return err
	}
	return withOperators(ctx, flags, args, func(t operatorTools) error {
		role, err := console.ParseRole(names[1])
		if err != nil {
			return usagef("%s", err)
		}
		var after console.Operator
		err = audited(ctx, t.log, "console users role", func(e *audit.Entry) error {
			found, err := t.operators.Named(ctx, names[0])
			if err != nil {
				return err
			}
			e.Target, e.Before, e.After = "operator "+found.ID, fmt.Sprintf(`{"role":%q}`, found.Role), fmt.Sprintf(`{"role":%q}`, role)
			_, after, err = t.operators.SetRole(ctx, found.ID, role)
			return err
		})
		if err != nil {
			return explainOperator(err, names[0])
		}
		_, err = fmt.Fprintf(out, "Written to %s.\n%s has the role %s.\n", t.config.database(), after.Name, after.Role)
		return err
	})
}

// removeOperator is `hawser console users remove <name>`.
func removeOperator(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	names, args, err := named(flags, args, "the name of an operator", 1)
	if err != nil {
		return err
	}
	return withOperators(ctx, flags, args, func(t operatorTools) error {
		err := audited(ctx, t.log, "console users remove", func(e *audit.Entry) error {
			found, err := t.operators.Named(ctx, names[0])
			if err != nil {
				return err
			}
			e.Target, e.Before = "operator "+found.ID, fmt.Sprintf(`{"name":%q,"role":%q}`, found.Name, found.Role)
			_, err = t.operators.Remove(ctx, found.ID)
			return err
		})
		if err != nil {
			return explainOperator(err, names[0])
		}
		_, err = fmt.Fprintf(out, "Written to %s.\n%s is removed.\n", t.config.database(), names[0])
		return err
	})
}

// named returns the first n arguments, which are not flags unless help is asked for, and the rest.
func named(flags *flag.FlagSet, args []string, what string, n int) (names, rest []string, err error) {
	if len(args) > 0 && isHelp(args[0]) {
		return make([]string, n), args, nil
	}
	for len(names) < n {
		if len(args) == 0 || strings.HasPrefix(args[0], "-") {
			return nil, nil, usagef("%s wants %s first", flags.Name(), what)
		}
		names, args = append(names, args[0]), args[1:]
	}
	return names, args, nil
}

// explainOperator returns an error of the domain with the name of the operator.
func explainOperator(err error, name string) error {
	switch {
	case errors.Is(err, console.ErrUnknown):
		return fmt.Errorf("there is no operator %q; `hawser console users list` lists them", name)
	case errors.Is(err, console.ErrLastOwner):
		return fmt.Errorf("%q is the only owner: make another one first", name)
	}
	return err
}

// audited runs a command that changes something, with its entries in the audit log: one before, without which it is not run, and one that says how it
// ended. do may complete the second one.
func audited(ctx context.Context, log *audit.Log, command string, do func(e *audit.Entry) error) error {
	e := audit.Entry{OperatorName: "cli " + osUser(), Call: command, Changes: true, Outcome: audit.Started}
	id, err := log.Append(ctx, e)
	if err != nil {
		return err
	}
	e.StartedBy, e.Outcome = id, audit.Done
	failed := do(&e)
	if failed != nil {
		e.Outcome, e.Reason = audit.Failed, failed.Error()
	}
	if _, err = log.Append(ctx, e); err != nil {
		return errors.Join(failed, err)
	}
	return failed
}

// osUser returns the name of the account of the process, for the audit log.
func osUser() string {
	if of, err := user.Current(); err == nil && of.Username != "" {
		return of.Username
	}
	if name := os.Getenv("USER"); name != "" {
		return name
	}
	return "unknown"
}
