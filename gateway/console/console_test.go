package console_test

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/console"
	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
)

const (
	loginPath  = adminv1.OperatorService_Login_FullMethodName
	mePath     = adminv1.OperatorService_GetMe_FullMethodName
	logoutPath = adminv1.OperatorService_Logout_FullMethodName
)

// operators answers every call of OperatorService, and remembers who made it.
type operators struct {
	adminv1.UnimplementedOperatorServiceServer
	adminv1.UnimplementedPasskeyServiceServer
	adminv1.UnimplementedProviderServiceServer
	adminv1.UnimplementedHealthServiceServer

	mu    sync.Mutex
	calls []caller.Operator
	err   error
}

func (s *operators) note(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, caller.OperatorFrom(ctx))
	return s.err
}

func (s *operators) last(t *testing.T) caller.Operator {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.calls) == 0 {
		t.Fatal("no call arrived")
	}
	return s.calls[len(s.calls)-1]
}

func (s *operators) Login(ctx context.Context, _ *adminv1.LoginRequest) (*adminv1.LoginResponse, error) {
	return &adminv1.LoginResponse{Operator: &adminv1.Operator{Name: "Ada"}}, s.note(ctx)
}

func (s *operators) FinishPasskeyLogin(ctx context.Context, _ *adminv1.FinishPasskeyLoginRequest) (*adminv1.FinishPasskeyLoginResponse, error) {
	return &adminv1.FinishPasskeyLoginResponse{Operator: &adminv1.Operator{Name: "Ada"}}, s.note(ctx)
}

func (s *operators) StartProviderLogin(ctx context.Context, _ *adminv1.StartProviderLoginRequest) (*adminv1.StartProviderLoginResponse, error) {
	return &adminv1.StartProviderLoginResponse{Address: "https://id.example"}, s.note(ctx)
}

func (s *operators) FinishProviderLogin(ctx context.Context, _ *adminv1.FinishProviderLoginRequest) (*adminv1.FinishProviderLoginResponse, error) {
	return &adminv1.FinishProviderLoginResponse{Operator: &adminv1.Operator{Name: "Ada"}}, s.note(ctx)
}

func (s *operators) GetMe(ctx context.Context, _ *adminv1.GetMeRequest) (*adminv1.GetMeResponse, error) {
	return &adminv1.GetMeResponse{Version: "1.2.3"}, s.note(ctx)
}

func (s *operators) Logout(ctx context.Context, _ *adminv1.LogoutRequest) (*adminv1.LogoutResponse, error) {
	return &adminv1.LogoutResponse{}, s.note(ctx)
}

func (s *operators) WatchHealth(_ *adminv1.WatchHealthRequest, stream grpc.ServerStreamingServer[adminv1.WatchHealthResponse]) error {
	if err := s.note(stream.Context()); err != nil {
		return err
	}
	return stream.Send(&adminv1.WatchHealthResponse{Health: &adminv1.Health{At: 7}})
}

var built = fstest.MapFS{
	"index.html":       {Data: []byte("<!doctype html><title>Console</title>")},
	"preview.html":     {Data: []byte("<!doctype html><title>Preview</title>")},
	"assets/index.js":  {Data: []byte("export {}")},
	"assets/index.css": {Data: []byte("body{}")},
}

// open returns the handler of a console with the service that answers it.
func open(t *testing.T, cfg console.Config, files fs.FS) (http.Handler, *operators) {
	t.Helper()
	s := &operators{}
	local := &run.Local{}
	adminv1.RegisterOperatorServiceServer(local, s)
	adminv1.RegisterPasskeyServiceServer(local, s)
	adminv1.RegisterProviderServiceServer(local, s)
	adminv1.RegisterHealthServiceServer(local, s)
	h, err := console.New(t.Context(), cfg, local, files)
	if err != nil {
		t.Fatal(err)
	}
	return h, s
}

// ask makes a call as the page does, with changes of the request.
func ask(t *testing.T, h http.Handler, path, body string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	r.Host, r.RemoteAddr = "console.example", "192.0.2.1:1234"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", "http://console.example")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("User-Agent", "Firefox")
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func with(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Del(name)
		if value != "" {
			r.Header.Set(name, value)
		}
	}
}

const token = `{"token":"0000000000000000000000000000000000000000000000000000000000000000"}`

func TestALoginSetsACookieThatScriptsAndOtherSitesDoNotGet(t *testing.T) {
	for origin, want := range map[string]struct {
		name   string
		secure bool
	}{
		"":                             {"hawser-console", false},
		"http://console.example":       {"hawser-console", false},
		"https://console.example.test": {"__Host-hawser-console", true},
	} {
		t.Run(origin, func(t *testing.T) {
			h, s := open(t, console.Config{Origin: origin}, built)
			from := with("Origin", origin)
			if origin == "" {
				from = func(*http.Request) {}
			}
			w := ask(t, h, loginPath, token, from)
			cookies := w.Result().Cookies()
			if w.Code != http.StatusOK || len(cookies) != 1 {
				t.Fatalf("%d %s, cookies %v", w.Code, w.Body, cookies)
			}
			c := cookies[0]
			if c.Name != want.name || c.Secure != want.secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || c.MaxAge != 0 || len(c.Value) != 64 {
				t.Errorf("cookie %+v", c)
			}
			if got := s.last(t); got.NewSession != c.Value || got.Session != "" {
				t.Errorf("the service was told %+v", got)
			}
			if strings.Contains(w.Body.String(), c.Value) {
				t.Error("the token is in the answer")
			}
			if again := ask(t, h, loginPath, token, from).Result().Cookies(); len(again) != 1 || again[0].Value == c.Value {
				t.Errorf("a second login gets %v", again)
			}
			ask(t, h, mePath, `{}`, from, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value}) })
			page := cmp.Or(origin, "http://console.example")
			if got := s.last(t); got != (caller.Operator{Session: c.Value, Address: "192.0.2.1", Browser: "Firefox", Origin: page}) {
				t.Errorf("the next call is that of %+v", got)
			}
		})
	}
}

func TestALoginByPasskeySetsTheCookieToo(t *testing.T) {
	h, s := open(t, console.Config{}, built)
	w := ask(t, h, adminv1.PasskeyService_FinishPasskeyLogin_FullMethodName, `{"credential":"{}"}`)
	if cookies := w.Result().Cookies(); len(cookies) != 1 || cookies[0].Name != "hawser-console" || cookies[0].Value != s.last(t).NewSession || len(cookies[0].Value) != 64 {
		t.Errorf("%d %s, cookies %v", w.Code, w.Body, cookies)
	}
	w = ask(t, h, adminv1.PasskeyService_StartPasskeyLogin_FullMethodName, `{}`)
	if cookies := w.Result().Cookies(); len(cookies) != 0 {
		t.Errorf("its challenge sets %v", cookies)
	}
}

func TestALoginAtTheProviderIsBoundToTheBrowser(t *testing.T) {
	h, s := open(t, console.Config{Origin: "https://console.example"}, built)
	from := with("Origin", "https://console.example")
	started := ask(t, h, adminv1.ProviderService_StartProviderLogin_FullMethodName, `{}`, from).Result().Cookies()
	if len(started) != 1 || started[0].Name != "__Host-hawser-console-login" || started[0].Value != s.last(t).LoginToken || len(started[0].Value) != 64 {
		t.Fatalf("cookies %v", started)
	}
	if c := started[0]; !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteStrictMode || c.MaxAge != 600 || c.Path != "/" {
		t.Errorf("cookie %+v", c)
	}
	if s.last(t).NewSession != "" {
		t.Error("its start makes a session")
	}
	finish := adminv1.ProviderService_FinishProviderLogin_FullMethodName
	w := ask(t, h, finish, `{}`, from, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: started[0].Name, Value: started[0].Value}) })
	if got := s.last(t); got.LoginToken != started[0].Value || len(got.NewSession) != 64 {
		t.Errorf("the service was told %+v", got)
	}
	ended := w.Result().Cookies()
	if len(ended) != 2 || ended[0].Name != "__Host-hawser-console" || ended[0].Value != s.last(t).NewSession || ended[1].Name != started[0].Name || ended[1].MaxAge >= 0 {
		t.Errorf("cookies %v", ended)
	}
	ask(t, h, finish, `{}`, from)
	if got := s.last(t); got.LoginToken != "" {
		t.Errorf("another browser: %+v", got)
	}
	ask(t, h, mePath, `{}`, from, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: started[0].Name, Value: started[0].Value}) })
	if got := s.last(t); got.LoginToken != "" || got.Session != "" {
		t.Errorf("another call: %+v", got)
	}
}

func TestTheSignInPageIsToldOfTheProvider(t *testing.T) {
	for _, name := range []string{"", "Example staff"} {
		h, _ := open(t, console.Config{Provider: name}, built)
		w := ask(t, h, "/sign-in.json", "", func(r *http.Request) { r.Method = http.MethodGet })
		if w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != `{"provider":"`+name+`"}` || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

func TestARefusedLoginSetsNoCookie(t *testing.T) {
	h, s := open(t, console.Config{}, built)
	s.err = fault.New(codes.Unauthenticated, faultv1.Reason_REASON_LINK_ENDED, "token", "The link has ended").GRPCStatus().Err()
	w := ask(t, h, loginPath, token)
	if w.Code != http.StatusUnauthorized || len(w.Result().Cookies()) != 0 || !strings.Contains(w.Body.String(), "LINK_ENDED") {
		t.Errorf("%d %s, cookies %v", w.Code, w.Body, w.Result().Cookies())
	}
}

func TestALogoutDeletesTheCookie(t *testing.T) {
	h, _ := open(t, console.Config{}, built)
	w := ask(t, h, logoutPath, `{}`)
	if cookies := w.Result().Cookies(); len(cookies) != 1 || cookies[0].MaxAge >= 0 || cookies[0].Value != "" || cookies[0].Name != "hawser-console" {
		t.Errorf("%d, cookies %v", w.Code, cookies)
	}
}

// A neighbour host can set a cookie for a whole domain, but not one with the prefix __Host-, and not take the place of the console's own.
func TestACookieOfANeighbourIsNotUsed(t *testing.T) {
	h, s := open(t, console.Config{Origin: "https://console.example"}, built)
	from := with("Origin", "https://console.example")
	ask(t, h, mePath, `{}`, from, with("Cookie", "hawser-console=planted"))
	if got := s.last(t).Session; got != "" {
		t.Errorf("session %q", got)
	}
	ask(t, h, mePath, `{}`, from, with("Cookie", "__Host-hawser-console=a; __Host-hawser-console=b"))
	if got := s.last(t).Session; got != "" {
		t.Errorf("session %q", got)
	}
}

func TestACallOfAnotherSiteIsTold(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		origin  string // of the configuration
		changes []func(*http.Request)
		want    bool
	}{
		"from a page of the console":                {"", nil, false},
		"from a browser without Sec-Fetch-Site":     {"", []func(*http.Request){with("Sec-Fetch-Site", "")}, false},
		"without Origin, in the console's page":     {"", []func(*http.Request){with("Origin", "")}, false},
		"from another site":                         {"", []func(*http.Request){with("Sec-Fetch-Site", "cross-site")}, true},
		"from a neighbour host":                     {"", []func(*http.Request){with("Sec-Fetch-Site", "same-site")}, true},
		"from the address bar":                      {"", []func(*http.Request){with("Sec-Fetch-Site", "none")}, true},
		"with the Origin of another site":           {"", []func(*http.Request){with("Origin", "http://evil.example")}, true},
		"with an opaque Origin":                     {"", []func(*http.Request){with("Origin", "null")}, true},
		"with neither":                              {"", []func(*http.Request){with("Origin", ""), with("Sec-Fetch-Site", "")}, true},
		"with the same host over another scheme":    {"https://console.example", nil, true},
		"with the host of the request, which is no": {"https://other.example", []func(*http.Request){with("Origin", "https://console.example")}, true},
		"at the configured origin":                  {"https://console.example", []func(*http.Request){with("Origin", "https://console.example")}, false},
	} {
		t.Run(behaviour, func(t *testing.T) {
			h, s := open(t, console.Config{Origin: tt.origin}, built)
			ask(t, h, mePath, `{}`, tt.changes...)
			if got := s.last(t).CrossSite; got != tt.want {
				t.Errorf("cross-site: %t", got)
			}
		})
	}
}

// A browser sends these types to another origin without asking that first.
func TestARequestOfAnotherTypeIsRefused(t *testing.T) {
	h, s := open(t, console.Config{}, built)
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/grpc-web+proto", "application/grpc", "text/plain; application/json"} {
		if w := ask(t, h, mePath, `{}`, with("Content-Type", kind)); w.Code != http.StatusUnsupportedMediaType {
			t.Errorf("%q: %d", kind, w.Code)
		}
	}
	for _, verb := range []string{http.MethodGet, http.MethodPut, http.MethodOptions} {
		if w := ask(t, h, mePath, ``, func(r *http.Request) { r.Method = verb }); w.Code == http.StatusOK {
			t.Errorf("%s: %d %s", verb, w.Code, w.Body)
		} else if w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s allows another origin", verb)
		}
	}
	if len(s.calls) != 0 {
		t.Errorf("%d calls arrived", len(s.calls))
	}
}

func TestCallsAreConnectInJSONAndInBinary(t *testing.T) {
	h, _ := open(t, console.Config{}, built)
	w := ask(t, h, mePath, `{}`)
	var me adminv1.GetMeResponse
	if err := protojson.Unmarshal(w.Body.Bytes(), &me); err != nil || me.GetVersion() != "1.2.3" {
		t.Errorf("%d %s, %v", w.Code, w.Body, err)
	}
	w = ask(t, h, mePath, "", with("Content-Type", "application/proto"))
	me.Reset()
	if err := proto.Unmarshal(w.Body.Bytes(), &me); err != nil || me.GetVersion() != "1.2.3" {
		t.Errorf("%d %q, %v", w.Code, w.Body, err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+adminv1.HealthService_WatchHealth_FullMethodName, bytes.NewReader(append([]byte{0, 0, 0, 0, 2}, `{}`...)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/connect+json")
	req.Header.Set("Origin", server.URL)
	res, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(raw), `"at":"7"`) {
		t.Errorf("%s %q, %v", res.Status, raw, err)
	}
}

func TestALargeRequestIsRefused(t *testing.T) {
	h, s := open(t, console.Config{}, built)
	if w := ask(t, h, mePath, `{"x":"`+strings.Repeat("a", 70<<10)+`"}`); w.Code == http.StatusOK || len(s.calls) != 0 {
		t.Errorf("%d, %d calls", w.Code, len(s.calls))
	}
}

func TestEveryAnswerHasTheHeadersThatKeepOthersOut(t *testing.T) {
	h, s := open(t, console.Config{Origin: "https://console.example"}, built)
	s.err = fault.New(codes.PermissionDenied, faultv1.Reason_REASON_ROLE_MISSING, "", "no").GRPCStatus().Err()
	get := func(r *http.Request) { r.Method = http.MethodGet }
	for name, w := range map[string]*httptest.ResponseRecorder{
		"the page":     ask(t, h, "/", "", get),
		"a route":      ask(t, h, "/projects/1", "", get),
		"a file":       ask(t, h, "/assets/index.js", "", get),
		"no file":      ask(t, h, "/assets/none.js", "", get),
		"no procedure": ask(t, h, "/hawser.names.v1.NamesService/GetName", `{}`),
		"a refusal":    ask(t, h, mePath, `{}`),
		"another type": ask(t, h, mePath, `{}`, with("Content-Type", "text/plain")),
	} {
		header := w.Header()
		policy := header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: policy %q", name, policy)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: policy %q", name, policy)
		}
		for key, want := range map[string]string{
			"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin", "Strict-Transport-Security": "max-age=31536000",
		} {
			if got := header.Get(key); got != want {
				t.Errorf("%s: %s is %q", name, key, got)
			}
		}
		if got := header.Get("Cache-Control"); name != "a file" && got != "no-store" {
			t.Errorf("%s: Cache-Control %q", name, got)
		}
	}
}

func TestOnlyTheConsoleFramesItsPreview(t *testing.T) {
	h, _ := open(t, console.Config{}, built)
	w := ask(t, h, "/preview.html", "", func(r *http.Request) { r.Method = http.MethodGet })
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<title>Preview") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for key, want := range map[string]string{"Content-Security-Policy": "frame-ancestors 'self'", "X-Frame-Options": "SAMEORIGIN", "Cache-Control": "no-store"} {
		if got := w.Header().Get(key); !strings.HasSuffix(got, want) {
			t.Errorf("%s is %q", key, got)
		}
	}
}

func TestThePageIsServedAtEveryPathOfItsOwn(t *testing.T) {
	h, _ := open(t, console.Config{}, built)
	get := func(r *http.Request) { r.Method = http.MethodGet }
	for path, want := range map[string]string{"/": "<title>Console", "/login": "<title>Console", "/projects/0123": "<title>Console", "/assets/index.js": "export {}"} {
		if w := ask(t, h, path, "", get); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := ask(t, h, "/assets/index.js", "", get); !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("Cache-Control %q", w.Header().Get("Cache-Control"))
	}
	for _, path := range []string{"/assets/none.js", "/favicon.ico", "/../secret.txt"} {
		if w := ask(t, h, path, "", get); w.Code == http.StatusOK {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestNoOtherPageOfTheConsoleIsFramed(t *testing.T) {
	h, _ := open(t, console.Config{}, built)
	for _, path := range []string{"/", "/index.html", "/login", "/preview", "/assets/preview.html", "/preview.html/"} {
		header := ask(t, h, path, "", func(r *http.Request) { r.Method = http.MethodGet }).Header()
		if policy := header.Get("Content-Security-Policy"); !strings.HasSuffix(policy, "frame-ancestors 'none'") || header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: policy %q, X-Frame-Options %q", path, policy, header.Get("X-Frame-Options"))
		}
	}
}

func TestThePicturesOfTheModalAreServed(t *testing.T) {
	h, _ := open(t, console.Config{}, built)
	w := ask(t, h, "/v1/assets/networks/eip155:1.svg", "", func(r *http.Request) { r.Method = http.MethodGet })
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<svg") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestABinaryWithoutThePageSaysSo(t *testing.T) {
	h, _ := open(t, console.Config{}, fstest.MapFS{})
	w := ask(t, h, "/", "", func(r *http.Request) { r.Method = http.MethodGet })
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "built without the page of the console") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(t, h, mePath, `{}`); w.Code != http.StatusOK {
		t.Errorf("its calls: %d %s", w.Code, w.Body)
	}
}

func TestOnlyTheConsolesOwnProceduresAreServed(t *testing.T) {
	h, _ := open(t, console.Config{}, built)
	for _, path := range []string{"/hawser.projects.v1.ProjectAdminService/DeleteProject", "/hawser.wallet.v1.UserAdminService/RemoveUser", "/v1/identity/0x", "/status", "/metrics"} {
		if w := ask(t, h, path, `{}`); w.Code == http.StatusOK {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// The caller cannot say in a header what only the gateway says.
func TestHeadersOfTheCallerAreNotMetadata(t *testing.T) {
	h, s := open(t, console.Config{}, built)
	ask(t, h, mePath, `{}`, with("Hawser-Operator-Session", "forged"), with("Grpc-Metadata-Hawser-Operator-Session", "forged"), with("X-Forwarded-For", "203.0.113.9"))
	if got := s.last(t); got.Session != "" || got.Address != "192.0.2.1" {
		t.Errorf("%+v", got)
	}
	h, s = open(t, console.Config{TrustedHops: 1}, built)
	ask(t, h, mePath, `{}`, with("X-Forwarded-For", "198.51.100.1, 203.0.113.9"))
	if got := s.last(t).Address; got != "203.0.113.9" {
		t.Errorf("behind a proxy: %s", got)
	}
}
