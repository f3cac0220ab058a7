package main

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

const (
	// metricCertificate is until when a certificate is valid, in seconds since 1970, by attrHost.
	metricCertificate = "hawser.certificate.expiry"
	attrHost          = "host"
	// certificateInterval is how often certificates are read, and certificateTimeout bounds one reading.
	certificateInterval = time.Hour
	certificateTimeout  = 10 * time.Second
)

// certificates reads the certificates with which browsers reach the gateway and the pages of the embedded wallet. A proxy in front has them, or an Ingress, so
// they are read as a browser gets them.
type certificates struct {
	// hosts are host:port of each.
	hosts  []string
	log    *slog.Logger
	expiry metric.Int64Gauge
}

// newCertificates returns those of the https origins among urls.
func newCertificates(log *slog.Logger, urls ...string) *certificates {
	// After an error the instrument exports nothing. That must not stop the process.
	expiry, err := otel.Meter("github.com/hawser-dev/hawser").Int64Gauge(metricCertificate, metric.WithUnit("s"), metric.WithDescription("Until when the certificate of public_url or frame.origin is valid, in Unix time"))
	if err != nil {
		otel.Handle(err)
	}
	c := &certificates{log: log, expiry: expiry}
	for _, text := range urls {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" {
			continue
		}
		port := u.Port()
		if port == "" {
			port = "443"
		}
		c.hosts = append(c.hosts, net.JoinHostPort(u.Hostname(), port))
	}
	return c
}

// watch reads the certificates at the start and at each interval, until ctx ends.
func (c *certificates) watch(ctx context.Context) error {
	ticks := time.NewTicker(certificateInterval)
	defer ticks.Stop()
	for ctx.Err() == nil {
		for _, host := range c.hosts {
			if err := c.read(ctx, host); err != nil && ctx.Err() == nil {
				c.log.DebugContext(ctx, "certificate not read", attrHost, host, "error", err)
			}
		}
		select {
		case <-ctx.Done():
		case <-ticks.C:
		}
	}
	return nil
}

// read records until when the certificate of a host is valid.
func (c *certificates) read(ctx context.Context, host string) error {
	ctx, cancel := context.WithTimeout(ctx, certificateTimeout)
	defer cancel()
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		return err
	}
	// A certificate that has expired, or that this machine does not trust, is read as well. Nothing is sent.
	conn, err := (&tls.Dialer{Config: &tls.Config{ServerName: name, InsecureSkipVerify: true}}).DialContext(ctx, "tcp", host) //nolint:gosec // only its date is read
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	chain := conn.(*tls.Conn).ConnectionState().PeerCertificates
	if len(chain) == 0 {
		return errors.New("no certificate")
	}
	c.expiry.Record(ctx, chain[0].NotAfter.Unix(), metric.WithAttributes(attribute.String(attrHost, name)))
	return nil
}
