// Package certificate makes the Secret by which pods of the chart know each other.
package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// Secret returns tls.crt, tls.key and ca.crt of a new private authority, for a release with its own NATS servers, valid for a day.
func Secret(release, namespace string, natsServers int) (map[string]string, error) {
	names := []string{release + "." + namespace + ".svc", release + "-nats"}
	for n := range natsServers {
		names = append(names, fmt.Sprintf("%[1]s-nats-%[2]d.%[1]s-nats-peers", release, n))
	}
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: release}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	certificate := &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: names, NotBefore: authority.NotBefore, NotAfter: authority.NotAfter,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	authorityKey, failed := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err = errors.Join(failed, err); err != nil {
		return nil, err
	}
	authorityRaw, failed := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	raw, err := x509.CreateCertificate(rand.Reader, certificate, authority, key.Public(), authorityKey)
	if err = errors.Join(failed, err); err != nil {
		return nil, err
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"ca.crt": encode("CERTIFICATE", authorityRaw), "tls.crt": encode("CERTIFICATE", raw), "tls.key": encode("PRIVATE KEY", pkcs8),
	}, nil
}

func encode(kind string, raw []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw}))
}
