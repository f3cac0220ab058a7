package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestDecimalsAreParsedExactly(t *testing.T) {
	for text, want := range map[string]string{
		`0.1`: "0.1", `"0.1"`: "0.1", `43.970000000000001`: "43.970000000000001", `"9007199254740993"`: "9007199254740993", `1E-18`: "0.000000000000000001",
		`5.00000000`: "5", `-1`: "-1", `1e3`: "1000",
	} {
		var d wire.Decimal
		if err := json.Unmarshal([]byte(text), &d); err != nil || d.String() != want {
			t.Errorf("%s is %s, %v", text, d, err)
		}
	}
	for _, text := range []string{`"1e99"`, `1e-99`, `"0x10"`, `"1,5"`, `""`, `" 1"`, `"NaN"`, `"Infinity"`, `null`, `true`, `[]`, `{}`, `"1_0"`, `"+1"`, `".5"`} {
		var d wire.Decimal
		if err := json.Unmarshal([]byte(text), &d); err == nil {
			t.Errorf("%s is %s", text, d)
		}
	}
}

func FuzzDecimal(f *testing.F) {
	for _, seed := range []string{"1", "0.1", "-5e-7", "1e99", "99999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := wire.ParseDecimal(text)
		if err != nil {
			return
		}
		again, err := wire.ParseDecimal(d.String())
		if len(d.String()) > 128 || err == nil && !again.Equal(d.Decimal) {
			t.Errorf("%q is %s", text, d)
		}
	})
}

func TestPaymentMethodsAreNormalized(t *testing.T) {
	for name, want := range map[string]string{
		"CARD": "card", "CREDIT_DEBIT_CARD": "card", "ACH": "ach_bank_account", "ACH_BANK_ACCOUNT": "ach_bank_account", "APPLE_PAY": "apple_pay", "": "",
	} {
		if got := wire.Method(name); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
}

func TestAmountsAreCheckedAgainstTheLimits(t *testing.T) {
	limit := func(method string, least, most int64) ramp.Limit {
		return ramp.Limit{Method: method, Min: decimal.NewFromInt(least), Max: decimal.NewFromInt(most)}
	}
	o := ramp.Options{Currencies: []ramp.Currency{{ID: "USD", Limits: []ramp.Limit{limit("card", 10, 100), limit("ach_bank_account", 50, 500)}}}}
	tests := []struct {
		currency, method string
		amount           int64
		refused          bool
		least, most      int64
	}{
		{"USD", "card", 10, false, 0, 0}, {"USD", "card", 100, false, 0, 0}, {"USD", "", 500, false, 0, 0},
		{"USD", "card", 9, true, 10, 100}, {"USD", "card", 101, true, 10, 100}, {"USD", "ach_bank_account", 10, true, 50, 500},
		{"USD", "", 9, true, 10, 500}, {"USD", "", 501, true, 10, 500},
	}
	for _, test := range tests {
		err := wire.Within(o, ramp.Amount{Value: decimal.NewFromInt(test.amount), Currency: test.currency}, test.method)
		var limit *ramp.LimitError
		switch {
		case !test.refused && err != nil:
			t.Errorf("%+v: %v", test, err)
		case test.refused && (!errors.As(err, &limit) || limit.Min.Value.IntPart() != test.least || limit.Max.Value.IntPart() != test.most || limit.Method != test.method):
			t.Errorf("%+v: %v", test, err)
		}
	}
	for _, unknown := range [][2]string{{"EUR", "card"}, {"USD", "seashells"}} {
		if err := wire.Within(o, ramp.Amount{Value: decimal.NewFromInt(50), Currency: unknown[0]}, unknown[1]); !errors.Is(err, ramp.ErrUnsupported) {
			t.Errorf("%v: %v", unknown, err)
		}
	}
	if o.Currencies[0].Limits[0].Max.IntPart() != 100 {
		t.Error("the limits are others than before")
	}
}

func TestConcurrentCallersShareOneRequest(t *testing.T) {
	cache := wire.NewCache[int](clock.System{}, time.Hour)
	var requested atomic.Int32
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			got, err := cache.Get(t.Context(), "a", func(context.Context) (int, error) {
				requested.Add(1)
				return 7, nil
			})
			if err != nil || got != 7 {
				t.Errorf("%d, %v", got, err)
			}
		})
	}
	all.Wait()
	if requested.Load() != 1 {
		t.Errorf("%d asked", requested.Load())
	}
}

func TestACancelledCallerDoesNotCancelTheOthers(t *testing.T) {
	cache := wire.NewCache[int](clock.System{}, time.Hour)
	begun, goOn := make(chan struct{}), make(chan struct{})
	ask := func(ctx context.Context) (int, error) {
		close(begun)
		<-goOn
		return 7, ctx.Err()
	}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := cache.Get(ctx, "a", ask)
		left <- err
	}()
	<-begun
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("who left got %v", err)
	}
	close(goOn)
	if got, err := cache.Get(t.Context(), "a", func(context.Context) (int, error) { return 7, nil }); err != nil || got != 7 {
		t.Errorf("%d, %v", got, err)
	}
}

func TestErrorsAreNotCached(t *testing.T) {
	cache := wire.NewCache[int](clock.System{}, time.Hour)
	if _, err := cache.Get(t.Context(), "a", func(context.Context) (int, error) { return 0, ramp.ErrUnavailable }); !errors.Is(err, ramp.ErrUnavailable) {
		t.Error(err)
	}
	if got, err := cache.Get(t.Context(), "a", func(context.Context) (int, error) { return 7, nil }); err != nil || got != 7 {
		t.Errorf("%d, %v", got, err)
	}
}

func TestASecretMayBeInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte(" hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"hunter2": "hunter2", "file:" + path: "hunter2", "": ""} {
		if got, err := wire.Secret(text); err != nil || got != want {
			t.Errorf("%q, %v", got, err)
		}
	}
	_, err := wire.Secret("file:" + path + ".missing")
	if err == nil || !strings.Contains(err.Error(), "no such file") || strings.Contains(err.Error(), path) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestABaseURLHasNoQueryAndNoTrailingSlash(t *testing.T) {
	for text, want := range map[string]bool{
		"https://api.meld.io": true, "http://127.0.0.1:8080/onramp": true, "https://api.meld.io/": false, "api.meld.io": false, "ftp://api.meld.io": false,
		"https://user:hunter2@api.meld.io": false, "https://api.meld.io?key=hunter2": false, "": false,
	} {
		if _, err := wire.ParseBase(text); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
