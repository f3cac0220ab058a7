package wallet_test

import (
	"strings"
	"testing"
	"time"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet/wallettest"
)

func (v *visitor) user() (*walletv1.GetUserResponse, error) {
	return call[walletv1.GetUserResponse](v, walletv1.WalletService_GetUser_FullMethodName, &walletv1.GetUserRequest{})
}

func (v *visitor) refresh(token string) (*walletv1.RefreshResponse, error) {
	return call[walletv1.RefreshResponse](v, walletv1.SessionService_Refresh_FullMethodName, &walletv1.RefreshRequest{RefreshToken: token})
}

func TestASecondUseOfARefreshTokenEndsTheSession(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		first := v.logIn(alice)
		second := must(v.refresh(first.GetRefreshToken()))(t).GetTokens()
		if second.GetSessionId() != first.GetSessionId() || second.GetRefreshToken() == first.GetRefreshToken() {
			t.Errorf("tokens %v after %v", second, first)
		}
		must(v.user())(t)
		_, err := v.refresh(first.GetRefreshToken())
		refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
		_, err = v.refresh(second.GetRefreshToken())
		refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
		_, err = v.user()
		refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	})
}

func TestTokensAreOfOneDeviceAndOneProject(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v, thief := w.visitor(), w.visitor()
	tokens := v.logIn(alice)
	thief.Caller.Device.AccessToken = tokens.GetAccessToken()
	_, err := thief.user()
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	_, err = thief.refresh(tokens.GetRefreshToken())
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	v.Caller.Project = other
	_, err = v.user()
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	v.Caller.Project = project
	must(v.user())(t)
}

func TestTokensExpire(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	tokens := v.logIn(alice)
	w.clock.Pass(5*time.Minute + time.Second)
	_, err := v.user()
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	tokens = must(v.refresh(tokens.GetRefreshToken()))(t).GetTokens()
	// Each refresh extends the session by a week, up to 30 days after the login.
	for range 4 {
		w.clock.Pass(7*24*time.Hour - time.Minute)
		tokens = must(v.refresh(tokens.GetRefreshToken()))(t).GetTokens()
	}
	if left := time.Unix(tokens.GetRefreshExpiresAt(), 0).Sub(w.clock.Now()); left > 3*24*time.Hour {
		t.Errorf("the session lasts %s more", left)
	}
	w.clock.Pass(3 * 24 * time.Hour)
	_, err = v.refresh(tokens.GetRefreshToken())
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
}

func TestATokenOfAReplicaWhoseClockIsAheadIsAccepted(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	w.clock.Pass(-3 * time.Second)
	must(v.user())(t)
}

func TestACallNeedsAProofOfItsOwn(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	const method = walletv1.WalletService_GetUser_FullMethodName
	ask := func(as caller.Caller) error {
		_, err := callAs[walletv1.GetUserResponse](v, as, method, &walletv1.GetUserRequest{})
		return err
	}
	valid := v.Call(method, nil)
	if err := ask(valid); err != nil {
		t.Fatal(err)
	}
	refused(t, ask(valid), faultv1.Reason_REASON_DEVICE_PROOF_INVALID)
	for name, change := range map[string]func(p *wallettest.Proof){
		"another path":            func(p *wallettest.Proof) { p.Path = walletv1.WalletService_DeleteUser_FullMethodName },
		"another method":          func(p *wallettest.Proof) { p.Method = "GET" },
		"another body":            func(p *wallettest.Proof) { p.Body = []byte("x") },
		"another token":           func(p *wallettest.Proof) { p.AccessToken = "x" },
		"no token":                func(p *wallettest.Proof) { p.AccessToken = "" },
		"too old":                 func(p *wallettest.Proof) { p.Issued = p.Issued.Add(-61 * time.Second) },
		"of the future":           func(p *wallettest.Proof) { p.Issued = p.Issued.Add(61 * time.Second) },
		"another kind of JWT":     func(p *wallettest.Proof) { p.Type = "jwt" },
		"an id that is too short": func(p *wallettest.Proof) { p.ID = "1" },
	} {
		t.Run(name, func(t *testing.T) {
			p := v.NewProof(method, nil)
			change(&p)
			as := v.Call(method, nil)
			as.Device.Proof = v.Sign(p)
			refused(t, ask(as), faultv1.Reason_REASON_DEVICE_PROOF_INVALID)
		})
	}
	t.Run("none", func(t *testing.T) {
		as := v.Call(method, nil)
		as.Device.Proof = ""
		refused(t, ask(as), faultv1.Reason_REASON_DEVICE_PROOF_INVALID)
	})
}

func TestAnAccessTokenIsNotTakenWithoutItsSignature(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	token := v.logIn(alice).GetAccessToken()
	v.Caller.Device.AccessToken = token[:len(token)-4] + "AAAA"
	_, err := v.user()
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
}

// revoke ends one session.
func (v *visitor) revoke(id string, proof *walletv1.ChangeProof) error {
	_, err := call[walletv1.RevokeSessionResponse](v, walletv1.SessionService_RevokeSession_FullMethodName, &walletv1.RevokeSessionRequest{Id: id, Proof: proof})
	return err
}

// A session that is hours old is all that an attacker has.
func TestAnOldSessionDoesNotEndAnother(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	attacker := w.visitor()
	tokens := attacker.logIn(alice)
	must(attacker.createWallet())(t)
	w.clock.Pass(time.Hour)
	attacker.renew(tokens)
	owner := w.visitor()
	other := owner.logIn(alice).GetSessionId()
	refused(t, attacker.revoke(other, nil), faultv1.Reason_REASON_LOGIN_STALE)
	refused(t, attacker.revoke(other, attacker.sign("RevokeSession", tokens.GetSessionId())), faultv1.Reason_REASON_SIGNATURE_INVALID)
	must(owner.user())(t)
	// The opened wallet ends it, and so does the session itself.
	if err := attacker.revoke(other, attacker.sign("RevokeSession", other)); err != nil {
		t.Fatal(err)
	}
	_, err := owner.user()
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	if m := w.lastMail(alice); !strings.Contains(m.Text, "A device was signed out of your wallet by another one") {
		t.Errorf("the email is not informed: %q", m.Text)
	}
	if got := attacker.changes(); len(got) != 1 || got[0] != walletv1.ChangeKind_CHANGE_KIND_SESSION_ENDED {
		t.Errorf("changes %v", got)
	}
	if err := attacker.revoke(tokens.GetSessionId(), nil); err != nil {
		t.Fatal(err)
	}
}

func TestTheEndOfNoSessionLeavesNoMark(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	marks := func() (n int) {
		if err := w.db.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM wallet_removals`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := marks()
	for range 3 {
		if err := v.revoke(newID(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := marks(); got != before || len(v.changes()) != 0 {
		t.Errorf("%d marks after %d, changes %v", got, before, v.changes())
	}
}

func TestTheUserEndsSessions(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	laptop, phone := w.visitor(), w.visitor()
	laptop.logIn(alice)
	lost := phone.logIn(alice)
	list := must(call[walletv1.ListSessionsResponse](laptop, walletv1.SessionService_ListSessions_FullMethodName, &walletv1.ListSessionsRequest{}))(t).GetSessions()
	if len(list) != 2 || list[0].GetCurrent() == list[1].GetCurrent() || list[0].GetBrowser() != "Firefox 141" {
		t.Fatalf("sessions %v", list)
	}
	must(call[walletv1.RevokeSessionResponse](laptop, walletv1.SessionService_RevokeSession_FullMethodName, &walletv1.RevokeSessionRequest{Id: lost.GetSessionId()}))(t)
	_, err := phone.user()
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	must(laptop.user())(t)

	w.clock.Pass(time.Minute)
	phone.Caller.Device.AccessToken = ""
	phone.logIn(alice)
	must(call[walletv1.RevokeAllSessionsResponse](phone, walletv1.SessionService_RevokeAllSessions_FullMethodName, &walletv1.RevokeAllSessionsRequest{}))(t)
	for _, v := range []*visitor{laptop, phone} {
		_, err := v.user()
		refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	}
}

func TestSignOutEndsTheSessionOfTheCaller(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	tokens := v.logIn(alice)
	must(call[walletv1.SignOutResponse](v, walletv1.SessionService_SignOut_FullMethodName, &walletv1.SignOutRequest{}))(t)
	_, err := v.user()
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	_, err = v.refresh(tokens.GetRefreshToken())
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
}

func TestTwoReplicasShareSessionsProofsAndKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		tokens := v.logIn(alice)
		as := v.Call(walletv1.WalletService_GetUser_FullMethodName, nil)
		must(callAs[walletv1.GetUserResponse](v, as, walletv1.WalletService_GetUser_FullMethodName, &walletv1.GetUserRequest{}))(t)
		w.start()
		must(v.user())(t)
		_, err := callAs[walletv1.GetUserResponse](v, as, walletv1.WalletService_GetUser_FullMethodName, &walletv1.GetUserRequest{})
		refused(t, err, faultv1.Reason_REASON_DEVICE_PROOF_INVALID)
		must(v.refresh(tokens.GetRefreshToken()))(t)
	})
}
