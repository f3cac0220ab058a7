package bus

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"

	"github.com/nats-io/nats.go"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// checkTLS reports what is wrong with the files of certificates.
func (c Config) checkTLS() (faults []config.Fault) {
	if (c.Certificate == "") != (c.Key == "") {
		faults = append(faults, config.Faultf("certificate", "certificate and key need each other"))
	} else if c.Certificate != "" {
		if _, err := c.certificate(); err != nil {
			faults = append(faults, config.Faultf("certificate", "%s", err))
		}
	}
	if c.Authorities != "" {
		if _, err := c.authorities(); err != nil {
			faults = append(faults, config.Faultf("authorities", "%s", err))
		}
	}
	return faults
}

// secure returns the option that connects by TLS only. The files are read at each connection, as they may have changed.
func (c Config) secure() nats.Option {
	var certificate nats.TLSCertHandler
	if c.Certificate != "" {
		certificate = c.certificate
	}
	return nats.ClientTLSConfig(certificate, c.authorities)
}

func (c Config) certificate() (tls.Certificate, error) {
	return tls.LoadX509KeyPair(c.Certificate, c.Key)
}

// authorities returns those of the file, or those of the system.
func (c Config) authorities() (*x509.CertPool, error) {
	if c.Authorities == "" {
		return x509.SystemCertPool()
	}
	raw, err := os.ReadFile(c.Authorities)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(raw) {
		return nil, fmt.Errorf("%s has no certificate", c.Authorities)
	}
	return pool, nil
}
