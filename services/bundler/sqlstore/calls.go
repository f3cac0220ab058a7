package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/bundler/calls"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// InsertBatch stores a batch. If a batch with its id exists, it returns that one instead.
func (s *Store) InsertBatch(ctx context.Context, b calls.Batch) (existing *calls.Batch, err error) {
	transactions, err := json.Marshal(b.Transactions)
	if err != nil {
		return nil, err
	}
	var operation string
	if b.Operation != (common.Hash{}) {
		operation = b.Operation.Hex()
	}
	removal := 0
	if b.IsRemoval {
		removal = 1
	}
	var added int64
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		result, err := tx.ExecContext(ctx, `INSERT INTO bundler_calls (project, account, id_hash, id, chain_id, operation, transactions, created_at, removal)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (project, account, id_hash) DO NOTHING`,
			b.Project, key(b.Account), hashID(b.ID), b.ID, b.ChainID, operation, string(transactions), b.Created.UnixMilli(), removal)
		if err != nil {
			return err
		}
		added, err = result.RowsAffected()
		return err
	})
	if err != nil || added > 0 {
		return nil, wrap("insert calls", err)
	}
	found, err := s.FindBatch(ctx, b.Project, b.Account, b.ID)
	return &found, err
}

// FindBatch returns a batch.
func (s *Store) FindBatch(ctx context.Context, project string, account evm.Address, id string) (calls.Batch, error) {
	b := calls.Batch{Project: project, Account: account, ID: id}
	var operation, transactions string
	var created, removal int64
	row := s.db.Reader().QueryRowContext(ctx, `SELECT chain_id, operation, transactions, created_at, removal FROM bundler_calls
		WHERE project = $1 AND account = $2 AND id_hash = $3`, project, key(account), hashID(id))
	err := row.Scan(&b.ChainID, &operation, &transactions, &created, &removal)
	if errors.Is(err, sql.ErrNoRows) {
		return b, calls.ErrUnknown
	}
	if err != nil {
		return b, wrap("find calls", err)
	}
	b.Operation, b.Created, b.IsRemoval = common.HexToHash(operation), time.UnixMilli(created), removal == 1
	return b, wrap("find calls", json.Unmarshal([]byte(transactions), &b.Transactions))
}

// DeleteBatch deletes a batch that was not sent.
func (s *Store) DeleteBatch(ctx context.Context, b calls.Batch) error {
	return wrap("delete calls", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM bundler_calls WHERE project = $1 AND account = $2 AND id_hash = $3 AND created_at = $4`,
			b.Project, key(b.Account), hashID(b.ID), b.Created.UnixMilli())
		return err
	}))
}

// hashID returns a key of bounded size for an id.
func hashID(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])
}
