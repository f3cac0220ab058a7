package wallet_test

import (
	"testing"
	"time"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

const newAlice = "alice@new.example"

func (v *visitor) startChange(email string) (*walletv1.StartEmailChangeResponse, error) {
	return call[walletv1.StartEmailChangeResponse](v, walletv1.WalletService_StartEmailChange_FullMethodName, &walletv1.StartEmailChangeRequest{Email: email})
}

func (v *visitor) verifyOld(id, code string) (*walletv1.VerifyOldEmailResponse, error) {
	return call[walletv1.VerifyOldEmailResponse](v, walletv1.WalletService_VerifyOldEmail_FullMethodName, &walletv1.VerifyOldEmailRequest{ChallengeId: id, Code: code})
}

func (v *visitor) verifyNew(id, code string) (*walletv1.VerifyNewEmailResponse, error) {
	return call[walletv1.VerifyNewEmailResponse](v, walletv1.WalletService_VerifyNewEmail_FullMethodName, &walletv1.VerifyNewEmailRequest{ChallengeId: id, Code: code})
}

// change changes the visitor's email.
func (v *visitor) change(from, to string) {
	v.w.t.Helper()
	started := must(v.startChange(to))(v.w.t)
	next := must(v.verifyOld(started.GetChallengeId(), v.w.code(from)))(v.w.t)
	must(v.verifyNew(next.GetChallengeId(), v.w.code(to)))(v.w.t)
}

func TestAnEmailIsChangedByTheCodesOfBoth(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		v.logIn(alice)
		started := must(v.startChange(newAlice))(t)
		if started.GetAction() != walletv1.EmailChangeAction_EMAIL_CHANGE_ACTION_VERIFY_OLD {
			t.Fatalf("action %s", started.GetAction())
		}
		if len(w.inbox.Mails(newAlice)) != 0 {
			t.Error("the new email got a mail before the old one agreed")
		}
		// The code of an email change is not valid for a login, and vice versa.
		_, err := v.verify(started.GetChallengeId(), w.code(alice))
		refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
		_, err = v.verifyNew(started.GetChallengeId(), w.code(alice))
		refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
		next := must(v.verifyOld(started.GetChallengeId(), w.code(alice)))(t)
		changed := must(v.verifyNew(next.GetChallengeId(), w.code(newAlice)))(t)
		if changed.GetNewEmail() != newAlice || must(v.user())(t).GetEmail() != newAlice {
			t.Errorf("changed to %v", changed)
		}
		if got := w.lastMail(alice).Subject; got != "Your email address was changed" {
			t.Errorf("the old email got %q", got)
		}
	})
}

func TestTheOldEmailSignsInForADay(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	id := v.logIn(alice).GetUserId()
	v.change(alice, newAlice)
	w.clock.Pass(24*time.Hour - time.Second)
	if got := w.visitor().logIn(alice).GetUserId(); got != id {
		t.Errorf("the old email signs in another user within a day")
	}
	w.clock.Pass(time.Second)
	if got := w.visitor().logIn(alice).GetUserId(); got == id {
		t.Error("the old email signs in after a day")
	}
	if got := w.visitor().logIn(newAlice).GetUserId(); got != id {
		t.Error("the new email signs in another user")
	}
}

func TestAnEmailOfAnotherUserIsNotTaken(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.visitor().logIn("bob@example.org")
	w.clock.Pass(time.Minute)
	v := w.visitor()
	v.logIn(alice)
	started := must(v.startChange("bob@example.org"))(t)
	next := must(v.verifyOld(started.GetChallengeId(), w.code(alice)))(t)
	_, err := v.verifyNew(next.GetChallengeId(), w.code("bob@example.org"))
	refused(t, err, faultv1.Reason_REASON_EMAIL_TAKEN)
	if got := must(v.user())(t).GetEmail(); got != alice {
		t.Errorf("email %q", got)
	}
}

// delete deletes the user.
func (v *visitor) delete(proof *walletv1.ChangeProof) error {
	_, err := call[walletv1.DeleteUserResponse](v, walletv1.WalletService_DeleteUser_FullMethodName, &walletv1.DeleteUserRequest{Proof: proof})
	return err
}

func TestAUserWithoutAWalletIsDeletedAfterALogin(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	tokens := v.logIn(alice)
	w.clock.Pass(5*time.Minute + time.Second)
	v.renew(tokens)
	refused(t, v.delete(nil), faultv1.Reason_REASON_LOGIN_STALE)
	v.again(alice)
	if err := v.delete(nil); err != nil {
		t.Fatal(err)
	}
}

func TestDeletingTheUserDeletesEverything(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		tokens := v.logIn(alice)
		must(v.setContacts(must(v.createWallet())(t).GetWalletId(), 0, []byte("contacts")))(t)
		if err := v.delete(v.sign("DeleteUser", "")); err != nil {
			t.Fatal(err)
		}
		_, err := v.user()
		refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
		for _, table := range []string{"wallet_users", "wallet_identities", "wallet_devices", "wallet_sessions", "wallet_used_refreshes", "wallet_wallets", "wallet_addresses", "wallet_factors", "wallet_contacts"} {
			var n int
			if err := db.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil || n != 0 {
				t.Errorf("%s has %d rows, %v", table, n, err)
			}
		}
		w.clock.Pass(time.Minute)
		v.Caller.Device.AccessToken = ""
		if again := v.logIn(alice); again.GetUserId() == tokens.GetUserId() {
			t.Error("the same user signs in after the deletion")
		}
	})
}

func TestPreferencesOfAUserAreStored(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	must(call[walletv1.SetPreferredAccountResponse](v, walletv1.WalletService_SetPreferredAccount_FullMethodName,
		&walletv1.SetPreferredAccountRequest{Type: walletv1.AccountType_ACCOUNT_TYPE_SMART_ACCOUNT}))(t)
	must(call[walletv1.RecordRecoveryKitResponse](v, walletv1.WalletService_RecordRecoveryKit_FullMethodName, &walletv1.RecordRecoveryKitRequest{}))(t)
	u := must(v.user())(t)
	if u.GetPreferredAccount() != walletv1.AccountType_ACCOUNT_TYPE_SMART_ACCOUNT || u.GetRecoveryKitAt() != w.clock.Now().Unix() {
		t.Errorf("user %v", u)
	}
	_, err := call[walletv1.UnlinkIdentityResponse](v, walletv1.WalletService_UnlinkIdentity_FullMethodName, &walletv1.UnlinkIdentityRequest{Provider: "email", Subject: alice})
	refused(t, err, faultv1.Reason_REASON_IDENTITY_LAST)
}
