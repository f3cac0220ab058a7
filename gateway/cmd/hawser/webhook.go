package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/projects"
	"github.com/hawser-dev/hawser/services/wallet"
	"github.com/hawser-dev/hawser/services/webhooks"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
)

const (
	// maxKeep bounds how long the old secret is valid after a rotation.
	maxKeep = 30 * 24 * time.Hour
	// maxListed bounds the deliveries that are listed.
	maxListed = 1000
)

// webhook runs the commands of `hawser webhook`. It writes to the database of the configuration; a running suite gets the change within a second.
func webhook(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	w := webhookCommand{verb: strings.TrimPrefix(flags.Name(), "webhook ")}
	flags.BoolVar(&w.json, "json", false, "print JSON")
	subject := "a project"
	switch w.verb {
	case "create":
		flags.StringVar(&w.url, "url", "", "where webhooks are posted")
		flags.Func("kind", "kind of events, as order.paid; give it once for each; all but wallet.connected and those of transactions when left out", func(text string) error {
			w.kinds = append(w.kinds, text)
			return nil
		})
	case "list":
	case "deliveries":
		flags.StringVar(&w.endpoint, "endpoint", "", "list those of one endpoint")
		flags.StringVar(&w.state, "state", "", "list only those that are waiting, delivered or failed")
		flags.Int64Var(&w.before, "before", 0, "list those before the one with this id")
		flags.UintVar(&w.limit, "limit", 50, "how many to list")
	case "replay":
		flags.Int64Var(&w.delivery, "delivery", 0, "id of one delivery")
		flags.Func("from", "start of a time range, as 2026-01-31T12:00:00Z", w.timeFlag(&w.from))
		flags.Func("to", "end of the time range; now when left out", w.timeFlag(&w.to))
		flags.StringVar(&w.endpoint, "endpoint", "", "only what was sent to one endpoint in the time range")
		flags.BoolVar(&w.failed, "failed", false, "only what was given up in the time range")
	case "rotate":
		subject = "an endpoint"
		flags.DurationVar(&w.keep, "keep", 24*time.Hour, "how long the old secret is valid beside the new one; 0 ends it now")
	default:
		subject = "an endpoint"
	}
	switch {
	case len(args) > 0 && isHelp(args[0]):
	case len(args) == 0 || strings.HasPrefix(args[0], "-"):
		return usagef("webhook %s wants the id of %s first", w.verb, subject)
	default:
		w.id, args = args[0], args[1:]
	}
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	if err := w.check(); err != nil {
		return err
	}
	if file, isNew := c.databaseFile(); isNew {
		return noDatabase(file)
	}
	return w.run(ctx, c, out)
}

// webhookCommand are the flags of the command.
type webhookCommand struct {
	verb, id string
	url      string
	kinds    []string
	endpoint string
	state    string
	before   int64
	limit    uint
	delivery int64
	from, to time.Time
	failed   bool
	keep     time.Duration
	json     bool
}

func (w *webhookCommand) timeFlag(into *time.Time) func(string) error {
	return func(text string) (err error) {
		*into, err = time.Parse(time.RFC3339, text)
		return err
	}
}

// check returns what is wrong with the flags, before the database is opened.
func (w *webhookCommand) check() error {
	switch {
	case w.verb == "create" && w.url == "":
		return usagef("webhook create wants -url")
	case w.verb == "replay" && (w.delivery == 0) == w.from.IsZero():
		return usagef("webhook replay wants either -delivery or -from")
	case w.verb == "rotate" && (w.keep < 0 || w.keep > maxKeep):
		return usagef("-keep is not between 0 and %s", maxKeep)
	case w.verb == "deliveries" && (w.limit < 1 || w.limit > maxListed):
		return usagef("-limit is not between 1 and %d", maxListed)
	}
	switch deliveries.State(w.state) {
	case "", deliveries.Waiting, deliveries.Delivered, deliveries.Failed:
		return nil
	}
	return usagef("-state is not waiting, delivered or failed")
}

// run opens the database and runs the command.
func (w *webhookCommand) run(ctx context.Context, c Config, out io.Writer) (err error) {
	db, err := store.Open(ctx, c.dsn())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := w.checkProject(ctx, db); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	var sealer *seal.Sealer
	if w.verb == "create" || w.verb == "rotate" {
		if sealer, err = wallet.OpenSealer(ctx, c.wallet(), wallet.Deps{DB: db, Clock: clock.System{}, Log: log}); err != nil {
			return err
		}
	}
	registry, err := webhooks.Open(ctx, c.webhooks(), db, sealer, clock.System{}, log)
	if err != nil {
		return err
	}
	err = w.do(ctx, registry, c.database(), out)
	if invalid, ok := errors.AsType[*deliveries.Invalid](err); ok {
		return usagef("%s", invalid)
	}
	return err
}

// checkProject checks the id of a project.
func (w *webhookCommand) checkProject(ctx context.Context, db *store.DB) error {
	switch w.verb {
	case "create", "list", "deliveries", "replay":
	default:
		return nil
	}
	outbox, err := bus.NewOutbox(ctx, db)
	if err != nil {
		return err
	}
	registry, err := projects.Open(ctx, db, outbox)
	if err != nil {
		return err
	}
	id, err := projects.ParseID(w.id)
	if err != nil {
		return plain(err)
	}
	if _, err := registry.Find(ctx, id); errors.Is(err, projects.ErrUnknown) {
		return fmt.Errorf("there is no project %s", id)
	} else if err != nil {
		return err
	}
	return nil
}

func (w *webhookCommand) do(ctx context.Context, registry *deliveries.Registry, database string, out io.Writer) error {
	switch w.verb {
	case "create":
		e, secret, err := registry.Create(ctx, w.id, w.url, w.kinds)
		if err != nil {
			return err
		}
		return w.printSecret(out, database, e, secret)
	case "list":
		all, err := registry.Store.List(ctx, w.id)
		if err != nil {
			return err
		}
		return w.printEndpoints(out, "", all...)
	case "deliveries":
		all, err := registry.Store.Deliveries(ctx, w.id, deliveries.Filter{Endpoint: w.endpoint, State: deliveries.State(w.state), Before: w.before, Limit: int(w.limit)})
		if err != nil {
			return err
		}
		return w.printDeliveries(out, all)
	case "rotate":
		e, secret, err := registry.Rotate(ctx, "", w.id, w.keep)
		if err != nil {
			return w.unknown(err)
		}
		return w.printSecret(out, database, e, secret)
	case "enable", "disable":
		e, err := registry.SetEnabled(ctx, "", w.id, w.verb == "enable")
		if err != nil {
			return w.unknown(err)
		}
		return w.printEndpoints(out, database, e)
	case "delete":
		if err := registry.Store.Delete(ctx, "", w.id); err != nil {
			return w.unknown(err)
		}
		_, err := fmt.Fprintf(out, "Deleted from %s.\n", database)
		return err
	}
	return w.replay(ctx, registry, database, out)
}

func (w *webhookCommand) unknown(err error) error {
	if errors.Is(err, deliveries.ErrUnknownEndpoint) {
		return fmt.Errorf("there is no endpoint %s", w.id)
	}
	return err
}

func (w *webhookCommand) replay(ctx context.Context, registry *deliveries.Registry, database string, out io.Writer) error {
	if w.to.IsZero() {
		w.to = time.Now()
	}
	n, more, err := registry.Replay(ctx, w.id, deliveries.Range{ID: w.delivery, From: w.from, To: w.to, Endpoint: w.endpoint, FailedOnly: w.failed})
	if err != nil {
		return err
	}
	rest := ""
	if more {
		rest = " The range has more, for which there is no room until these are delivered."
	}
	_, err = fmt.Fprintf(out, "%d webhooks wait in %s to be sent again.%s\n", n, database, rest)
	return err
}

// printSecret prints an endpoint with its secret, which is not shown again.
func (w *webhookCommand) printSecret(out io.Writer, database string, e deliveries.Endpoint, secret string) error {
	if w.json {
		return json.NewEncoder(out).Encode(struct {
			ID     string `json:"id"`
			Secret string `json:"secret"`
		}{e.ID, secret})
	}
	if err := w.printEndpoints(out, database, e); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nSecret: %s\nIt is not shown again.\n", secret)
	return err
}

// printEndpoints prints endpoints, and first to which database one was written; an empty one says nothing.
func (w *webhookCommand) printEndpoints(out io.Writer, database string, all ...deliveries.Endpoint) error {
	if w.json {
		enc := json.NewEncoder(out)
		for _, e := range all {
			if err := enc.Encode(struct {
				ID        string    `json:"id"`
				URL       string    `json:"url"`
				Kinds     []string  `json:"kinds"`
				Enabled   bool      `json:"enabled"`
				Failures  int       `json:"failures"`
				Waiting   int64     `json:"waiting"`
				Dropped   int64     `json:"dropped"`
				CreatedAt time.Time `json:"createdAt"`
			}{e.ID, e.URL, e.Kinds, e.Enabled, e.Failures, e.Waiting, e.Dropped, e.CreatedAt}); err != nil {
				return err
			}
		}
		return nil
	}
	if database != "" {
		if _, err := fmt.Fprintf(out, "Written to %s.\n", database); err != nil {
			return err
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tURL\tENABLED\tFAILURES\tWAITING\tDROPPED\tCREATED\tKINDS")
	for _, e := range all {
		fmt.Fprintf(table, "%s\t%s\t%t\t%d\t%d\t%d\t%s\t%s\n", e.ID, e.URL, e.Enabled, e.Failures, e.Waiting, e.Dropped, e.CreatedAt.Format(time.DateTime), strings.Join(e.Kinds, ","))
	}
	return table.Flush()
}

func (w *webhookCommand) printDeliveries(out io.Writer, all []deliveries.Delivery) error {
	if w.json {
		enc := json.NewEncoder(out)
		for _, d := range all {
			if err := enc.Encode(struct {
				ID         int64     `json:"id"`
				Endpoint   string    `json:"endpoint"`
				MessageID  string    `json:"messageId"`
				Kind       string    `json:"kind"`
				Account    string    `json:"account"`
				State      string    `json:"state"`
				Attempts   int       `json:"attempts"`
				LastStatus int       `json:"lastStatus,omitempty"`
				LastError  string    `json:"lastError,omitempty"`
				CreatedAt  time.Time `json:"createdAt"`
			}{d.ID, d.Endpoint, d.MessageID, d.Kind, d.Account, string(d.State), d.Attempts, d.LastStatus, d.LastError, d.CreatedAt}); err != nil {
				return err
			}
		}
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tENDPOINT\tKIND\tSTATE\tATTEMPTS\tLAST\tHAPPENED")
	for _, d := range all {
		last := d.LastError
		if d.LastStatus != 0 {
			last = fmt.Sprint(d.LastStatus)
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d\t%s\t%s\n", d.ID, d.Endpoint, d.Kind, d.State, d.Attempts, last, d.CreatedAt.Format(time.DateTime))
	}
	return table.Flush()
}
