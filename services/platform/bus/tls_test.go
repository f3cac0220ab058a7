package bus_test

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/peertls"
	"github.com/hawser-dev/hawser/services/platform/peertls/peertlstest"
)

// secureServer starts a NATS server that takes only clients with a certificate of its authority, and returns its URL.
func secureServer(t *testing.T, files peertls.Config) string {
	t.Helper()
	certificate, err := tls.LoadX509KeyPair(files.Certificate, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(files.Authorities)
	if err != nil {
		t.Fatal(err)
	}
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(raw)
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(), TLS: true, TLSTimeout: 5,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: authorities, MinVersion: tls.VersionTLS12},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server did not start")
	}
	return "nats://localhost:" + s.ClientURL()[strings.LastIndex(s.ClientURL(), ":")+1:]
}

func TestConnectsByTLSWithACertificate(t *testing.T) {
	authority := peertlstest.NewAuthority(t)
	files := authority.Issue(t, t.TempDir(), 24*time.Hour, "localhost")
	url := secureServer(t, files)
	b := bustest.Open(t, bus.Config{URL: url, Authorities: files.Authorities, Certificate: files.Certificate, Key: files.Key})
	if err := b.Ready(t.Context()); err != nil {
		t.Error(err)
	}

	other := peertlstest.NewAuthority(t).Issue(t, t.TempDir(), 24*time.Hour, "localhost")
	for what, cfg := range map[string]bus.Config{
		"no certificate":                   {URL: url, Authorities: files.Authorities},
		"a server of another authority":    {URL: url, Authorities: other.Authorities, Certificate: files.Certificate, Key: files.Key},
		"a certificate of another one":     {URL: url, Authorities: files.Authorities, Certificate: other.Certificate, Key: other.Key},
		"a server that does not offer TLS": {URL: bustest.Server(t), Authorities: files.Authorities},
	} {
		if b, err := bus.Open(t.Context(), cfg); err == nil {
			_ = b.Close()
			t.Errorf("%s: it connected", what)
		}
	}
}

func TestCheckOfTLSNamesTheFile(t *testing.T) {
	files := peertlstest.NewAuthority(t).Issue(t, t.TempDir(), 24*time.Hour, "localhost")
	for _, test := range []struct {
		cfg  bus.Config
		want string
	}{
		{bus.Config{Replicas: 1, Authorities: files.Authorities, Certificate: files.Certificate, Key: files.Key}, ""},
		{bus.Config{Replicas: 1, Certificate: files.Certificate}, "certificate: certificate and key need each other"},
		{bus.Config{Replicas: 1, Certificate: files.Certificate, Key: files.Authorities}, "certificate: tls: "},
		{bus.Config{Replicas: 1, Authorities: files.Key}, "authorities: " + files.Key + " has no certificate"},
	} {
		var got string
		for _, f := range test.cfg.Check() {
			got += f.Key + ": " + f.Text
		}
		if (test.want == "") != (got == "") || !strings.HasPrefix(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
