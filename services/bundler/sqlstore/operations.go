package sqlstore

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const operationColumns = `o.chain_id, o.hash, o.project, o.entry_point, o.body, o.state, o.block_number, o.received_at, o.max_loss, o.max_fee`

// Find returns an operation with its transactions.
func (s *Store) Find(ctx context.Context, chainID string, hash common.Hash) (executor.Open, error) {
	list, err := s.read(ctx, `WHERE o.chain_id = $1 AND o.hash = $2`, chainID, hash.Hex())
	if err == nil && len(list) == 0 {
		return executor.Open{}, executor.ErrUnknown
	}
	if err != nil {
		return executor.Open{}, wrap("find operation", err)
	}
	return list[0], nil
}

// List returns operations that are not final, the oldest first.
func (s *Store) List(ctx context.Context, chainID string, limit int) ([]executor.Open, error) {
	const where = `WHERE o.chain_id = $1 AND o.hash IN (SELECT hash FROM bundler_operations WHERE chain_id = $1 AND state < 3
		ORDER BY state, received_at LIMIT $2)`
	list, err := s.read(ctx, where, chainID, limit)
	return list, wrap("list operations", err)
}

// read returns the operations that match a condition, in the order in which they were received.
func (s *Store) read(ctx context.Context, where string, args ...any) (list []executor.Open, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT `+operationColumns+`, t.hash, t.executor, t.nonce, t.raw, t.max_fee, t.tip, t.signed_at, t.sent_at
		FROM bundler_operations o JOIN bundler_transactions t ON t.chain_id = o.chain_id AND t.operation = o.hash `+where+
		` ORDER BY o.received_at, o.hash, t.signed_at, t.hash`, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		o, t, err := scan(rows)
		if err != nil {
			return nil, err
		}
		if n := len(list); n > 0 && list[n-1].Hash == o.Hash {
			list[n-1].Transactions = append(list[n-1].Transactions, t)
			continue
		}
		list = append(list, executor.Open{Record: o, Transactions: []executor.Transaction{t}})
	}
	return list, rows.Err()
}

func scan(rows *sql.Rows) (o executor.Record, t executor.Transaction, err error) {
	var hash, entryPoint, body, maxLoss, mostFee, transaction, from, raw, maxFee, tip string
	var received, block, nonce, signed, sent int64
	if err := rows.Scan(&o.ChainID, &hash, &o.Project, &entryPoint, &body, &o.State, &block, &received, &maxLoss, &mostFee, &transaction, &from, &nonce, &raw, &maxFee, &tip,
		&signed, &sent); err != nil {
		return o, t, err
	}
	o.Hash, o.EntryPoint, o.Block, o.Received = common.HexToHash(hash), common.HexToAddress(entryPoint), uint64(block), time.UnixMilli(received)
	if o.Operation, err = userop.Parse(json.RawMessage(body)); err != nil {
		return o, t, err
	}
	bytes, err := hex.DecodeString(raw)
	if err != nil {
		return o, t, err
	}
	most, ok1 := new(big.Int).SetString(maxFee, 10)
	extra, ok2 := new(big.Int).SetString(tip, 10)
	lost, ok3 := new(big.Int).SetString(maxLoss, 10)
	reserved, ok4 := new(big.Int).SetString(mostFee, 10)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return o, t, fmt.Errorf("operation %s: a fee is not a number", hash)
	}
	o.MaxLoss, o.MaxFee = lost, reserved
	t = executor.Transaction{
		ChainID: o.ChainID, Hash: common.HexToHash(transaction), Operation: o.Hash, Executor: common.HexToAddress(from), Nonce: uint64(nonce), Raw: bytes,
		Fee: executor.Fee{Max: most, Tip: extra}, Signed: time.UnixMilli(signed), Sent: time.UnixMilli(sent),
	}
	return o, t, nil
}

// Insert stores an operation with its first transaction, within limits.
func (s *Store) Insert(
	ctx context.Context, r executor.Record, limits executor.Limits, from evm.Address, floor uint64, sign executor.Signer,
) (executor.Transaction, error) {
	return s.insert(ctx, r, limits, nil, from, floor, sign)
}

// InsertRemoval stores a removal with its first transaction, within limits and a budget.
func (s *Store) InsertRemoval(
	ctx context.Context, r executor.Record, limits executor.Limits, budget executor.Budget, from evm.Address, floor uint64, sign executor.Signer,
) (executor.Transaction, error) {
	return s.insert(ctx, r, limits, budget, from, floor, sign)
}

// passed are the errors of an insertion that callers tell apart.
var passed = []error{executor.ErrNoncePending, executor.ErrAccountPending, executor.ErrKnown, executor.ErrBudget}

// insert stores an operation, or with a budget a removal.
func (s *Store) insert(
	ctx context.Context, r executor.Record, limits executor.Limits, budget executor.Budget, from evm.Address, floor uint64, sign executor.Signer,
) (t executor.Transaction, err error) {
	body, err := json.Marshal(r.Operation)
	if err != nil {
		return t, err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		added, err := tx.ExecContext(ctx, `INSERT INTO bundler_operations
			(chain_id, hash, project, entry_point, sender, nonce, body, state, block_number, received_at, max_loss, max_fee)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (chain_id, hash) DO NOTHING`,
			r.ChainID, r.Hash.Hex(), r.Project, key(r.EntryPoint), key(r.Operation.Sender), r.Operation.Nonce.Hex(), string(body), r.State, r.Block,
			r.Received.UnixMilli(), r.MaxLoss.String(), r.MaxFee.String())
		switch {
		case store.IsUniqueViolation(err) && r.IsRemoval():
			return executor.ErrAccountPending
		case store.IsUniqueViolation(err):
			return executor.ErrNoncePending
		case err != nil:
			return err
		}
		if n, err := added.RowsAffected(); err != nil || n == 0 {
			return errors.Join(executor.ErrKnown, err)
		}
		if err := checkPending(ctx, tx, r); err != nil {
			return err
		}
		if err := checkUsage(ctx, tx, r, limits); err != nil {
			return err
		}
		if budget != nil {
			if err := spend(ctx, tx, r, budget); err != nil {
				return err
			}
		}
		if err := reserveLoss(ctx, tx, r, limits); err != nil {
			return err
		}
		t, err = assign(ctx, tx, r.ChainID, from, floor, sign)
		return err
	})
	_, limited := errors.AsType[*executor.LimitError](err)
	if limited || slices.ContainsFunc(passed, func(known error) bool { return errors.Is(err, known) }) {
		return t, err
	}
	return t, wrap("insert operation", err)
}

// checkPending refuses a removal while an operation of the account is pending, which could not be validated after it, and an operation while a removal is.
func checkPending(ctx context.Context, tx *store.Tx, r executor.Record) error {
	const query = `SELECT COUNT(*) FROM bundler_operations WHERE chain_id = $1 AND sender = $2 AND hash <> $3 AND state = 1 AND ($4 = 1 OR entry_point = $5)`
	isRemoval := 0
	if r.IsRemoval() {
		isRemoval = 1
	}
	var pending int
	row := tx.QueryRowContext(ctx, query, r.ChainID, key(r.Operation.Sender), r.Hash.Hex(), isRemoval, key(evm.Address{}))
	if err := row.Scan(&pending); err != nil {
		return err
	}
	if pending > 0 {
		return executor.ErrAccountPending
	}
	return nil
}

// spend adds what a removal may cost to the sums of the day: of its project and its account.
func spend(ctx context.Context, tx *store.Tx, r executor.Record, budget executor.Budget) error {
	project, err := sumAt(r.ChainID, kindSponsored, r.Project, r.Received, day).add(ctx, tx, r.MaxLoss)
	if err != nil {
		return err
	}
	account, err := sumAt(r.ChainID, kindSponsored, key(r.Operation.Sender), r.Received, day).add(ctx, tx, r.MaxLoss)
	if err != nil {
		return err
	}
	if !budget(project, account) {
		return executor.ErrBudget
	}
	return nil
}

// checkUsage counts the operations of the last hour, with the one that is inserted.
func checkUsage(ctx context.Context, tx *store.Tx, r executor.Record, l executor.Limits) error {
	if l.ProjectPerHour == 0 && l.AccountPerHour == 0 && l.DroppedPerHour == 0 {
		return nil
	}
	const query = `SELECT (SELECT COUNT(*) FROM bundler_operations WHERE project = $1 AND received_at > $4),
		(SELECT COUNT(*) FROM bundler_operations WHERE chain_id = $2 AND sender = $3 AND received_at > $4),
		(SELECT COUNT(*) FROM bundler_operations WHERE chain_id = $2 AND sender = $3 AND received_at > $4 AND state = 4 AND block_number > 0)`
	var project, account, dropped int
	row := tx.QueryRowContext(ctx, query, r.Project, r.ChainID, key(r.Operation.Sender), r.Received.Add(-time.Hour).UnixMilli())
	if err := row.Scan(&project, &account, &dropped); err != nil {
		return err
	}
	switch {
	case l.ProjectPerHour > 0 && project > l.ProjectPerHour:
		return &executor.LimitError{Limit: executor.LimitProject}
	case l.AccountPerHour > 0 && account > l.AccountPerHour:
		return &executor.LimitError{Limit: executor.LimitAccount}
	case l.DroppedPerHour > 0 && dropped >= l.DroppedPerHour:
		return &executor.LimitError{Limit: executor.LimitDropped}
	}
	return nil
}

// reserveLoss adds what an operation may cost its executor to the sums of the hour.
func reserveLoss(ctx context.Context, tx *store.Tx, r executor.Record, l executor.Limits) error {
	project, total, err := addLoss(ctx, tx, r, r.MaxLoss)
	switch {
	case err != nil:
		return err
	case project.Cmp(l.MostProjectLoss()) > 0:
		return &executor.LimitError{Limit: executor.LimitProjectLoss}
	case total.Cmp(l.MostLoss()) > 0:
		return &executor.LimitError{Limit: executor.LimitLoss}
	}
	return nil
}

// addLoss adds to the sums of losses in the hour in which an operation was received: of its project, and of all.
func addLoss(ctx context.Context, tx *store.Tx, r executor.Record, amount *big.Int) (project, total *big.Int, err error) {
	if project, err = sumAt(r.ChainID, kindLoss, r.Project, r.Received, time.Hour).add(ctx, tx, amount); err != nil {
		return nil, nil, err
	}
	total, err = sumAt(r.ChainID, kindLoss, "", r.Received, time.Hour).add(ctx, tx, amount)
	return project, total, err
}

// CountForwarded adds n to the operations that another bundler got of a project, and of an account in it, within limits. It fails with an
// [*executor.LimitError].
func (s *Store) CountForwarded(ctx context.Context, chainID, project string, sender evm.Address, n int64, at time.Time, l executor.Limits) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		for _, counted := range []struct {
			subject string
			most    int
			limit   executor.Limit
		}{{project, l.ProjectPerHour, executor.LimitProject}, {project + " " + key(sender), l.AccountPerHour, executor.LimitAccount}} {
			sum, err := sumAt(chainID, kindForwarded, counted.subject, at, time.Hour).add(ctx, tx, big.NewInt(n))
			if err != nil {
				return err
			}
			if n > 0 && counted.most > 0 && sum.Cmp(big.NewInt(int64(counted.most))) > 0 {
				return &executor.LimitError{Limit: counted.limit}
			}
		}
		return nil
	})
	if _, limited := errors.AsType[*executor.LimitError](err); limited {
		return err
	}
	return wrap("count forwarded operation", err)
}

// Reassign gives an operation another transaction with the next nonce of an executor, and closes its previous
// transactions.
func (s *Store) Reassign(ctx context.Context, r executor.Record, from evm.Address, floor uint64, sign executor.Signer) (t executor.Transaction, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, _, err := closeOpen(ctx, tx, r); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE bundler_operations SET state = $3 WHERE chain_id = $1 AND hash = $2`,
			r.ChainID, r.Hash.Hex(), executor.Sent); err != nil {
			return err
		}
		t, err = assign(ctx, tx, r.ChainID, from, floor, sign)
		return err
	})
	return t, wrap("reassign operation", err)
}

// assign stores a transaction with the next nonce of an executor: floor if none of its transactions is open.
func assign(ctx context.Context, tx *store.Tx, chainID string, from evm.Address, floor uint64, sign executor.Signer) (t executor.Transaction, err error) {
	const next = `INSERT INTO bundler_executors (chain_id, address, next_nonce, open) VALUES ($1, $2, $3 + 1, 1)
		ON CONFLICT (chain_id, address) DO UPDATE SET open = bundler_executors.open + 1, next_nonce = 1 +
			CASE WHEN bundler_executors.open <= 0 OR bundler_executors.next_nonce < $3 THEN $3 ELSE bundler_executors.next_nonce END
		RETURNING next_nonce - 1`
	var nonce int64
	if err := tx.QueryRowContext(ctx, next, chainID, key(from), int64(floor)).Scan(&nonce); err != nil {
		return t, err
	}
	if t, err = sign(uint64(nonce)); err != nil {
		return t, err
	}
	return t, insertTransaction(ctx, tx, t)
}

func insertTransaction(ctx context.Context, tx *store.Tx, t executor.Transaction) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO bundler_transactions
		(chain_id, hash, operation, executor, nonce, raw, max_fee, tip, signed_at, sent_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		t.ChainID, t.Hash.Hex(), t.Operation.Hex(), key(t.Executor), int64(t.Nonce), hex.EncodeToString(t.Raw), t.Fee.Max.String(), t.Fee.Tip.String(),
		t.Signed.UnixMilli(), t.Sent.UnixMilli())
	return err
}

// Replace adds a transaction with the nonce of another one.
func (s *Store) Replace(ctx context.Context, t executor.Transaction) error {
	return wrap("replace transaction", s.db.InTx(ctx, func(tx *store.Tx) error { return insertTransaction(ctx, tx, t) }))
}

// MarkSent sets when a transaction was last sent.
func (s *Store) MarkSent(ctx context.Context, t executor.Transaction, at time.Time) error {
	return wrap("mark transaction", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE bundler_transactions SET sent_at = $3 WHERE chain_id = $1 AND hash = $2`,
			t.ChainID, t.Hash.Hex(), at.UnixMilli())
		return err
	}))
}

// SetState sets the state of an operation, and what it may cost its executor: that is reserved until it is included, and lost once it is dropped. It
// fails with [executor.ErrNoncePending] if it would be sent beside another operation with its nonce.
func (s *Store) SetState(ctx context.Context, r executor.Record) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		before, reserved, err := closeOpen(ctx, tx, r)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE bundler_operations SET state = $3, block_number = $4, max_loss = $5 WHERE chain_id = $1 AND hash = $2`,
			r.ChainID, r.Hash.Hex(), r.State, int64(r.Block), r.MaxLoss.String())
		if store.IsUniqueViolation(err) {
			return executor.ErrNoncePending
		}
		if err != nil {
			return err
		}
		change := new(big.Int)
		if isReserved(r.State) {
			change.Add(change, r.MaxLoss)
		}
		if isReserved(before) {
			change.Sub(change, reserved)
		}
		if change.Sign() != 0 {
			if _, _, err := addLoss(ctx, tx, r, change); err != nil {
				return err
			}
		}
		switch r.State {
		case executor.Sent:
			return addOpen(ctx, tx, r, 1)
		case executor.Dropped:
			if r.IsRemoval() {
				return nil // what was paid for it stays counted
			}
			// The paymaster's signature may still be used by others until it expires.
			return reopenSponsorship(ctx, tx, r)
		}
		return nil
	})
	if errors.Is(err, executor.ErrNoncePending) {
		return executor.ErrNoncePending
	}
	return wrap("set state", err)
}

// isReserved reports whether what an operation may cost counts as lost in a state.
func isReserved(s executor.State) bool { return s == executor.Sent || s == executor.Dropped }

// closeOpen subtracts a sent operation from the open ones of its executor. It returns the state of the operation, and what is stored as its loss.
func closeOpen(ctx context.Context, tx *store.Tx, r executor.Record) (state executor.State, loss *big.Int, err error) {
	var text string
	row := tx.QueryRowContext(ctx, `SELECT state, max_loss FROM bundler_operations WHERE chain_id = $1 AND hash = $2`, r.ChainID, r.Hash.Hex())
	if err := row.Scan(&state, &text); err != nil {
		return state, nil, err
	}
	loss, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return state, nil, fmt.Errorf("the loss %q is not a number", text)
	}
	if state != executor.Sent {
		return state, loss, nil
	}
	return state, loss, addOpen(ctx, tx, r, -1)
}

func addOpen(ctx context.Context, tx *store.Tx, r executor.Record, n int) error {
	_, err := tx.ExecContext(ctx, `UPDATE bundler_executors SET open = open + $3 WHERE chain_id = $1 AND address =
		(SELECT executor FROM bundler_transactions WHERE chain_id = $1 AND operation = $2 ORDER BY signed_at DESC LIMIT 1)`, r.ChainID, r.Hash.Hex(), n)
	return err
}
