package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// ProjectSums is what the bundler paid for a project on a chain. Amounts are wei in decimal digits.
type ProjectSums struct {
	Project string
	// Lost is of an hour, and Sponsored of a day.
	Lost, Sponsored string
}

// Lost returns what failed and pending operations of all projects cost on a chain in the hour of a time: wei in decimal digits.
func (s *Store) Lost(ctx context.Context, chainID string, at time.Time) (amount string, err error) {
	err = s.db.Reader().QueryRowContext(ctx, `SELECT amount FROM bundler_sums WHERE chain_id = $1 AND kind = $2 AND subject = '' AND starts_at = $3`,
		chainID, kindLoss, sumAt(chainID, kindLoss, "", at, time.Hour).starts.UnixMilli()).Scan(&amount)
	if errors.Is(err, sql.ErrNoRows) {
		return "0", nil
	}
	return amount, wrap("read losses", err)
}

// MostPaid returns the projects that were sponsored most on the day of a time on a chain, then those of the others that lost most in its hour, at most limit of each.
func (s *Store) MostPaid(ctx context.Context, chainID string, at time.Time, limit int) (list []ProjectSums, err error) {
	hour, today := sumAt(chainID, kindLoss, "", at, time.Hour).starts.UnixMilli(), sumAt(chainID, kindSponsored, "", at, day).starts.UnixMilli()
	sponsored, err := s.largest(ctx, chainID, kindSponsored, today, kindLoss, hour, limit)
	if err != nil {
		return nil, wrap("read sponsored projects", err)
	}
	lost, err := s.largest(ctx, chainID, kindLoss, hour, kindSponsored, today, limit)
	if err != nil {
		return nil, wrap("read projects with losses", err)
	}
	seen := map[string]bool{}
	for _, row := range sponsored {
		seen[row.subject] = true
		list = append(list, ProjectSums{Project: row.subject, Lost: row.other, Sponsored: row.amount})
	}
	for _, row := range lost {
		if !seen[row.subject] {
			list = append(list, ProjectSums{Project: row.subject, Lost: row.amount, Sponsored: row.other})
		}
	}
	return list, nil
}

// subjectSums are two sums of a subject.
type subjectSums struct{ subject, amount, other string }

// largest returns the projects with the largest sums of a kind and period, each with its sum of another kind. Amounts have no leading zeros, so the longer is the larger.
func (s *Store) largest(ctx context.Context, chainID, kind string, starts int64, otherKind string, otherStarts int64, limit int) (list []subjectSums, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT l.subject, l.amount, COALESCE((SELECT amount FROM bundler_sums
			WHERE chain_id = $1 AND kind = $4 AND subject = l.subject AND starts_at = $5), '0')
		FROM (SELECT subject, amount FROM bundler_sums WHERE chain_id = $1 AND kind = $2 AND starts_at = $3
			AND subject <> '' AND subject NOT LIKE '0x%' AND amount <> '0' ORDER BY LENGTH(amount) DESC, amount DESC, subject LIMIT $6) l
		ORDER BY LENGTH(l.amount) DESC, l.amount DESC, l.subject`, chainID, kind, starts, otherKind, otherStarts, limit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var row subjectSums
		if err := rows.Scan(&row.subject, &row.amount, &row.other); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, rows.Err()
}

// Summary is an operation without its contents.
type Summary struct {
	ChainID  string
	Hash     common.Hash
	Project  string
	Sender   evm.Address
	Removal  bool
	State    executor.State
	Received time.Time
	// Block is as in [executor.Record].
	Block uint64
	// Transactions is how many were signed for it; Latest and Executor are of the last one.
	Transactions int
	Latest       common.Hash
	Executor     evm.Address
}

// Place is where a page of operations begins: after the operation with these. The zero value is the first page.
type Place struct {
	// ReceivedMs is in Unix milliseconds.
	ReceivedMs    int64
	ChainID, Hash string
}

const (
	// pageOf selects a page of all operations by the index of received_at.
	pageOf = `SELECT chain_id, hash, project, entry_point, sender, state, block_number, received_at FROM bundler_operations
		WHERE received_at <= $1 AND (received_at < $1 OR chain_id > $2 OR chain_id = $2 AND hash > $3) ORDER BY received_at DESC, chain_id, hash LIMIT $4`
	// pageOfWaiting selects a page of those that wait. The sums keep databases from the index of received_at, which has all operations.
	pageOfWaiting = `SELECT chain_id, hash, project, entry_point, sender, state, block_number, received_at FROM bundler_operations
		WHERE state < 3 AND state = 1 AND received_at + 0 <= $1 AND (received_at + 0 < $1 OR chain_id > $2 OR chain_id = $2 AND hash > $3)
		ORDER BY received_at + 0 DESC, chain_id, hash LIMIT $4`
)

// Page returns operations of every chain, or those that wait, the newest first.
func (s *Store) Page(ctx context.Context, waiting bool, after Place, limit int) (list []Summary, err error) {
	page := pageOf
	if waiting {
		page = pageOfWaiting
	}
	if after == (Place{}) {
		after.ReceivedMs = math.MaxInt64
	}
	const signed = ` FROM bundler_transactions t WHERE t.chain_id = o.chain_id AND t.operation = o.hash`
	const latest = signed + ` ORDER BY t.signed_at DESC, t.hash LIMIT 1`
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT o.chain_id, o.hash, o.project, o.entry_point, o.sender, o.state, o.block_number, o.received_at,
		(SELECT COUNT(*)`+signed+`), COALESCE((SELECT t.hash`+latest+`), ''), COALESCE((SELECT t.executor`+latest+`), '')
		FROM (`+page+`) o ORDER BY o.received_at DESC, o.chain_id, o.hash`, after.ReceivedMs, after.ChainID, after.Hash, limit)
	if err != nil {
		return nil, wrap("list operations", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var o Summary
		var hash, entryPoint, sender, last, from string
		var block, received int64
		if err := rows.Scan(&o.ChainID, &hash, &o.Project, &entryPoint, &sender, &o.State, &block, &received, &o.Transactions, &last, &from); err != nil {
			return nil, wrap("list operations", err)
		}
		o.Hash, o.Sender, o.Block, o.Received = common.HexToHash(hash), common.HexToAddress(sender), uint64(block), time.UnixMilli(received)
		o.Removal = common.HexToAddress(entryPoint) == evm.Address{}
		o.Latest, o.Executor = common.HexToHash(last), common.HexToAddress(from)
		list = append(list, o)
	}
	return list, wrap("list operations", rows.Err())
}
