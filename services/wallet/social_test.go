package wallet_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/development/farcaster"
	"github.com/hawser-dev/hawser/services/development/identity"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet"
	"github.com/hawser-dev/hawser/services/wallet/social"
)

const callbackPage = "http://wallet.localhost:5174/social/callback"

// newDevelopment returns a service with the providers for development, which answer over HTTP.
func newDevelopment(t *testing.T, db *store.DB) *world {
	t.Helper()
	const network = "eip155:31337"
	mux, clock := http.NewServeMux(), newClock()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	idp, err := identity.New(server.URL, callbackPage, "", clock)
	if err != nil {
		t.Fatal(err)
	}
	app, err := farcaster.New(server.URL, network, clock)
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle(identity.Path, idp)
	mux.Handle(farcaster.Path, app)
	return newWorldAt(t, db, clock, registries(app.People()), func(c *wallet.Config) {
		c.Social, c.FarcasterRelay, c.FarcasterNetwork = clientsOf(idp), app.Relay(), network
	})
}

// clientsOf returns the configuration of every provider.
func clientsOf(idp *identity.Provider) social.Config {
	of := func(name string) social.Client {
		return social.Client{ID: identity.ClientID, Secret: identity.ClientSecret, Address: idp.Address(name)}
	}
	return social.Config{
		Google: of("google"), X: of("x"), Discord: of("discord"), GitHub: of("github"), Facebook: of("facebook"),
		Apple: social.Apple{ID: identity.ClientID, Team: "development", KeyID: "development", Key: identity.AppleKey, Address: idp.Address("apple")},
	}
}

func (v *visitor) startSocial(provider string) (*walletv1.StartSocialResponse, error) {
	return call[walletv1.StartSocialResponse](v, walletv1.LoginService_StartSocial_FullMethodName, &walletv1.StartSocialRequest{Provider: provider})
}

func (v *visitor) waitForSocial(handle string) (*walletv1.WaitForSocialResponse, error) {
	return call[walletv1.WaitForSocialResponse](v, walletv1.LoginService_WaitForSocial_FullMethodName, &walletv1.WaitForSocialRequest{Handle: handle})
}

// popup opens an address of a provider and returns its status and its page.
func (w *world) popup(address string) (status int, page string) {
	w.t.Helper()
	res, err := http.Get(address)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

var (
	anchor = regexp.MustCompile(`<a data-testid="([\w-]+)" href="([^"]*)">`)
	form   = regexp.MustCompile(`(?s)<form method="post" action="([^"]*)">(.*?)<button data-testid="([\w-]+)">`)
	hidden = regexp.MustCompile(`name="([^"]*)" value="([^"]*)"`)
)

// choose clicks an element on the page of a provider, and returns the parameters of the callback page.
func (w *world) choose(address, testID string) *walletv1.FinishSocialRequest {
	w.t.Helper()
	_, page := w.popup(address)
	var answer url.Values
	for _, m := range anchor.FindAllStringSubmatch(page, -1) {
		if m[1] == testID {
			to, err := url.Parse(html.UnescapeString(m[2]))
			if err != nil || !strings.HasPrefix(to.String(), callbackPage+"?") {
				w.t.Fatalf("it returns to %s, %v", to, err)
			}
			answer = to.Query()
		}
	}
	for _, m := range form.FindAllStringSubmatch(page, -1) {
		if m[3] == testID && m[1] == callbackPage {
			answer = url.Values{}
			for _, field := range hidden.FindAllStringSubmatch(m[2], -1) {
				answer.Set(html.UnescapeString(field[1]), html.UnescapeString(field[2]))
			}
		}
	}
	if answer == nil {
		w.t.Fatalf("there is no %s in %s", testID, page)
	}
	return &walletv1.FinishSocialRequest{State: answer.Get("state"), Code: answer.Get("code"), Iss: answer.Get("iss"), Error: answer.Get("error"), User: answer.Get("user")}
}

func (w *world) finish(r *walletv1.FinishSocialRequest) error {
	_, err := callAs[walletv1.FinishSocialResponse](w.visitor(), caller.Caller{}, walletv1.LoginService_FinishSocial_FullMethodName, r)
	return err
}

// socialLogin signs a visitor in as a test user.
func (v *visitor) socialLogin(provider, person string) *walletv1.WaitForSocialResponse {
	v.w.t.Helper()
	started := must(v.startSocial(provider))(v.w.t)
	if err := v.w.finish(v.w.choose(started.GetUri(), person)); err != nil {
		v.w.t.Fatal(err)
	}
	in := must(v.waitForSocial(started.GetHandle()))(v.w.t)
	v.Caller.Device.AccessToken = in.GetTokens().GetAccessToken()
	return in
}

func TestSocialLoginInEveryDialect(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	listed := must(call[walletv1.ListProvidersResponse](w.visitor(), walletv1.LoginService_ListProviders_FullMethodName, &walletv1.ListProvidersRequest{}))(t)
	if want := []string{"google", "x", "discord", "farcaster", "github", "apple", "facebook"}; !listed.GetEmail() || !slices.Equal(listed.GetSocials(), want) {
		t.Errorf("providers %v", listed)
	}
	names := map[string]string{"google": "Alice Anders", "apple": "Alice Anders", "github": "alice", "x": "alice", "discord": "alice", "facebook": "Alice Anders"}
	ids := map[string]bool{}
	for _, provider := range identity.Names {
		t.Run(provider, func(t *testing.T) {
			v := w.visitor()
			in := v.socialLogin(provider, "person-alice")
			if in.GetUserName() != names[provider] {
				t.Errorf("name %q", in.GetUserName())
			}
			u := must(v.user())(t)
			if u.GetUserName() != names[provider] || u.GetEmail() != "" || u.GetIdentities()[0].GetProvider() != provider {
				t.Errorf("user %v", u)
			}
			if again := w.visitor().socialLogin(provider, "person-alice"); again.GetTokens().GetUserId() != u.GetId() {
				t.Error("the same account is another user the next time")
			}
			if bob := w.visitor().socialLogin(provider, "person-bob"); bob.GetTokens().GetUserId() == u.GetId() {
				t.Error("another account is the same user")
			}
			if ids[u.GetId()] {
				t.Error("accounts of two providers are one user without a proof of both")
			}
			ids[u.GetId()] = true
		})
	}
}

func TestASocialLoginThatIsNotOursFails(t *testing.T) {
	for name, tt := range map[string]struct {
		provider string
		change   func(w *world, r *walletv1.FinishSocialRequest)
	}{
		"without a state":            {"google", func(_ *world, r *walletv1.FinishSocialRequest) { r.State = "" }},
		"with another state":         {"google", func(_ *world, r *walletv1.FinishSocialRequest) { r.State = "x" + r.State[1:] + "y" }},
		"without a code":             {"google", func(_ *world, r *walletv1.FinishSocialRequest) { r.Code = "" }},
		"with another code":          {"github", func(_ *world, r *walletv1.FinishSocialRequest) { r.Code = "other" }},
		"of another issuer":          {"google", func(_ *world, r *walletv1.FinishSocialRequest) { r.Iss = "https://evil.example" }},
		"without its issuer":         {"google", func(_ *world, r *walletv1.FinishSocialRequest) { r.Iss = "" }},
		"of an issuer that it lacks": {"github", func(_ *world, r *walletv1.FinishSocialRequest) { r.Iss = "http://localhost:5175/identity/google" }},
		"that the provider refused": {"google", func(w *world, r *walletv1.FinishSocialRequest) {
			r.Code, r.Error = "", "server_error"
		}},
		"with the code of another login": {"google", func(w *world, r *walletv1.FinishSocialRequest) {
			r.Code = w.choose(must(w.visitor().startSocial("google"))(w.t).GetUri(), "person-bob").GetCode()
		}},
		"with the code of another provider": {"discord", func(w *world, r *walletv1.FinishSocialRequest) {
			r.Code = w.choose(must(w.visitor().startSocial("x"))(w.t).GetUri(), "person-bob").GetCode()
		}},
		"after ten minutes": {"google", func(w *world, _ *walletv1.FinishSocialRequest) { w.clock.Pass(10 * time.Minute) }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
			v := w.visitor()
			started := must(v.startSocial(tt.provider))(t)
			callback := w.choose(started.GetUri(), "person-alice")
			tt.change(w, callback)
			refused(t, w.finish(callback), faultv1.Reason_REASON_SOCIAL_FAILED)
		})
	}
}

func TestTheDeviceLearnsThatItsVisitorCancelled(t *testing.T) {
	for _, answer := range []string{"access_denied", "user_cancelled_authorize"} {
		t.Run(answer, func(t *testing.T) {
			w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
			v := w.visitor()
			started := must(v.startSocial("apple"))(t)
			callback := w.choose(started.GetUri(), "person-alice")
			callback.Code, callback.Error = "", answer
			refused(t, w.finish(callback), faultv1.Reason_REASON_SOCIAL_CANCELED)
			_, err := v.waitForSocial(started.GetHandle())
			refused(t, err, faultv1.Reason_REASON_SOCIAL_CANCELED)
			_, err = w.visitor().waitForSocial(started.GetHandle())
			refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
			refused(t, w.finish(callback), faultv1.Reason_REASON_SOCIAL_FAILED)
		})
	}
}

func TestACallbackSignsInOnceAndOnlyTheDeviceThatStarted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newDevelopment(t, db)
		v, thief := w.visitor(), w.visitor()
		started := must(v.startSocial("github"))(t)
		callback := w.choose(started.GetUri(), "person-alice")
		if err := w.finish(callback); err != nil {
			t.Fatal(err)
		}
		refused(t, w.finish(callback), faultv1.Reason_REASON_SOCIAL_FAILED)
		_, err := thief.waitForSocial(started.GetHandle())
		refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
		must(v.waitForSocial(started.GetHandle()))(t)
		w.clock.Pass(time.Minute)
		_, err = v.waitForSocial(started.GetHandle())
		refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
	})
}

func TestADeviceWhoseSignInWasLostOnItsWaySignsInAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newDevelopment(t, db)
		v := w.visitor()
		started := must(v.startSocial("github"))(t)
		if err := w.finish(w.choose(started.GetUri(), "person-alice")); err != nil {
			t.Fatal(err)
		}
		first := must(v.waitForSocial(started.GetHandle()))(t).GetTokens()
		w.clock.Pass(40 * time.Second)
		_, err := w.visitor().waitForSocial(started.GetHandle())
		refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
		second := must(v.waitForSocial(started.GetHandle()))(t)
		if second.GetTokens().GetUserId() != first.GetUserId() || second.GetUserName() != "alice" {
			t.Errorf("it signs in %v", second)
		}
		for _, in := range []*walletv1.Tokens{first, second.GetTokens()} {
			v.Caller.Device.AccessToken = in.GetAccessToken()
			must(v.user())(t)
		}
		_, err = call[walletv1.LinkSocialResponse](v, walletv1.WalletService_LinkSocial_FullMethodName, &walletv1.LinkSocialRequest{Handle: started.GetHandle()})
		refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
		// The minute begins with the first sign-in.
		w.clock.Pass(20 * time.Second)
		_, err = v.waitForSocial(started.GetHandle())
		refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
	})
}

func (w *world) socialRequest(state string) (*walletv1.GetSocialRequestResponse, error) {
	return callAs[walletv1.GetSocialRequestResponse](w.visitor(), caller.Caller{}, walletv1.LoginService_GetSocialRequest_FullMethodName,
		&walletv1.GetSocialRequestRequest{State: state})
}

func TestTheCallbackPageLearnsWhichDeviceStartedALogin(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newDevelopment(t, db)
		v := w.visitor()
		v.Caller.Origin, v.Caller.Address = "https://shop.example", "203.0.113.77"
		started := must(call[walletv1.StartSocialResponse](v, walletv1.LoginService_StartSocial_FullMethodName,
			&walletv1.StartSocialRequest{Provider: "google", Device: &walletv1.Device{Browser: "Firefox 141", System: "Android"}}))(t)
		callback := w.choose(started.GetUri(), "person-alice")
		want := &walletv1.GetSocialRequestResponse{
			Provider: "google", Device: &walletv1.Device{Browser: "Firefox 141", System: "Android", Site: "https://shop.example"},
			Network: "203.0.113.0/24", StartedAt: w.clock.Now().Unix(), Uri: started.GetUri(),
		}
		if got := must(w.socialRequest(callback.GetState()))(t); !proto.Equal(got, want) {
			t.Errorf("the request is %v, want %v", got, want)
		}
		if err := w.finish(callback); err != nil {
			t.Fatalf("a request that was read cannot be finished: %v", err)
		}
		_, err := w.socialRequest(callback.GetState())
		refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
		_, err = w.socialRequest("unknown")
		refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
		late := w.choose(must(v.startSocial("google"))(t).GetUri(), "person-alice")
		w.clock.Pass(social.Lifetime)
		_, err = w.socialRequest(late.GetState())
		refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
	})
}

func TestTheAddressOfAProviderHasStatePKCEAndOurCallback(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	for _, provider := range identity.Names {
		u, err := url.Parse(must(w.visitor().startSocial(provider))(t).GetUri())
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		if q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43 || len(q.Get("state")) != 43 || q.Get("redirect_uri") != callbackPage {
			t.Errorf("%s: %s", provider, u)
		}
		for _, change := range []func(q url.Values){
			func(q url.Values) { q.Set("code_challenge_method", "plain") },
			func(q url.Values) { q.Del("code_challenge") },
			func(q url.Values) { q.Set("redirect_uri", "https://evil.example") },
			func(q url.Values) { q.Set("client_id", "other") },
		} {
			changed := u.Query()
			change(changed)
			at := *u
			at.RawQuery = changed.Encode()
			if status, _ := w.popup(at.String()); status != http.StatusBadRequest {
				t.Errorf("%s accepts %s", provider, at.RawQuery)
			}
		}
	}
	_, err := w.visitor().startSocial("myspace")
	if f := fault.From(err); f.Reason != faultv1.Reason_REASON_PROVIDER_UNSUPPORTED {
		t.Errorf("an unknown provider: %v", err)
	}
}

func TestASocialAccountIsLinkedByProofAndToOneUser(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	id := v.socialLogin("google", "person-alice").GetTokens().GetUserId()
	must(v.createWallet())(t)
	link := func(v *visitor, provider, person string) error {
		started := must(v.startSocial(provider))(t)
		if err := w.finish(w.choose(started.GetUri(), person)); err != nil {
			t.Fatal(err)
		}
		return v.link(started.GetHandle(), v.sign("LinkSocial", started.GetHandle()))
	}
	if err := link(v, "github", "person-alice"); err != nil {
		t.Fatal(err)
	}
	if got := w.visitor().socialLogin("github", "person-alice").GetTokens().GetUserId(); got != id {
		t.Error("the linked account is another user")
	}
	mallory := w.visitor()
	mallory.socialLogin("discord", "person-bob")
	must(mallory.createWallet())(t)
	refused(t, link(mallory, "github", "person-alice"), faultv1.Reason_REASON_IDENTITY_TAKEN)
	unlink := func(provider, subject string) error {
		_, err := call[walletv1.UnlinkIdentityResponse](v, walletv1.WalletService_UnlinkIdentity_FullMethodName, &walletv1.UnlinkIdentityRequest{Provider: provider, Subject: subject})
		return err
	}
	if err := unlink("google", "google.1001"); err != nil {
		t.Fatal(err)
	}
	refused(t, unlink("github", "1001"), faultv1.Reason_REASON_IDENTITY_LAST)
}

func TestALoginThatIsNotFinishedIsPending(t *testing.T) {
	w := newDevelopment(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	started := must(v.startSocial("google"))(t)
	_, err := call[walletv1.LinkSocialResponse](v, walletv1.WalletService_LinkSocial_FullMethodName, &walletv1.LinkSocialRequest{Handle: started.GetHandle()})
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	_, err = w.visitor().waitForSocial("unknown")
	refused(t, err, faultv1.Reason_REASON_SOCIAL_FAILED)
}
