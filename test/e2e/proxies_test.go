package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/coder/websocket"

	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1/updatesv1connect"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

// The names in the files of deploy/proxy.
const (
	proxiedHost  = "hawser.example.org"
	proxiedFrame = "wallet.example.net"
)

// TestTheSuiteWorksBehindTheProxiesOfTheRepository runs nginx and Caddy of Debian with the files of deploy/proxy in front of one suite. Only addresses and
// certificates are others.
func TestTheSuiteWorksBehindTheProxiesOfTheRepository(t *testing.T) {
	skipInShort(t)
	devnet := localChains(t)
	chain := devnet.Chain(t, devChain)
	s, frame := startBehindProxy(t, devnet)
	own := newCertificate(t)
	for n, start := range []func(t *testing.T, gateway, frame string, c certificate) (address string){startNginx, startCaddy} {
		name := []string{"nginx", "caddy"}[n]
		t.Run(name, func(t *testing.T) {
			p := proxied{address: start(t, s.address(), frame, own), certificate: own}
			p.wait(t)

			t.Run("REST", func(t *testing.T) {
				var chains struct{ HTTP []string }
				p.getJSON(t, "https://"+proxiedHost+"/v1/supported-chains", &chains)
				if !strings.Contains(strings.Join(chains.HTTP, " "), devChain) {
					t.Errorf("the chains are %q", chains.HTTP)
				}
			})
			t.Run("the embedded wallet's origin", func(t *testing.T) {
				status, body := p.do(t, p.client(""), http.MethodPost, "https://"+proxiedFrame+"/v1?chainId="+devChain+"&projectId="+project,
					`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`, "Origin", "https://"+proxiedFrame)
				if status != http.StatusOK || !strings.Contains(body, `"0x7a69"`) {
					t.Errorf("status %d: %s", status, body)
				}
			})
			t.Run("a WebSocket to a chain", func(t *testing.T) {
				conn, _, err := websocket.Dial(t.Context(), "wss://"+proxiedHost+"/v1?chainId="+devChain+"&projectId="+project, &websocket.DialOptions{HTTPClient: p.http1()})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = conn.CloseNow() }()
				heads := socket{conn}
				heads.subscribe(t, `["newHeads"]`)
				chain.Call(t, "anvil_mine", "0x1")
				if head := heads.hear(t); head.Params.Result.Hash == "" {
					t.Errorf("received %+v", head)
				}
			})
			t.Run("the relay", func(t *testing.T) {
				options := relaytest.Options{HTTP: p.http1(), Audience: "wss://" + proxiedHost}
				wallet, page := p.dialRelay(t, options), p.dialRelay(t, options)
				topic := relaytest.Topic()
				wallet.MustCall(t, "irn_subscribe", map[string]any{"topic": topic})
				page.MustCall(t, "irn_publish", relaytest.Publication(topic, "through "+name, 1100))
				select {
				case d := <-wallet.Deliveries:
					if d.Data.Message != "through "+name {
						t.Errorf("delivered %q", d.Data.Message)
					}
				case <-time.After(soon):
					t.Error("nothing was delivered")
				}
			})
			for protocol, options := range map[string][]connect.ClientOption{
				"connect": nil, "grpc-web": {connect.WithGRPCWeb()}, "grpc": {connect.WithGRPC()},
			} {
				t.Run("a push by "+protocol, func(t *testing.T) {
					account := freshAccount()
					w := p.watch(t, account, options...)
					w.until(t, "")
					chain.Call(t, "eth_sendTransaction", map[string]string{"from": devnet.Accounts[1].Address, "to": account, "value": "0x7"})
					w.until(t, "0.000000000000000007")
				})
			}
			t.Run("the address of each caller", func(t *testing.T) {
				id := fmt.Sprintf("b%031x", n)
				s.project(t, "create", "-id", id, "-name", "Limited", "-any-origin", "-rate", "0.001", "-burst", "5")
				s.answers(t, id, http.StatusOK)
				ask := func(from, claimed string) int {
					var headers []string
					if claimed != "" {
						headers = []string{"X-Forwarded-For", claimed, "X-Real-Ip", claimed, "Forwarded", "for=" + claimed}
					}
					status, _ := p.do(t, p.client(from), http.MethodPost, "https://"+proxiedHost+"/v1?chainId="+devChain+"&projectId="+id,
						`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`, headers...)
					return status
				}
				for range 5 {
					if status := ask("127.0.0.2", ""); status != http.StatusOK {
						t.Fatalf("status %d within the rate", status)
					}
				}
				if status := ask("127.0.0.2", ""); status != http.StatusTooManyRequests {
					t.Errorf("status %d over the rate", status)
				}
				if status := ask("127.0.0.2", "127.0.0.3"); status != http.StatusTooManyRequests {
					t.Errorf("status %d for a caller that claims another address", status)
				}
				if status := ask("127.0.0.3", "127.0.0.2"); status != http.StatusOK {
					t.Errorf("status %d for another caller, whose turn somebody else took", status)
				}
			})
		})
	}
}

// startBehindProxy starts a suite with the settings that the files of deploy/proxy ask for, and returns it with the address of its wallet's pages.
func startBehindProxy(t *testing.T, devnet *devnettest.Devnet) (s *suite, frame string) {
	t.Helper()
	s, frame = newSuite(t, plain, devnet), freeport.Address()
	s.env = []string{
		"HAWSER_PUBLIC_URL=https://" + proxiedHost, "HAWSER_FRAME_ORIGIN=https://" + proxiedFrame, "HAWSER_LISTEN_FRAME=" + frame,
		"HAWSER_GATEWAY_TRUST_FORWARDED_FOR=true", "HAWSER_RELAY_TRUST_FORWARDED_FOR=true",
	}
	config := s.write(t, "hawser.yaml", settings(s.dir, s.url, s.sellers, devnet)+listeners{gateway: s.address()}.section())
	s.config, s.gateway = config, config
	s.restart(t)
	s.wait(t)
	return s, frame
}

// freshAccounts counts those of freshAccount.
var freshAccounts int

// freshAccount returns an account that no test of proxies used before.
func freshAccount() string {
	freshAccounts++
	return fmt.Sprintf("0x%040x", 0x9e090000+freshAccounts)
}

// proxied is a proxy at an address, which answers at the names of the suite.
type proxied struct {
	address     string
	certificate certificate
}

// client returns a client that reaches the proxy by every name, from an address of this machine; empty for any.
func (p proxied) client(from string) *http.Client { return &http.Client{Transport: p.transport(from)} }

// http1 is a client of HTTP/1.1, which WebSockets need.
func (p proxied) http1() *http.Client {
	transport := p.transport("")
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetHTTP1(true)
	return &http.Client{Transport: transport}
}

func (p proxied) transport(from string) *http.Transport {
	var dialer net.Dialer
	if from != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	return &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, p.address)
		},
		TLSClientConfig:   &tls.Config{RootCAs: p.certificate.roots},
		ForceAttemptHTTP2: true,
		DisableKeepAlives: from != "",
	}
}

// wait returns when the proxy passes requests on.
func (p proxied) wait(t *testing.T) {
	t.Helper()
	seenSoon(t, "that the proxy answers", func() bool {
		res, err := p.client("").Get("https://" + proxiedHost + "/health")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
}

// do returns what a request is answered with. headers are names and values in turn.
func (p proxied) do(t *testing.T, c *http.Client, method, url, body string, headers ...string) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(raw)
}

func (p proxied) getJSON(t *testing.T, url string, into any) {
	t.Helper()
	status, body := p.do(t, p.client(""), http.MethodGet, url, "")
	if err := json.Unmarshal([]byte(body), into); err != nil || status != http.StatusOK {
		t.Fatalf("status %d: %s", status, body)
	}
}

func (p proxied) dialRelay(t *testing.T, o relaytest.Options) *relaytest.Client {
	t.Helper()
	c, err := relaytest.DialContext(t.Context(), "wss://"+proxiedHost+"/v1/relay", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// watch opens a stream of an account's changes.
func (p proxied) watch(t *testing.T, account string, options ...connect.ClientOption) watched {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	t.Cleanup(cancel)
	client := connect.NewClient[updatesv1.WatchAccountRequest, updatesv1.WatchAccountResponse](p.client(""),
		"https://"+proxiedHost+updatesv1connect.UpdatesServiceWatchAccountProcedure, options...)
	req := connect.NewRequest(&updatesv1.WatchAccountRequest{Address: account, ChainId: devChain, Currency: "usd"})
	req.Header().Set("Hawser-Project-Id", project)
	stream, err := client.CallServerStream(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stream.Close() })
	return watched{stream}
}

// certificate is one for the names of the suite, in files.
type certificate struct {
	file, key string
	roots     *x509.CertPool
}

func newCertificate(t *testing.T) certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{proxiedHost, proxiedFrame}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	c := certificate{file: filepath.Join(t.TempDir(), "certificate"), key: filepath.Join(t.TempDir(), "key"), roots: x509.NewCertPool()}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	c.roots.AppendCertsFromPEM(public)
	for file, text := range map[string][]byte{c.file: public, c.key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// proxyFile returns a file of deploy/proxy with other values in it, each of which has to be there.
func proxyFile(t *testing.T, name string, values ...string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../deploy/proxy", name))
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for i := 0; i < len(values); i += 2 {
		if !strings.Contains(text, values[i]) {
			t.Fatalf("%s has no %q", name, values[i])
		}
		text = strings.ReplaceAll(text, values[i], values[i+1])
	}
	return text
}

func startNginx(t *testing.T, gateway, frame string, c certificate) (address string) {
	t.Helper()
	address = freeport.Address()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	site := write("hawser.conf", proxyFile(t, "nginx.conf",
		"listen 443 ssl", "listen "+address+" ssl", "listen 80;", "listen "+freeport.Address()+";", "127.0.0.1:8080", gateway, "127.0.0.1:5174", frame,
		"/etc/ssl/hawser/hawser.example.org.crt", c.file, "/etc/ssl/hawser/wallet.example.net.crt", c.file,
		"/etc/ssl/hawser/hawser.example.org.key", c.key, "/etc/ssl/hawser/wallet.example.net.key", c.key))
	var places strings.Builder
	for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&places, "%s_temp_path %s;\n", name, filepath.Join(dir, name))
	}
	config := write("nginx.conf", fmt.Sprintf("daemon off;\nworker_processes 1;\npid %s;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\n%sinclude %s;\n}\n",
		filepath.Join(dir, "pid"), places.String(), site))
	runProxy(t, debianProgram(t, "nginx"), nil, "-c", config, "-p", dir, "-e", "stderr")
	return address
}

func startCaddy(t *testing.T, gateway, frame string, c certificate) (address string) {
	t.Helper()
	address = freeport.Address()
	_, port, _ := net.SplitHostPort(address)
	_, plainPort, _ := net.SplitHostPort(freeport.Address())
	dir := t.TempDir()
	config := filepath.Join(dir, "Caddyfile")
	own := fmt.Sprintf("{\n\tadmin off\n\thttp_port %s\n\thttps_port %s\n\tdefault_bind 127.0.0.1\n}\n", plainPort, port)
	certified := fmt.Sprintf(" {\n\ttls %s %s\n", c.file, c.key)
	text := own + proxyFile(t, "Caddyfile", "127.0.0.1:8080", gateway, "127.0.0.1:5174", frame, "\n"+proxiedHost+" {\n", "\n"+proxiedHost+certified, "\n"+proxiedFrame+" {\n", "\n"+proxiedFrame+certified)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	runProxy(t, debianProgram(t, "caddy"), []string{"HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir}, "run", "--config", config, "--adapter", "caddyfile")
	return address
}

// runProxy runs a proxy until the test ends, and prints what it logged if the test failed.
func runProxy(t *testing.T, program string, env []string, args ...string) {
	t.Helper()
	var log strings.Builder
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		err := cmd.Wait()
		if t.Failed() {
			t.Logf("%s ended with %v:\n%s", filepath.Base(program), err, log.String())
		}
	})
}

// debianProgram returns the path of a program that tools/setup.sh has unpacked from Debian's package.
func debianProgram(t *testing.T, name string) string {
	t.Helper()
	found, err := filepath.Glob("../../.tmp/proxies/usr/*bin/" + name)
	if err != nil || len(found) == 0 {
		t.Fatalf("there is no %s: run `make setup-full`", name)
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}
