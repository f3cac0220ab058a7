package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// selectNames selects names with their addresses, one row per address; every name has at least one.
const selectNames = `SELECT n.name, n.owner, n.owner_coin_type, n.owner_proof, n.attributes, n.registered_at, n.updated_at, a.coin_type, a.address, a.set_at
	FROM names n JOIN name_addresses a ON a.name = n.name `

func find(ctx context.Context, q store.Queries, name registry.Name) (registry.Record, error) {
	found, err := selectRecords(ctx, q, selectNames+`WHERE n.name = $1 ORDER BY a.coin_type`, string(name))
	if err != nil {
		return registry.Record{}, err
	}
	if len(found) == 0 {
		return registry.Record{}, registry.ErrUnregistered
	}
	return found[0], nil
}

// ownedBy sorts names that the account signed for before those that others transferred to it, of which there may be
// many.
func ownedBy(ctx context.Context, q store.Queries, account evm.Address, limit int) ([]registry.Record, error) {
	return selectRecords(ctx, q, selectNames+`WHERE n.name IN (SELECT name FROM names WHERE owner = $1 ORDER BY (owner_proof = ''), registered_at, name LIMIT $2)
		ORDER BY (n.owner_proof = ''), n.registered_at, n.name, a.coin_type`, account.String(), limit)
}

func registered(ctx context.Context, q store.Queries, among []registry.Name) (map[registry.Name]bool, error) {
	places, args := make([]string, len(among)), make([]any, len(among))
	for i, name := range among {
		places[i], args[i] = "$"+strconv.Itoa(i+1), string(name)
	}
	rows, err := q.QueryContext(ctx, `SELECT name FROM names WHERE name IN (`+strings.Join(places, ", ")+`)`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	taken := map[registry.Name]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		taken[registry.Name(name)] = true
	}
	return taken, rows.Err()
}

func selectRecords(ctx context.Context, q store.Queries, query string, args ...any) (all []registry.Record, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scan(rows)
		if err != nil {
			return nil, err
		}
		if last := len(all) - 1; last >= 0 && all[last].Name == r.Name {
			all[last].Addresses = append(all[last].Addresses, r.Addresses...)
			continue
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// scan reads one row of selectNames: a name with one of its addresses.
func scan(rows *sql.Rows) (r registry.Record, err error) {
	var owner, proof, attributes, address string
	var ownerCoin, coin, registeredAt, updatedAt, setAt int64
	if err := rows.Scan(&r.Name, &owner, &ownerCoin, &proof, &attributes, &registeredAt, &updatedAt, &coin, &address, &setAt); err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(attributes), &r.Attributes); err != nil {
		return r, fmt.Errorf("attributes of %s: %w", r.Name, err)
	}
	r.Owner = registry.Owner{CoinType: registry.CoinType(ownerCoin), Proof: signature.Kind(proof)}
	at := registry.Address{CoinType: registry.CoinType(coin), SetAt: moment(setAt)}
	r.RegisteredAt, r.UpdatedAt = moment(registeredAt), moment(updatedAt)
	var ownerErr, addressErr error
	r.Owner.Address, ownerErr = evm.ParseAddress(owner)
	at.Address, addressErr = evm.ParseAddress(address)
	r.Addresses = []registry.Address{at}
	return r, errors.Join(ownerErr, addressErr)
}

func moment(milliseconds int64) time.Time { return time.UnixMilli(milliseconds).UTC() }

func insertName(ctx context.Context, q store.Queries, r registry.Record) error {
	attributes, err := encodeAttributes(r.Attributes)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO names (name, owner, owner_coin_type, owner_proof, attributes, registered_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		string(r.Name), r.Owner.Address.String(), int64(r.Owner.CoinType), string(r.Owner.Proof), attributes, r.RegisteredAt.UnixMilli(), r.UpdatedAt.UnixMilli())
	if store.IsUniqueViolation(err) {
		return registry.ErrTaken
	}
	return err
}

func insertAddresses(ctx context.Context, q store.Queries, r registry.Record) error {
	for _, a := range r.Addresses {
		_, err := q.ExecContext(ctx, `INSERT INTO name_addresses (name, coin_type, address, set_at) VALUES ($1, $2, $3, $4)`,
			string(r.Name), int64(a.CoinType), a.Address.String(), a.SetAt.UnixMilli())
		if err != nil {
			return err
		}
	}
	return nil
}

func replace(ctx context.Context, q store.Queries, r registry.Record) error {
	attributes, err := encodeAttributes(r.Attributes)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `UPDATE names SET owner = $2, owner_coin_type = $3, owner_proof = $4, attributes = $5, updated_at = $6 WHERE name = $1`,
		string(r.Name), r.Owner.Address.String(), int64(r.Owner.CoinType), string(r.Owner.Proof), attributes, r.UpdatedAt.UnixMilli())
	if err != nil {
		return err
	}
	if _, err := q.ExecContext(ctx, `DELETE FROM name_addresses WHERE name = $1`, string(r.Name)); err != nil {
		return err
	}
	return insertAddresses(ctx, q, r)
}

func deleteName(ctx context.Context, q store.Queries, name registry.Name) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM name_addresses WHERE name = $1`, string(name)); err != nil {
		return err
	}
	_, err := q.ExecContext(ctx, `DELETE FROM names WHERE name = $1`, string(name))
	return err
}

func encodeAttributes(a registry.Attributes) (string, error) {
	if a == nil {
		a = registry.Attributes{}
	}
	raw, err := json.Marshal(a)
	return string(raw), err
}

// wrap adds the operation to an error of the database; errors of the domain are returned unchanged.
func wrap(doing string, err error) error {
	if err == nil || isRefusal(err) {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// isRefusal reports whether err is an error of the domain.
func isRefusal(err error) bool {
	for _, known := range []error{registry.ErrTaken, registry.ErrUnregistered, registry.ErrNotOwner, registry.ErrUsed, registry.ErrLimited} {
		if errors.Is(err, known) {
			return true
		}
	}
	_, isAttribute := errors.AsType[*registry.AttributeError](err)
	return isAttribute
}
