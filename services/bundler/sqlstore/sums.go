package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// Kinds of sums.
const (
	kindLoss      = "loss"
	kindSponsored = "sponsored"
	kindForwarded = "forwarded"
)

const day = 24 * time.Hour

// sum identifies a sum of a period.
type sum struct {
	chainID, kind, subject string
	starts                 time.Time
}

// sumAt returns the sum of the period that a time is in. Periods start with the hour or the day (UTC).
func sumAt(chainID, kind, subject string, at time.Time, period time.Duration) sum {
	return sum{chainID, kind, subject, at.UTC().Truncate(period)}
}

// add adds to a sum and returns the new one, which is not below 0.
func (s sum) add(ctx context.Context, tx *store.Tx, amount *big.Int) (*big.Int, error) {
	var text string
	err := tx.QueryRowContext(ctx, `SELECT amount FROM bundler_sums WHERE chain_id = $1 AND kind = $2 AND subject = $3 AND starts_at = $4`,
		s.chainID, s.kind, s.subject, s.starts.UnixMilli()).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		text, err = "0", nil
	}
	if err != nil {
		return nil, err
	}
	total, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil, fmt.Errorf("the sum %q is not a number", text)
	}
	if total.Add(total, amount).Sign() < 0 {
		total.SetInt64(0)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO bundler_sums (chain_id, kind, subject, starts_at, amount) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (chain_id, kind, subject, starts_at) DO UPDATE SET amount = excluded.amount`,
		s.chainID, s.kind, s.subject, s.starts.UnixMilli(), total.String())
	return total, err
}
