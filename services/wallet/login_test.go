package wallet_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet"
)

func TestEmailLoginApprovesANewDeviceAndThenVerifiesTheCode(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		w.visitor().logIn(alice)
		v := w.visitor()
		started := must(v.start("Alice@Example.org"))(t)
		if started.GetAction() != walletv1.EmailAction_EMAIL_ACTION_VERIFY_DEVICE || len(strings.Fields(started.GetWords())) != 2 {
			t.Fatalf("started %v", started)
		}
		if _, err := v.verify(started.GetChallengeId(), "000000"); fault.From(err).Reason != faultv1.Reason_REASON_CHALLENGE_ENDED {
			t.Errorf("a code before the approval: %v", err)
		}
		token := w.link(alice)
		page := must(callAs[walletv1.GetDeviceRequestResponse](v, caller.Caller{Project: project}, walletv1.LoginService_GetDeviceRequest_FullMethodName,
			&walletv1.GetDeviceRequestRequest{Token: token}))(t)
		if page.GetWords() != started.GetWords() || page.GetNetwork() != "192.0.2.0/24" || page.GetDevice().GetSite() != "https://shop.example" {
			t.Errorf("the page shows %v", page)
		}
		v.decide(token, true)
		waited := must(call[walletv1.WaitForDeviceResponse](v, walletv1.LoginService_WaitForDevice_FullMethodName,
			&walletv1.WaitForDeviceRequest{ChallengeId: started.GetChallengeId()}))(t)
		if waited.GetState() != walletv1.DeviceState_DEVICE_STATE_APPROVED {
			t.Fatalf("state %s", waited.GetState())
		}
		tokens := must(v.verify(started.GetChallengeId(), w.code(alice)))(t).GetTokens()
		v.Caller.Device.AccessToken = tokens.GetAccessToken()
		u := must(call[walletv1.GetUserResponse](v, walletv1.WalletService_GetUser_FullMethodName, &walletv1.GetUserRequest{}))(t)
		if u.GetEmail() != alice || u.GetId() != tokens.GetUserId() || u.GetWalletId() != "" {
			t.Errorf("user %v", u)
		}
		if again := must(v.start(alice))(t); again.GetAction() != walletv1.EmailAction_EMAIL_ACTION_CONNECT {
			t.Errorf("a device with a session of the email: %s", again.GetAction())
		}
		v.Caller.Device.AccessToken = ""
		w.clock.Pass(31 * time.Second)
		if again := must(v.start(alice))(t); again.GetAction() != walletv1.EmailAction_EMAIL_ACTION_VERIFY_CODE {
			t.Errorf("a known device: %s", again.GetAction())
		}
	})
}

func TestTheLinkOfAMailDecidesOnceAndForItsDeviceOnly(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.visitor().logIn(alice)
	v, scanner := w.visitor(), w.visitor()
	started := must(v.start(alice))(t)
	before := len(w.inbox.Mails(alice))
	token := w.link(alice)
	look := func() error {
		_, err := callAs[walletv1.GetDeviceRequestResponse](scanner, caller.Caller{Project: project}, walletv1.LoginService_GetDeviceRequest_FullMethodName,
			&walletv1.GetDeviceRequestRequest{Token: token})
		return err
	}
	for range 3 {
		if err := look(); err != nil {
			t.Fatal(err)
		}
	}
	if mails := w.inbox.Mails(alice); len(mails) != before {
		t.Errorf("looking at the page sent %d mails", len(mails)-before)
	}
	if _, err := callAs[walletv1.DecideDeviceResponse](scanner, caller.Caller{Project: other}, walletv1.LoginService_DecideDevice_FullMethodName,
		&walletv1.DecideDeviceRequest{Token: token, Approve: true}); fault.From(err).Reason != faultv1.Reason_REASON_CHALLENGE_ENDED {
		t.Errorf("another project: %v", err)
	}
	scanner.decide(token, true)
	if err := look(); fault.From(err).Reason != faultv1.Reason_REASON_CHALLENGE_ENDED {
		t.Errorf("a link that was used: %v", err)
	}
	// The device that opened the link cannot use the code.
	_, err := scanner.verify(started.GetChallengeId(), w.code(alice))
	refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
	must(v.verify(started.GetChallengeId(), w.code(alice)))(t)
}

func TestADeniedDeviceDoesNotSignIn(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.visitor().logIn(alice)
	v := w.visitor()
	started := must(v.start(alice))(t)
	v.decide(w.link(alice), false)
	waited := must(call[walletv1.WaitForDeviceResponse](v, walletv1.LoginService_WaitForDevice_FullMethodName,
		&walletv1.WaitForDeviceRequest{ChallengeId: started.GetChallengeId()}))(t)
	if waited.GetState() != walletv1.DeviceState_DEVICE_STATE_DENIED {
		t.Errorf("state %s", waited.GetState())
	}
	_, err := call[walletv1.ResendCodeResponse](v, walletv1.LoginService_ResendCode_FullMethodName, &walletv1.ResendCodeRequest{ChallengeId: started.GetChallengeId()})
	refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
}

func TestTheEmailOfNoUserNeedsOneCode(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		started := must(v.start(alice))(t)
		if started.GetAction() != walletv1.EmailAction_EMAIL_ACTION_VERIFY_CODE || started.GetWords() != "" {
			t.Fatalf("started %v", started)
		}
		must(v.verify(started.GetChallengeId(), w.code(alice)))(t)
		if mails := w.inbox.Mails(alice); len(mails) != 1 || !strings.Contains(mails[0].Text, "Device: Firefox 141, Linux") {
			t.Errorf("the mails are %v", mails)
		}
		other := w.visitor()
		if started := must(other.start(alice))(t); started.GetAction() != walletv1.EmailAction_EMAIL_ACTION_VERIFY_DEVICE {
			t.Errorf("a new device of the user: %s", started.GetAction())
		}
	})
}

// A code that was requested while the email had no user does not sign in to the user that was created since.
func TestACodeAloneDoesNotSignInToAUserThatWasCreatedSince(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		attacker := w.visitor()
		id := must(attacker.start(alice))(t).GetChallengeId()
		code := w.code(alice)
		w.visitor().logIn(alice)
		_, err := attacker.verify(id, code)
		refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
		_, err = attacker.verify(id, code)
		refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
		w.clock.Pass(31 * time.Second)
		if started := must(attacker.start(alice))(t); started.GetAction() != walletv1.EmailAction_EMAIL_ACTION_VERIFY_DEVICE {
			t.Errorf("the next login of the device: %s", started.GetAction())
		}
	})
}

// Of devices that use codes for one new email at the same time, one creates the user, and no other one signs in to it.
func TestOfSeveralCodesForANewEmailOneSignsIn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		visitors, ids, mailed := make([]*visitor, 4), make([]string, 4), make([]string, 4)
		for i := range visitors {
			visitors[i] = w.visitor()
			ids[i] = must(visitors[i].start(alice))(t).GetChallengeId()
			mailed[i] = w.code(alice)
		}
		outcomes := make(chan error, len(visitors))
		var g errgroup.Group
		for i, v := range visitors {
			g.Go(func() error {
				_, err := v.verify(ids[i], mailed[i])
				outcomes <- err
				return nil
			})
		}
		_ = g.Wait()
		close(outcomes)
		signedIn := 0
		for err := range outcomes {
			if err == nil {
				signedIn++
			} else if fault.From(err).Reason != faultv1.Reason_REASON_CHALLENGE_ENDED {
				t.Error(err)
			}
		}
		if signedIn != 1 {
			t.Errorf("%d devices signed in", signedIn)
		}
	})
}

func TestTheFifthWrongCodeEndsTheChallenge(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	id := v.begin(alice)
	code := w.code(alice)
	for i := range 5 {
		_, err := v.verify(id, wrong(code, i))
		refused(t, err, faultv1.Reason_REASON_CODE_WRONG)
	}
	_, err := v.verify(id, code)
	refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
}

// wrong returns a code that differs from code.
func wrong(code string, i int) string {
	guess := strings.Repeat(string(rune('0'+i)), 6)
	if guess == code {
		return "987654"
	}
	return guess
}

func TestGuessesAtTheSameTimeAreCounted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		id := v.begin(alice)
		code := w.code(alice)
		reasons := make(chan faultv1.Reason, 50)
		var g errgroup.Group
		for range 50 {
			g.Go(func() error {
				_, err := v.verify(id, wrong(code, 1))
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
		if count[faultv1.Reason_REASON_CODE_WRONG] != 5 {
			t.Errorf("%v; want 5 wrong codes", count)
		}
		_, err := v.verify(id, code)
		refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
	})
}

func TestACodeIsOfOneChallengeOneDeviceAndOneProject(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v, unknownAccount := w.visitor(), w.visitor()
	id := v.begin(alice)
	code := w.code(alice)
	_, err := unknownAccount.verify(id, code)
	refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
	v.Caller.Project = other
	_, err = v.verify(id, code)
	refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
	v.Caller.Project = project
	must(v.verify(id, code))(t)
	_, err = v.verify(id, code)
	refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
}

func TestACodeExpires(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	id := v.begin(alice)
	code := w.code(alice)
	w.clock.Pass(10 * time.Minute)
	_, err := v.verify(id, code)
	refused(t, err, faultv1.Reason_REASON_CHALLENGE_ENDED)
}

func TestTheNextMailIsSentAfterThirtySeconds(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	id := v.begin(alice)
	resend := func() error {
		_, err := call[walletv1.ResendCodeResponse](v, walletv1.LoginService_ResendCode_FullMethodName, &walletv1.ResendCodeRequest{ChallengeId: id})
		return err
	}
	first := w.code(alice)
	w.clock.Pass(29*time.Second + time.Millisecond)
	if f := refused(t, resend(), faultv1.Reason_REASON_RATE_LIMITED); f.Public != "Please try again after 1 seconds" {
		t.Errorf("text %q", f.Public)
	}
	_, err := v.start(alice)
	if f := refused(t, err, faultv1.Reason_REASON_RATE_LIMITED); f.Public != "Please try again after 1 seconds" {
		t.Errorf("text of a new login %q", f.Public)
	}
	w.clock.Pass(999 * time.Millisecond)
	if err := resend(); err != nil {
		t.Fatal(err)
	}
	if second := w.code(alice); second == first {
		t.Error("the same code was sent again")
	}
	w.clock.Pass(30 * time.Second)
	if f := refused(t, resend(), faultv1.Reason_REASON_RATE_LIMITED); f.RetryAfter != 30*time.Second {
		t.Errorf("the wait after the second mail is not longer: %s", f.RetryAfter)
	}
	if _, err := v.verify(id, first); err == nil {
		t.Error("the code of the first mail is still accepted")
	}
}

func TestLoginsOfAnHourAreBounded(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*wallet.Config)
		email  func(i int) string
	}{
		"per email":   {func(c *wallet.Config) { c.LoginsPerEmail = 3 }, func(int) string { return alice }},
		"per address": {func(c *wallet.Config) { c.LoginsPerAddress = 3 }, func(i int) string { return strings.Repeat("a", i+1) + "@example.org" }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), tt.change)
			for i := range 3 {
				must(w.visitor().start(tt.email(i)))(t)
				w.clock.Pass(time.Minute)
			}
			_, err := w.visitor().start(tt.email(3))
			if f := refused(t, err, faultv1.Reason_REASON_RATE_LIMITED); f.RetryAfter != 57*time.Minute {
				t.Errorf("retry after %s", f.RetryAfter)
			}
			w.clock.Pass(57 * time.Minute)
			must(w.visitor().start(tt.email(3)))(t)
		})
	}
}

// Anyone can start logins of any email, from networks of their own.
func TestStrangersDoNotUseUpTheLoginsOfAUser(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, func(c *wallet.Config) { c.LoginsPerEmail = 3 })
		owner := w.visitor()
		owner.logIn(alice)
		owner.Caller.Device.AccessToken = ""
		w.clock.Pass(time.Minute)
		start := func(address string) error {
			v := w.visitor()
			v.Caller.Address = address
			_, err := v.start(alice)
			return err
		}
		for range 3 {
			if err := start("198.51.100.1"); err != nil {
				t.Fatal(err)
			}
		}
		refused(t, start("198.51.100.1"), faultv1.Reason_REASON_RATE_LIMITED)
		// A new device of the user, elsewhere.
		if err := start("203.0.113.1"); err != nil {
			t.Errorf("from another network: %v", err)
		}
		for n := range 7 {
			if err := start(fmt.Sprintf("203.0.113.%d", 10+n)); err != nil {
				t.Fatal(err)
			}
		}
		refused(t, start("203.0.113.99"), faultv1.Reason_REASON_RATE_LIMITED)
		// The first login of the device counts as well.
		for range 2 {
			must(owner.start(alice))(t)
			w.clock.Pass(time.Minute)
		}
		_, err := owner.start(alice)
		refused(t, err, faultv1.Reason_REASON_RATE_LIMITED)
	})
}

// The device that signs up is as unknown as one that has to be approved: its key costs nothing.
func TestCodesForANewEmailAreCountedForAllDevicesOfANetwork(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), func(c *wallet.Config) { c.LoginsPerEmail = 3 })
	for range 3 {
		must(w.visitor().start(alice))(t)
	}
	_, err := w.visitor().start(alice)
	refused(t, err, faultv1.Reason_REASON_RATE_LIMITED)
	if mails := w.inbox.Mails(alice); len(mails) != 3 {
		t.Errorf("%d mails", len(mails))
	}
}

// A caller can choose addresses freely within a /64 of IPv6.
func TestLoginsOfOneNetworkOfIPv6AreBounded(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), func(c *wallet.Config) { c.LoginsPerAddress = 3 })
	start := func(i int, address string) error {
		v := w.visitor()
		v.Caller.Address = address
		_, err := v.start(fmt.Sprintf("user%d@example.org", i))
		return err
	}
	for i := range 3 {
		if err := start(i, fmt.Sprintf("2001:db8::%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, start(3, "2001:db8::3"), faultv1.Reason_REASON_RATE_LIMITED)
	if err := start(4, "2001:db8:0:1::"); err != nil {
		t.Errorf("another network: %v", err)
	}
}

func TestAMailThatIsNotSentDoesNotDelayTheNextAttempt(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	working := w.cfg.Mail
	w.cfg.Mail.Port = 1
	w.start()
	v := w.visitor()
	_, err := v.start(alice)
	refused(t, err, faultv1.Reason_REASON_MAIL_UNAVAILABLE)
	w.cfg.Mail = working
	w.start()
	must(v.start(alice))(t)
}

func TestTextsThatAreNoEmailAddressAreRefused(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	for _, text := range []string{"", "alice", "alice@", "@example.org", "Alice <alice@example.org>", "a b@example.org", "alice@example.org\r\nBcc: b@example.org", "a@[127.0.0.1]", strings.Repeat("a", 65) + "@example.org", "alice@exam ple.org", "a,b@example.org"} {
		_, err := w.visitor().start(text)
		refused(t, err, faultv1.Reason_REASON_EMAIL_INVALID)
	}
}
