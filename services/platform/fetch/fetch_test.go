package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// somewhere is the public address that names resolve to in tests.
var somewhere = netip.MustParseAddr("93.184.216.34")

// internet is a network with one server, to which every public address leads, and with names.
type internet struct {
	server string
	// names holds the addresses of a name, one list per lookup; the last list is repeated.
	names map[string][][]netip.Addr

	mu     sync.Mutex
	dialed []string
}

func (n *internet) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	answers := n.names[host]
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(answers) > 1 {
		n.names[host] = answers[1:]
	}
	return answers[0], nil
}

func (n *internet) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	n.dialed = append(n.dialed, address)
	n.mu.Unlock()
	return new(net.Dialer).DialContext(ctx, network, n.server)
}

// connections are the addresses that were dialled.
func (n *internet) connections() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.dialed
}

// serve returns a client in a network where nft.example is served by handler.
func serve(tb testing.TB, handler http.HandlerFunc) (*Client, *internet) {
	tb.Helper()
	server := httptest.NewServer(handler)
	world := &internet{
		server: server.Listener.Addr().String(),
		names:  map[string][][]netip.Addr{"nft.example": {{somewhere}}},
	}
	c := New(Options{Hosts: []string{AnyHost}, Resolver: world, Dialer: world, Timeout: 2 * time.Second})
	tb.Cleanup(func() {
		c.Close()
		server.Close()
	})
	return c, world
}

var anyJSON = Want{MaxBytes: 1 << 10, MediaTypes: []string{"application/json"}}

// TestAServerMustProveItsName checks that TLS verifies the name although the dialled address is chosen by the client.
func TestAServerMustProveItsName(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("an impostor was called") }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	world := &internet{server: server.Listener.Addr().String(), names: map[string][][]netip.Addr{"nft.example": {{somewhere}}}}
	c := New(Options{Hosts: []string{AnyHost}, Resolver: world, Dialer: world})
	defer c.Close()
	if _, err := c.Get(t.Context(), "https://nft.example/", anyJSON); err == nil || errors.Is(err, ErrStatus) {
		t.Errorf("got %v", err)
	}
	if got := world.connections(); len(got) != 1 || got[0] != "93.184.216.34:443" {
		t.Errorf("dialled %v", got)
	}
}

func TestADocumentIsFetchedFromTheAddressThatWasChecked(t *testing.T) {
	c, world := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "nft.example" || r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != "" {
			t.Errorf("the server was called as %q with %v", r.Host, r.Header)
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		fmt.Fprint(w, `{"name":"x"}`)
	})
	body, err := c.Get(t.Context(), "http://nft.example/1.json", anyJSON)
	if err != nil || string(body) != `{"name":"x"}` {
		t.Fatalf("got %q %v", body, err)
	}
	if got := world.connections(); len(got) != 1 || got[0] != "93.184.216.34:80" {
		t.Errorf("dialled %v", got)
	}
}

// TestNothingPrivateIsEverDialled checks that the client opens no connection for any spelling of a private address.
func TestNothingPrivateIsEverDialled(t *testing.T) {
	c, world := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was reached") })
	inward := map[string]string{
		"loopback.example": "127.0.0.1", "any.example": "0.0.0.0", "ten.example": "10.1.2.3", "lan.example": "192.168.1.1", "cgnat.example": "100.64.0.1",
		"metadata.example": "169.254.169.254", "alibaba.example": "100.100.100.200", "azure.example": "168.63.129.16", "v6loop.example": "::1",
		"ula.example": "fd00:ec2::254", "linklocal.example": "fe80::1", "mapped.example": "::ffff:127.0.0.1", "nat64.example": "64:ff9b::7f00:1",
		"sixtofour.example": "2002:7f00:1::", "teredo.example": "2001:0:7f00:1::", "multicast.example": "ff02::1", "localhost": "127.0.0.1",
		"2130706433": "127.0.0.1", "0x7f000001": "127.0.0.1", "0177.0.0.1": "127.0.0.1", "127.1": "127.0.0.1", "0x7f.0.0.1": "127.0.0.1",
	}
	var addresses []string
	for name, address := range inward {
		world.names[name] = [][]netip.Addr{{netip.MustParseAddr(address)}}
		addresses = append(addresses, "http://"+name+"/")
	}
	// One bad address among good ones is enough.
	world.names["both.example"] = [][]netip.Addr{{somewhere, netip.MustParseAddr("10.0.0.1")}}
	addresses = append(addresses,
		"http://both.example/", "http://127.0.0.1/", "http://127.0.0.1./", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/",
		"http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[fe80::1%25eth0]/", "http://[2606:4700::1%25eth0]/", "http://169.254.169.254/latest/", "http://224.0.0.1/",
		"http://255.255.255.255/", "http://198.18.0.1/", "http://１２７.0.0.1/", "http://①②⑦.0.0.1/", "http://127。0。0。1/", "http://0/",
		"http://nft.example:22/", "http://nft.example:6379/", "https://nft.example:8443/", "http://user@nft.example/", "http://user:pass@nft.example/",
		"ftp://nft.example/", "file:///etc/passwd", "gopher://nft.example/", "http:nft.example", "http:///x", "//nft.example/", "nft.example", "",
		"http://nft.example/"+strings.Repeat("a", maxURL), "http://nft.example:80:80/", "http://[::1", "http://nft.example%00.evil/",
	)
	for _, address := range addresses {
		if _, err := c.Get(t.Context(), address, anyJSON); !errors.Is(err, ErrRefused) && !errors.Is(err, errNoHost) {
			t.Errorf("%q: got %v, want it refused", address, err)
		}
	}
	if got := world.connections(); len(got) != 0 {
		t.Errorf("dialled %v", got)
	}
}

// TestANameThatChangesItsMindIsNotAskedTwice simulates DNS rebinding: the address is public when it is checked, and
// private a moment later.
func TestANameThatChangesItsMindIsNotAskedTwice(t *testing.T) {
	c, world := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	world.names["rebind.example"] = [][]netip.Addr{{somewhere}, {netip.MustParseAddr("127.0.0.1")}}
	if _, err := c.Get(t.Context(), "http://rebind.example/", anyJSON); !errors.Is(err, ErrStatus) {
		t.Fatalf("got %v", err)
	}
	c.Close() // a kept connection would hide the result of the second lookup
	if _, err := c.Get(t.Context(), "http://rebind.example/", anyJSON); !errors.Is(err, ErrRefused) {
		t.Fatalf("got %v", err)
	}
	if got := world.connections(); len(got) != 1 || got[0] != "93.184.216.34:80" {
		t.Errorf("dialled %v, want the checked address once", got)
	}
}

func TestARedirectIsCheckedLikeAnyAddress(t *testing.T) {
	for _, inward := range []string{
		"http://127.0.0.1/", "http://inside.example/", "http://nft.example:8080/", "file:///etc/passwd", "http://user@nft.example/", "//[::1]/",
	} {
		c, world := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", inward)
			w.WriteHeader(http.StatusFound)
		})
		world.names["inside.example"] = [][]netip.Addr{{netip.MustParseAddr("10.0.0.1")}}
		if _, err := c.Get(t.Context(), "http://nft.example/", anyJSON); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: got %v", inward, err)
		}
		if got := world.connections(); len(got) != 1 {
			t.Errorf("%s: dialled %v, want the first server only", inward, got)
		}
	}
}

func TestThreeRedirectsAreFollowedAndNoMore(t *testing.T) {
	requests := 0
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		if r.Header.Get("Referer") != "" {
			t.Errorf("a referrer was sent: %s", r.Header.Get("Referer"))
		}
		if r.URL.Path == "/aaa" {
			fmt.Fprint(w, `{}`)
			return
		}
		http.Redirect(w, r, r.URL.Path+"a", http.StatusFound)
	})
	want := Want{MaxBytes: 10, MediaTypes: []string{"text/plain"}}
	if body, err := c.Get(t.Context(), "http://nft.example/", want); err != nil || string(body) != `{}` {
		t.Fatalf("three redirects: got %q %v", body, err)
	}
	requests = 0
	if _, err := c.Get(t.Context(), "http://nft.example/b", want); !errors.Is(err, ErrRefused) || requests != 4 {
		t.Fatalf("endless redirects: got %v after %d requests, want 4", err, requests)
	}
}

func TestWhatIsTooLargeIsNotRead(t *testing.T) {
	bomb := new(bytes.Buffer)
	z := gzip.NewWriter(bomb)
	_, _ = z.Write(make([]byte, 1<<20))
	_ = z.Close()
	answers := map[string]http.HandlerFunc{
		"a declared length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "2048")
			_, _ = w.Write(make([]byte, 2048))
		},
		"a stream": func(w http.ResponseWriter, _ *http.Request) {
			for range 4 {
				_, _ = w.Write(make([]byte, 512))
				w.(http.Flusher).Flush()
			}
		},
		"a small body that unpacks to a large one": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb.Bytes())
		},
	}
	for name, answer := range answers {
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			answer(w, r)
		})
		if _, err := c.Get(t.Context(), "http://nft.example/", anyJSON); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestADocumentTakesItsBytes(t *testing.T) {
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(make([]byte, 900))
	})
	memory := limit.NewMemory(2_000)
	held := memory.Hold(limit.Caller{})
	want := anyJSON
	want.Held = held
	if b, err := c.Get(t.Context(), "http://nft.example/", want); err != nil || memory.Used() != int64(len(b)) {
		t.Errorf("%d bytes are held for %d, %v", memory.Used(), len(b), err)
	}
	if _, err := c.Get(t.Context(), "http://nft.example/", want); !errors.Is(err, limit.ErrMemory) {
		t.Errorf("beyond the caller's part: %v", err)
	}
}

func TestOnlyWelcomeMediaTypesAreRead(t *testing.T) {
	image := Want{MaxBytes: 10, MediaTypes: []string{"image/*", "application/octet-stream"}}
	for header, welcome := range map[string]bool{
		"image/png": true, "IMAGE/PNG; q=1": true, "application/octet-stream": true, "": true,
		"text/html": false, "text/html; charset=utf-8": false, "imagery/png": false, "application/json": false, ";;": false,
	} {
		c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			if header != "" {
				w.Header().Set("Content-Type", header)
			}
			_, _ = w.Write([]byte("x"))
		})
		_, err := c.Get(t.Context(), "http://nft.example/", image)
		if welcome && err != nil || !welcome && !errors.Is(err, ErrMediaType) {
			t.Errorf("%q: got %v, welcome %v", header, err, welcome)
		}
	}
}

func TestAServerThatNeverEndsIsLeft(t *testing.T) {
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c.timeout = 50 * time.Millisecond
	if _, err := c.Get(t.Context(), "http://nft.example/", anyJSON); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestNoErrorSpellsTheAddress(t *testing.T) {
	c, world := serve(t, func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) })
	world.names["inside.example"] = [][]netip.Addr{{netip.MustParseAddr("10.0.0.1")}}
	for _, address := range []string{
		"http://nft.example/secret", "http://inside.example/secret", "http://nowhere.example/secret", "http://10.0.0.1/secret", "http://nft.example:99/secret", "http://%zz/secret",
	} {
		_, err := c.Get(t.Context(), address, anyJSON)
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "example") || strings.Contains(err.Error(), "10.0.0.1") {
			t.Errorf("%s: got %v", address, err)
		}
	}
}

// TestAServerOfTheOperatorsOwnMayBePrivate checks that redirects to other hosts do not get the privilege of the
// operator's server.
func TestAServerOfTheOperatorsOwnMayBePrivate(t *testing.T) {
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/ipfs/Qm/":
			fmt.Fprint(w, `{}`)
		case "/ipfs/Qm":
			http.Redirect(w, r, "/ipfs/Qm/", http.StatusMovedPermanently)
		case "/ipfs/inward":
			http.Redirect(w, r, "http://127.0.0.1/", http.StatusFound)
		case "/ipfs/here":
			http.Redirect(w, r, strings.Replace(server.URL, "127.0.0.1", "localhost", 1)+"/ipfs/Qm/", http.StatusFound)
		default:
			http.Redirect(w, r, r.URL.Path+"a", http.StatusFound)
		}
	}))
	defer server.Close()
	c := New(Options{Hosts: []string{AnyHost}})
	defer c.Close()
	own := anyJSON
	own.Operators = true
	for _, path := range []string{"/ipfs/Qm/", "/ipfs/Qm"} {
		if body, err := c.Get(t.Context(), server.URL+path, own); err != nil || string(body) != `{}` {
			t.Errorf("%s: got %q %v", path, body, err)
		}
		if _, err := c.Get(t.Context(), server.URL+path, anyJSON); !errors.Is(err, ErrRefused) {
			t.Errorf("%s, named by a document: got %v", path, err)
		}
	}
	for _, path := range []string{"/ipfs/inward", "/ipfs/here", "/endless"} {
		if _, err := c.Get(t.Context(), server.URL+path, own); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

func TestDevelopmentMayVisitThisMachine(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{}`)
	}))
	defer server.Close()
	open, shut := New(Options{AllowPrivate: true}), New(Options{Hosts: []string{AnyHost}})
	defer open.Close()
	if body, err := open.Get(t.Context(), server.URL, anyJSON); err != nil || string(body) != `{}` {
		t.Errorf("development: got %q %v", body, err)
	}
	if _, err := shut.Get(t.Context(), server.URL, anyJSON); !errors.Is(err, ErrRefused) {
		t.Errorf("production: got %v", err)
	}
}

func TestOnlyHostsThatTheOperatorNamedAreLookedUp(t *testing.T) {
	for address, visited := range map[string]bool{
		"http://nft.example/":            true,
		"http://NFT.Example./":           true,
		"http://images.nft.example/":     true,
		"http://badnft.example/":         false,
		"http://example/":                false,
		"http://nft.example.other/":      false,
		"http://nft.example@other/":      false,
		"http://93.184.216.34/":          false,
		"http://nft.example/elsewhere":   false,
		"http://nft.example/belowitself": true,
	} {
		_, world := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/elsewhere":
				http.Redirect(w, r, "http://other.example/", http.StatusFound)
			case "/belowitself":
				http.Redirect(w, r, "http://images.nft.example/", http.StatusFound)
			default:
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, "{}")
			}
		})
		world.names["nft.example."] = [][]netip.Addr{{somewhere}}
		world.names["NFT.Example."] = [][]netip.Addr{{somewhere}}
		world.names["images.nft.example"] = [][]netip.Addr{{somewhere}}
		c := New(Options{Hosts: []string{"nft.example"}, Resolver: world, Dialer: world, Timeout: 2 * time.Second})
		_, err := c.Get(t.Context(), address, anyJSON)
		if visited != (err == nil) || !visited && !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", address, err)
		}
		c.Close()
	}
	unused := &asIs{resolved: somewhere}
	c := New(Options{Resolver: unused, Dialer: unused})
	if _, err := c.Get(t.Context(), "http://nft.example/", anyJSON); !errors.Is(err, ErrRefused) || len(unused.dialed) > 0 {
		t.Errorf("without hosts: %v, dialled %v", err, unused.dialed)
	}
}
