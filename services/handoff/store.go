package handoff

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db. It creates the table that does not exist.
func NewSQLStore(ctx context.Context, db *store.DB) (*SQLStore, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, "handoff", files); err != nil {
		return nil, err
	}
	return &SQLStore{db: db}, nil
}

// columns are those of [scan].
const columns = `id, project, origin, commitment, secret_hash, public_key, refused, expires_at`

// Insert stores a hand-off. It fails with [ErrStarted] if there is one with its id.
func (s *SQLStore) Insert(ctx context.Context, h Handoff) error {
	return wrap("insert hand-off", s.db.InTx(ctx, func(tx *store.Tx) error {
		result, err := tx.ExecContext(ctx, `INSERT INTO handoffs (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
			h.ID, h.Project, h.Origin, h.Commitment, h.SecretHash, h.PublicKey, h.Refused, h.Expires.UnixMilli())
		if err != nil {
			return err
		}
		if inserted, err := result.RowsAffected(); err != nil || inserted == 0 {
			return cmp.Or(err, ErrStarted)
		}
		return nil
	}))
}

// Count returns how many hand-offs have not expired.
func (s *SQLStore) Count(ctx context.Context, project string, now time.Time) (ofProject, total int, err error) {
	row := s.db.Reader().QueryRowContext(ctx, `SELECT COUNT(CASE WHEN project = $1 THEN 1 END), COUNT(*) FROM handoffs WHERE expires_at > $2`, project, now.UnixMilli())
	err = row.Scan(&ofProject, &total)
	return ofProject, total, wrap("count hand-offs", err)
}

// Find returns a hand-off.
func (s *SQLStore) Find(ctx context.Context, id string) (Handoff, error) {
	return scan(s.db.Reader().QueryRowContext(ctx, `SELECT `+columns+` FROM handoffs WHERE id = $1`, id))
}

// Claim stores the key of a hand-off that has none. One statement decides, so that of two keys one is the first.
func (s *SQLStore) Claim(ctx context.Context, id, publicKey string, now time.Time) (h Handoff, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		h, err = scan(tx.QueryRowContext(ctx, `UPDATE handoffs
			SET refused = CASE WHEN public_key IN ('', $2) THEN refused ELSE refused + 1 END, public_key = CASE WHEN public_key = '' THEN $2 ELSE public_key END
			WHERE id = $1 AND expires_at > $3 RETURNING `+columns, id, publicKey, now.UnixMilli()))
		return err
	})
	if err != nil {
		return Handoff{}, err
	}
	if h.PublicKey != publicKey {
		return Handoff{}, ErrClaimed
	}
	return h, nil
}

// DeleteExpired deletes expired hand-offs.
func (s *SQLStore) DeleteExpired(ctx context.Context, now time.Time) error {
	return wrap("delete expired hand-offs", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM handoffs WHERE expires_at <= $1`, now.UnixMilli())
		return err
	}))
}

// scan reads a hand-off. It fails with [ErrUnknown] if there is no row.
func scan(row interface{ Scan(into ...any) error }) (Handoff, error) {
	var h Handoff
	var expires int64
	err := row.Scan(&h.ID, &h.Project, &h.Origin, &h.Commitment, &h.SecretHash, &h.PublicKey, &h.Refused, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return Handoff{}, ErrUnknown
	}
	h.Expires = time.UnixMilli(expires).UTC()
	return h, wrap("read hand-off", err)
}

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
