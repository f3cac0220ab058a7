package frame_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
)

// openFrame returns the listener of the embedded wallet for a project of shop.example.org.
func openFrame(t *testing.T, list ...string) http.Handler {
	t.Helper()
	p := accesstest.Enabled()
	p.Name, p.AllowedOrigins = "Shop", list
	services := accesstest.Conn{
		projectsv1.ProjectsService_GetProject_FullMethodName: (&accesstest.Book{Project: p}).Get,
		chainsv1.NodeService_Forward_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &chainsv1.ForwardResponse{Body: []byte(`{"jsonrpc":"2.0","id":1,"result":true}`)}, nil
		},
		balancesv1.BalancesService_ListPrices_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &balancesv1.ListPricesResponse{Fungibles: []*balancesv1.Fungible{{Symbol: "ETH", Price: 2500}}}, nil
		},
	}
	cfg, deps := gateway.DefaultConfig(), gatewaytest.Deps(t)
	cfg.Frame.Origin = gatewaytest.WalletOrigin
	deps.FramePages = fstest.MapFS{
		"index.html":            {Data: []byte("<!doctype html><title>Wallet</title><!--config--><script type=module src=/assets/a1.js></script>")},
		"assets/a1.js":          {Data: []byte("start()")},
		"assets/a1.js.gz":       {Data: []byte("compressed")},
		"manifest.json":         {Data: []byte("{}")},
		"assets/pictures/a.svg": {Data: []byte("<svg/>")},
	}
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "balances", "chains", "projects")}, cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	return g.Frame
}

func TestOnlyListedPagesMayFrameTheWallet(t *testing.T) {
	for name, c := range map[string]struct {
		list []string
		want string
	}{
		"an origin":                {[]string{"https://shop.example.org"}, "frame-ancestors https://shop.example.org:*"},
		"a host":                   {[]string{"shop.example.org"}, "frame-ancestors http://shop.example.org:* https://shop.example.org:*"},
		"any subdomain":            {[]string{"https://*.example.org:8443"}, "frame-ancestors https://*.example.org:8443"},
		"a list":                   {[]string{"https://a.example", "https://b.example"}, "frame-ancestors https://a.example:* https://b.example:*"},
		"an address without names": {[]string{"http://[::1]:5173"}, "frame-ancestors 'none'"},
		"no list":                  {nil, "frame-ancestors 'none'"},
	} {
		t.Run(name, func(t *testing.T) {
			w := accesstest.Ask(openFrame(t, c.list...), http.MethodGet, gatewaytest.WalletOrigin+"/?projectId="+accesstest.Known, "")
			policy := w.Header().Get("Content-Security-Policy")
			if w.Code != http.StatusOK || !strings.HasSuffix(policy, "; "+c.want) || !strings.Contains(policy, "default-src 'none'; script-src 'self';") {
				t.Errorf("%d %s", w.Code, policy)
			}
		})
	}
	t.Run("an unknown project has no page", func(t *testing.T) {
		if w := accesstest.Ask(openFrame(t), http.MethodGet, gatewaytest.WalletOrigin+"/?projectId=ffffffffffffffffffffffffffffffff", ""); w.Code != http.StatusUnauthorized {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
	for _, path := range []string{"/account", "/approve-device?token=a", "/loading", "/social/start", "/social/callback?code=a"} {
		t.Run("nothing frames "+path, func(t *testing.T) {
			w := accesstest.Ask(openFrame(t, "https://shop.example.org"), http.MethodGet, gatewaytest.WalletOrigin+path, "")
			if policy := w.Header().Get("Content-Security-Policy"); w.Code != http.StatusOK || !strings.HasSuffix(policy, "; frame-ancestors 'none'") {
				t.Errorf("%d %s", w.Code, policy)
			}
		})
	}
}

func TestThePageHasItsConfiguration(t *testing.T) {
	w := accesstest.Ask(openFrame(t, "https://shop.example.org"), http.MethodGet, gatewaytest.WalletOrigin+"/sdk?projectId="+accesstest.Known, "")
	want := `<script type="application/json" id="config">{"projectId":"` + accesstest.Known + `","origins":["https://shop.example.org"],"local":false,"version":"1.2.3"}</script><script type=module`
	if !strings.Contains(w.Body.String(), want) {
		t.Error(w.Body)
	}
	for header, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Strict-Transport-Security": "max-age=31536000"} {
		if got := w.Header().Get(header); got != want {
			t.Errorf("%s: %q", header, got)
		}
	}
	if w = accesstest.Ask(openFrame(t), http.MethodGet, gatewaytest.WalletOrigin+"/account?projectId=%3C/script%3E", ""); strings.Contains(w.Body.String(), `:"</script>`) {
		t.Errorf("a project id ends the element: %s", w.Body)
	}
}

func TestAPageOfTheWalletHasTheNameOfItsProject(t *testing.T) {
	for query, want := range map[string]string{
		"?projectId=" + accesstest.Known: `{"projectId":"` + accesstest.Known + `","name":"Shop","origins":[],`,
		"":                               `{"origins":[],`,
		"?projectId=ffffffffffffffffffffffffffffffff": `{"projectId":"ffffffffffffffffffffffffffffffff","origins":[],`,
	} {
		if w := accesstest.Ask(openFrame(t), http.MethodGet, gatewaytest.WalletOrigin+"/account"+query, ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

func TestTheFrameHasTheIconsOfTokens(t *testing.T) {
	w := accesstest.Ask(openFrame(t), http.MethodGet, gatewaytest.WalletOrigin+"/v1/assets/tokens/eip155:1/native.svg", "")
	if policy := w.Header().Get("Content-Security-Policy"); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/svg+xml" || !strings.Contains(policy, "sandbox") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestFilesOfTheFrame(t *testing.T) {
	h := openFrame(t)
	for _, c := range []struct {
		path, accept     string
		status           int
		body, typed, age string
	}{
		{"/assets/a1.js", "", 200, "start()", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/assets/a1.js", "br, gzip", 200, "compressed", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/manifest.json", "gzip", 200, "{}", "application/json", "no-store"},
		{"/assets/", "", 404, "", "", ""},
		{"/assets/pictures", "", 404, "", "", ""},
		{"/assets/a2.js", "", 404, "", "", ""},
		{"/index.html", "", 404, "", "", ""},
	} {
		w := accesstest.Ask(h, http.MethodGet, gatewaytest.WalletOrigin+c.path, "", "Accept-Encoding", c.accept)
		if w.Code != c.status || c.status == 200 && (w.Body.String() != c.body || w.Header().Get("Content-Type") != c.typed || w.Header().Get("Cache-Control") != c.age) {
			t.Errorf("%s: %d %v %s", c.path, w.Code, w.Header(), w.Body)
		}
	}
}

func TestScriptsOfTheFrameHaveAPolicyOfTheirOwn(t *testing.T) {
	h := openFrame(t, "https://shop.example.org")
	const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src 'self'; require-trusted-types-for 'script'"
	for path, want := range map[string]string{"/assets/a1.js": policy, "/assets/pictures/a.svg": "", "/manifest.json": ""} {
		for _, accept := range []string{"", "gzip"} {
			header := accesstest.Ask(h, http.MethodGet, gatewaytest.WalletOrigin+path, "", "Accept-Encoding", accept).Header()
			if got := header.Get("Content-Security-Policy"); got != want {
				t.Errorf("%s: policy %q", path, got)
			}
			if got := header.Get("Cross-Origin-Resource-Policy"); got != "same-origin" {
				t.Errorf("%s: resource policy %q", path, got)
			}
		}
	}
}

func TestNoOtherOriginHasAReferenceToAPageOfDecisions(t *testing.T) {
	h := openFrame(t, "https://shop.example.org")
	for path, want := range map[string]string{"/approve-device?token=a": "same-origin", "/recover": "same-origin", "/account": "", "/social/callback?code=a": ""} {
		if got := accesstest.Ask(h, http.MethodGet, gatewaytest.WalletOrigin+path, "").Header().Get("Cross-Origin-Opener-Policy"); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}

func TestOnlyTheWalletsOwnPagesCallThroughItsOrigin(t *testing.T) {
	h := openFrame(t, "https://shop.example.org")
	const path = gatewaytest.WalletOrigin + "/v1?chainId=eip155:1&projectId=" + accesstest.Known
	for name, c := range map[string]struct {
		url     string
		headers []string
		want    int
	}{
		"its page, shown by a listed one":     {path, []string{"Origin", gatewaytest.WalletOrigin, "Hawser-Page-Origin", "https://shop.example.org"}, 200},
		"its page at top level":               {path, []string{"Origin", gatewaytest.WalletOrigin}, 200},
		"its page, shown by another one":      {path, []string{"Origin", gatewaytest.WalletOrigin, "Hawser-Page-Origin", "https://evil.example"}, 403},
		"the page that shows it":              {path, []string{"Origin", "https://shop.example.org"}, 403},
		"no page":                             {path, nil, 403},
		"a sandboxed page":                    {path, []string{"Origin", "null"}, 403},
		"through another name of this server": {strings.Replace(path, "wallet.", "rebound.", 1), []string{"Origin", gatewaytest.WalletOrigin}, 421},
	} {
		w := accesstest.Ask(h, http.MethodPost, c.url, "{}", c.headers...)
		if w.Code != c.want || w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestAnApprovalCanReadWhatAFeeIsWorth(t *testing.T) {
	h := openFrame(t, "https://shop.example.org")
	const body = `{"projectId":"` + accesstest.Known + `","currency":"usd","addresses":["eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"]}`
	w := accesstest.Ask(h, http.MethodPost, gatewaytest.WalletOrigin+"/hawser.balances.v1.BalancesService/ListPrices?projectId="+accesstest.Known, body,
		"Content-Type", "application/json", "Origin", gatewaytest.WalletOrigin, "Hawser-Page-Origin", "https://shop.example.org")
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"price":2500`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAPostedCallbackIsMovedIntoTheFragment(t *testing.T) {
	w := accesstest.Ask(openFrame(t), http.MethodPost, gatewaytest.WalletOrigin+"/social/callback?a=b", "code=c1&state=s%201", "Content-Type", "application/x-www-form-urlencoded", "Origin", "https://appleid.apple.com")
	if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != "/social/callback#code=c1&state=s+1" {
		t.Errorf("%d %s", w.Code, got)
	}
}

func TestABinaryWithoutPagesSaysSo(t *testing.T) {
	cfg, deps := gateway.DefaultConfig(), gatewaytest.Deps(t)
	cfg.Frame.Origin, deps.FramePages = gatewaytest.WalletOrigin, fstest.MapFS{}
	g, err := gateway.New(gateway.Conns{Services: map[string]grpc.ClientConnInterface{"projects": accesstest.Conn{projectsv1.ProjectsService_GetProject_FullMethodName: (&accesstest.Book{Project: accesstest.Enabled()}).Get}}}, cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	if w := accesstest.Ask(g.Frame, http.MethodGet, gatewaytest.WalletOrigin+"/account", ""); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "run make build") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
