package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
)

// maxAddresses bounds how many addresses of one name are dialled.
const maxAddresses = 4

// Resolver looks up the addresses of a name; [net.Resolver] implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dialer opens a connection to an address, never to a name; [net.Dialer] implements it.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// dial checks all addresses of a host, and connects to the first one that answers. The error wraps [ErrRefused] if one
// of them is not public.
func (c *Client) dial(ctx context.Context, network, hostPort string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, refused("not a host and a port")
	}
	if !c.allowPrivate && port != "80" && port != "443" {
		return nil, refused("neither port 80 nor 443")
	}
	addresses, err := c.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, a := range addresses {
		conn, err := c.dialer.DialContext(ctx, network, net.JoinHostPort(a.String(), port))
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// resolve returns the addresses of a host. It fails if one of them must not be dialled.
func (c *Client) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	literal, err := netip.ParseAddr(host)
	if err == nil {
		return []netip.Addr{literal}, c.mayDial(literal)
	}
	found, err := c.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, errNoHost
	}
	if len(found) == 0 {
		return nil, errNoHost
	}
	for i, a := range found {
		// A system resolver may return an IPv4 address in sixteen bytes.
		found[i] = a.Unmap()
		if err := c.mayDial(found[i]); err != nil {
			return nil, err
		}
	}
	return found[:min(len(found), maxAddresses)], nil
}

func (c *Client) mayDial(a netip.Addr) error {
	if c.allowPrivate || IsPublic(a) {
		return nil
	}
	return refused("the address is not public")
}
