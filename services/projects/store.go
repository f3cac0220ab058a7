package projects

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"time"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/origin"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Store stores projects, and publishes ProjectChanged for every write that succeeds.
type Store interface {
	// Insert stores a new project. It fails with [ErrExists].
	Insert(ctx context.Context, p Project) error
	// Update applies change to a project in a transaction, and returns the result. It fails with the error of change, or with
	// [ErrUnknown], and then stores nothing. change may run more than once.
	Update(ctx context.Context, id ID, change func(p *Project) error) (Project, error)
	// Find returns a project. It fails with [ErrUnknown].
	Find(ctx context.Context, id ID) (Project, error)
	// List returns every project, the oldest first.
	List(ctx context.Context) ([]Project, error)
	// ListAfter returns at most limit projects that come after a place, the oldest first. The zero place is before all.
	ListAfter(ctx context.Context, after Place, limit int) ([]Project, error)
	// Delete deletes a project and returns it. It fails with [ErrUnknown], or with [ErrEnabled] for a project that is enabled.
	Delete(ctx context.Context, id ID) (Project, error)
}

// Place is a place in the list of projects.
type Place struct {
	CreatedAt time.Time
	ID        ID
}

//go:embed migrations
var migrations embed.FS

// SQLStore is a [Store] in an SQL database.
type SQLStore struct {
	db     *store.DB
	outbox *bus.Outbox
}

// NewSQLStore returns a store in db. It creates the tables that do not exist.
func NewSQLStore(ctx context.Context, db *store.DB, outbox *bus.Outbox) (*SQLStore, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, "projects", files); err != nil {
		return nil, err
	}
	return &SQLStore{db: db, outbox: outbox}, nil
}

const columns = `id, name, allowed_origins, requests_per_second, burst, enabled, created_at, changed_at`

// Insert stores a new project.
func (s *SQLStore) Insert(ctx context.Context, p Project) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		origins, err := encodeOrigins(p.AllowedOrigins)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO projects (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			string(p.ID), p.Name, origins, p.Limit.RequestsPerSecond, int64(p.Limit.Burst), p.Enabled, p.CreatedAt.UnixMilli(), p.ChangedAt.UnixMilli())
		if err != nil {
			return err
		}
		return s.publishChange(ctx, tx, p.ID)
	})
	if store.IsUniqueViolation(err) {
		return ErrExists
	}
	return wrap("insert project", err)
}

// Update applies change to a project.
func (s *SQLStore) Update(ctx context.Context, id ID, change func(p *Project) error) (changed Project, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		changed, err = find(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := change(&changed); err != nil {
			return err
		}
		if err := update(ctx, tx, changed); err != nil {
			return err
		}
		return s.publishChange(ctx, tx, id)
	})
	if err != nil {
		return Project{}, wrap("update project", err)
	}
	return changed, nil
}

// Find returns a project.
func (s *SQLStore) Find(ctx context.Context, id ID) (Project, error) {
	p, err := find(ctx, s.db.Reader(), id)
	return p, wrap("find project", err)
}

// List returns every project.
func (s *SQLStore) List(ctx context.Context) ([]Project, error) {
	return s.list(ctx, `SELECT `+columns+` FROM projects ORDER BY created_at, id`)
}

// ListAfter returns projects after a place.
func (s *SQLStore) ListAfter(ctx context.Context, after Place, limit int) ([]Project, error) {
	from := int64(math.MinInt64)
	if after.ID != "" {
		from = after.CreatedAt.UnixMilli()
	}
	return s.list(ctx, `SELECT `+columns+` FROM projects WHERE created_at > $1 OR created_at = $1 AND id > $2 ORDER BY created_at, id LIMIT $3`, from, string(after.ID), limit)
}

// Delete deletes a project.
func (s *SQLStore) Delete(ctx context.Context, id ID) (deleted Project, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if deleted, err = find(ctx, tx, id); err != nil {
			return err
		}
		if deleted.Enabled {
			return ErrEnabled
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM projects WHERE id = $1`, string(id)); err != nil {
			return err
		}
		return s.publishChange(ctx, tx, id)
	})
	if err != nil {
		return Project{}, wrap("delete project", err)
	}
	return deleted, nil
}

func (s *SQLStore) list(ctx context.Context, query string, args ...any) (all []Project, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, wrap("list projects", err)
	}
	defer rows.Close()
	for rows.Next() {
		p, err := scan(rows)
		if err != nil {
			return nil, wrap("list projects", err)
		}
		all = append(all, p)
	}
	return all, wrap("list projects", rows.Err())
}

func (s *SQLStore) publishChange(ctx context.Context, tx *store.Tx, id ID) error {
	return s.outbox.Add(ctx, tx, &projectsv1.ProjectChanged{Id: string(id)})
}

func find(ctx context.Context, q store.Queries, id ID) (Project, error) {
	p, err := scan(q.QueryRowContext(ctx, `SELECT `+columns+` FROM projects WHERE id = $1`, string(id)))
	if errors.Is(err, sql.ErrNoRows) {
		return Project{}, ErrUnknown
	}
	return p, err
}

func update(ctx context.Context, q store.Queries, p Project) error {
	origins, err := encodeOrigins(p.AllowedOrigins)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `UPDATE projects SET name = $2, allowed_origins = $3, requests_per_second = $4, burst = $5, enabled = $6, changed_at = $7
		WHERE id = $1`, string(p.ID), p.Name, origins, p.Limit.RequestsPerSecond, int64(p.Limit.Burst), p.Enabled, p.ChangedAt.UnixMilli())
	return err
}

// scan scans one row of columns.
func scan(row interface{ Scan(...any) error }) (Project, error) {
	var p Project
	var origins string
	var created, changed int64
	if err := row.Scan(&p.ID, &p.Name, &origins, &p.Limit.RequestsPerSecond, &p.Limit.Burst, &p.Enabled, &created, &changed); err != nil {
		return Project{}, err
	}
	p.CreatedAt, p.ChangedAt = time.UnixMilli(created).UTC(), time.UnixMilli(changed).UTC()
	var err error
	p.AllowedOrigins, err = decodeOrigins(origins)
	return p, err
}

func encodeOrigins(patterns []origin.Pattern) (string, error) {
	texts := make([]string, len(patterns))
	for i, p := range patterns {
		texts[i] = p.String()
	}
	raw, err := json.Marshal(texts)
	return string(raw), err
}

func decodeOrigins(raw string) ([]origin.Pattern, error) {
	var texts []string
	if err := json.Unmarshal([]byte(raw), &texts); err != nil {
		return nil, fmt.Errorf("allowed origins: %w", err)
	}
	patterns := make([]origin.Pattern, 0, len(texts))
	for _, text := range texts {
		p, err := origin.ParsePattern(text)
		if err != nil {
			return nil, fmt.Errorf("allowed origin %q: %w", text, err)
		}
		patterns = append(patterns, p)
	}
	return patterns, nil
}

// wrap adds the operation to errors of the database, and returns errors of the domain unchanged.
func wrap(doing string, err error) error {
	if err == nil || errors.Is(err, ErrUnknown) || errors.Is(err, ErrChanged) || errors.Is(err, ErrEnabled) {
		return err
	}
	if invalid, ok := errors.AsType[*Invalid](err); ok {
		return invalid
	}
	return fmt.Errorf("%s: %w", doing, err)
}
