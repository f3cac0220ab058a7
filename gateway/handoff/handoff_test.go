package handoff_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
)

const (
	public = "https://wallet.example.org"
	page   = public + "/open/AAAAAAAAAAAAAAAAAAAAAA"
)

var files = fstest.MapFS{
	"index.html":      {Data: []byte("<!doctype html><title>Wallet</title><script type=module src=/open/assets/a1.js></script>")},
	"assets/a1.js":    {Data: []byte("start()")},
	"assets/a1.js.gz": {Data: []byte("compressed")},
	"assets/a1.css":   {Data: []byte("body{}")},
	"manifest.json":   {Data: []byte("{}")},
}

// open returns a gateway with a wallet page, for a project of shop.example.org.
func open(t *testing.T, built fstest.MapFS, change ...func(*gateway.Config)) http.Handler {
	t.Helper()
	p := accesstest.Enabled()
	p.AllowedOrigins = []string{"https://shop.example.org"}
	services := accesstest.Conn{
		projectsv1.ProjectsService_GetProject_FullMethodName: (&accesstest.Book{Project: p}).Get,
		chainsv1.NodeService_Forward_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &chainsv1.ForwardResponse{Body: []byte(`{"jsonrpc":"2.0","id":1,"result":true}`)}, nil
		},
	}
	cfg, deps := gateway.DefaultConfig(), gatewaytest.Deps(t)
	cfg.PublicURL = public
	for _, c := range change {
		c(&cfg)
	}
	deps.WalletPage = built
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "chains", "handoff", "projects")}, cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestThePageLoadsNothingFromElsewhereAndIsKeptNowhere(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*gateway.Config)
		url    string
		socket string
	}{
		"at its public address":   {func(*gateway.Config) {}, page, "wss://wallet.example.org"},
		"below a path":            {func(c *gateway.Config) { c.PublicURL += "/base/" }, page, "wss://wallet.example.org"},
		"where nobody configured": {func(c *gateway.Config) { c.PublicURL = "" }, "http://localhost:8080/open/A", "ws://localhost:8080"},
	} {
		w := accesstest.Ask(open(t, files, tt.change), http.MethodGet, tt.url, "")
		if w.Code != http.StatusOK || w.Body.String() != string(files["index.html"].Data) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		accesstest.WantHeaders(t, w, map[string]string{
			"Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self' " + tt.socket,
		})
	}
}

func TestFilesOfThePageAreKeptForGood(t *testing.T) {
	g := open(t, files)
	for _, tt := range []struct{ path, accept, body, kind, encoding string }{
		{"assets/a1.js", "", "start()", "text/javascript; charset=utf-8", ""},
		{"assets/a1.js", "gzip, br", "compressed", "text/javascript; charset=utf-8", "gzip"},
		{"assets/a1.css", "gzip", "body{}", "text/css; charset=utf-8", ""},
	} {
		w := accesstest.Ask(g, http.MethodGet, public+"/open/"+tt.path, "", "Accept-Encoding", tt.accept)
		if w.Code != http.StatusOK || w.Body.String() != tt.body {
			t.Errorf("%s: %d %s", tt.path, w.Code, w.Body)
		}
		accesstest.WantHeaders(t, w, map[string]string{
			"Cache-Control": "public, max-age=31536000, immutable", "Content-Type": tt.kind, "Content-Encoding": tt.encoding, "Vary": "Accept-Encoding",
			"Cross-Origin-Resource-Policy": "same-origin",
		})
	}
	if w := accesstest.Ask(g, http.MethodGet, public+"/open/manifest.json", ""); w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "" {
		t.Errorf("%d %s", w.Code, w.Header())
	}
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	g := open(t, files)
	for _, path := range []string{"/open/assets/b2.js", "/open/assets/", "/open/", "/open/a/b"} {
		if w := accesstest.Ask(g, http.MethodGet, public+path, ""); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestABinaryWithoutThePageSaysSo(t *testing.T) {
	if w := accesstest.Ask(open(t, fstest.MapFS{}), http.MethodGet, page, ""); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "run make build") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestThePageCallsForAProjectWhoseListHasOnlyItsSite(t *testing.T) {
	g := open(t, files)
	const path = public + "/v1?chainId=eip155:1&projectId=" + accesstest.Known
	for from, want := range map[string]int{public: 200, "https://shop.example.org": 200, "https://evil.example": 403, "http://wallet.example.org": 403} {
		if w := accesstest.Ask(g, http.MethodPost, path, "{}", "Origin", from); w.Code != want {
			t.Errorf("%s: %d %s", from, w.Code, w.Body)
		}
	}
}
