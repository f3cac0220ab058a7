package console_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/console/passkey"
	"github.com/hawser-dev/hawser/services/console/passkey/passkeytest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestPasskeyStores(t *testing.T) {
	for kind, dsn := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		t.Run(kind, func(t *testing.T) {
			passkeytest.RunStore(t, func(t *testing.T) (passkey.Store, string, string) {
				w := newWorld(t, storetest.Open(t, dsn(t)))
				return passkey.NewSQLStore(w.db), w.signedIn("Ada", console.Owner).id, w.signedIn("Bob", console.Viewer).id
			})
		})
	}
}

// addPasskey adds the passkey of an authenticator.
func (o *operator) addPasskey(a *passkeytest.Authenticator) (*adminv1.Passkey, error) {
	o.w.t.Helper()
	asked, err := call[adminv1.StartPasskeyResponse](o, adminv1.PasskeyService_StartPasskey_FullMethodName, &adminv1.StartPasskeyRequest{})
	if err != nil {
		return nil, err
	}
	added, err := call[adminv1.AddPasskeyResponse](o, adminv1.PasskeyService_AddPasskey_FullMethodName, &adminv1.AddPasskeyRequest{Name: "Laptop", Credential: a.Create(asked.GetOptions())})
	return added.GetPasskey(), err
}

// challenge returns the options of a login.
func (o *operator) challenge() string {
	o.w.t.Helper()
	asked, err := call[adminv1.StartPasskeyLoginResponse](o, adminv1.PasskeyService_StartPasskeyLogin_FullMethodName, &adminv1.StartPasskeyLoginRequest{})
	if err != nil {
		o.w.t.Fatal(err)
	}
	return asked.GetOptions()
}

// finish signs in with an answer.
func (o *operator) finish(answer string) (*adminv1.FinishPasskeyLoginResponse, error) {
	o.from.NewSession = strings.Repeat("cd", 32)
	res, err := call[adminv1.FinishPasskeyLoginResponse](o, adminv1.PasskeyService_FinishPasskeyLogin_FullMethodName, &adminv1.FinishPasskeyLoginRequest{Credential: answer})
	if err == nil {
		o.from.Session = o.from.NewSession
	}
	o.from.NewSession = ""
	return res, err
}

func TestAPasskeySignsItsOperatorIn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ada := w.signedIn("Ada", console.Changer)
		a := passkeytest.New(t, origin)
		a.Flags |= passkeytest.BackupEligible
		added, err := ada.addPasskey(a)
		if err != nil || added.GetName() != "Laptop" || !added.GetSynced() || added.GetUsedAt() != 0 {
			t.Fatalf("%v, %v", added, err)
		}
		n := len(w.entries())
		somebody := w.stranger()
		a.Flags |= passkeytest.BackedUp
		got, err := somebody.finish(a.Get(somebody.challenge()))
		if err != nil || got.GetOperator().GetId() != ada.id || got.GetSession().GetBrowser() != "Firefox" {
			t.Fatalf("%v, %v", got, err)
		}
		if me, err := call[adminv1.GetMeResponse](somebody, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); err != nil || me.GetOperator().GetName() != "Ada" {
			t.Errorf("%v, %v", me, err)
		}
		login := w.since(n)[1:3]
		if login[0].Outcome != audit.Started || login[1].Outcome != audit.Done || login[1].Call != "PasskeyService/FinishPasskeyLogin" || login[1].Target != "passkey "+added.GetId() || login[1].OperatorName != "Ada" {
			t.Errorf("%+v", login)
		}
		list, err := call[adminv1.ListPasskeysResponse](ada, adminv1.PasskeyService_ListPasskeys_FullMethodName, &adminv1.ListPasskeysRequest{})
		if err != nil || len(list.GetPasskeys()) != 1 || list.GetPasskeys()[0].GetUsedAt() != w.clock.Now().Unix() {
			t.Errorf("%v, %v", list, err)
		}
		if _, err := call[adminv1.RemovePasskeyResponse](ada, adminv1.PasskeyService_RemovePasskey_FullMethodName, &adminv1.RemovePasskeyRequest{Id: added.GetId()}); err != nil {
			t.Fatal(err)
		}
		if _, err := somebody.finish(a.Get(somebody.challenge())); reason(err) != faultv1.Reason_REASON_PASSKEY_REFUSED {
			t.Errorf("a passkey that was removed: %v", err)
		}
	})
}

func TestALoginByPasskeyIsRefused(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ada, bob := w.signedIn("Ada", console.Owner), w.signedIn("Bob", console.Viewer)
		for behaviour, answer := range map[string]func(a *passkeytest.Authenticator, o *operator) string{
			"with an answer from another origin": func(a *passkeytest.Authenticator, o *operator) string {
				a.Origin = "http://localhost:8091"
				return a.Get(o.challenge())
			},
			"with an answer for another party": func(a *passkeytest.Authenticator, o *operator) string {
				a.Party = "evil.example"
				return a.Get(o.challenge())
			},
			"of an authenticator that did not verify its user": func(a *passkeytest.Authenticator, o *operator) string {
				a.Flags &^= passkeytest.UserVerified
				return a.Get(o.challenge())
			},
			"for another operator": func(a *passkeytest.Authenticator, o *operator) string {
				a.Handle = []byte(bob.id)
				return a.Get(o.challenge())
			},
			"without an operator": func(a *passkeytest.Authenticator, o *operator) string {
				a.Handle = []byte{}
				return a.Get(o.challenge())
			},
			"by an unknown passkey": func(a *passkeytest.Authenticator, o *operator) string {
				other := passkeytest.New(t, origin)
				other.Handle = []byte(ada.id)
				return other.Get(o.challenge())
			},
			"after two minutes": func(a *passkeytest.Authenticator, o *operator) string {
				answer := a.Get(o.challenge())
				w.clock.Pass(passkey.Lifetime)
				return answer
			},
			"with a challenge that nobody set": func(a *passkeytest.Authenticator, _ *operator) string {
				return a.Get(`{"challenge":"` + strings.Repeat("A", 43) + `","rpId":"localhost"}`)
			},
			"with a challenge to add a passkey": func(a *passkeytest.Authenticator, _ *operator) string {
				asked, err := call[adminv1.StartPasskeyResponse](ada, adminv1.PasskeyService_StartPasskey_FullMethodName, &adminv1.StartPasskeyRequest{})
				if err != nil {
					t.Fatal(err)
				}
				return a.Get(strings.Replace(asked.GetOptions(), `"rp":`, `"rpId":"localhost","rp":`, 1))
			},
			"with the answer of another key": func(a *passkeytest.Authenticator, o *operator) string {
				return strings.Replace(a.Get(o.challenge()), `"signature":"`, `"signature":"AAAA`, 1)
			},
			"with a counter that went back": func(a *passkeytest.Authenticator, o *operator) string {
				a.Count = 4
				return a.Get(o.challenge())
			},
			"with a counter that stays": func(a *passkeytest.Authenticator, o *operator) string {
				a.Count = 5
				return a.Get(o.challenge())
			},
			"with what is no answer": func(*passkeytest.Authenticator, *operator) string { return `{"id":7}` },
		} {
			w.clock.Pass(30 * time.Second) // the rate of logins is another test
			a := passkeytest.New(t, origin)
			a.Count = 5
			added, err := ada.addPasskey(a)
			if err != nil {
				t.Fatal(err)
			}
			o := w.stranger()
			if _, err := o.finish(answer(a, o)); reason(err) != faultv1.Reason_REASON_PASSKEY_REFUSED {
				t.Errorf("%s: %v", behaviour, err)
			}
			if _, err := call[adminv1.RemovePasskeyResponse](ada, adminv1.PasskeyService_RemovePasskey_FullMethodName, &adminv1.RemovePasskeyRequest{Id: added.GetId()}); err != nil {
				t.Fatal(err)
			}
		}
		// And one twice.
		a := passkeytest.New(t, origin)
		if _, err := ada.addPasskey(a); err != nil {
			t.Fatal(err)
		}
		w.clock.Pass(time.Minute)
		o := w.stranger()
		answer := a.Get(o.challenge())
		if _, err := o.finish(answer); err != nil {
			t.Fatal(err)
		}
		if _, err := w.stranger().finish(answer); reason(err) != faultv1.Reason_REASON_PASSKEY_REFUSED {
			t.Errorf("an answer that was used: %v", err)
		}
	})
}

func TestAPasskeyIsNotAdded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ada := w.signedIn("Ada", console.Owner)
		start := func(o *operator) string {
			asked, err := call[adminv1.StartPasskeyResponse](o, adminv1.PasskeyService_StartPasskey_FullMethodName, &adminv1.StartPasskeyRequest{})
			if err != nil {
				t.Fatal(err)
			}
			return asked.GetOptions()
		}
		add := func(o *operator, answer string) error {
			_, err := call[adminv1.AddPasskeyResponse](o, adminv1.PasskeyService_AddPasskey_FullMethodName, &adminv1.AddPasskeyRequest{Name: "Laptop", Credential: answer})
			return err
		}
		again := w.signedIn("Ada", console.Owner)
		for behaviour, refused := range map[string]func(a *passkeytest.Authenticator) error{
			"in another session of its operator": func(a *passkeytest.Authenticator) error { return add(again, a.Create(start(ada))) },
			"from another origin": func(a *passkeytest.Authenticator) error {
				a.Origin = "https://evil.example"
				return add(ada, a.Create(start(ada)))
			},
			"without a verified user": func(a *passkeytest.Authenticator) error {
				a.Flags &^= passkeytest.UserVerified
				return add(ada, a.Create(start(ada)))
			},
			"after two minutes": func(a *passkeytest.Authenticator) error {
				answer := a.Create(start(ada))
				w.clock.Pass(passkey.Lifetime)
				return add(ada, answer)
			},
		} {
			if err := refused(passkeytest.New(t, origin)); reason(err) != faultv1.Reason_REASON_PASSKEY_REFUSED {
				t.Errorf("%s: %v", behaviour, err)
			}
		}
		w.clock.Pass(20 * time.Minute)
		if _, err := ada.addPasskey(passkeytest.New(t, origin)); err != nil {
			t.Fatal(err)
		}
		w.clock.Pass(25 * time.Minute)
		if _, err := call[adminv1.GetMeResponse](ada, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); err != nil {
			t.Fatal(err)
		}
		w.clock.Pass(25 * time.Minute)
		if _, err := ada.addPasskey(passkeytest.New(t, origin)); reason(err) != faultv1.Reason_REASON_LOGIN_STALE {
			t.Errorf("over an hour after the login: %v", err)
		}
	})
}

// The name of a page's host may be what somebody else's name server says.
func TestPasskeysNeedAnOriginThatIsKnown(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	for _, at := range []string{"", "null", "http://127.0.0.1:8090", "http://console.example", "https://console.example"} {
		w.clock.Pass(10 * time.Second)
		o := w.stranger()
		o.from.Origin = at
		_, err := call[adminv1.StartPasskeyLoginResponse](o, adminv1.PasskeyService_StartPasskeyLogin_FullMethodName, &adminv1.StartPasskeyLoginRequest{})
		if reason(err) != faultv1.Reason_REASON_PASSKEY_UNAVAILABLE {
			t.Errorf("%q: %v", at, err)
		}
	}
	if got := w.stranger().challenge(); !strings.Contains(got, `"rpId":"localhost"`) || !strings.Contains(got, `"userVerification":"required"`) || strings.Contains(got, "allowCredentials") {
		t.Error(got)
	}
}

func TestStartsOfLoginsCannotFillTheAuditLog(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		started := 0
		for i := range 40 {
			w.clock.Pass(500 * time.Millisecond)
			for j := range 4 {
				from := w.stranger()
				from.from.Address = fmt.Sprintf("203.0.113.%d", 4*i+j)
				if _, err := call[adminv1.StartPasskeyLoginResponse](from, adminv1.PasskeyService_StartPasskeyLogin_FullMethodName, &adminv1.StartPasskeyLoginRequest{}); err == nil {
					started++
				}
			}
		}
		if n := len(w.entries()); started < 100 || n > 81 {
			t.Errorf("%d logins started, %d entries", started, n)
		}
	})
}

func TestChallengesOfLoginsAreBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		asked := 0
		for range 100 {
			o := w.stranger()
			if _, err := call[adminv1.StartPasskeyLoginResponse](o, adminv1.PasskeyService_StartPasskeyLogin_FullMethodName, &adminv1.StartPasskeyLoginRequest{}); err == nil {
				asked++
			}
		}
		var stored int
		if err := db.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM console_challenges`).Scan(&stored); err != nil || asked != 10 || stored != asked {
			t.Errorf("%d challenges of one address at once, %d stored, %v", asked, stored, err)
		}
	})
}
