package wallet_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	evmaccount "github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet/account"
	"github.com/hawser-dev/hawser/services/wallet/notice"
)

const mallory = "mallory@evil.example"

// devCode returns the newest code to an address.
func (w *world) devCode(to string) string {
	w.t.Helper()
	for _, m := range w.inbox.Mails(to) {
		if code := sixDigits.FindString(m.Text); code != "" {
			return code
		}
	}
	w.t.Fatalf("no code to %s", to)
	return ""
}

// devLogIn signs in by email, and approves the device if it is new.
func (v *visitor) devLogIn(email string) (*walletv1.VerifyCodeResponse, error) {
	v.w.t.Helper()
	started := must(v.start(email))(v.w.t)
	if started.GetAction() == walletv1.EmailAction_EMAIL_ACTION_VERIFY_DEVICE {
		v.decide(linkToken.FindStringSubmatch(v.w.inbox.Mails(email)[0].Text)[1], true)
	}
	return v.verify(started.GetChallengeId(), v.w.devCode(email))
}

// sign returns the proof of a change by the wallet of the visitor's user.
func (v *visitor) sign(change, subject string) *walletv1.ChangeProof {
	v.w.t.Helper()
	key, has := v.w.wallets[must(v.user())(v.w.t).GetId()]
	if !has {
		v.w.t.Fatal("the user has no wallet")
	}
	return v.signWith(key, account.Change{Call: change, Subject: subject, Deadline: v.w.clock.Now().Add(time.Minute).Unix()})
}

func (v *visitor) signWith(key evmaccount.Key, c account.Change) *walletv1.ChangeProof {
	v.w.t.Helper()
	hash := c.Hash(v.w.cfg.FrameOrigin, must(v.user())(v.w.t).GetId(), key.Address())
	return &walletv1.ChangeProof{Deadline: c.Deadline, Signature: hexutil.Encode(key.Sign(hash))}
}

func (v *visitor) unlink(provider, subject string, proof *walletv1.ChangeProof) error {
	_, err := call[walletv1.UnlinkIdentityResponse](v, walletv1.WalletService_UnlinkIdentity_FullMethodName,
		&walletv1.UnlinkIdentityRequest{Provider: provider, Subject: subject, Proof: proof})
	return err
}

func (v *visitor) keep(provider, subject string, proof *walletv1.ChangeProof) error {
	_, err := call[walletv1.KeepIdentityResponse](v, walletv1.WalletService_KeepIdentity_FullMethodName,
		&walletv1.KeepIdentityRequest{Provider: provider, Subject: subject, Proof: proof})
	return err
}

// linkSigned links an account at GitHub that signs in at once. It creates a wallet.
func (v *visitor) linkSigned(person string) {
	v.w.t.Helper()
	must(v.createWallet())(v.w.t)
	handle := v.proven(person)
	if err := v.link(handle, v.sign("LinkSocial", handle)); err != nil {
		v.w.t.Fatal(err)
	}
}

func (v *visitor) link(handle string, proof *walletv1.ChangeProof) error {
	_, err := call[walletv1.LinkSocialResponse](v, walletv1.WalletService_LinkSocial_FullMethodName, &walletv1.LinkSocialRequest{Handle: handle, Proof: proof})
	return err
}

// proven returns the handle of a login at GitHub that has ended at the provider.
func (v *visitor) proven(person string) string {
	v.w.t.Helper()
	started := must(v.startSocial("github"))(v.w.t)
	if err := v.w.finish(v.w.choose(started.GetUri(), person)); err != nil {
		v.w.t.Fatal(err)
	}
	return started.GetHandle()
}

// renew refreshes the access token of a session.
func (v *visitor) renew(tokens *walletv1.Tokens) {
	v.w.t.Helper()
	v.Caller.Device.AccessToken = must(v.refresh(tokens.GetRefreshToken()))(v.w.t).GetTokens().GetAccessToken()
}

// changes returns the kinds of the changes that the user's devices see.
func (v *visitor) changes() (kinds []walletv1.ChangeKind) {
	v.w.t.Helper()
	for _, c := range must(v.user())(v.w.t).GetChanges() {
		kinds = append(kinds, c.GetKind())
	}
	return kinds
}

// A page that embeds the wallet sends messages to the frame on the user's device, minutes after a login. The attacker has
// the mailbox.
func TestASiteThatAddsItsOwnEmailDoesNotSignInAsTheUser(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newDevelopment(t, db)
		victim := w.visitor()
		id := victim.socialLogin("github", "person-alice").GetTokens().GetUserId()
		w.clock.Pass(4 * time.Minute)
		started := must(victim.startChange(mallory))(t)
		added := must(victim.verifyNew(started.GetChallengeId(), w.devCode(mallory)))(t)
		if wait := time.Unix(added.GetStartsAt(), 0).Sub(w.clock.Now()); wait != 24*time.Hour {
			t.Errorf("it signs in after %s", wait)
		}
		w.clock.Pass(time.Minute)
		attacker := w.visitor()
		_, err := attacker.devLogIn(mallory)
		refused(t, err, faultv1.Reason_REASON_IDENTITY_PENDING)

		// Any device of the user sees it, and cancels it without another login.
		w.clock.Pass(time.Hour)
		other := w.visitor()
		tokens := other.socialLogin("github", "person-alice").GetTokens()
		w.clock.Pass(20 * time.Hour)
		other.renew(tokens)
		u := must(other.user())(t)
		if u.GetEmail() != "" || !slices.Contains(other.changes(), walletv1.ChangeKind_CHANGE_KIND_EMAIL_WAITS) {
			t.Errorf("user %v", u)
		}
		if err := other.unlink("email", mallory, nil); err != nil {
			t.Fatal(err)
		}
		w.clock.Pass(24 * time.Hour)
		again := w.visitor()
		if got := must(again.devLogIn(mallory))(t).GetTokens().GetUserId(); got == id {
			t.Error("the attacker is the user")
		}
	})
}

func TestAFirstEmailSignsInAfterADay(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	id := v.socialLogin("github", "person-alice").GetTokens().GetUserId()
	started := must(v.startChange(alice))(t)
	must(v.verifyNew(started.GetChallengeId(), w.devCode(alice)))(t)
	w.clock.Pass(24 * time.Hour)
	if err := w.server.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := w.inbox.Mails(alice)[0]; !strings.Contains(m.Text, "now signs in with "+alice) {
		t.Errorf("mail %q", m.Text)
	}
	other := w.visitor()
	if got := must(other.devLogIn(alice))(t).GetTokens().GetUserId(); got != id {
		t.Error("the email signs in another user")
	}
}

// A session that is hours old is all that an attacker has.
func TestAnOldSessionDoesNotChangeTheAccount(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	attacker := w.visitor()
	tokens := must(attacker.devLogIn(alice))(t).GetTokens()
	attacker.Caller.Device.AccessToken = tokens.GetAccessToken()
	must(attacker.createWallet())(t)
	w.clock.Pass(20 * time.Hour)
	attacker.renew(tokens)
	handle := attacker.proven("person-bob")
	_, start := attacker.startChange(mallory)
	_, revoke := call[walletv1.RevokeAllSessionsResponse](attacker, walletv1.SessionService_RevokeAllSessions_FullMethodName, &walletv1.RevokeAllSessionsRequest{})
	for name, err := range map[string]error{
		"link": attacker.link(handle, nil), "keep": attacker.keep("email", alice, nil), "unlink": attacker.unlink("email", alice, nil), "start a change of the email": start,
		"revoke all sessions": revoke, "revoke another session": attacker.revoke(newID(), nil),
	} {
		t.Run(name, func(t *testing.T) { refused(t, err, faultv1.Reason_REASON_LOGIN_STALE) })
	}
	owner := w.visitor()
	if got := must(owner.devLogIn(alice))(t).GetTokens().GetUserId(); got != tokens.GetUserId() {
		t.Error("the owner signs in as another user")
	}
}

func TestTheOpenedWalletSignsChanges(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	tokens := must(v.devLogIn(alice))(t).GetTokens()
	v.Caller.Device.AccessToken = tokens.GetAccessToken()
	must(v.createWallet())(t)
	w.clock.Pass(time.Hour)
	v.renew(tokens)
	const change = "LinkSocial"
	handle := v.proven("person-bob")
	now := w.clock.Now()
	good := account.Change{Call: change, Subject: handle, Deadline: now.Add(time.Minute).Unix()}
	elsewhere := v.signWith(v.wallet, good)
	id := must(v.user())(t).GetId()
	elsewhere.Signature = hexutil.Encode(v.wallet.Sign(good.Hash("https://wallet.example.net", id, v.wallet.Address())))
	for name, tt := range map[string]struct {
		proof  *walletv1.ChangeProof
		reason faultv1.Reason
	}{
		"for another call":         {v.sign("UnlinkIdentity", handle), faultv1.Reason_REASON_SIGNATURE_INVALID},
		"for another subject":      {v.sign(change, "other"), faultv1.Reason_REASON_SIGNATURE_INVALID},
		"by another key":           {v.signWith(evmKey(t), good), faultv1.Reason_REASON_SIGNATURE_INVALID},
		"for another installation": {elsewhere, faultv1.Reason_REASON_SIGNATURE_INVALID},
		"that is over":             {v.signWith(v.wallet, account.Change{Call: change, Subject: handle, Deadline: now.Unix()}), faultv1.Reason_REASON_LOGIN_STALE},
		"for more than five minutes": {
			v.signWith(v.wallet, account.Change{Call: change, Subject: handle, Deadline: now.Add(6 * time.Minute).Unix()}), faultv1.Reason_REASON_SIGNATURE_INVALID,
		},
	} {
		t.Run(name, func(t *testing.T) { refused(t, v.link(handle, tt.proof), tt.reason) })
	}
	if err := v.link(handle, v.sign(change, handle)); err != nil {
		t.Fatal(err)
	}
	if m := w.inbox.Mails(alice)[0]; !strings.Contains(m.Text, "An account at GitHub was added") || !strings.Contains(m.Text, w.cfg.FrameOrigin+"/account") {
		t.Errorf("the email is not informed: %q", m.Text)
	}
	// The wallet removes a way to sign in at once.
	if err := v.unlink("email", alice, v.sign("UnlinkIdentity", "email "+alice)); err != nil {
		t.Fatal(err)
	}
	if got := must(v.user())(t).GetIdentities(); len(got) != 1 || got[0].GetProvider() != "github" {
		t.Errorf("identities %v", got)
	}
	if m := w.inbox.Mails(alice)[0]; !strings.Contains(m.Text, "Email no longer signs in") {
		t.Errorf("the email is not informed: %q", m.Text)
	}
}

// Wallets of earlier releases have an address without a proof.
func TestAWalletOfAnEarlierReleaseSignsChanges(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	tokens := v.logIn(alice)
	created := must(v.createWallet(newFactor(walletv1.FactorKind_FACTOR_KIND_PASSKEY)))(t)
	if err := w.db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE wallet_wallets SET accounts = replace(accounts, '"proven":true', '"proven":false')`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	w.clock.Pass(time.Hour)
	v.renew(tokens)
	id := created.GetFactors()[1].GetId()
	remove := func(proof *walletv1.ChangeProof) error {
		_, err := call[walletv1.RemoveFactorResponse](v, walletv1.WalletService_RemoveFactor_FullMethodName, &walletv1.RemoveFactorRequest{Id: id, Proof: proof})
		return err
	}
	refused(t, remove(v.signWith(evmKey(t), account.Change{Call: "RemoveFactor", Subject: id, Deadline: w.clock.Now().Add(time.Minute).Unix()})), faultv1.Reason_REASON_SIGNATURE_INVALID)
	if err := remove(v.sign("RemoveFactor", id)); err != nil {
		t.Fatal(err)
	}
}

func TestARemovalAfterALoginWaitsADayAndCanBeCanceled(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newDevelopment(t, db)
		v := w.visitor()
		tokens := must(v.devLogIn(alice))(t).GetTokens()
		v.Caller.Device.AccessToken = tokens.GetAccessToken()
		v.linkSigned("person-bob")
		if err := v.unlink("email", alice, nil); err != nil {
			t.Fatal(err)
		}
		if m := w.inbox.Mails(alice)[0]; !strings.Contains(m.Text, "Email will no longer sign in to your wallet after 24 hours") {
			t.Errorf("the email is not informed: %q", m.Text)
		}
		w.clock.Pass(23 * time.Hour)
		v.renew(tokens)
		owner := w.visitor()
		in := must(owner.devLogIn(alice))(t).GetTokens()
		if in.GetUserId() != tokens.GetUserId() {
			t.Fatal("the email signs in another user")
		}
		owner.Caller.Device.AccessToken = in.GetAccessToken()
		if err := owner.keep("email", alice, nil); err != nil {
			t.Fatal(err)
		}
		refused(t, owner.keep("email", alice, nil), faultv1.Reason_REASON_PARAMETER_INVALID)
		w.clock.Pass(2 * time.Hour)
		if err := w.server.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		owner.renew(in)
		if u := must(owner.user())(t); u.GetEmail() != alice {
			t.Errorf("user %v", u)
		}
	})
}

func TestAChangeOfTheEmailIsUndoneByTheOldOne(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	id := v.logIn(alice).GetUserId()
	v.change(alice, newAlice)
	w.clock.Pass(time.Hour)
	owner := w.visitor()
	owner.logIn(alice)
	if err := owner.keep("email", alice, nil); err != nil {
		t.Fatal(err)
	}
	u := must(owner.user())(t)
	if u.GetEmail() != alice || u.GetId() != id {
		t.Errorf("user %v", u)
	}
	want := []walletv1.ChangeKind{
		walletv1.ChangeKind_CHANGE_KIND_IDENTITY_KEPT, walletv1.ChangeKind_CHANGE_KIND_EMAIL_CHANGED, walletv1.ChangeKind_CHANGE_KIND_EMAIL_STARTED,
	}
	if got := owner.changes(); len(got) != 3 || got[0] != want[0] {
		t.Errorf("changes %v", got)
	}
	w.clock.Pass(24 * time.Hour)
	if got := w.visitor().logIn(newAlice).GetUserId(); got == id {
		t.Error("the new email still signs in")
	}
}

func TestEveryEmailOfTheLastDayIsInformedOfAChange(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	v.change(alice, newAlice)
	w.clock.Pass(time.Minute)
	must(v.startChange(mallory))(t)
	for email, text := range map[string]string{
		alice: "started to change your email address to " + mallory, newAlice: "so that you can change it to " + mallory,
	} {
		if m := w.lastMail(email); !strings.Contains(m.Text, text) {
			t.Errorf("%s is not informed: %q", email, m.Text)
		}
	}
}

// Who has just signed in can make changes without end.
func TestMailsAboutChangesAreBounded(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.Caller.Device.AccessToken = must(v.devLogIn(alice))(t).GetTokens().GetAccessToken()
	v.linkSigned("person-bob")
	before := len(w.inbox.Mails(alice))
	for range 5 {
		if err := errors.Join(v.unlink("email", alice, nil), v.keep("email", alice, nil)); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, v.unlink("email", alice, nil), faultv1.Reason_REASON_RATE_LIMITED)
	if n := len(w.inbox.Mails(alice)) - before; n != 10 {
		t.Errorf("%d mails of 10 changes", n)
	}
	// The wallet still signs changes, and they are mailed and listed.
	if err := v.unlink("email", alice, v.sign("UnlinkIdentity", "email "+alice)); err != nil {
		t.Fatal(err)
	}
	if m := w.inbox.Mails(alice)[0]; !strings.Contains(m.Text, "Email no longer signs in") {
		t.Errorf("mail %q", m.Text)
	}
	for _, kind := range []walletv1.ChangeKind{walletv1.ChangeKind_CHANGE_KIND_IDENTITY_ADDED, walletv1.ChangeKind_CHANGE_KIND_IDENTITY_REMOVED} {
		if !slices.Contains(v.changes(), kind) {
			t.Errorf("%s is not listed", kind)
		}
	}
}

// Changes that alone give nobody access can be repeated without end.
func TestNoiseHidesNoChange(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	id := v.logIn(alice).GetUserId()
	v.change(alice, newAlice)
	for range 40 {
		if err := w.db.InTx(t.Context(), func(tx *store.Tx) error {
			return notice.Insert(t.Context(), tx, id, notice.Change{Kind: notice.PasswordGuessed, At: w.clock.Now()})
		}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Contains(v.changes(), walletv1.ChangeKind_CHANGE_KIND_EMAIL_CHANGED) {
		t.Errorf("changes %v", v.changes())
	}
	w.clock.Pass(time.Minute)
	v.change(newAlice, "alice@newest.example")
	if m := w.lastMail(alice); !strings.Contains(m.Text, "now signs in with alice@newest.example") {
		t.Errorf("mail %q", m.Text)
	}
}

func TestARemovalIsMailedWhenItsDayIsOver(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.Caller.Device.AccessToken = must(v.devLogIn(alice))(t).GetTokens().GetAccessToken()
	v.linkSigned("person-bob")
	if err := v.unlink("email", alice, nil); err != nil {
		t.Fatal(err)
	}
	w.clock.Pass(24 * time.Hour)
	if err := w.server.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := w.inbox.Mails(alice)[0]; !strings.Contains(m.Text, "Email no longer signs in") {
		t.Errorf("mail %q", m.Text)
	}
}

// The attacker has a login of the last minutes and a mailbox of their own, and not that of the user.
func TestAnEmailThatWasKeptIsNotReplacedWithoutItsProof(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newDevelopment(t, db)
		owner := w.visitor()
		owner.Caller.Device.AccessToken = must(owner.devLogIn(alice))(t).GetTokens().GetAccessToken()
		owner.linkSigned("person-bob")
		attacker := w.visitor()
		attacker.socialLogin("github", "person-bob")
		if err := attacker.unlink("email", alice, nil); err != nil {
			t.Fatal(err)
		}
		started := must(attacker.startChange(mallory))(t)
		if started.GetAction() != walletv1.EmailChangeAction_EMAIL_CHANGE_ACTION_VERIFY_NEW {
			t.Fatalf("action %s", started.GetAction())
		}
		if err := attacker.keep("email", alice, nil); err != nil {
			t.Fatal(err)
		}
		_, err := attacker.verifyNew(started.GetChallengeId(), w.devCode(mallory))
		refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
		for _, i := range must(owner.user())(t).GetIdentities() {
			if i.GetSubject() == mallory || i.GetEndsAt() != 0 {
				t.Errorf("identity %v", i)
			}
		}
	})
}

func TestAnAccountThatALoginAddsSignsInAfterADay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newDevelopment(t, db)
		victim := w.visitor()
		tokens := must(victim.devLogIn(alice))(t).GetTokens()
		victim.Caller.Device.AccessToken = tokens.GetAccessToken()
		must(victim.createWallet())(t)
		if err := victim.link(victim.proven("person-bob"), nil); err != nil {
			t.Fatal(err)
		}
		if m := w.inbox.Mails(alice)[0]; !strings.Contains(m.Text, "GitHub was added to your wallet. It can sign in after 24 hours") {
			t.Errorf("mail %q", m.Text)
		}
		attacker := w.visitor()
		_, err := attacker.waitForSocial(attacker.proven("person-bob"))
		refused(t, err, faultv1.Reason_REASON_IDENTITY_PENDING)
		// Adding it again does not shorten the day.
		w.clock.Pass(4 * time.Minute)
		if err := victim.link(victim.proven("person-bob"), nil); err != nil {
			t.Fatal(err)
		}
		_, err = attacker.waitForSocial(attacker.proven("person-bob"))
		refused(t, err, faultv1.Reason_REASON_IDENTITY_PENDING)
		w.clock.Pass(24 * time.Hour)
		if err := w.server.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		if m := w.inbox.Mails(alice)[0]; !strings.Contains(m.Text, "GitHub was added to your wallet. It can sign in from now on") {
			t.Errorf("mail %q", m.Text)
		}
		// An account that signs in is not delayed by a further login at its provider.
		again := w.visitor()
		in := again.socialLogin("github", "person-bob").GetTokens()
		if in.GetUserId() != tokens.GetUserId() {
			t.Fatal("the account signs in another user")
		}
		if err := again.link(again.proven("person-bob"), nil); err != nil {
			t.Fatal(err)
		}
		if got := w.visitor().socialLogin("github", "person-bob").GetTokens().GetUserId(); got != tokens.GetUserId() {
			t.Error("the account signs in another user")
		}
	})
}

// The owner leaves a mailbox that somebody else reads.
func TestAChangeThatTheWalletSignedIsUndoneByItsSignature(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		owner := w.visitor()
		id := owner.logIn(alice).GetUserId()
		must(owner.createWallet())(t)
		owner.changeSigned(alice, newAlice)
		w.clock.Pass(time.Minute)
		attacker := w.visitor()
		attacker.logIn(alice)
		refused(t, attacker.keep("email", alice, nil), faultv1.Reason_REASON_LOGIN_STALE)
		u := must(owner.user())(t)
		if u.GetEmail() != newAlice || len(u.GetIdentities()) != 2 {
			t.Errorf("user %v", u)
		}
		if err := owner.keep("email", alice, owner.sign("KeepIdentity", "email "+alice)); err != nil {
			t.Fatal(err)
		}
		if u := must(owner.user())(t); u.GetEmail() != alice || len(u.GetIdentities()) != 1 {
			t.Errorf("user %v", u)
		}
		if got := w.visitor().logIn(newAlice).GetUserId(); got == id {
			t.Error("the new email still signs in")
		}
	})
}

// The attacker reads the mailbox of the user and changes the email twice, so that two emails are theirs.
func TestEveryEmailOfAChangeEndsWithIt(t *testing.T) {
	for name, isSigned := range map[string]bool{"by a login": false, "by the wallet": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
			owner := w.visitor()
			id := owner.logIn(alice).GetUserId()
			must(owner.createWallet())(t)
			w.clock.Pass(time.Minute)
			attacker := w.visitor()
			attacker.logIn(alice)
			attacker.change(alice, mallory)
			w.clock.Pass(time.Minute)
			attacker.change(mallory, "mallory@other.example")
			var proof *walletv1.ChangeProof
			if isSigned {
				proof = owner.sign("KeepIdentity", "email "+alice)
			}
			if err := owner.keep("email", alice, proof); err != nil {
				t.Fatal(err)
			}
			if err := attacker.keep("email", mallory, nil); (err != nil) != isSigned {
				t.Fatalf("the attacker keeps an email: %v", err)
			}
			u := must(owner.user())(t)
			if u.GetEmail() != alice {
				t.Errorf("user %v", u)
			}
			if isSigned && len(u.GetIdentities()) != 1 {
				t.Errorf("user %v", u)
			}
			for _, i := range u.GetIdentities() {
				if i.GetSubject() == alice && i.GetEndsAt() != 0 {
					t.Error("the email of the owner ends")
				}
			}
			w.clock.Pass(24 * time.Hour)
			if got := w.visitor().logIn("mallory@other.example").GetUserId(); got == id {
				t.Error("an email of the attacker still signs in")
			}
		})
	}
}

// changeSigned changes the visitor's email as the opened wallet does.
func (v *visitor) changeSigned(from, to string) {
	v.w.t.Helper()
	started := must(call[walletv1.StartEmailChangeResponse](v, walletv1.WalletService_StartEmailChange_FullMethodName,
		&walletv1.StartEmailChangeRequest{Email: to, Proof: v.sign("StartEmailChange", to)}))(v.w.t)
	next := must(v.verifyOld(started.GetChallengeId(), v.w.code(from)))(v.w.t)
	must(v.verifyNew(next.GetChallengeId(), v.w.code(to)))(v.w.t)
}

func TestAMailHasNoTextOfTheCaller(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	for _, device := range []*walletv1.Device{
		{Browser: "x\n\nYour account was emptied. Get the rest out now:\n", System: "https://evil.example/rescue\n\nThe Shop security team\n"},
		{Browser: "Firefox 141\nhttps://evil.example", System: "evil.example"},
	} {
		must(call[walletv1.StartEmailResponse](v, walletv1.LoginService_StartEmail_FullMethodName, &walletv1.StartEmailRequest{Email: alice, Device: device}))(t)
		m := w.lastMail(alice)
		if !strings.Contains(m.Text, "Device: Unknown browser, Unknown system\n") || strings.Contains(m.Text+m.HTML+m.Subject, "evil") {
			t.Errorf("mail %q", m.Text)
		}
		w.clock.Pass(time.Minute)
	}
}

func TestADeviceIsNotKnownAfterItsSessionOrFactorWasRemoved(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		for name, remove := range map[string]func(w *world, owner, lost *visitor){
			"its session": func(w *world, owner, lost *visitor) {
				for _, s := range must(call[walletv1.ListSessionsResponse](owner, walletv1.SessionService_ListSessions_FullMethodName, &walletv1.ListSessionsRequest{}))(w.t).GetSessions() {
					if !s.GetCurrent() {
						must(call[walletv1.RevokeSessionResponse](owner, walletv1.SessionService_RevokeSession_FullMethodName, &walletv1.RevokeSessionRequest{Id: s.GetId()}))(w.t)
					}
				}
			},
			"all sessions": func(w *world, owner, _ *visitor) {
				must(call[walletv1.RevokeAllSessionsResponse](owner, walletv1.SessionService_RevokeAllSessions_FullMethodName, &walletv1.RevokeAllSessionsRequest{}))(w.t)
			},
			"its factor": func(w *world, owner, lost *visitor) {
				if err := owner.remove(must(lost.user())(w.t).GetDeviceFactorId()); err != nil {
					w.t.Fatal(err)
				}
			},
		} {
			t.Run(name, func(t *testing.T) {
				owner, lost := w.visitor(), w.visitor()
				email := strings.ReplaceAll(name, " ", "-") + "@example.org"
				owner.logIn(email)
				must(owner.createWallet())(t)
				w.clock.Pass(time.Minute)
				lost.logIn(email)
				if err := lost.add(newFactor(walletv1.FactorKind_FACTOR_KIND_DEVICE)); err != nil {
					t.Fatal(err)
				}
				remove(w, owner, lost)
				w.clock.Pass(time.Minute)
				lost.Caller.Device.AccessToken = ""
				if got := must(lost.start(email))(t).GetAction(); got != walletv1.EmailAction_EMAIL_ACTION_VERIFY_DEVICE {
					t.Errorf("the next login: %s", got)
				}
			})
		}
	})
}
