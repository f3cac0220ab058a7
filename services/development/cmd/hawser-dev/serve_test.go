package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/smtp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	"github.com/hawser-dev/hawser/services/development/inbox"
	"github.com/hawser-dev/hawser/services/platform/freeport"
)

func TestMain(m *testing.M) {
	// A cache's housekeeper ends when the cache is collected.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/maypok86/otter/v2.periodicCleanUp[...]"))
}

// servers is a running process.
type servers struct{ url, grpc, smtp string }

// start runs the servers, without chains, until the test ends, which fails if they do not stop cleanly.
func start(t *testing.T, args ...string) servers {
	t.Helper()
	pages, offered, mails := freeport.Address(), freeport.Address(), freeport.Address()
	ctx, stop := context.WithCancel(t.Context())
	log, ended := &buffer{}, make(chan error, 1)
	go func() {
		ended <- hawserDev(ctx, append([]string{"-chains.dev=false", "-data_dir", t.TempDir(), "-listen.http", pages, "-listen.grpc", offered, "-listen.smtp", mails}, args...), log)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("it ends with %v\n%s", err, log)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	s := servers{url: "http://" + pages, grpc: offered, smtp: mails}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if res, err := http.Get(s.url + "/ready"); err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return s
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("it is not ready\n%s", log)
		}
	}
}

// buffer is a log that is read while it is written.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (s servers) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	res, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func TestEveryServerAnswersAtItsPath(t *testing.T) {
	s := start(t)
	for path, want := range map[string]struct {
		status int
		says   string
	}{
		"/inbox":      {http.StatusOK, "There is no mail yet."},
		"/inbox.json": {http.StatusOK, "[]"},
		"/identity/google/.well-known/openid-configuration": {http.StatusOK, `"issuer":"http://localhost:` + s.port() + `/identity/google"`},
		"/farcaster/siwf?channelToken=1":                    {http.StatusNotFound, "This login was used or has expired."},
		"/sandbox/checkout/ABC":                             {http.StatusNotFound, "There is no such checkout"},
		"/":                                                 {http.StatusNotFound, ""},
	} {
		res, body := s.get(t, path)
		if res.StatusCode != want.status || !strings.Contains(body, want.says) {
			t.Errorf("%s: %d %s", path, res.StatusCode, body)
		}
		if h := res.Header; h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("%s: %v", path, h)
		}
		if isPage := strings.HasPrefix(res.Header.Get("Content-Type"), "text/html"); isPage && !strings.Contains(res.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s can be framed: %v", path, res.Header)
		}
	}
}

func (s servers) port() string { return s.url[strings.LastIndex(s.url, ":")+1:] }

func TestARequestHasABound(t *testing.T) {
	s := start(t)
	res, err := http.Post(s.url+"/farcaster/v1/channel", "application/json", strings.NewReader(fmt.Sprintf(`{"domain":%q}`, strings.Repeat("a", bodyLimit))))
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusBadRequest {
		t.Errorf("status %d", res.StatusCode)
	}
}

func TestAMailIsShownInTheInbox(t *testing.T) {
	s := start(t)
	if err := smtp.SendMail(s.smtp, nil, "shop@example.org", []string{"alice@example.org"}, []byte("From: shop@example.org\r\nSubject: Hello\r\nContent-Type: text/plain\r\n\r\nHi\r\n")); err != nil {
		t.Fatal(err)
	}
	var mails []inbox.Mail
	if _, body := s.get(t, "/inbox.json?to=alice@example.org"); json.Unmarshal([]byte(body), &mails) != nil || len(mails) != 1 || mails[0].Subject != "Hello" {
		t.Errorf("%s", body)
	}
}

// Without a local chain there is nothing to sell.
func TestTheSuiteReachesTheSandboxAndNoNode(t *testing.T) {
	s := start(t, "-sandbox.treasury", "6c47e7a644ba1edbd0a731557405887885453535a1390c7f51349e52f9558fb2")
	conn, err := grpc.NewClient(s.grpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	listed, err := sandboxv1.NewSellerServiceClient(conn).Call(ctx, &sandboxv1.CallRequest{Method: "providers"})
	if err != nil || string(listed.GetResult()) != "[]" {
		t.Errorf("%v, %v", listed, err)
	}
	if err := conn.Invoke(ctx, "/hawser.chains.v1.ChainsService/ListNetworks", &sandboxv1.CallRequest{}, &sandboxv1.CallResponse{}); err == nil {
		t.Error("the nodes answer")
	}
}

func TestAPortInUseIsReported(t *testing.T) {
	s := start(t)
	for setting, address := range map[string]string{"listen.http": strings.TrimPrefix(s.url, "http://"), "listen.grpc": s.grpc, "listen.smtp": s.smtp} {
		args := map[string]string{"data_dir": t.TempDir(), "listen.http": "127.0.0.1:0", "listen.grpc": "127.0.0.1:0", "listen.smtp": "127.0.0.1:0"}
		args[setting] = address
		var flags []string
		for name, value := range args {
			flags = append(flags, "-"+name, value)
		}
		if err := hawserDev(t.Context(), flags, io.Discard); err == nil || !strings.Contains(err.Error(), setting) {
			t.Errorf("%s: %v", setting, err)
		}
	}
}
