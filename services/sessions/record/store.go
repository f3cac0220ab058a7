package record

import (
	"context"
	"database/sql"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/wallet/removal"
)

//go:embed migrations
var migrations embed.FS

const (
	// pendingLifetime is how long a session waits for its activation.
	pendingLifetime = 24 * time.Hour
	// proofSkew is how long a proof is kept after its deadline, because clocks of replicas differ.
	proofSkew = time.Minute
	// endedLifetime is how long a session is listed after its expiry.
	endedLifetime = 90 * 24 * time.Hour
	// maxPending bounds the pending sessions of one account in a project. maxReplaced bounds how many of them one
	// statement deletes.
	maxPending, maxReplaced = 100, 1_000
)

// Revocations is the table that lists revoked sessions, for databases that are restored from a backup.
const Revocations removal.Table = "sessions_removals"

// Store is the database of sessions. It is safe for concurrent use, also by several processes.
type Store struct {
	db     *store.DB
	sealer *seal.Sealer
	outbox *bus.Outbox
}

// New returns a store in db, which adds its events to outbox. It creates the tables that do not exist.
func New(ctx context.Context, db *store.DB, sealer *seal.Sealer, outbox *bus.Outbox) (*Store, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return &Store{db, sealer, outbox}, db.Migrate(ctx, "sessions", files)
}

// Add stores a new session and seals the key of its co-signer. If the project has more than maxPending pending sessions
// of the account, it deletes the oldest ones.
func (s *Store) Add(ctx context.Context, n Session, coSigner account.Key) error {
	sealed, err := s.sealer.Seal(ctx, seal.Secret(coSigner.Hex()), sealedFor(n.PCI))
	if err != nil {
		return err
	}
	terms, err := json.Marshal(n.Terms)
	if err != nil {
		return err
	}
	return wrap("add session", s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM sessions_sessions WHERE pci IN (SELECT pci FROM sessions_sessions
			WHERE project = $1 AND chain_id = $2 AND account = $3 AND context = '' AND revoked_at = 0 ORDER BY created_at DESC, pci DESC LIMIT $4 OFFSET $5)`,
			n.Project, n.ChainID, text(n.Account), maxReplaced, maxPending-1); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO sessions_sessions
			(pci, project, origin, chain_id, account, site_key, co_signer, sealed_key, delegate, terms, expiry, context, nonce, created_at, revoked_at, ended_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', $9, $10, '', '', $11, 0, 0)`,
			n.PCI, n.Project, n.Origin, n.ChainID, text(n.Account), text(n.SiteKey), text(coSigner.Address()), sealed, string(terms), n.Terms.Expiry,
			n.CreatedAt.Unix())
		return err
	}))
}

// Key returns the key of the co-signer of a session.
func (s *Store) Key(ctx context.Context, n Session) (account.Key, error) {
	secret, err := s.sealer.Open(ctx, n.SealedKey, sealedFor(n.PCI))
	if err != nil {
		return account.Key{}, fmt.Errorf("open the key of a co-signer: %w", err)
	}
	defer clear(secret)
	return account.ParseKey(string(secret))
}

const columns = `pci, project, origin, chain_id, account, site_key, co_signer, sealed_key, delegate, terms, context, nonce, created_at, revoked_at, ended_at`

// Find returns a session. It fails with [ErrUnknown].
func (s *Store) Find(ctx context.Context, pci string) (Session, error) {
	found, err := scan(s.db.Reader().QueryRowContext(ctx, `SELECT `+columns+` FROM sessions_sessions WHERE pci = $1`, pci))
	if errors.Is(err, sql.ErrNoRows) {
		return found, ErrUnknown
	}
	return found, wrap("find session", err)
}

// Place is the position of a session in a list. The sessions after it are older, or are pending while it is not.
type Place struct {
	Pending   bool
	CreatedAt int64
	PCI       string
}

// List returns the sessions of an account on a chain after a place: first the activated ones, and within both groups
// the newest first.
func (s *Store) List(ctx context.Context, chainID string, account evm.Address, after Place, limit int) ([]Session, error) {
	const pending = `(CASE WHEN context = '' THEN 1 ELSE 0 END)`
	position := 0
	if after.Pending {
		position = 1
	}
	return s.list(ctx, `SELECT `+columns+` FROM sessions_sessions WHERE chain_id = $1 AND account = $2
		AND (`+pending+` > $3 OR `+pending+` = $3 AND (created_at < $4 OR created_at = $4 AND pci < $5)) ORDER BY `+pending+`, created_at DESC, pci DESC LIMIT $6`,
		chainID, text(account), position, after.CreatedAt, after.PCI, limit)
}

// Filter selects sessions: those of an account, of a project, or all if it is zero.
type Filter struct {
	Account evm.Address
	Project string
}

// ListAll returns the sessions that a filter selects after a place, of which Pending is not used: the newest first.
func (s *Store) ListAll(ctx context.Context, by Filter, after Place, limit int) ([]Session, error) {
	condition, args := `(created_at, pci) < ($1, $2)`, []any{after.CreatedAt, after.PCI, limit}
	switch {
	case by.Project != "":
		condition, args = `project = $4 AND `+condition, append(args, by.Project)
	case by.Account != (evm.Address{}):
		condition, args = `account = $4 AND `+condition, append(args, text(by.Account))
	}
	return s.list(ctx, `SELECT `+columns+` FROM sessions_sessions WHERE `+condition+` ORDER BY created_at DESC, pci DESC LIMIT $3`, args...)
}

func (s *Store) list(ctx context.Context, query string, args ...any) (list []Session, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, wrap("list sessions", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		found, err := scan(rows)
		if err != nil {
			return nil, wrap("list sessions", err)
		}
		list = append(list, found)
	}
	return list, wrap("list sessions", rows.Err())
}

// Activate stores the granted terms, publishes SessionChanged, and reports whether the session was pending.
func (s *Store) Activate(ctx context.Context, n Session, at time.Time) (activated bool, err error) {
	terms, err := json.Marshal(n.Terms)
	if err != nil {
		return false, err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE sessions_sessions SET terms = $2, expiry = $3, delegate = $4, context = $5, nonce = $6
			WHERE pci = $1 AND context = '' AND revoked_at = 0`, n.PCI, string(terms), n.Terms.Expiry, text(n.Delegate), encode(n.Context), n.Nonce.String())
		if err != nil {
			return err
		}
		rows, err := result.RowsAffected()
		if activated = rows > 0; err != nil || !activated {
			return err
		}
		return s.outbox.Add(ctx, tx, &sessionsv1.SessionChanged{
			ProjectId: n.Project, Pci: n.PCI, Account: n.ChainID + ":" + text(n.Account), Change: sessionsv1.SessionChanged_CHANGE_GRANTED,
			ChangedAt: at.UnixMilli(), Expiry: int64(n.Terms.Expiry),
		})
	})
	return activated, wrap("activate session", err)
}

// Revoke revokes a session, lists that, and publishes SessionChanged if the account had granted it. nonce is the account's nonce at NonceEnforcer, and nil if it is not known. It
// fails with [ErrRevoked] if the session is already revoked.
func (s *Store) Revoke(ctx context.Context, pci string, nonce *big.Int, at time.Time) error {
	revoked, err := s.revoke(ctx, at, `UPDATE sessions_sessions SET revoked_at = $2, nonce = CASE WHEN context = '' THEN $3 ELSE nonce END
		WHERE pci = $1 AND revoked_at = 0 RETURNING account, pci, expiry, project, chain_id, context <> ''`, pci, at.Unix(), decimal(nonce))
	if err == nil && revoked == 0 {
		return ErrRevoked
	}
	return wrap("revoke session", err)
}

// RevokeAll is [Store.Revoke] for the sessions of an account on a chain. It returns how many it revoked.
func (s *Store) RevokeAll(ctx context.Context, chainID string, account evm.Address, nonce *big.Int, at time.Time) (n int64, err error) {
	n, err = s.revoke(ctx, at, `UPDATE sessions_sessions SET revoked_at = $3, nonce = CASE WHEN context = '' THEN $4 ELSE nonce END
		WHERE chain_id = $1 AND account = $2 AND revoked_at = 0 RETURNING account, pci, expiry, project, chain_id, context <> ''`, chainID, text(account), at.Unix(), decimal(nonce))
	return n, wrap("revoke sessions", err)
}

// revoke runs a statement that returns the account, the id, the expiry, the project and the chain of the sessions that it revokes, and whether they were
// granted. It lists them, and publishes SessionChanged for those that were granted.
func (s *Store) revoke(ctx context.Context, at time.Time, statement string, args ...any) (n int64, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		ended, err := revokedBy(ctx, tx, statement, args...)
		if err != nil {
			return err
		}
		n = int64(len(ended))
		for _, r := range ended {
			if err := Revocations.Insert(ctx, tx, r.Removal, at); err != nil {
				return err
			}
			if r.change == nil {
				continue
			}
			r.change.ChangedAt = at.UnixMilli()
			if err := s.outbox.Add(ctx, tx, r.change); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// revoked is a revoked session, with the event about it; nil if it had not been granted.
type revoked struct {
	removal.Removal

	change *sessionsv1.SessionChanged
}

func revokedBy(ctx context.Context, tx *store.Tx, statement string, args ...any) (all []revoked, err error) {
	rows, err := tx.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r revoked
		var expiry int64
		var project, chain string
		var granted bool
		if err := rows.Scan(&r.User, &r.Item, &expiry, &project, &chain, &granted); err != nil {
			return nil, err
		}
		if granted {
			r.change = &sessionsv1.SessionChanged{
				ProjectId: project, Pci: r.Item, Account: chain + ":" + r.User, Change: sessionsv1.SessionChanged_CHANGE_REVOKED, Expiry: expiry,
			}
		}
		r.Removal = r.Until(time.Unix(expiry, 0))
		all = append(all, r)
	}
	return all, rows.Err()
}

// decimal returns a number in the form in which it is stored: empty for nil.
func decimal(n *big.Int) string {
	if n == nil {
		return ""
	}
	return n.String()
}

// End stores that the revocation of a session was found on chain.
func (s *Store) End(ctx context.Context, pci string, at time.Time) error {
	return wrap("end session", s.exec(ctx, `UPDATE sessions_sessions SET revoked_at = CASE WHEN revoked_at = 0 THEN $2 ELSE revoked_at END, ended_at = $2
		WHERE pci = $1 AND ended_at = 0`, pci, at.Unix()))
}

// Spend counts an operation once, if its session is not revoked and no limit is exceeded. It fails with [ErrRevoked] or
// [ErrSpent].
func (s *Store) Spend(ctx context.Context, pci string, operation common.Hash, amounts []Spent) error {
	return wrap("spend", s.db.InTx(ctx, func(tx *store.Tx) error {
		var revoked int64
		if err := tx.QueryRowContext(ctx, `SELECT revoked_at FROM sessions_sessions WHERE pci = $1`, pci).Scan(&revoked); err != nil {
			return err
		}
		if revoked != 0 {
			return ErrRevoked
		}
		result, err := tx.ExecContext(ctx, `INSERT INTO sessions_signed (pci, hash) VALUES ($1, $2) ON CONFLICT (pci, hash) DO NOTHING`, pci, operation.Hex())
		if err != nil {
			return err
		}
		if added, err := result.RowsAffected(); err != nil || added == 0 {
			return err
		}
		for _, a := range amounts {
			if err := spend(ctx, tx, pci, a); err != nil {
				return err
			}
		}
		return nil
	}))
}

func spend(ctx context.Context, tx *store.Tx, pci string, a Spent) error {
	before := "0"
	err := tx.QueryRowContext(ctx, `SELECT amount FROM sessions_spent WHERE pci = $1 AND kind = $2 AND period = $3`, pci, a.Kind, a.Period).Scan(&before)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	sum, ok := new(big.Int).SetString(before, 10)
	if !ok {
		return fmt.Errorf("amount %q is not a number", before)
	}
	if sum.Add(sum, a.Amount).Cmp(a.Limit) > 0 {
		return ErrSpent
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO sessions_spent (pci, kind, period, amount) VALUES ($1, $2, $3, $4)
		ON CONFLICT (pci, kind, period) DO UPDATE SET amount = excluded.amount`, pci, a.Kind, a.Period, sum.String())
	return err
}

// UseProof stores the nonce of a proof until its deadline. It fails with [ErrUsed] if the nonce is already stored.
func (s *Store) UseProof(ctx context.Context, account evm.Address, nonce [32]byte, deadline time.Time) error {
	added := false
	err := s.change(ctx, func(rows int64) { added = rows > 0 }, `INSERT INTO sessions_proofs (account, nonce, deadline) VALUES ($1, $2, $3) ON CONFLICT (account, nonce) DO NOTHING`,
		text(account), common.Hash(nonce).Hex(), deadline.Unix())
	if err == nil && !added {
		return ErrUsed
	}
	return wrap("use proof", err)
}

// DeleteExpired deletes proofs a minute after their deadline, sessions that were not activated within a day (revoked
// ones a day after their expiry), and other sessions 90 days after their expiry.
func (s *Store) DeleteExpired(ctx context.Context, now time.Time) error {
	pending, ended := now.Add(-pendingLifetime).Unix(), now.Add(-endedLifetime).Unix()
	const old = `(SELECT pci FROM sessions_sessions WHERE expiry < $1)`
	return wrap("delete expired rows", s.db.InTx(ctx, func(tx *store.Tx) error {
		for _, statement := range []struct {
			text   string
			before int64
		}{
			{`DELETE FROM sessions_proofs WHERE deadline < $1`, now.Add(-proofSkew).Unix()},
			{`DELETE FROM sessions_sessions WHERE context = '' AND revoked_at = 0 AND created_at < $1`, pending},
			{`DELETE FROM sessions_sessions WHERE context = '' AND revoked_at != 0 AND expiry < $1`, pending},
			{`DELETE FROM sessions_spent WHERE pci IN ` + old, ended},
			{`DELETE FROM sessions_signed WHERE pci IN ` + old, ended},
			{`DELETE FROM sessions_sessions WHERE expiry < $1`, ended},
		} {
			if _, err := tx.ExecContext(ctx, statement.text, statement.before); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Rewrap seals the keys of all sessions with the current key encryption key, and returns how many it changed. Keys that
// cannot be opened are left as they are; the error names the first of them.
func (s *Store) Rewrap(ctx context.Context) (changed int, err error) {
	sealed, err := s.sealedKeys(ctx)
	if err != nil {
		return 0, wrap("list sealed keys", err)
	}
	var first error
	var failed int
	for _, pci := range slices.Sorted(maps.Keys(sealed)) {
		was := sealed[pci]
		fresh, isNew, err := s.sealer.Rewrap(ctx, was, sealedFor(pci))
		if errors.Is(err, seal.ErrUnavailable) || ctx.Err() != nil {
			return changed, errors.Join(err, ctx.Err())
		}
		if err != nil {
			if failed++; first == nil {
				first = fmt.Errorf("session %s: %w", pci, err)
			}
			continue
		}
		if !isNew {
			continue
		}
		if err := s.exec(ctx, `UPDATE sessions_sessions SET sealed_key = $3 WHERE pci = $1 AND sealed_key = $2`, pci, was, fresh); err != nil {
			return changed, wrap("store a sealed key", err)
		}
		changed++
	}
	if failed > 0 {
		return changed, fmt.Errorf("the keys of %d sessions are still sealed with another key: %w", failed, first)
	}
	return changed, nil
}

// sealedKeys returns the sealed keys by session.
func (s *Store) sealedKeys(ctx context.Context) (map[string]string, error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT pci, sealed_key FROM sessions_sessions ORDER BY pci`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	sealed := map[string]string{}
	for rows.Next() {
		var pci, key string
		if err := rows.Scan(&pci, &key); err != nil {
			return nil, err
		}
		sealed[pci] = key
	}
	return sealed, rows.Err()
}

func (s *Store) exec(ctx context.Context, statement string, args ...any) error {
	return s.change(ctx, func(int64) {}, statement, args...)
}

// change runs a statement and passes the number of changed rows to report.
func (s *Store) change(ctx context.Context, report func(rows int64), statement string, args ...any) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		result, err := tx.ExecContext(ctx, statement, args...)
		if err != nil {
			return err
		}
		rows, err := result.RowsAffected()
		report(rows)
		return err
	})
}

func scan(row interface{ Scan(into ...any) error }) (s Session, err error) {
	var account, siteKey, coSigner, delegate, terms, context, nonce string
	var created, revoked, ended int64
	if err := row.Scan(&s.PCI, &s.Project, &s.Origin, &s.ChainID, &account, &siteKey, &coSigner, &s.SealedKey, &delegate, &terms, &context, &nonce, &created,
		&revoked, &ended); err != nil {
		return s, err
	}
	s.Account, s.SiteKey, s.CoSigner = common.HexToAddress(account), common.HexToAddress(siteKey), common.HexToAddress(coSigner)
	s.CreatedAt, s.RevokedAt, s.EndedAt = at(created), at(revoked), at(ended)
	if context != "" {
		s.Delegate = common.HexToAddress(delegate)
		if s.Context, err = hex.DecodeString(context); err != nil {
			return s, err
		}
	}
	if nonce != "" {
		s.Nonce, _ = new(big.Int).SetString(nonce, 10)
	}
	return s, json.Unmarshal([]byte(terms), &s.Terms)
}

// at returns the time for Unix seconds, and the zero time for 0.
func at(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0)
}

// text returns an address in the form in which it is stored.
func text(a evm.Address) string { return strings.ToLower(a.Hex()) }

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil || errors.Is(err, ErrRevoked) || errors.Is(err, ErrSpent) {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}
