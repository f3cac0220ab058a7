package peertls

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// rereadAfter is how old what was read may be when a connection begins.
const rereadAfter = 10 * time.Second

// DefaultName is the name in the certificates if the configuration has none.
const DefaultName = "hawser"

// Config names the files of a process.
type Config struct {
	Certificate string `yaml:"certificate" doc:"file with the certificate of this process and its intermediates (PEM), for calls between processes of the suite by mutual TLS; empty for calls without TLS"`
	Key         string `yaml:"key" doc:"file with the key of the certificate (PEM)"`
	Authorities string `yaml:"authorities" doc:"file with the authorities (PEM) that the certificates of the other processes must be of"`
	Name        string `yaml:"name" doc:"DNS name that the certificate of each process has"`
}

// DefaultConfig returns a configuration without TLS.
func DefaultConfig() Config { return Config{Name: DefaultName} }

// Enabled reports whether processes call each other by TLS.
func (c Config) Enabled() bool { return c.Certificate != "" || c.Key != "" || c.Authorities != "" }

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if !c.Enabled() {
		return nil
	}
	for _, setting := range [][2]string{{"certificate", c.Certificate}, {"key", c.Key}, {"authorities", c.Authorities}, {"name", c.Name}} {
		if setting[1] == "" {
			faults = append(faults, config.Faultf(setting[0], "it is empty, but TLS between processes needs certificate, key, authorities and name"))
		}
	}
	if len(faults) > 0 {
		return faults
	}
	if _, err := read(c, time.Now()); err != nil {
		faults = append(faults, config.Faultf("certificate", "%s", err))
	}
	return faults
}

// Identity is the certificate of a process and the authorities that it trusts. It is safe for concurrent use.
type Identity struct {
	config Config
	clock  clock.Clock

	mu   sync.Mutex
	last *files
	// at is when last was read, and failed whether the reading after it failed.
	at     time.Time
	failed bool
}

// files are what was read.
type files struct {
	certificate tls.Certificate
	authorities *x509.CertPool
}

// New reads the files of a configuration with [Config.Enabled].
func New(c Config, now clock.Clock) (*Identity, error) {
	first, err := read(c, now.Now())
	if err != nil {
		return nil, err
	}
	return &Identity{config: c, clock: now, last: first, at: now.Now()}, nil
}

func read(c Config, now time.Time) (*files, error) {
	certificate, err := tls.LoadX509KeyPair(c.Certificate, c.Key)
	if err != nil {
		return nil, fmt.Errorf("certificate and key: %w", err)
	}
	raw, err := os.ReadFile(c.Authorities)
	if err != nil {
		return nil, fmt.Errorf("authorities: %w", err)
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(raw) {
		return nil, fmt.Errorf("authorities: %s has no certificate", c.Authorities)
	}
	f := &files{certificate: certificate, authorities: authorities}
	// Files of different authorities, or a certificate without the name, would be found by refused calls only.
	for _, usage := range []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} {
		if err := f.verify(certificate.Leaf, intermediates(certificate), c.Name, usage, now); err != nil {
			return nil, fmt.Errorf("other processes would refuse the certificate: %w", err)
		}
	}
	return f, nil
}

// intermediates returns the certificates after the first, without those that do not parse.
func intermediates(certificate tls.Certificate) (chain []*x509.Certificate) {
	for _, raw := range certificate.Certificate[1:] {
		if parsed, err := x509.ParseCertificate(raw); err == nil {
			chain = append(chain, parsed)
		}
	}
	return chain
}

// verify reports why a certificate is not one of the suite.
func (f *files) verify(leaf *x509.Certificate, chain []*x509.Certificate, name string, usage x509.ExtKeyUsage, at time.Time) error {
	pool := x509.NewCertPool()
	for _, c := range chain {
		pool.AddCert(c)
	}
	_, err := leaf.Verify(x509.VerifyOptions{Roots: f.authorities, Intermediates: pool, DNSName: name, KeyUsages: []x509.ExtKeyUsage{usage}, CurrentTime: at})
	return err
}

// current returns the files, which it reads again if they were read a while ago. If that fails, those of before are kept.
func (i *Identity) current() *files {
	i.mu.Lock()
	defer i.mu.Unlock()
	now := i.clock.Now()
	if now.Sub(i.at) < rereadAfter {
		return i.last
	}
	i.at = now
	next, err := read(i.config, now)
	if err != nil {
		if !i.failed {
			slog.Warn("the certificate of this process cannot be read again, the one before is used", "error", err)
		}
		i.failed = true
		return i.last
	}
	i.last, i.failed = next, false
	return next
}

// Server returns the configuration of a listener for protocols, such as h2: it takes only callers with a certificate of the suite.
func (i *Identity) Server(protocols ...string) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			f := i.current()
			return &tls.Config{
				MinVersion:       tls.VersionTLS13,
				NextProtos:       protocols,
				Certificates:     []tls.Certificate{f.certificate},
				ClientAuth:       tls.RequireAnyClientCert,
				VerifyConnection: i.verifier(f, x509.ExtKeyUsageClientAuth),
				// A resumed session would outlive the authority that it was verified by.
				SessionTicketsDisabled: true,
			}, nil
		},
	}
}

// Client returns the configuration of connections to other processes of the suite, whichever address they have.
func (i *Identity) Client() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13,
		ServerName: i.config.Name,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			certificate := i.current().certificate
			return &certificate, nil
		},
		// Authorities change while the process runs, so VerifyConnection verifies instead, the same and with those of now.
		InsecureSkipVerify: true, //nolint:gosec // see above
		VerifyConnection: func(state tls.ConnectionState) error {
			return i.verifier(i.current(), x509.ExtKeyUsageServerAuth)(state)
		},
	}
}

// verifier returns a function that refuses a connection whose other end is not a process of the suite.
func (i *Identity) verifier(f *files, usage x509.ExtKeyUsage) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) == 0 {
			return errors.New("no certificate")
		}
		return f.verify(state.PeerCertificates[0], state.PeerCertificates[1:], i.config.Name, usage, i.clock.Now())
	}
}
