package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const known = "00000000000000000000000000000001"

// conn answers each procedure with a function of the test's.
type conn map[string]func(req proto.Message) (proto.Message, error)

func (c conn) Invoke(_ context.Context, procedure string, req, resp any, opts ...grpc.CallOption) error {
	answer, ok := c[procedure]
	if !ok {
		return errors.New("dial tcp 10.0.0.7:7002: connection refused")
	}
	got, err := answer(req.(proto.Message))
	if err != nil {
		return err
	}
	if k, ok := got.(kept); ok {
		k.setMaxAge(opts)
		got = k.Message
	}
	proto.Merge(resp.(proto.Message), got)
	return nil
}

// kept is an answer that callers may keep for maxAge.
type kept struct {
	proto.Message
	maxAge time.Duration
}

func (k kept) setMaxAge(opts []grpc.CallOption) {
	for _, o := range opts {
		if header, ok := o.(grpc.HeaderCallOption); ok {
			*header.HeaderAddr = metadata.Pairs("hawser-cache-max-age", strconv.FormatInt(k.maxAge.Milliseconds(), 10))
		}
	}
}

func (conn) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errors.New("no streams here")
}

// book is a project that a test may change.
type book struct {
	mu       sync.Mutex
	project  *projectsv1.Project
	err      error
	requests int
}

func (b *book) get(req proto.Message) (proto.Message, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.requests++
	if b.err != nil {
		return nil, b.err
	}
	if b.project.GetId() != req.(*projectsv1.GetProjectRequest).GetId() {
		return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_PROJECT_UNKNOWN, "id", "no such project")
	}
	return &projectsv1.GetProjectResponse{Project: proto.CloneOf(b.project)}, nil
}

func open(t *testing.T, b *book) *Gateway {
	t.Helper()
	return openOn(t, b, nil)
}

// openOn adds procedures to those that every test has.
func openOn(t *testing.T, b *book, more conn) *Gateway {
	t.Helper()
	return openWith(t, DefaultConfig(), b, more)
}

func openWith(t *testing.T, cfg Config, b *book, more conn) *Gateway {
	t.Helper()
	services := conn{
		projectsv1.ProjectsService_GetProject_FullMethodName: b.get,
		chainsv1.NodeService_Forward_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &chainsv1.ForwardResponse{Body: []byte(`{"jsonrpc":"2.0","id":1,"result":true}`)}, nil
		},
		chainsv1.ChainsService_ListSupportedChains_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &chainsv1.ListSupportedChainsResponse{Http: []string{"eip155:1"}}, nil
		},
		balancesv1.BalancesService_ListPrices_FullMethodName: func(req proto.Message) (proto.Message, error) {
			if len(req.(*balancesv1.ListPricesRequest).GetAddresses()) == 0 {
				panic("no addresses")
			}
			return &balancesv1.ListPricesResponse{}, nil
		},
	}
	maps.Copy(services, more)
	g, err := New(Conns{Activity: services, Convert: services, Names: services, NFTs: services, Balances: services, Chains: services, Onramp: services, Sandbox: services, Projects: services}, cfg, testDeps(t))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func testDeps(t *testing.T) Deps {
	t.Helper()
	return Deps{Log: slog.New(slog.DiscardHandler), Ready: func(context.Context) error { return nil }, Stopping: t.Context(), Version: "1.2.3", Commit: "abc"}
}

func ask(g *Gateway, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, req)
	return w
}

const jsonRPCPath = "/v1?chainId=eip155:1&projectId=" + known

func enabled() *projectsv1.Project { return &projectsv1.Project{Id: known, Enabled: true} }

func TestADisabledProjectIsAnUnknownOne(t *testing.T) {
	p := enabled()
	p.Enabled = false
	if w := ask(open(t, &book{project: p}), "POST", jsonRPCPath, "{}"); w.Code != http.StatusUnauthorized {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestAPageMayCallOnlyWhenItsOriginIsListed(t *testing.T) {
	p := enabled()
	p.AllowedOrigins = []string{"https://*.example.org"}
	g := open(t, &book{project: p})
	for from, want := range map[string]int{
		"":                                 200,
		"https://app.example.org":          200,
		"https://a.b.example.org":          403,
		"https://example.org":              403,
		"https://app.example.org.evil":     403,
		"http://localhost:5173":            403,
		"null":                             403,
		"chrome-extension://nkbihfbeog":    200,
		"https://app.example.org:notaport": 403,
	} {
		w := ask(g, "POST", jsonRPCPath, "{}", "Origin", from)
		if w.Code != want {
			t.Errorf("from %q: status %d, want %d", from, w.Code, want)
		}
		if from != "" && w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("from %q: the browser cannot read the answer", from)
		}
	}
}

func TestACallerOverTheRateGetsARetryDelay(t *testing.T) {
	p := enabled()
	p.RequestsPerSecond, p.Burst = 0.01, 3
	g := open(t, &book{project: p})
	for i := range 3 {
		if w := ask(g, "POST", jsonRPCPath, "{}"); w.Code != 200 {
			t.Fatalf("call %d: status %d", i, w.Code)
		}
	}
	w := ask(g, "POST", jsonRPCPath, "{}", "Origin", "https://a.example")
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" || w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("status %d, headers %v", w.Code, w.Header())
	}
	if !strings.Contains(w.Body.String(), `"field":"rate_limited","description":"Requests per second limit exceeded: Rate limit exceeded. Try again at `) {
		t.Errorf("body %s", w.Body)
	}
	for _, contentType := range []string{"application/json", "application/grpc-web+proto"} {
		w := ask(g, "POST", "/hawser.balances.v1.BalancesService/ListPrices", "{}", "Content-Type", contentType, projectHeader, known)
		if got := w.Body.String() + w.Header().Get("Grpc-Message"); !strings.Contains(got, "Rate limit exceeded") {
			t.Errorf("%s: %d %s", contentType, w.Code, got)
		}
	}
}

func TestForwardedAddressesCountOnlyBehindAProxy(t *testing.T) {
	for hops, want := range map[int]string{0: "192.0.2.1", 1: "203.0.113.9", 2: "10.1.1.1", 3: "192.0.2.1"} {
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header.Set("X-Forwarded-For", "10.1.1.1, 203.0.113.9")
		if got := (&guard{trustedHops: hops}).address(req); got != want {
			t.Errorf("behind %d proxies: caller %s, want %s", hops, got, want)
		}
	}
}

func TestAProjectIsReadOnceAndAgainWhenItChanged(t *testing.T) {
	b := &book{project: enabled()}
	g := open(t, b)
	for range 5 {
		ask(g, "POST", jsonRPCPath, "{}")
	}
	if b.requests != 1 {
		t.Errorf("requested %d times", b.requests)
	}
	b.project.Enabled = false
	g.ForgetProject(known)
	if w := ask(g, "POST", jsonRPCPath, "{}"); w.Code != http.StatusUnauthorized {
		t.Errorf("after the change: status %d", w.Code)
	}
}

func TestAnUnknownProjectIDIsLookedUpOnce(t *testing.T) {
	b := &book{project: enabled()}
	g := open(t, b)
	for range 5 {
		ask(g, "POST", "/v1?chainId=eip155:1&projectId=ffffffffffffffffffffffffffffffff", "{}")
	}
	if b.requests != 1 {
		t.Errorf("requested %d times", b.requests)
	}
}

func TestAnUnreachableServiceIsNotNamedToCallers(t *testing.T) {
	b := &book{project: enabled(), err: errors.New("dial tcp 10.0.0.7:7003: connection refused")}
	w := ask(open(t, b), "POST", jsonRPCPath, "{}")
	if w.Code < 500 || strings.Contains(w.Body.String(), "10.0.0.7") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

const pricePath = "/v1/fungible/price"

func TestABodyIsReadWhateverItsType(t *testing.T) {
	g := open(t, &book{project: enabled()})
	good := `{"projectId":"` + known + `","currency":"usd","addresses":["eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"],"unknown":1}`
	for _, contentType := range []string{"", "text/plain;charset=UTF-8", "application/xml", "application/json", "application/x-www-form-urlencoded"} {
		if w := ask(g, "POST", pricePath, good, "Content-Type", contentType); w.Code != 200 || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%q: status %d: %s", contentType, w.Code, w.Body)
		}
	}
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"malformed":       {`{"projectId":`, 400},
		"empty":           {``, 400},
		"not an object":   {`[]`, 422},
		"no project":      {`{"currency":"usd","addresses":[]}`, 422},
		"no currency":     {`{"projectId":"` + known + `","addresses":["x"]}`, 422},
		"no addresses":    {`{"projectId":"` + known + `","currency":"usd"}`, 422},
		"null addresses":  {`{"projectId":"` + known + `","currency":"usd","addresses":null}`, 422},
		"wrong type":      {`{"projectId":"` + known + `","currency":"usd","addresses":"x"}`, 422},
		"wrong project":   {`{"projectId":7,"currency":"usd","addresses":["x"]}`, 422},
		"too large":       {`{"projectId":"` + strings.Repeat("x", bodyLimit) + `"}`, 413},
		"unknown project": {`{"projectId":"nope","currency":"usd","addresses":["x"]}`, 401},
	} {
		w := ask(g, "POST", pricePath, c.body)
		var refusal restError
		if err := json.Unmarshal(w.Body.Bytes(), &refusal); err != nil || w.Code != c.want || len(refusal.Reasons) != 1 || refusal.Code == "" || refusal.RequestID == "" {
			t.Errorf("%s: status %d, want %d: %s", name, w.Code, c.want, w.Body)
		}
	}
}

func TestAPanicIsAnInternalErrorAndNoMore(t *testing.T) {
	g := open(t, &book{project: enabled()})
	w := ask(g, "POST", pricePath, `{"projectId":"`+known+`","currency":"usd","addresses":[]}`)
	if w.Code != 500 || strings.Contains(w.Body.String(), "no addresses") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestEveryAnswerCarriesTheRequestsID(t *testing.T) {
	g := open(t, &book{project: enabled()})
	for _, path := range []string{"/health", "/v1/supported-chains", "/nowhere", jsonRPCPath} {
		if got := ask(g, "GET", path, "", requestIDHeader, "abc-1").Header().Get(requestIDHeader); got != "abc-1" {
			t.Errorf("%s: request id %q", path, got)
		}
		if got := ask(g, "GET", path, "", requestIDHeader, "a\nb").Header().Get(requestIDHeader); got == "a\nb" || got == "" {
			t.Errorf("%s: request id %q", path, got)
		}
	}
}

func TestEveryAnswerHasTheHeadersOfSecurity(t *testing.T) {
	for _, publicURL := range []string{"https://wallet.example.org", "http://localhost:8080"} {
		cfg := DefaultConfig()
		cfg.PublicURL = publicURL
		strict := ""
		if strings.HasPrefix(publicURL, "https:") {
			strict = "max-age=31536000"
		}
		g := openWith(t, cfg, &book{project: enabled()}, nil)
		for _, path := range []string{"/health", "/docs", "/openapi.json", "/nothing", "/v1/account/a/balance", "/v1/assets/tokens/none.svg", "/v1/supported-chains", "/"} {
			w := ask(g, http.MethodGet, path, "")
			for header, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Strict-Transport-Security": strict} {
				if got := w.Header().Get(header); got != want {
					t.Errorf("%s of %s: %s %q, want %q", path, publicURL, header, got, want)
				}
			}
			if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") && w.Code == http.StatusOK {
				policy := w.Header().Get("Content-Security-Policy")
				if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
					t.Errorf("%s: Content-Security-Policy %q", path, policy)
				}
				// Browsers request an icon otherwise, which the policy refuses.
				if !strings.Contains(w.Body.String(), `<link rel="icon" href="data:,">`) || !strings.Contains(policy, "img-src data:") {
					t.Errorf("%s has no icon, with Content-Security-Policy %q", path, policy)
				}
			}
		}
	}
}

func TestEveryPathAnswersAPreflight(t *testing.T) {
	g := open(t, &book{project: enabled()})
	for _, path := range []string{"/v1/supported-chains", jsonRPCPath, pricePath, "/hawser.balances.v1.BalancesService/GetBalance"} {
		w := ask(g, "OPTIONS", path, "", "Origin", "https://a.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type,traceparent,x-sdk-version")
		if w.Code >= 300 || w.Header().Get("Access-Control-Allow-Origin") != "*" || w.Header().Get("Access-Control-Allow-Headers") == "" {
			t.Errorf("%s: status %d, headers %v", path, w.Code, w.Header())
		}
	}
}

func TestHealthSaysWhatRuns(t *testing.T) {
	w := ask(open(t, &book{}), "GET", "/health", "")
	for _, part := range []string{"OK v1.2.3", "hash: abc", "features:", "uptime:"} {
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("%q is missing: %s", part, w.Body)
		}
	}
}

func TestTheDescriptionOfTheAPIIsServed(t *testing.T) {
	g := open(t, &book{})
	var doc map[string]any
	if err := json.Unmarshal(ask(g, "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(ask(g, "GET", "/docs", "").Body)
	if err != nil {
		t.Fatal(err)
	}
	for path := range doc["paths"].(map[string]any) {
		if !bytes.Contains(page, []byte(path)) {
			t.Errorf("the page does not name %s", path)
		}
	}
}

func TestEveryReasonHasARESTStatus(t *testing.T) {
	for number := range faultv1.Reason_name {
		r := faultv1.Reason(number)
		if r != faultv1.Reason_REASON_UNSPECIFIED && restStatus[r] == 0 {
			t.Errorf("%s has no status", r)
		}
	}
}

func TestAProcedureAnswersInWordsWhatSpeaksNoneOfItsProtocols(t *testing.T) {
	g := open(t, &book{project: enabled()})
	for _, path := range []string{"/hawser.balances.v1.BalancesService/GetBalance", "/hawser.chains.v1.ChainsService/ListNetworks"} {
		for _, c := range []struct {
			method, contentType string
			want                int
		}{{http.MethodGet, "", 405}, {http.MethodPut, "application/json", 405}, {http.MethodPost, "text/plain", 415}, {http.MethodPost, "", 415}} {
			w := ask(g, c.method, path, "{}", "Content-Type", c.contentType)
			var refusal restError
			if err := json.Unmarshal(w.Body.Bytes(), &refusal); err != nil || w.Code != c.want || refusal.Code != "ROUTE_UNKNOWN" {
				t.Errorf("%s %s as %q: status %d: %s", c.method, path, c.contentType, w.Code, w.Body)
			}
		}
	}
}

func TestEachCallOfABatchCounts(t *testing.T) {
	p := enabled()
	p.RequestsPerSecond, p.Burst = 0.01, 5
	g := open(t, &book{project: p})
	batch := "[" + strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"eth_call"},`, 12), ",") + "]"
	if w := ask(g, "POST", jsonRPCPath, batch); w.Code != 200 {
		t.Fatalf("the batch itself: status %d", w.Code)
	}
	w := ask(g, "POST", jsonRPCPath, "{}")
	seconds, err := strconv.Atoi(w.Header().Get("Retry-After"))
	if w.Code != http.StatusTooManyRequests || err != nil || seconds < 500 || seconds > 601 {
		t.Errorf("after 12 calls with room for 5: status %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
}

func TestWhatCallsCost(t *testing.T) {
	for body, want := range map[string]int{
		"": 1, "{}": 1, "[]": 1, "[": 1, "x": 1, `{"method":"eth_call"}`: 1, `{"method":"eth_getLogs"}`: logsWeight,
		` [{"method":"eth_call"},{"method":"eth_getLogs"},3]`: 2 + logsWeight, `{"method":"eth_sendUserOperation"}`: operationWeight,
		`{"method":"eth_sendRawTransaction"}`: 1, `{"method":"eth_sendRawTransactionSync"}`: 10,
	} {
		if got := requestWeight([]byte(body)); got != want {
			t.Errorf("%s costs %d, want %d", body, got, want)
		}
	}
}
