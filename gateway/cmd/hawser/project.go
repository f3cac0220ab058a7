package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/projects"
)

// project runs the commands of `hawser project`. It writes to the database of the configuration; a running suite gets the change within a second.
func project(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	var p projectCommand
	verb := strings.TrimPrefix(flags.Name(), "project ")
	flags.BoolVar(&p.json, "json", false, "print JSON")
	var do func(context.Context, *projects.Registry, io.Writer) error
	switch verb {
	case "create":
		flags.StringVar(&p.id, "id", "", "32 lower-case hex digits; drawn when left out")
		p.valueFlags(flags)
		do = p.create
	case "list":
		do = p.list
	case "set", "enable", "disable", "stats":
		switch {
		case len(args) > 0 && isHelp(args[0]):
		case len(args) == 0 || strings.HasPrefix(args[0], "-"):
			return usagef("project %s wants the id of a project first", verb)
		default:
			p.id, args = args[0], args[1:]
		}
		switch verb {
		case "set":
			p.valueFlags(flags)
			do = p.set
		case "stats":
			flags.UintVar(&p.days, "days", 30, "days to show, with today (UTC)")
		default:
			enabled := verb == "enable"
			do = func(ctx context.Context, r *projects.Registry, out io.Writer) error {
				return p.change(ctx, r, out, func(found *projects.Project) error { found.Enabled = enabled; return nil })
			}
		}
	}
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	p.given = map[string]bool{}
	flags.Visit(func(f *flag.Flag) { p.given[f.Name] = true })
	if err := p.checkValues(verb); err != nil {
		return err
	}
	file, isNew := c.databaseFile()
	if isNew && verb != "create" {
		return noDatabase(file)
	}
	if verb == "stats" {
		return p.stats(ctx, c, out)
	}
	p.database, p.isNewFile = c.database(), isNew
	return withRegistry(ctx, c, func(db *store.DB, r *projects.Registry) error {
		if verb == "list" {
			return do(ctx, r, out)
		}
		if err := console.Migrate(ctx, db); err != nil {
			return err
		}
		return audited(ctx, audit.New(db, clock.System{}), flags.Name(), func(e *audit.Entry) error {
			p.entry = e
			return plain(do(ctx, r, out))
		})
	})
}

// withRegistry opens the projects of the configuration for the length of work.
func withRegistry(ctx context.Context, c Config, work func(*store.DB, *projects.Registry) error) (err error) {
	db, err := store.Open(ctx, c.dsn())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	outbox, err := bus.NewOutbox(ctx, db)
	if err != nil {
		return err
	}
	registry, err := projects.Open(ctx, db, outbox)
	if err != nil {
		return err
	}
	return work(db, registry)
}

// plain converts an error of the domain about a value to a usage error.
func plain(err error) error {
	if invalid, ok := errors.AsType[*projects.Invalid](err); ok {
		return usagef("%s", strings.ReplaceAll(invalid.Error(), "\n", "; "))
	}
	return err
}

// projectCommand are the flags of the command.
type projectCommand struct {
	id        string
	name      string
	origins   []string
	anyOrigin bool
	rate      float64
	burst     uint
	json      bool
	days      uint
	given     map[string]bool
	// database names what is written to, and isNewFile says that it was not there before.
	database  string
	isNewFile bool
	// entry is the one in the audit log that says how the command ended; nil for one that changes nothing.
	entry *audit.Entry
}

func (p *projectCommand) valueFlags(flags *flag.FlagSet) {
	flags.StringVar(&p.name, "name", "", "name for the operator, 1 to 80 letters")
	flags.Func("origin", "page that may call, as https://*.example.org; give it once for each", func(text string) error {
		p.origins = append(p.origins, text)
		return nil
	})
	flags.BoolVar(&p.anyOrigin, "any-origin", false, "let every page call")
	flags.Float64Var(&p.rate, "rate", 0, "requests per second that one caller may make on average; 0 is gateway.limits.requests_per_second")
	flags.UintVar(&p.burst, "burst", 0, "requests that one caller may make at once; 0 is what a second allows")
}

// checkValues returns what is wrong with the flags for a command, before a database is opened or made.
func (p *projectCommand) checkValues(verb string) error {
	if verb == "create" && len(p.origins) == 0 && !p.anyOrigin {
		return usagef("project create wants -origin for each page that may call, or -any-origin")
	}
	if p.anyOrigin && len(p.origins) > 0 {
		return usagef("-origin and -any-origin contradict each other")
	}
	if p.burst > 1<<32-1 {
		return usagef("-burst is too large")
	}
	return plain(new(projects.Project).Allow(p.origins))
}

func (p *projectCommand) create(ctx context.Context, r *projects.Registry, out io.Writer) error {
	if !p.given["name"] {
		p.name = "Project"
	}
	created, err := r.Create(ctx, projects.Draft{
		ID: p.id, Name: p.name, AllowedOrigins: p.origins, RequestsPerSecond: p.rate, Burst: uint32(p.burst),
	})
	if err != nil {
		return err
	}
	p.entry.Target, p.entry.After = "project "+string(created.ID), stateOf(created)
	return p.printWritten(out, created)
}

// printWritten prints a project that was written, and to which database: a suite that was started elsewhere uses another one. JSON has the project only.
func (p *projectCommand) printWritten(out io.Writer, written projects.Project) error {
	if !p.json {
		note := ""
		if p.isNewFile {
			note = "\nThis file is new: a suite in another folder or with another configuration does not know the project."
		}
		if _, err := fmt.Fprintf(out, "Written to %s.%s\n", p.database, note); err != nil {
			return err
		}
	}
	return p.print(out, written)
}

func (p *projectCommand) list(ctx context.Context, r *projects.Registry, out io.Writer) error {
	all, err := r.List(ctx)
	if err != nil {
		return err
	}
	return p.print(out, all...)
}

func (p *projectCommand) set(ctx context.Context, r *projects.Registry, out io.Writer) error {
	if !p.given["name"] && !p.given["origin"] && !p.given["any-origin"] && !p.given["rate"] && !p.given["burst"] {
		return usagef("project set wants something to set: -name, -origin, -any-origin, -rate or -burst")
	}
	return p.change(ctx, r, out, p.apply)
}

// apply applies the given flags to a project.
func (p *projectCommand) apply(found *projects.Project) error {
	if p.given["name"] {
		if err := found.Rename(p.name); err != nil {
			return err
		}
	}
	if p.given["origin"] || p.given["any-origin"] {
		if err := found.Allow(p.origins); err != nil {
			return err
		}
	}
	if !p.given["rate"] && !p.given["burst"] {
		return nil
	}
	rate, burst := found.Limit.RequestsPerSecond, found.Limit.Burst
	if p.given["rate"] {
		rate, burst = p.rate, 0
	}
	if p.given["burst"] {
		burst = uint32(p.burst)
	}
	return found.Restrict(rate, burst)
}

func (p *projectCommand) change(ctx context.Context, r *projects.Registry, out io.Writer, change func(*projects.Project) error) error {
	id, err := projects.ParseID(p.id)
	if err != nil {
		return err
	}
	p.entry.Target = "project " + string(id)
	changed, err := r.Change(ctx, id, func(found *projects.Project) error {
		p.entry.Before = stateOf(*found)
		return change(found)
	})
	if errors.Is(err, projects.ErrUnknown) {
		return fmt.Errorf("there is no project %s", id)
	}
	if err != nil {
		return err
	}
	p.entry.After = stateOf(changed)
	return p.printWritten(out, changed)
}

// stateOf returns a project as it is in the audit log.
func stateOf(p projects.Project) string {
	var text strings.Builder
	if err := printJSON(&text, []projects.Project{p}); err != nil {
		return ""
	}
	return strings.TrimSpace(text.String())
}

func (p *projectCommand) print(out io.Writer, all ...projects.Project) error {
	if p.json {
		return printJSON(out, all)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tORIGINS\tRATE\tENABLED\tCREATED")
	for _, found := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%t\t%s\n", found.ID, found.Name, describeOrigins(found), describeLimit(found.Limit), found.Enabled,
			found.CreatedAt.Format(time.DateTime))
	}
	return table.Flush()
}

// printJSON writes one project a line, as programs like to read it.
func printJSON(out io.Writer, all []projects.Project) error {
	enc := json.NewEncoder(out)
	for _, found := range all {
		origins := []string{}
		for _, pattern := range found.AllowedOrigins {
			origins = append(origins, pattern.String())
		}
		err := enc.Encode(struct {
			ID                projects.ID `json:"id"`
			Name              string      `json:"name"`
			AllowedOrigins    []string    `json:"allowedOrigins"`
			RequestsPerSecond float64     `json:"requestsPerSecond"`
			Burst             uint32      `json:"burst"`
			Enabled           bool        `json:"enabled"`
			CreatedAt         time.Time   `json:"createdAt"`
			ChangedAt         time.Time   `json:"changedAt"`
		}{
			found.ID, found.Name, origins, found.Limit.RequestsPerSecond, found.Limit.Burst, found.Enabled,
			found.CreatedAt, found.ChangedAt,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func describeOrigins(p projects.Project) string {
	if len(p.AllowedOrigins) == 0 {
		return "any"
	}
	texts := make([]string, len(p.AllowedOrigins))
	for i, pattern := range p.AllowedOrigins {
		texts[i] = pattern.String()
	}
	return strings.Join(texts, ",")
}

func describeLimit(l projects.Limit) string {
	if l.RequestsPerSecond == 0 {
		return "default"
	}
	return fmt.Sprintf("%g/s, %d at once", l.RequestsPerSecond, l.Burst)
}
