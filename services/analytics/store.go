package analytics

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"

	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db. It creates the tables that do not exist.
func NewSQLStore(ctx context.Context, db *store.DB) (*SQLStore, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, "analytics", files); err != nil {
		return nil, err
	}
	return &SQLStore{db: db}, nil
}

// Add adds counts to those that are stored, in one transaction.
func (s *SQLStore) Add(ctx context.Context, counts []Count) error {
	// A fixed order prevents deadlocks between replicas that write the same rows.
	slices.SortFunc(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Project, b.Project), cmp.Compare(a.Day, b.Day), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Detail, b.Detail))
	})
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		for _, c := range counts {
			_, err := tx.ExecContext(ctx, `INSERT INTO analytics_counts (project, day, event, detail, count) VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT (project, day, event, detail) DO UPDATE SET count = analytics_counts.count + excluded.count`, c.Project, c.Day, c.Name, c.Detail, c.N)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("add counts", err)
}

// List returns the counts of a project.
func (s *SQLStore) List(ctx context.Context, project, fromDay string) (all []Count, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT day, event, detail, count FROM analytics_counts
		WHERE project = $1 AND day >= $2 ORDER BY day DESC, event, detail`, project, fromDay)
	if err != nil {
		return nil, wrap("list counts", err)
	}
	defer rows.Close()
	for rows.Next() {
		c := Count{Key: Key{Project: project}}
		if err := rows.Scan(&c.Day, &c.Name, &c.Detail, &c.N); err != nil {
			return nil, wrap("list counts", err)
		}
		all = append(all, c)
	}
	return all, wrap("list counts", rows.Err())
}

// DeleteBefore deletes the counts of earlier days.
func (s *SQLStore) DeleteBefore(ctx context.Context, day string) error {
	return wrap("delete old counts", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM analytics_counts WHERE day < $1`, day)
		return err
	}))
}

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
