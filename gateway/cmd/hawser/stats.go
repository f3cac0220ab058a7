package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/hawser-dev/hawser/services/analytics"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/projects"
)

// maxStatsDays bounds the days that are shown.
const maxStatsDays = 3650

// stats prints the counts of a project's events by day, the newest day first.
func (p *projectCommand) stats(ctx context.Context, c Config, out io.Writer) (err error) {
	id, err := projects.ParseID(p.id)
	if err != nil {
		return plain(err)
	}
	if p.days < 1 || p.days > maxStatsDays {
		return usagef("-days is not between 1 and %d", maxStatsDays)
	}
	db, err := store.Open(ctx, c.dsn())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	kept, err := analytics.NewSQLStore(ctx, db)
	if err != nil {
		return err
	}
	from := time.Now().UTC().AddDate(0, 0, 1-int(p.days)).Format(time.DateOnly)
	counts, err := kept.List(ctx, string(id), from)
	if err != nil {
		return err
	}
	if p.json {
		return printStatsJSON(out, counts)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "DAY\tEVENT\tDETAIL\tCOUNT")
	for _, n := range counts {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\n", n.Day, n.Name, n.Detail, n.N)
	}
	return table.Flush()
}

// printStatsJSON writes one count a line.
func printStatsJSON(out io.Writer, counts []analytics.Count) error {
	enc := json.NewEncoder(out)
	for _, n := range counts {
		err := enc.Encode(struct {
			Day    string `json:"day"`
			Event  string `json:"event"`
			Detail string `json:"detail,omitempty"`
			Count  int64  `json:"count"`
		}{n.Day, n.Name, n.Detail, n.N})
		if err != nil {
			return err
		}
	}
	return nil
}
