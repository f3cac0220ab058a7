package factor

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/wallet/notice"
	"github.com/hawser-dev/hawser/services/wallet/removal"
)

// Store stores wallets and factors.
type Store interface {
	// InsertWallet stores a wallet with its first factors. It fails with [ErrExists] if the user has one.
	InsertWallet(ctx context.Context, w *Wallet, factors []*Factor) error
	// FindWallet returns the wallet of a user. It fails with [ErrNoWallet].
	FindWallet(ctx context.Context, userID string) (*Wallet, error)
	// OwnersOf returns the ids of the users whose wallets have an address, at most limit, the newest wallet first. The letters of addresses of eip155 may be
	// of any case.
	OwnersOf(ctx context.Context, address string, limit int) ([]string, error)
	// ListFactors returns the factors of a user, the oldest first.
	ListFactors(ctx context.Context, userID string) ([]*Factor, error)
	// UseFactor returns a factor and stores when it was used. It fails with [ErrNoFactor], also if the factor is
	// another device's. If the factor has a hash of a check and it is another one, it counts a guess and fails with
	// [ErrPassword]; isLast reports whether the next guess is refused with [*GuessedError].
	UseFactor(ctx context.Context, userID, id, device, checkHash string, now time.Time) (found *Factor, isLast bool, err error)
	// InsertFactor stores a factor, and deletes the one of the same device and the password with the id replaces. It lists
	// the changes of what opens the wallet on other devices. It
	// fails with [ErrNoFactor], [ErrTooMany] or [ErrUsed].
	InsertFactor(ctx context.Context, f *Factor, replaces string) error
	// ListSealed returns at most limit factors of all users with their projects, in a fixed order, starting after the
	// factor `after`; nil starts at the beginning.
	ListSealed(ctx context.Context, after *Sealed, limit int) ([]*Sealed, error)
	// Reseal replaces the sealed values of a factor, unless they were changed since they were read.
	Reseal(ctx context.Context, was *Factor, half, record string) error
	// DeleteGuesses deletes the guesses before a time.
	DeleteGuesses(ctx context.Context, before time.Time) error
	// DeleteFactor deletes a factor, forgets its device, and lists its removal. It fails with [ErrNoFactor] or [ErrLast].
	DeleteFactor(ctx context.Context, userID, id string, now time.Time) error
}

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db, which has the tables of package schema.
func NewSQLStore(db *store.DB) *SQLStore { return &SQLStore{db} }

const columns = `id, user_id, wallet_id, kind, label, device, half, record, parameters, check_hash, created_at, used_at`

// InsertWallet stores a wallet.
func (s *SQLStore) InsertWallet(ctx context.Context, w *Wallet, factors []*Factor) error {
	accounts, err := json.Marshal(w.Accounts)
	if err != nil {
		return err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO wallet_wallets (id, user_id, version, blob, accounts, created_at, is_listed) VALUES ($1, $2, $3, $4, $5, $6, 1)`,
			w.ID, w.UserID, w.Version, base64.StdEncoding.EncodeToString(w.Blob), string(accounts), w.CreatedAt.UnixMilli()); err != nil {
			return err
		}
		if err := listAddresses(ctx, tx, w.ID, w.Accounts); err != nil {
			return err
		}
		for _, f := range factors {
			if err := insert(ctx, tx, f); err != nil {
				return err
			}
		}
		return nil
	})
	if store.IsUniqueViolation(err) {
		return ErrExists
	}
	return wrap("insert wallet", err)
}

// FindWallet returns the wallet of a user.
func (s *SQLStore) FindWallet(ctx context.Context, userID string) (*Wallet, error) {
	w := Wallet{UserID: userID}
	var blob, accounts string
	var created int64
	err := s.db.Reader().QueryRowContext(ctx, `SELECT id, version, blob, accounts, created_at FROM wallet_wallets WHERE user_id = $1`, userID).
		Scan(&w.ID, &w.Version, &blob, &accounts, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNoWallet
	}
	if err != nil {
		return nil, wrap("find wallet", err)
	}
	w.CreatedAt = time.UnixMilli(created).UTC()
	if w.Blob, err = base64.StdEncoding.DecodeString(blob); err != nil {
		return nil, wrap("find wallet", err)
	}
	return &w, wrap("find wallet", json.Unmarshal([]byte(accounts), &w.Accounts))
}

// ListFactors returns the factors of a user.
func (s *SQLStore) ListFactors(ctx context.Context, userID string) (all []*Factor, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT `+columns+` FROM wallet_factors WHERE user_id = $1 ORDER BY created_at, id`, userID)
	if err != nil {
		return nil, wrap("list factors", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		f, err := scan(rows)
		if err != nil {
			return nil, wrap("list factors", err)
		}
		all = append(all, f)
	}
	return all, rows.Err()
}

// UseFactor returns a factor.
func (s *SQLStore) UseFactor(ctx context.Context, userID, id, device, checkHash string, now time.Time) (found *Factor, isLast bool, err error) {
	var outcome error
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		outcome, isLast = nil, false
		if found, err = scan(tx.QueryRowContext(ctx, `SELECT `+columns+` FROM wallet_factors WHERE user_id = $1 AND id = $2 AND (device = '' OR device = $3)`,
			userID, id, device)); err != nil {
			return err
		}
		if found.CheckHash == "" {
			return use(ctx, tx, found, now)
		}
		guesses, err := guessesOf(ctx, tx, found, now.Add(-day))
		if err != nil {
			return err
		}
		if err := waitAfter(guesses, device, now); err != nil {
			return err
		}
		if subtle.ConstantTimeCompare([]byte(found.CheckHash), []byte(checkHash)) == 1 {
			return use(ctx, tx, found, now)
		}
		outcome, isLast = ErrPassword, waitAfter(append(guesses, guess{device, now}), device, now) != nil
		if isLast {
			if err := notice.Insert(ctx, tx, userID, notice.Change{Kind: notice.PasswordGuessed, At: now}); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO wallet_guesses (user_id, factor_id, device, guessed_at) VALUES ($1, $2, $3, $4)`,
			userID, id, device, now.UnixMilli())
		return err
	})
	if err = errors.Join(err, outcome); err != nil {
		return nil, isLast, wrap("use factor", err)
	}
	return found, false, nil
}

// use stores when a factor was used.
func use(ctx context.Context, tx *store.Tx, f *Factor, now time.Time) error {
	f.UsedAt = now
	_, err := tx.ExecContext(ctx, `UPDATE wallet_factors SET used_at = $3 WHERE user_id = $1 AND id = $2`, f.UserID, f.ID, now.UnixMilli())
	return err
}

// guess is a wrong password of a device.
type guess struct {
	device string
	at     time.Time
}

// guessesOf returns the guesses of a factor since a time, the oldest first.
func guessesOf(ctx context.Context, tx *store.Tx, f *Factor, since time.Time) (all []guess, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT device, guessed_at FROM wallet_guesses WHERE user_id = $1 AND factor_id = $2 AND guessed_at > $3 ORDER BY guessed_at`,
		f.UserID, f.ID, since.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var device string
		var at int64
		if err := rows.Scan(&device, &at); err != nil {
			return nil, err
		}
		all = append(all, guess{device, time.UnixMilli(at).UTC()})
	}
	return all, rows.Err()
}

// waitAfter returns a [*GuessedError] if no guess of a device is accepted after those of a day; nil otherwise.
func waitAfter(guesses []guess, device string, now time.Time) error {
	own := slices.DeleteFunc(slices.Clone(guesses), func(g guess) bool { return g.device != device })
	wait := max(waitFor(limitsOfDevice, own, now), waitFor(limitsOfAll, guesses, now))
	if wait <= 0 {
		return nil
	}
	return &GuessedError{wait}
}

// waitFor returns how long guesses reach a limit, negative or zero if they do not.
func waitFor(limits []limit, guesses []guess, now time.Time) (wait time.Duration) {
	for _, l := range limits {
		if at := len(guesses) - l.guesses; at >= 0 {
			wait = max(wait, guesses[at].at.Add(l.period).Sub(now))
		}
	}
	return wait
}

// InsertFactor stores a factor.
func (s *SQLStore) InsertFactor(ctx context.Context, f *Factor, replaces string) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if f.Device != "" {
			if _, err := tx.ExecContext(ctx, `DELETE FROM wallet_factors WHERE user_id = $1 AND device = $2`, f.UserID, f.Device); err != nil {
				return err
			}
		}
		if replaces != "" {
			if _, err := scan(tx.QueryRowContext(ctx, `DELETE FROM wallet_factors WHERE user_id = $1 AND id = $2 AND kind = $3 RETURNING `+columns,
				f.UserID, replaces, Password)); err != nil {
				return err
			}
			if err := notice.Insert(ctx, tx, f.UserID, notice.Change{Kind: notice.FactorRemoved, At: f.CreatedAt}); err != nil {
				return err
			}
			if err := removal.Wallets.Insert(ctx, tx, removal.Removal{User: f.UserID, Item: replaces}, f.CreatedAt); err != nil {
				return err
			}
		}
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM wallet_factors WHERE user_id = $1`, f.UserID).Scan(&n); err != nil {
			return err
		}
		if n >= MaxFactors {
			return ErrTooMany
		}
		if f.Kind != Device {
			if err := notice.Insert(ctx, tx, f.UserID, notice.Change{Kind: notice.FactorAdded, At: f.CreatedAt}); err != nil {
				return err
			}
		}
		return insert(ctx, tx, f)
	})
	if store.IsUniqueViolation(err) {
		return ErrUsed
	}
	return wrap("insert factor", err)
}

// DeleteGuesses deletes old guesses.
func (s *SQLStore) DeleteGuesses(ctx context.Context, before time.Time) error {
	return wrap("delete guesses", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM wallet_guesses WHERE guessed_at <= $1`, before.UnixMilli())
		return err
	}))
}

// DeleteFactor deletes a factor.
func (s *SQLStore) DeleteFactor(ctx context.Context, userID, id string, now time.Time) error {
	return wrap("delete factor", s.db.InTx(ctx, func(tx *store.Tx) error {
		deleted, err := scan(tx.QueryRowContext(ctx, `DELETE FROM wallet_factors WHERE user_id = $1 AND id = $2 RETURNING `+columns, userID, id))
		if err != nil {
			return err
		}
		var left int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM wallet_factors WHERE user_id = $1`, userID).Scan(&left); err != nil {
			return err
		}
		if left == 0 {
			return ErrLast
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM wallet_devices WHERE user_id = $1 AND device = $2`, userID, deleted.Device); err != nil {
			return err
		}
		if err := notice.Insert(ctx, tx, userID, notice.Change{Kind: notice.FactorRemoved, At: now}); err != nil {
			return err
		}
		return removal.Wallets.Insert(ctx, tx, removal.Removal{User: userID, Item: id}, now)
	}))
}

// ListSealed returns factors of all users.
func (s *SQLStore) ListSealed(ctx context.Context, after *Sealed, limit int) (all []*Sealed, err error) {
	if after == nil {
		after = &Sealed{}
	}
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT f.id, f.user_id, f.wallet_id, f.kind, f.label, f.device, f.half, f.record, f.parameters, f.check_hash,
		f.created_at, f.used_at, u.project
		FROM wallet_factors f JOIN wallet_users u ON u.id = f.user_id WHERE f.user_id > $1 OR (f.user_id = $1 AND f.id > $2) ORDER BY f.user_id, f.id LIMIT $3`,
		after.UserID, after.ID, limit)
	if err != nil {
		return nil, wrap("list sealed factors", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var project string
		f, err := scan(withProject{rows, &project})
		if err != nil {
			return nil, wrap("list sealed factors", err)
		}
		all = append(all, &Sealed{*f, project})
	}
	return all, rows.Err()
}

// withProject scans the columns of a factor and the project.
type withProject struct {
	*sql.Rows

	project *string
}

// Scan reads one row.
func (r withProject) Scan(into ...any) error { return r.Rows.Scan(append(into, r.project)...) }

// Reseal replaces the sealed values of a factor.
func (s *SQLStore) Reseal(ctx context.Context, was *Factor, half, record string) error {
	return wrap("reseal factor", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE wallet_factors SET half = $4, record = $5 WHERE user_id = $1 AND id = $2 AND half = $3`,
			was.UserID, was.ID, was.Half, half, record)
		return err
	}))
}

func insert(ctx context.Context, tx *store.Tx, f *Factor) error {
	var used int64
	if !f.UsedAt.IsZero() {
		used = f.UsedAt.UnixMilli()
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO wallet_factors (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		f.ID, f.UserID, f.WalletID, f.Kind, f.Label, f.Device, f.Half, f.Record, f.Parameters, f.CheckHash, f.CreatedAt.UnixMilli(), used)
	return err
}

func scan(row interface{ Scan(...any) error }) (*Factor, error) {
	var f Factor
	var created, used int64
	err := row.Scan(&f.ID, &f.UserID, &f.WalletID, &f.Kind, &f.Label, &f.Device, &f.Half, &f.Record, &f.Parameters, &f.CheckHash, &created, &used)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNoFactor
	}
	if err != nil {
		return nil, err
	}
	f.CreatedAt = time.UnixMilli(created).UTC()
	if used != 0 {
		f.UsedAt = time.UnixMilli(used).UTC()
	}
	return &f, nil
}

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
