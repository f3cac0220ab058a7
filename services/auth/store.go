package auth

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// SQLStore is the [Store] in an SQL database.
type SQLStore struct {
	db     *store.DB
	outbox *bus.Outbox
}

// NewSQLStore returns a store in db, which adds its events to outbox. It creates the tables that do not exist.
func NewSQLStore(ctx context.Context, db *store.DB, outbox *bus.Outbox) (*SQLStore, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, "auth", files); err != nil {
		return nil, err
	}
	return &SQLStore{db: db, outbox: outbox}, nil
}

// InsertNonce stores a nonce.
func (s *SQLStore) InsertNonce(ctx context.Context, n Nonce) error {
	return wrap("insert nonce", s.exec(ctx, `INSERT INTO auth_nonces (nonce, project, origin, token_hash, expires_at) VALUES ($1, $2, $3, $4, $5)`,
		n.Value, n.Site.Project, n.Site.Origin, n.TokenHash, n.Expires.UnixMilli()))
}

// TakeNonce deletes a nonce and returns it.
func (s *SQLStore) TakeNonce(ctx context.Context, value string) (n Nonce, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		n = Nonce{Value: value}
		var expires int64
		row := tx.QueryRowContext(ctx, `DELETE FROM auth_nonces WHERE nonce = $1 RETURNING project, origin, token_hash, expires_at`, value)
		if err := row.Scan(&n.Site.Project, &n.Site.Origin, &n.TokenHash, &expires); err != nil {
			return err
		}
		n.Expires = time.UnixMilli(expires).UTC()
		return nil
	})
	if errors.Is(err, sql.ErrNoRows) {
		return Nonce{}, ErrNonce
	}
	return n, wrap("take nonce", err)
}

// InsertSession stores a session, and publishes SignedIn.
func (s *SQLStore) InsertSession(ctx context.Context, n Session) error {
	chains, err := json.Marshal(n.ChainIDs)
	if err != nil {
		return err
	}
	return wrap("insert session", s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO auth_sessions
			(token_hash, project, origin, domain, address, chain_ids, all_chains, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			n.TokenHash, n.Site.Project, n.Site.Origin, n.Domain, n.Address, string(chains), n.AllChains, n.IssuedAt.UnixMilli(), n.Expires.UnixMilli()); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, &authv1.SignedIn{
			ProjectId: n.Site.Project, Address: n.Address, ChainIds: n.ChainIDs, SignedInAt: n.IssuedAt.UnixMilli(),
		})
	}))
}

// FindSession returns a session.
func (s *SQLStore) FindSession(ctx context.Context, tokenHash string) (Session, error) {
	found := Session{TokenHash: tokenHash}
	var chains string
	var issued, expires int64
	row := s.db.Reader().QueryRowContext(ctx, `SELECT project, origin, domain, address, chain_ids, all_chains, issued_at, expires_at
		FROM auth_sessions WHERE token_hash = $1`, tokenHash)
	err := row.Scan(&found.Site.Project, &found.Site.Origin, &found.Domain, &found.Address, &chains, &found.AllChains, &issued, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, ErrSession
	}
	if err != nil {
		return Session{}, wrap("find session", err)
	}
	if err := json.Unmarshal([]byte(chains), &found.ChainIDs); err != nil || len(found.ChainIDs) == 0 {
		return Session{}, fmt.Errorf("find session: its chains are not valid: %w", err)
	}
	found.ChainID = found.ChainIDs[0]
	found.IssuedAt, found.Expires = time.UnixMilli(issued).UTC(), time.UnixMilli(expires).UTC()
	return found, nil
}

// DeleteSession deletes a session of a project.
func (s *SQLStore) DeleteSession(ctx context.Context, project, tokenHash string) error {
	return wrap("delete session", s.exec(ctx, `DELETE FROM auth_sessions WHERE token_hash = $1 AND project = $2`, tokenHash, project))
}

// DeleteExpired deletes expired nonces and sessions.
func (s *SQLStore) DeleteExpired(ctx context.Context, now time.Time) error {
	for _, statement := range []string{`DELETE FROM auth_nonces WHERE expires_at <= $1`, `DELETE FROM auth_sessions WHERE expires_at <= $1`} {
		if err := s.exec(ctx, statement, now.UnixMilli()); err != nil {
			return wrap("delete expired sessions", err)
		}
	}
	return nil
}

func (s *SQLStore) exec(ctx context.Context, statement string, args ...any) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
}

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
