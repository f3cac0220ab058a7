package console

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// Arrive begins a session of the operator of an identity.
func (s *SQLStore) Arrive(ctx context.Context, issuer, subject string, fresh Operator, previous string, begun Session) (before, after Operator, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		before, after = Operator{}, fresh
		err := tx.QueryRowContext(ctx, `SELECT operator_id FROM console_identities WHERE issuer = $1 AND subject = $2`, issuer, subject).Scan(&after.ID)
		isNew := errors.Is(err, sql.ErrNoRows)
		if err != nil && !isNew {
			return err
		}
		if fresh.Name, err = freeName(ctx, tx, after.ID, fresh.Name); err != nil {
			return err
		}
		if isNew {
			if err := insertOperator(ctx, tx, fresh); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO console_identities (issuer, subject, operator_id) VALUES ($1, $2, $3)`, issuer, subject, fresh.ID); err != nil {
				return err
			}
		} else {
			if before, err = scanOperator(tx.QueryRowContext(ctx, `SELECT `+operatorColumns+` FROM console_operators o WHERE o.id = $1`, after.ID)); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `UPDATE console_operators SET name = $2, role = $3 WHERE id = $1`, after.ID, fresh.Name, string(fresh.Role)); err != nil {
				return err
			}
		}
		after, err = beginSession(ctx, tx, after.ID, previous, begun)
		return err
	})
	return before, after, wrap("begin session of an identity", err)
}

// freeName returns a name that no other operator has: with a number, if it is taken. Who chooses a name at the provider does not take the place of somebody here.
func freeName(ctx context.Context, tx *store.Tx, id, name string) (string, error) {
	free := name
	for n := 2; ; n++ {
		var others int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM console_operators WHERE name = $1 AND id <> $2`, free, id).Scan(&others); err != nil {
			return "", err
		}
		if others == 0 {
			return free, nil
		}
		// There are at most maxOperators, so that a number is free.
		free = fmt.Sprintf("%s (%d)", name, n)
	}
}

// Expel deletes the sessions and the links of the operator of an identity.
func (s *SQLStore) Expel(ctx context.Context, issuer, subject string) error {
	return wrap("end sessions of an identity", s.db.InTx(ctx, func(tx *store.Tx) error {
		for _, table := range []string{"console_sessions", "console_links"} {
			if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE operator_id IN (SELECT operator_id FROM console_identities WHERE issuer = $1 AND subject = $2)`, issuer, subject); err != nil {
				return err
			}
		}
		return nil
	}))
}
