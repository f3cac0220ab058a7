package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const (
	// followChanges bounds how many accounts begin to be followed, or stop, in one transaction.
	followChanges = 5_000
	// readEvery is how often all followed accounts are listed again. Between that only those that began or stopped are, and not those that were dropped.
	readEvery = time.Hour
	// rankEvery is how often accounts are chosen while too many are active, and waitEvery how often those without room get windows of the new blocks.
	rankEvery, waitEvery = time.Minute, 5 * time.Second
	// dormant is until when the windows of accounts rest that are not followed and have no requests.
	dormant = math.MaxInt64
)

// Follow implements [index.Store].
func (s *Store) Follow(ctx context.Context, chainID string, since time.Time, most int, known index.Following) (index.Following, error) {
	f, err := s.readFollowing(ctx, chainID, since, known)
	if err != nil {
		return known, wrap("list followed accounts", err)
	}
	change, err := s.nextChange(ctx, chainID, since, most, &f)
	if err != nil || change.isEmpty() {
		return f, wrap("list followed accounts", err)
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error { return s.changeFollowed(ctx, tx, chainID, change) })
	if err != nil {
		return f, wrap("follow accounts", err)
	}
	f, err = s.readFollowing(ctx, chainID, since, f)
	f.More = change.more
	return f, wrap("list followed accounts", err)
}

// readFollowing brings what is known of the followed accounts up to date.
func (s *Store) readFollowing(ctx context.Context, chainID string, since time.Time, known index.Following) (index.Following, error) {
	// The version is read first: what changes after it is read now is read once more, which makes no difference.
	version, err := followVersion(ctx, s.db.Reader(), chainID)
	if err != nil {
		return known, err
	}
	f := known
	f.Version, f.More = version, false
	switch {
	case known.Version == 0 || since.Sub(known.Read) >= readEvery:
		f.Read = since
		f.Accounts, err = readAccounts(ctx, s.db.Reader(), `SELECT account FROM activity_accounts WHERE chain_id = $1 AND followed_to IS NULL`, chainID)
		slices.SortFunc(f.Accounts, compareAddresses)
	case version != known.Version:
		var begun, stopped []evm.Address
		begun, stopped, err = s.changesAfter(ctx, chainID, known.Version)
		f.Accounts = known.With(begun, stopped)
	}
	return f, err
}

// changesAfter lists the accounts that are followed since a version, and those that are not any more.
func (s *Store) changesAfter(ctx context.Context, chainID string, version int64) (begun, stopped []evm.Address, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT account, followed_to IS NULL FROM activity_accounts WHERE chain_id = $1 AND follow_version > $2`, chainID, version)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		var followed bool
		if err := rows.Scan(&text, &followed); err != nil {
			return nil, nil, err
		}
		account, err := evm.ParseAddress(text)
		if err != nil {
			return nil, nil, err
		}
		if followed {
			begun = append(begun, account)
		} else {
			stopped = append(stopped, account)
		}
	}
	return begun, stopped, rows.Err()
}

// followChange is a change of the followed accounts. Those that yield stop as well, and have requests; those that wait have requests, and are not followed.
type followChange struct {
	begin, stop, yield, wait []evm.Address
	more                     bool
}

func (c followChange) isEmpty() bool { return len(c.begin)+len(c.stop)+len(c.yield)+len(c.wait) == 0 }

// nextChange lists accounts to follow, as far as there is room: those with requests since; and those to stop, which have none.
func (s *Store) nextChange(ctx context.Context, chainID string, since time.Time, most int, f *index.Following) (c followChange, err error) {
	c.stop, err = readAccounts(ctx, s.db.Reader(), `SELECT account FROM activity_accounts WHERE chain_id = $1 AND followed_to IS NULL AND asked_at < $2
		ORDER BY asked_at LIMIT $3`, chainID, since.UnixMilli(), followChanges)
	if err != nil {
		return c, err
	}
	room := most - len(f.Accounts) + len(c.stop)
	const waiting = `SELECT account FROM activity_accounts WHERE chain_id = $1 AND followed_to IS NOT NULL AND asked_at >= $2 ORDER BY asked_at DESC LIMIT $3`
	c.begin, err = readAccounts(ctx, s.db.Reader(), waiting, chainID, since.UnixMilli(), min(followChanges, max(room, 1)))
	if err != nil {
		return c, err
	}
	if len(c.begin) <= room && room >= 0 {
		c.more = len(c.begin) == followChanges || len(c.stop) == followChanges
		return c, nil
	}
	c.begin = c.begin[:max(0, min(room, len(c.begin)))]
	if since.Sub(f.Ranked) >= rankEvery {
		if c, err = s.rank(ctx, chainID, since, most, f.Accounts); err != nil {
			return c, err
		}
		if !c.more {
			f.Ranked = since
		}
	}
	if since.Sub(f.Waited) >= waitEvery {
		f.Waited = since
		c.wait, err = readAccounts(ctx, s.db.Reader(), waiting, chainID, since.UnixMilli(), followChanges)
	}
	return c, err
}

// rank chooses the accounts that are followed, of more than are: those that are watched, then those with the latest requests.
func (s *Store) rank(ctx context.Context, chainID string, since time.Time, most int, followed []evm.Address) (c followChange, err error) {
	best, err := readAccounts(ctx, s.db.Reader(), `SELECT account FROM activity_accounts WHERE chain_id = $1 AND asked_at >= $2
		ORDER BY CASE WHEN watched_at >= $2 THEN 1 ELSE 0 END DESC, asked_at DESC, account LIMIT $3`, chainID, since.UnixMilli(), most)
	slices.SortFunc(best, compareAddresses)
	without := func(list, others []evm.Address) (rest []evm.Address) {
		for _, a := range list {
			if _, found := slices.BinarySearchFunc(others, a, compareAddresses); !found {
				rest = append(rest, a)
			}
		}
		return rest
	}
	c.begin, c.yield = without(best, followed), without(followed, best)
	if c.more = max(len(c.begin), len(c.yield)) > followChanges; c.more {
		c.begin, c.yield = c.begin[:min(len(c.begin), followChanges)], c.yield[:min(len(c.yield), followChanges)]
	}
	return c, err
}

func compareAddresses(a, b evm.Address) int { return bytes.Compare(a[:], b[:]) }

// changeFollowed makes accounts followed from the newest block on, with a window of the blocks that they missed, and stops others after it. Those that wait
// get such a window too.
func (s *Store) changeFollowed(ctx context.Context, tx *store.Tx, chainID string, c followChange) error {
	newest, err := readBlocks(ctx, tx, chainID, 1)
	if err != nil || len(newest) == 0 {
		return err
	}
	tip := newest[0].Number
	version, err := nextFollowVersion(ctx, tx, chainID)
	if err != nil {
		return err
	}
	if len(c.stop) > 0 {
		stopped := s.among(c.stop)
		if err := exec(ctx, tx, `UPDATE activity_windows SET rests_until = $2 WHERE chain_id = $1 AND `+stopped.on("account", 3), chainID, int64(dormant), stopped.argument); err != nil {
			return err
		}
	}
	if all := slices.Concat(c.stop, c.yield); len(all) > 0 {
		stopped := s.among(all)
		err := exec(ctx, tx, `UPDATE activity_accounts SET followed_to = $2, follow_version = $3 WHERE chain_id = $1 AND followed_to IS NULL AND `+stopped.on("account", 4),
			chainID, int64(tip), version, stopped.argument)
		if err != nil {
			return err
		}
	}
	if len(c.begin) > 0 {
		begun := s.among(c.begin)
		if err := s.addMissed(ctx, tx, chainID, begun, tip); err != nil {
			return err
		}
		err := exec(ctx, tx, `UPDATE activity_accounts SET followed_to = NULL, follow_version = $2 WHERE chain_id = $1 AND followed_to IS NOT NULL AND `+begun.on("account", 3),
			chainID, version, begun.argument)
		if err != nil {
			return err
		}
	}
	if len(c.wait) == 0 {
		return nil
	}
	waiting := s.among(c.wait)
	if err := s.addMissed(ctx, tx, chainID, waiting, tip); err != nil {
		return err
	}
	return exec(ctx, tx, `UPDATE activity_accounts SET followed_to = $2 WHERE chain_id = $1 AND followed_to < $2 AND `+waiting.on("account", 3), chainID, int64(tip), waiting.argument)
}

// addMissed adds the blocks that accounts missed while they were not followed to windows that end there, or to new ones. Their windows do not rest any more.
func (s *Store) addMissed(ctx context.Context, tx *store.Tx, chainID string, accounts selection, tip uint64) error {
	err := exec(ctx, tx, `UPDATE activity_windows SET rests_until = 0 WHERE chain_id = $1 AND rests_until = $2 AND `+accounts.on("account", 3), chainID, int64(dormant), accounts.argument)
	if err != nil {
		return err
	}
	err = exec(ctx, tx, `UPDATE activity_windows SET high = $2 WHERE chain_id = $1 AND `+accounts.on("account", 3)+` AND high < $2 AND high = (
			SELECT a.followed_to FROM activity_accounts a WHERE a.chain_id = activity_windows.chain_id AND a.account = activity_windows.account)`,
		chainID, int64(tip), accounts.argument)
	if err != nil {
		return err
	}
	// A process of the version before may have added a window with the same first block.
	err = exec(ctx, tx, `INSERT INTO activity_windows (chain_id, account, low, high, whole, failures, rests_until)
		SELECT a.chain_id, a.account, a.followed_to + 1, CAST($2 AS BIGINT), TRUE, 0, 0 FROM activity_accounts a
		WHERE a.chain_id = $1 AND a.followed_to < $2 AND `+accounts.on("a.account", 3)+`
		AND NOT EXISTS (SELECT 1 FROM activity_windows w WHERE w.chain_id = a.chain_id AND w.account = a.account AND w.high = $2)
		ON CONFLICT (chain_id, account, low) DO UPDATE SET high = excluded.high`, chainID, int64(tip), accounts.argument)
	if err != nil {
		return err
	}
	return s.readLongByLogs(ctx, tx, chainID, accounts)
}

// stopAll makes no account of a chain followed any more: the last block that was followed is before first.
func stopAll(ctx context.Context, tx *store.Tx, chainID string, first uint64) error {
	version, err := nextFollowVersion(ctx, tx, chainID)
	if err != nil {
		return err
	}
	if err := exec(ctx, tx, `UPDATE activity_windows SET rests_until = $2 WHERE chain_id = $1`, chainID, int64(dormant)); err != nil {
		return err
	}
	return exec(ctx, tx, `UPDATE activity_accounts SET followed_to = $2, follow_version = $3 WHERE chain_id = $1 AND followed_to IS NULL`, chainID, int64(first)-1, version)
}

// areFollowed lists those of the accounts that are followed.
func (s *Store) areFollowed(ctx context.Context, tx *store.Tx, chainID string, accounts []evm.Address) (map[evm.Address]bool, error) {
	list, err := readAccounts(ctx, tx, `SELECT account FROM activity_accounts WHERE chain_id = $1 AND followed_to IS NULL AND account IN `+s.db.Members(2),
		chainID, listOf(accounts))
	followed := map[evm.Address]bool{}
	for _, a := range list {
		followed[a] = true
	}
	return followed, err
}

// followVersion returns the version of the followed accounts of a chain; 0 if there never were any.
func followVersion(ctx context.Context, q store.Queries, chainID string) (version int64, err error) {
	err = q.QueryRowContext(ctx, `SELECT version FROM activity_following WHERE chain_id = $1`, chainID).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return version, err
}

// nextFollowVersion returns the version of a change that tx makes.
func nextFollowVersion(ctx context.Context, tx *store.Tx, chainID string) (version int64, err error) {
	err = tx.QueryRowContext(ctx, `INSERT INTO activity_following (chain_id, version, kept) VALUES ($1, 1, 0)
		ON CONFLICT (chain_id) DO UPDATE SET version = activity_following.version + 1 RETURNING version`, chainID).Scan(&version)
	return version, err
}
