package wallet_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// With one session of the user, an attacker tries passwords on a device of their own.
func TestWrongPasswordsAreCountedBeforeTheHalfIsReleased(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		v.logIn(alice)
		password := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
		must(v.createWallet(password))(t)
		attacker := w.visitor()
		attacker.logIn(alice)
		list := must(call[walletv1.ListFactorsResponse](attacker, walletv1.WalletService_ListFactors_FullMethodName, &walletv1.ListFactorsRequest{}))(t)
		for _, f := range list.GetFactors() {
			if f.GetKind() == walletv1.FactorKind_FACTOR_KIND_PASSWORD && (len(f.GetRecord()) > 0 || !bytes.Equal(f.GetParameters(), password.GetParameters())) {
				t.Errorf("a session sees %v", f)
			}
		}
		_, err := attacker.openBy(password.GetId(), nil)
		refused(t, err, faultv1.Reason_REASON_PASSWORD_WRONG)
		reasons := make(chan faultv1.Reason, 20)
		var g errgroup.Group
		for range 20 {
			g.Go(func() error {
				_, err := attacker.openBy(password.GetId(), random(32))
				reasons <- fault.From(err).Reason
				return nil
			})
		}
		_ = g.Wait()
		close(reasons)
		count := map[faultv1.Reason]int{}
		for r := range reasons {
			count[r]++
		}
		if count[faultv1.Reason_REASON_PASSWORD_WRONG] != 4 || count[faultv1.Reason_REASON_RATE_LIMITED] != 16 {
			t.Errorf("%v; want 4 wrong passwords after the first", count)
		}
		told := 0
		for _, m := range w.inbox.Mails(alice) {
			if strings.Contains(m.Text, "entered wrong passwords") {
				told++
			}
		}
		if told != 1 {
			t.Errorf("the owner got %d mails", told)
		}
		// On this device, not even the right one is accepted until the hour is over. The owner's device is not locked.
		must(v.openBy(password.GetId(), password.GetCheck()))(t)
		_, err = attacker.openBy(password.GetId(), password.GetCheck())
		if f := refused(t, err, faultv1.Reason_REASON_RATE_LIMITED); f.RetryAfter <= 0 || f.RetryAfter > time.Hour {
			t.Errorf("retry after %s", f.RetryAfter)
		}
	})
}

func TestWrongPasswordsOfADayAreBounded(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	tokens := v.logIn(alice)
	password := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
	must(v.createWallet(password))(t)
	for hour := range 5 {
		for range 5 {
			_, err := v.openBy(password.GetId(), random(32))
			want := faultv1.Reason_REASON_PASSWORD_WRONG
			if hour == 4 {
				want = faultv1.Reason_REASON_RATE_LIMITED
			}
			refused(t, err, want)
		}
		w.clock.Pass(time.Hour)
		refreshed := must(v.refresh(tokens.GetRefreshToken()))(t).GetTokens()
		tokens, v.Caller.Device.AccessToken = refreshed, refreshed.GetAccessToken()
	}
	w.clock.Pass(20 * time.Hour)
	v.Caller.Device.AccessToken = must(v.refresh(tokens.GetRefreshToken()))(t).GetTokens().GetAccessToken()
	opened := must(v.openBy(password.GetId(), password.GetCheck()))(t)
	if !bytes.Equal(opened.GetServerHalf(), password.GetServerHalf()) || !bytes.Equal(opened.GetRecord(), password.GetRecord()) {
		t.Error("another half or record")
	}
}

func TestWrongPasswordsOfSeveralDevicesAreBounded(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	password := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
	must(v.createWallet(password))(t)
	for range 4 {
		must(v.openBy(password.GetId(), password.GetCheck()))(t)
		w.clock.Pass(time.Minute)
		attacker := w.visitor()
		attacker.logIn(alice)
		for range 5 {
			_, err := attacker.openBy(password.GetId(), random(32))
			refused(t, err, faultv1.Reason_REASON_PASSWORD_WRONG)
		}
	}
	_, err := v.openBy(password.GetId(), password.GetCheck())
	refused(t, err, faultv1.Reason_REASON_RATE_LIMITED)
}

// Passwords of earlier releases have no check. The frame replaces them when they are used.
func TestAPasswordWithoutACheckIsReplaced(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	old := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
	must(v.createWallet(old))(t)
	if err := w.db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE wallet_factors SET check_hash = '', parameters = '' WHERE id = $1`, old.GetId())
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if opened := must(v.open(old.GetId()))(t); !bytes.Equal(opened.GetRecord(), old.GetRecord()) {
		t.Error("another record")
	}
	w.clock.Pass(4 * time.Minute)
	fresh := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
	replace := func(id string) error {
		return v.addWith(fresh, id, v.sign("AddFactor", fresh.GetId()+" "+id))
	}
	refused(t, replace(must(v.user())(t).GetDeviceFactorId()), faultv1.Reason_REASON_FACTOR_ABSENT)
	if err := replace(old.GetId()); err != nil {
		t.Fatal(err)
	}
	_, err := v.open(old.GetId())
	refused(t, err, faultv1.Reason_REASON_FACTOR_ABSENT)
	must(v.openBy(fresh.GetId(), fresh.GetCheck()))(t)
	unchecked := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
	unchecked.Check = nil
	refused(t, v.add(unchecked), faultv1.Reason_REASON_PARAMETER_INVALID)
}
