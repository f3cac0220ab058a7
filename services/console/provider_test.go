package console_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/console/identity"
	"github.com/hawser-dev/hawser/services/console/passkey/passkeytest"
	development "github.com/hawser-dev/hawser/services/development/identity"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

const callback = origin + identity.Path

// newProvided returns a world whose operators sign in at the provider for development, by the rules.
func newProvided(t *testing.T, db *store.DB, rules ...identity.Rule) *world {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	cfg := console.DefaultConfig()
	cfg.OIDC.Issuer, cfg.OIDC.ClientID, cfg.OIDC.ClientSecret, cfg.OIDC.Allowed = server.URL+development.Path+development.Staff, development.ClientID, development.ClientSecret, rules
	if faults := cfg.Check(); len(faults) > 0 {
		t.Fatal(faults)
	}
	w := newWorldWith(t, db, cfg)
	w.provided = cfg
	idp, err := development.New(server.URL, "", callback, w.clock)
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle(development.Path, idp)
	return w
}

// ruled returns the world after its rules were replaced by one, with the same provider and database.
func (w *world) ruled(rule identity.Rule) *world {
	w.t.Helper()
	cfg := w.provided
	cfg.OIDC.Allowed = []identity.Rule{rule}
	return newWorldWith(w.t, w.db, cfg)
}

// operatorOf returns the id of who is signed in.
func (w *world) operatorOf(o *operator) string {
	w.t.Helper()
	_, of, err := w.operators.Check(w.t.Context(), o.from.Session)
	if err != nil {
		w.t.Fatal(err)
	}
	return of.ID
}

// loginToken is that of a browser.
func loginToken(browser string) string { return strings.Repeat(browser, 64) }

// depart starts a login in a browser, and returns the address of the provider.
func (o *operator) depart(browser string) string {
	o.w.t.Helper()
	o.from.LoginToken = loginToken(browser)
	started, err := call[adminv1.StartProviderLoginResponse](o, adminv1.ProviderService_StartProviderLogin_FullMethodName, &adminv1.StartProviderLoginRequest{})
	if err != nil {
		o.w.t.Fatal(err)
	}
	return started.GetAddress()
}

var anchor = regexp.MustCompile(`<a data-testid="([\w-]+)" href="([^"]*)">`)

// choose clicks somebody on the page of the provider, and returns what it adds to the callback.
func (w *world) choose(address, testID string) *adminv1.FinishProviderLoginRequest {
	w.t.Helper()
	res, err := http.Get(address)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	page, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range anchor.FindAllStringSubmatch(string(page), -1) {
		if m[1] != testID {
			continue
		}
		to, err := url.Parse(html.UnescapeString(m[2]))
		if err != nil || !strings.HasPrefix(to.String(), callback+"?") {
			w.t.Fatalf("it returns to %s, %v", to, err)
		}
		q := to.Query()
		return &adminv1.FinishProviderLoginRequest{State: q.Get("state"), Code: q.Get("code"), Iss: q.Get("iss"), Error: q.Get("error")}
	}
	w.t.Fatalf("there is no %s in %s", testID, page)
	return nil
}

// arrive finishes a login.
func (o *operator) arrive(r *adminv1.FinishProviderLoginRequest) (*adminv1.FinishProviderLoginResponse, error) {
	o.from.NewSession = strings.Repeat("ef", 31) + (o.from.LoginToken + "--")[:2]
	res, err := call[adminv1.FinishProviderLoginResponse](o, adminv1.ProviderService_FinishProviderLogin_FullMethodName, r)
	if err == nil {
		o.from.Session = o.from.NewSession
	}
	o.from.NewSession = ""
	return res, err
}

var (
	crew     = identity.Rule{Claim: "groups", Value: "crew", Role: "viewer"}
	officers = identity.Rule{Claim: "groups", Value: "officers", Role: "operator"}
)

func TestTheIdentityProviderSignsInWhomARuleNames(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		person string
		rules  []identity.Rule
		want   optionsv1.Role // 0: refused
	}{
		"by a group": {"bob", []identity.Rule{crew, officers}, optionsv1.Role_ROLE_VIEWER},
		"with the highest role of several groups": {"alice", []identity.Rule{officers, crew}, optionsv1.Role_ROLE_OPERATOR},
		"by an email, in any case":                {"dave", []identity.Rule{{Email: "Dave@people.example", Role: "owner"}}, optionsv1.Role_ROLE_OWNER},
		"by a domain":                             {"dave", []identity.Rule{{Domain: "people.example", Role: "support"}}, optionsv1.Role_ROLE_SUPPORT},
		"not by a domain above it":                {"dave", []identity.Rule{{Domain: "other.example", Role: "support"}, crew}, 0},
		"not without a group":                     {"dave", []identity.Rule{crew, officers}, 0},
		"not by a claim that is not there":        {"alice", []identity.Rule{{Claim: "roles", Value: "crew", Role: "owner"}}, 0},
		"by a claim that is a text":               {"alice", []identity.Rule{{Claim: "sub", Value: "staff.1001", Role: "owner"}}, optionsv1.Role_ROLE_OWNER},
	} {
		t.Run(behaviour, func(t *testing.T) {
			w := newProvided(t, storetest.Open(t, storetest.SQLite(t)), tt.rules...)
			o := w.stranger()
			got, err := o.arrive(w.choose(o.depart("a"), "person-"+tt.person))
			if tt.want == 0 {
				all, failed := w.operators.List(t.Context())
				if reason(err) != faultv1.Reason_REASON_OPERATOR_UNLISTED || failed != nil || len(all) != 0 {
					t.Errorf("%v, %v; operators %+v, %v", got, err, all, failed)
				}
				return
			}
			if err != nil || got.GetOperator().GetRole() != tt.want || got.GetOperator().GetName() != tt.person+"@people.example" || got.GetOperator().GetIssuer() == "" {
				t.Fatalf("%v, %v", got, err)
			}
			if me, err := call[adminv1.GetMeResponse](o, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); err != nil || me.GetOperator().GetId() != got.GetOperator().GetId() {
				t.Errorf("%v, %v", me, err)
			}
		})
	}
}

func TestALoginAtTheIdentityProviderIsRefused(t *testing.T) {
	w := newProvided(t, storetest.Open(t, storetest.SQLite(t)), crew)
	for behaviour, tt := range map[string]struct {
		person string
		change func(o *operator, r *adminv1.FinishProviderLoginRequest)
		want   faultv1.Reason
	}{
		"in another browser": {"person-bob", func(o *operator, _ *adminv1.FinishProviderLoginRequest) { o.from.LoginToken = loginToken("b") }, faultv1.Reason_REASON_SOCIAL_FAILED},
		"without the cookie": {"person-bob", func(o *operator, _ *adminv1.FinishProviderLoginRequest) { o.from.LoginToken = "" }, faultv1.Reason_REASON_SOCIAL_FAILED},
		"with another state": {"person-bob", func(_ *operator, r *adminv1.FinishProviderLoginRequest) { r.State = "x" + r.GetState()[1:] }, faultv1.Reason_REASON_SOCIAL_FAILED},
		"of another issuer":  {"person-bob", func(_ *operator, r *adminv1.FinishProviderLoginRequest) { r.Iss = "https://evil.example" }, faultv1.Reason_REASON_SOCIAL_FAILED},
		"without the issuer": {"person-bob", func(_ *operator, r *adminv1.FinishProviderLoginRequest) { r.Iss = "" }, faultv1.Reason_REASON_SOCIAL_FAILED},
		"without a code":     {"person-bob", func(_ *operator, r *adminv1.FinishProviderLoginRequest) { r.Code = "" }, faultv1.Reason_REASON_SOCIAL_FAILED},
		"with an error":      {"person-bob", func(_ *operator, r *adminv1.FinishProviderLoginRequest) { r.Error = "server_error" }, faultv1.Reason_REASON_SOCIAL_FAILED},
		"that was cancelled": {"cancel", func(*operator, *adminv1.FinishProviderLoginRequest) {}, faultv1.Reason_REASON_SOCIAL_CANCELED},
		"at an address of chance": {"person-bob", func(o *operator, _ *adminv1.FinishProviderLoginRequest) {
			o.from.Origin = "http://console.evil.example"
		}, faultv1.Reason_REASON_PROVIDER_UNSUPPORTED},
	} {
		w.clock.Pass(time.Minute) // the rate of logins is another test
		o := w.stranger()
		r := w.choose(o.depart("a"), tt.person)
		tt.change(o, r)
		if _, err := o.arrive(r); reason(err) != tt.want {
			t.Errorf("%s: %v", behaviour, err)
		}
	}
	// The code of somebody else's login, in the browser of another one.
	w.clock.Pass(time.Minute) // the rate of logins is another test
	victim, attacker := w.stranger(), w.stranger()
	stolen, own := w.choose(victim.depart("a"), "person-bob"), w.choose(attacker.depart("b"), "person-bob")
	stolen.State = own.GetState()
	if _, err := attacker.arrive(stolen); reason(err) != faultv1.Reason_REASON_SOCIAL_FAILED {
		t.Errorf("a code of another login: %v", err)
	}
	// And one twice.
	w.clock.Pass(time.Minute) // the rate of logins is another test
	o := w.stranger()
	r := w.choose(o.depart("a"), "person-bob")
	if _, err := o.arrive(r); err != nil {
		t.Fatal(err)
	}
	if _, err := o.arrive(r); reason(err) != faultv1.Reason_REASON_SOCIAL_FAILED {
		t.Errorf("a code that was used: %v", err)
	}
	if all, err := w.operators.List(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestTheRoleIsThatOfTheLatestLogin(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		before := newProvided(t, db, crew, officers)
		alice := before.stranger()
		if got, err := alice.arrive(before.choose(alice.depart("a"), "person-alice")); err != nil || got.GetOperator().GetRole() != optionsv1.Role_ROLE_OPERATOR {
			t.Fatalf("%v, %v", got, err)
		}
		owner := before.signedIn("Ada", console.Owner)
		for id, err := range map[string]error{
			"another role": second(call[adminv1.SetOperatorRoleResponse](owner, adminv1.OperatorService_SetOperatorRole_FullMethodName,
				&adminv1.SetOperatorRoleRequest{Id: before.operatorOf(alice), Role: optionsv1.Role_ROLE_OWNER})),
			"a passkey": second(alice.addPasskey(passkeytest.New(t, origin))),
		} {
			if reason(err) != faultv1.Reason_REASON_OPERATOR_PROVIDED {
				t.Errorf("%s: %v", id, err)
			}
		}
		// The same provider, in which the person has left the officers, and then the crew.
		for _, tt := range []struct {
			rule identity.Rule
			want optionsv1.Role
		}{{crew, optionsv1.Role_ROLE_VIEWER}, {identity.Rule{Claim: "groups", Value: "stowaways", Role: "owner"}, 0}} {
			after := before.ruled(tt.rule)
			again := after.stranger()
			got, err := again.arrive(after.choose(again.depart("b"), "person-alice"))
			if got.GetOperator().GetRole() != tt.want {
				t.Errorf("%v, %v; want %s", got, err, tt.want)
			}
			if tt.want != 0 {
				continue
			}
			if reason(err) != faultv1.Reason_REASON_OPERATOR_UNLISTED {
				t.Errorf("without a role: %v", err)
			}
			if _, err := call[adminv1.GetMeResponse](alice, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); reason(err) != faultv1.Reason_REASON_OPERATOR_ABSENT {
				t.Errorf("a session goes on: %v", err)
			}
			log := after.entries()
			if last := log[len(log)-2]; last.Outcome != audit.Failed || last.Reason != "OPERATOR_UNLISTED" || last.Target != "identity staff.1001" {
				t.Errorf("%+v", last)
			}
		}
	})
}

func TestTheConfigurationOfAnIdentityProviderIsChecked(t *testing.T) {
	sound := identity.Config{Issuer: "https://login.example.org/realm", ClientID: "id", ClientSecret: "secret", Allowed: []identity.Rule{crew}}
	roles := []string{"viewer", "support", "operator", "owner"}
	for behaviour, tt := range map[string]struct {
		change func(c *identity.Config)
		want   string
	}{
		"one that is sound":                   {func(*identity.Config) {}, ""},
		"none":                                {func(c *identity.Config) { *c = identity.DefaultConfig() }, ""},
		"one of this machine":                 {func(c *identity.Config) { c.Issuer = "http://localhost:5175/x" }, ""},
		"one over http":                       {func(c *identity.Config) { c.Issuer = "http://login.example.org" }, "issuer"},
		"one that is no URL":                  {func(c *identity.Config) { c.Issuer = "login.example.org" }, "issuer"},
		"one with a query":                    {func(c *identity.Config) { c.Issuer += "?x=1" }, "issuer"},
		"one with a fragment":                 {func(c *identity.Config) { c.Issuer += "#" }, "issuer"},
		"one with a password":                 {func(c *identity.Config) { c.Issuer = "https://a:b@login.example.org" }, "issuer"},
		"a client without an issuer":          {func(c *identity.Config) { c.Issuer = "" }, "issuer"},
		"one without a client":                {func(c *identity.Config) { c.ClientID = "" }, "client_id"},
		"one without a secret":                {func(c *identity.Config) { c.ClientSecret = "" }, "client_secret"},
		"one whose secret is in a lost file":  {func(c *identity.Config) { c.ClientSecret = "file:/nowhere" }, "client_secret"},
		"one without rules":                   {func(c *identity.Config) { c.Allowed = nil }, "allowed"},
		"a rule with an unknown role":         {func(c *identity.Config) { c.Allowed[0].Role = "admin" }, "allowed"},
		"a rule with two conditions":          {func(c *identity.Config) { c.Allowed[0].Email = "a@example.org" }, "allowed"},
		"a rule without a condition":          {func(c *identity.Config) { c.Allowed[0] = identity.Rule{Role: "owner"} }, "allowed"},
		"a rule with a claim without a value": {func(c *identity.Config) { c.Allowed[0].Value = "" }, "allowed"},
		"a rule with an email of a domain":    {func(c *identity.Config) { c.Allowed[0] = identity.Rule{Email: "example.org", Role: "owner"} }, "allowed"},
		"a rule with a domain with an @":      {func(c *identity.Config) { c.Allowed[0] = identity.Rule{Domain: "@example.org", Role: "owner"} }, "allowed"},
		"a rule with every domain":            {func(c *identity.Config) { c.Allowed[0] = identity.Rule{Domain: "*", Role: "owner"} }, "allowed"},
	} {
		c := sound
		c.Allowed = []identity.Rule{crew}
		tt.change(&c)
		var keys []string
		for _, f := range c.Check(roles) {
			keys = append(keys, f.Key)
		}
		if got := strings.Join(keys, " "); got != tt.want {
			t.Errorf("%s: faults of %q, want %q", behaviour, got, tt.want)
		}
	}
}

func second[A any](_ A, err error) error { return err }
