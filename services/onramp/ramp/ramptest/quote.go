package ramptest

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func quotes(t *testing.T, open func(t *testing.T) Setup) {
	t.Run("add up for any payment", func(t *testing.T) {
		w := open(t)
		for range 60 {
			a := w.Ask
			a.Pay.Value = between(w.Ask.Pay.Value, w.Ask.Pay.Value.Mul(decimal.NewFromInt(4)))
			all, err := quote(t.Context(), w, a)
			if err != nil || len(all) == 0 {
				t.Fatalf("%s: %d quotes, %v", a.Pay.Value, len(all), err)
			}
			for _, q := range all {
				check(t, a, q)
			}
		}
	})
	t.Run("are refused for a token that is not sold", func(t *testing.T) {
		w := open(t)
		for name, change := range map[string]func(*ramp.Ask){
			"token":    func(a *ramp.Ask) { a.Symbol = "NOSUCHTOKEN" },
			"chain":    func(a *ramp.Ask) { a.ChainID = "eip155:999999999" },
			"currency": func(a *ramp.Ask) { a.Pay.Currency = "XTS" },
			"method":   func(a *ramp.Ask) { a.Method = "seashells" },
		} {
			a := w.Ask
			change(&a)
			if all, err := quote(t.Context(), w, a); !errors.Is(err, ramp.ErrUnsupported) {
				t.Errorf("another %s: %+v, %v", name, all, err)
			}
		}
	})
	t.Run("are refused outside the limits", func(t *testing.T) {
		w := open(t)
		for _, amount := range []*ramp.Amount{w.TooLittle, w.TooMuch} {
			if amount == nil {
				continue
			}
			a := w.Ask
			a.Pay = *amount
			_, err := quote(t.Context(), w, a)
			outside(t, *amount, err)
		}
	})
}

// check compares a quote with its request.
func check(t *testing.T, a ramp.Ask, q ramp.Quote) {
	t.Helper()
	if !q.AddsUp() {
		t.Errorf("%+v does not add up", q)
	}
	if q.Total.Currency != a.Pay.Currency || q.Total.Value.GreaterThan(a.Pay.Value) || q.Purchase.Currency != a.Symbol {
		t.Errorf("%+v is about something else", q)
	}
	if q.Seller == "" || q.Title == "" || q.Method == "" || a.ChainID != "" && q.ChainID != a.ChainID {
		t.Errorf("%+v does not say who, how or where", q)
	}
	if !q.Price().IsPositive() {
		t.Errorf("%+v costs nothing", q)
	}
}

// outside checks that an error contains the limits, and that the amount is outside of them.
func outside(t *testing.T, amount ramp.Amount, err error) {
	t.Helper()
	var limit *ramp.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("%s: %v", amount.Value, err)
		return
	}
	below := limit.Min != nil && limit.Min.Currency == amount.Currency && amount.Value.LessThan(limit.Min.Value)
	above := limit.Max != nil && limit.Max.Currency == amount.Currency && amount.Value.GreaterThan(limit.Max.Value)
	if !below && !above {
		t.Errorf("%s is refused with %v", amount.Value, limit)
	}
}

func quote(ctx context.Context, w Setup, a ramp.Ask) ([]ramp.Quote, error) {
	return w.Provider.(ramp.Quoter).Quotes(ctx, a)
}

// between returns an amount of money between two others, in cents.
func between(least, most decimal.Decimal) decimal.Decimal {
	const cents = 100
	from, to := least.Mul(decimal.NewFromInt(cents)).IntPart(), most.Mul(decimal.NewFromInt(cents)).IntPart()
	return decimal.New(from+rand.Int64N(to-from+1), -2)
}

// soon is how long a test waits for an expected event.
const soon = 20 * time.Second
