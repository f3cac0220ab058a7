package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// settleTimeout bounds how long acknowledged writes may take to have their effects after the last fault.
const settleTimeout = time.Minute

// check compares the state of the suite with every acknowledged write, and returns what is lost or doubled. It prints how many writes it compared.
func (a *acknowledged) check(ctx context.Context) (broken []string, err error) {
	db, err := store.Open(ctx, a.world.dsn)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	for _, compare := range []func(context.Context, store.Queries) ([]string, error){a.checkNames, a.checkSignIns, a.checkGrants, a.checkOrders} {
		found, err := compare(ctx, db.Reader())
		if err != nil {
			return nil, err
		}
		broken = append(broken, found...)
	}
	return append(broken, a.checkMail(ctx)...), nil
}

// count returns the number that a query counts.
func count(ctx context.Context, db store.Queries, query string, args ...any) (n int, err error) {
	err = db.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

func (a *acknowledged) checkNames(ctx context.Context, db store.Queries) (broken []string, err error) {
	for _, w := range a.names {
		n, err := count(ctx, db, `SELECT COUNT(*) FROM names WHERE name = $1 AND attributes LIKE $2`, w.name, "%"+w.bio+"%")
		if err != nil {
			return nil, err
		}
		changes, err := count(ctx, db, `SELECT COUNT(*) FROM name_history WHERE name = $1`, w.name)
		if err != nil {
			return nil, err
		}
		if n != 1 || changes != 1 {
			broken = append(broken, fmt.Sprintf("%s was registered, and is stored %d times after %d changes", w.name, n, changes))
		}
	}
	fmt.Printf("%d names were registered\n", len(a.names))
	return broken, nil
}

func (a *acknowledged) checkSignIns(ctx context.Context, db store.Queries) (broken []string, err error) {
	for _, s := range a.signedIn {
		sum := sha256.Sum256([]byte(s.token))
		n, err := count(ctx, db, `SELECT COUNT(*) FROM auth_sessions WHERE token_hash = $1`, hex.EncodeToString(sum[:]))
		if err != nil {
			return nil, err
		}
		if n != 1 {
			broken = append(broken, fmt.Sprintf("the session of %s is stored %d times", s.address, n))
		}
	}
	fmt.Printf("%d accounts signed in\n", len(a.signedIn))
	return broken, nil
}

func (a *acknowledged) checkGrants(ctx context.Context, _ store.Queries) (broken []string, err error) {
	for _, g := range a.grants {
		requestCtx, cancel := context.WithTimeout(ctx, requestTimeout)
		v := a.wantGrant(requestCtx, g)
		cancel()
		if v != right {
			broken = append(broken, fmt.Sprintf("a smart session of %s: %s%s", g.owner.Address(), v.refused, v.wrong))
		}
	}
	fmt.Printf("%d smart sessions were made\n", len(a.grants))
	return broken, nil
}

// checkOrders waits until every payment has led to tokens, and compares orders with what wallets hold.
func (a *acknowledged) checkOrders(ctx context.Context, db store.Queries) (broken []string, err error) {
	deadline, paid, completed, late := time.Now().Add(settleTimeout), 0, 0, 0
	for _, o := range a.orders {
		orders, err := count(ctx, db, `SELECT COUNT(*) FROM onramp_orders WHERE LOWER(wallet) = $1`, o.wallet)
		if err != nil {
			return nil, err
		}
		if o.id != "" && orders != 1 || orders > 1 {
			broken = append(broken, fmt.Sprintf("order %q of %s is stored %d times", o.id, o.wallet, orders))
			continue
		}
		if o.id == "" {
			continue
		}
		state, err := a.orderState(ctx, db, o, deadline)
		if err != nil {
			return nil, err
		}
		if o.paid && state != "completed" {
			switch isLate, err := a.isLate(ctx, db, o); {
			case err != nil:
				return nil, err
			case isLate:
				late++
				continue
			}
		}
		held, err := a.world.chain.held(ctx, a.world.chain.token("tUSD"), o.wallet)
		if err != nil {
			return nil, err
		}
		want := int64(0)
		if state == "completed" {
			want, completed = 98_000_000, completed+1
		}
		if o.paid {
			paid++
			if state != "completed" {
				broken = append(broken, fmt.Sprintf("order %s was paid, and is %s", o.id, state))
			}
		}
		if held.Cmp(big.NewInt(want)) != 0 {
			broken = append(broken, fmt.Sprintf("order %s is %s, and its wallet holds %s", o.id, state, held))
		}
	}
	fmt.Printf("%d orders were begun, %d paid, %d paid out\n", len(a.orders), paid, completed)
	if late > 0 {
		fmt.Printf("%d more were paid, and are polled again at a time that a wrong clock has scheduled\n", late)
	}
	return broken, nil
}

// isLate reports whether an order is polled again within two hours because a clock was wrong: a poll at a time that is an hour ahead, while the tokens
// are on their way, schedules the next one by that clock.
func (a *acknowledged) isLate(ctx context.Context, db store.Queries, o *writtenOrder) (bool, error) {
	var pollAt int64
	if err := db.QueryRowContext(ctx, `SELECT look_at FROM onramp_orders WHERE id = $1`, o.id).Scan(&pollAt); err != nil {
		return false, err
	}
	wait := time.Until(time.UnixMilli(pollAt))
	return a.world.wasSkewed(time.Unix(0, 0)) && wait > 0 && wait <= 2*skew, nil
}

// orderState returns the state of an order once it will not change by itself, or at the deadline. One that expired because
// a clock was ahead still changes when the webhook of its payment arrives.
func (a *acknowledged) orderState(ctx context.Context, db store.Queries, o *writtenOrder, deadline time.Time) (state string, err error) {
	for {
		if err := db.QueryRowContext(ctx, `SELECT state FROM onramp_orders WHERE id = $1`, o.id).Scan(&state); err != nil {
			return "", err
		}
		var stage string
		if err := db.QueryRowContext(ctx, `SELECT stage FROM onramp_sandbox_checkouts WHERE order_id = $1`, o.id).Scan(&stage); err != nil {
			return "", err
		}
		unpaid := stage == "choosing" || stage == "paying" || stage == "expired"
		if unpaid || state == "completed" || time.Now().After(deadline) || ctx.Err() != nil {
			return state, ctx.Err()
		}
		pause(ctx, 50*time.Millisecond)
	}
}

// held returns the balance of a token on the chain.
func (c chain) held(ctx context.Context, token, account string) (*big.Int, error) {
	var word string
	data := "0x70a08231" + strings.Repeat("0", 24) + strings.TrimPrefix(account, "0x")
	if err := c.call(ctx, &word, "eth_call", map[string]any{"to": token, "data": data}, "latest"); err != nil {
		return nil, err
	}
	n, ok := new(big.Int).SetString(strings.TrimPrefix(word, "0x"), 16)
	if !ok {
		return nil, fmt.Errorf("the balance of %s is %q", account, word)
	}
	return n, nil
}

// checkMail waits until every acknowledged message has been delivered.
func (a *acknowledged) checkMail(ctx context.Context) (broken []string) {
	for deadline := time.Now().Add(settleTimeout); len(a.mail.undelivered()) > 0 && time.Now().Before(deadline); {
		pause(ctx, 100*time.Millisecond)
	}
	for _, message := range a.mail.undelivered() {
		broken = append(broken, fmt.Sprintf("%q was acknowledged by the relay, and not delivered", message))
	}
	fmt.Printf("%d messages were acknowledged\n", len(a.mail.acknowledged))
	return broken
}
