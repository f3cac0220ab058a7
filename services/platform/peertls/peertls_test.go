package peertls_test

import (
	"crypto/tls"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/peertls"
	"github.com/hawser-dev/hawser/services/platform/peertls/peertlstest"
)

const name = "hawser.example.svc"

// laterClock is the machine's clock, and some time later once it is moved.
type laterClock struct{ by time.Duration }

func (c *laterClock) Now() time.Time { return time.Now().Add(c.by) }

func identity(t *testing.T, c peertls.Config, now clock.Clock) *peertls.Identity {
	t.Helper()
	i, err := peertls.New(c, now)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// meet connects both ends, and returns an error if one of them refuses the other.
func meet(t *testing.T, server, client *tls.Config) error {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	served := make(chan error, 1)
	go func() {
		conn, err := tls.NewListener(l, server).Accept()
		if err == nil {
			err = conn.(*tls.Conn).HandshakeContext(t.Context())
			_, _ = conn.Write([]byte("!"))
			_ = conn.Close()
		}
		served <- err
	}()
	conn, err := tls.Dial("tcp", l.Addr().String(), client)
	if err == nil {
		// In TLS 1.3 a client learns by reading that its certificate was refused.
		_, err = conn.Read(make([]byte, 1))
		_ = conn.Close()
	} else {
		_ = l.Close()
	}
	return errors.Join(err, <-served)
}

func TestProcessesOfOneSuiteMeet(t *testing.T) {
	a := peertlstest.NewAuthority(t)
	gateway := identity(t, a.Issue(t, t.TempDir(), 24*time.Hour, name), clock.System{})
	chains := identity(t, a.Issue(t, t.TempDir(), 24*time.Hour, name), clock.System{})
	if err := meet(t, chains.Server("h2"), gateway.Client()); err != nil {
		t.Error(err)
	}
}

func TestOthersAreRefused(t *testing.T) {
	a := peertlstest.NewAuthority(t)
	ours := identity(t, a.Issue(t, t.TempDir(), 24*time.Hour, name), clock.System{})
	for what, other := range map[string]peertls.Config{
		"of another authority":           peertlstest.NewAuthority(t).Issue(t, t.TempDir(), 24*time.Hour, name),
		"of the authority, another name": a.Issue(t, t.TempDir(), 24*time.Hour, "other.example.svc"),
	} {
		stranger := identity(t, other, clock.System{})
		// The stranger accepts us, so only we can refuse.
		careless := stranger.Client()
		careless.VerifyConnection = nil
		if err := meet(t, ours.Server("h2"), careless); err == nil {
			t.Errorf("a caller %s was served", what)
		}
		open := stranger.Server("h2")
		get := open.GetConfigForClient
		open.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			c, err := get(hello)
			c.VerifyConnection = nil
			return c, err
		}
		if err := meet(t, open, ours.Client()); err == nil {
			t.Errorf("a server %s was called", what)
		}
	}
	nobody := ours.Client()
	nobody.GetClientCertificate = nil
	if err := meet(t, ours.Server("h2"), nobody); err == nil {
		t.Error("a caller without a certificate was served")
	}
	old := ours.Client()
	old.MinVersion, old.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
	if err := meet(t, ours.Server("h2"), old); err == nil {
		t.Error("a caller with TLS 1.2 was served")
	}
}

func TestExpiredCertificatesAreRefused(t *testing.T) {
	a := peertlstest.NewAuthority(t)
	later := &laterClock{}
	long := identity(t, a.Issue(t, t.TempDir(), 20*time.Hour, name), later)
	short := identity(t, a.Issue(t, t.TempDir(), 3*time.Hour, name), clock.System{})
	if err := meet(t, long.Server("h2"), short.Client()); err != nil {
		t.Fatal(err)
	}
	later.by = 4 * time.Hour
	if err := meet(t, long.Server("h2"), short.Client()); err == nil {
		t.Error("a caller was served after its certificate had expired")
	}
}

func TestRenewedFilesAreReadWithoutARestart(t *testing.T) {
	dir := t.TempDir()
	later := &laterClock{}
	c := peertlstest.NewAuthority(t).Issue(t, dir, 24*time.Hour, name)
	running := identity(t, c, later)

	// Another authority from now on, as after the renewal of a private one.
	next := peertlstest.NewAuthority(t)
	next.Issue(t, dir, 24*time.Hour, name)
	started := identity(t, next.Issue(t, t.TempDir(), 24*time.Hour, name), clock.System{})
	later.by = time.Minute
	if err := errors.Join(meet(t, running.Server("h2"), started.Client()), meet(t, started.Server("h2"), running.Client())); err != nil {
		t.Errorf("after the renewal: %v", err)
	}

	// While only one of the files is replaced, what was read before holds.
	if err := os.WriteFile(c.Key, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	later.by = 2 * time.Minute
	if err := meet(t, running.Server("h2"), started.Client()); err != nil {
		t.Errorf("with a broken key file: %v", err)
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	a := peertlstest.NewAuthority(t)
	dir := t.TempDir()
	right := a.Issue(t, dir, 24*time.Hour, name)
	expired := a.Issue(t, t.TempDir(), 30*time.Minute, name)
	foreign := right
	foreign.Authorities = peertlstest.NewAuthority(t).Issue(t, t.TempDir(), 24*time.Hour, name).Authorities
	for _, test := range []struct {
		what   string
		change func(c *peertls.Config)
		want   string
	}{
		{"nothing", func(c *peertls.Config) { *c = peertls.DefaultConfig() }, ""},
		{"all", func(*peertls.Config) {}, ""},
		{"no key", func(c *peertls.Config) { c.Key = "" }, "key: it is empty"},
		{"no authorities", func(c *peertls.Config) { c.Authorities = "" }, "authorities: it is empty"},
		{"no name", func(c *peertls.Config) { c.Name = "" }, "name: it is empty"},
		{"a file that is not there", func(c *peertls.Config) { c.Certificate = dir + "/none" }, "no such file"},
		{"no authority in the file", func(c *peertls.Config) { c.Authorities = c.Key }, "has no certificate"},
		{"another name", func(c *peertls.Config) { c.Name = "other" }, "not other"},
		{"another authority", func(c *peertls.Config) { *c = foreign }, "unknown authority"},
		{"an expired certificate", func(c *peertls.Config) { *c = expired }, "expired"},
	} {
		c := right
		test.change(&c)
		var got string
		for _, f := range c.Check() {
			got += f.Key + ": " + f.Text + "\n"
		}
		if (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
}
