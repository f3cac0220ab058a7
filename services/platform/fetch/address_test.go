package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
)

func TestOnlyTheOpenInternetIsPublic(t *testing.T) {
	for text, public := range map[string]bool{
		"93.184.216.34": true, "1.1.1.1": true, "100.63.255.255": true, "100.128.0.0": true, "172.15.255.255": true, "172.32.0.0": true, "223.255.255.255": true,
		"2606:4700:4700::1111": true, "2a00:1450::1": true, "2003::1": true,
		"100.64.0.0": false, "100.127.255.255": false, "172.16.0.0": false, "172.31.255.255": false, "127.255.255.255": false, "224.0.0.0": false,
		"::": false, "::1": false, "::ffff:1.1.1.1": false, "fe80::1": false, "fc00::1": false, "fdff::1": false, "ff00::1": false, "2001:db8::1": false,
		"2002:102:304::": false, "64:ff9b::101:101": false, "64:ff9b:1::1": false, "100::1": false, "3fff::1": false, "5f00::1": false, "fec0::1": false,
		"2606:4700::1%eth0": false,
	} {
		if got := IsPublic(netip.MustParseAddr(text)); got != public {
			t.Errorf("%s: got %v, want %v", text, got, public)
		}
	}
	if IsPublic(netip.Addr{}) {
		t.Error("no address passed for a public one")
	}
}

// asIs is a resolver that parses any text as an address if it can, as the C library does, and a dialer that only
// records addresses.
type asIs struct {
	resolved netip.Addr
	dialed   []string
}

func (a *asIs) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{a.resolved}, nil
}

func (a *asIs) DialContext(_ context.Context, _, address string) (net.Conn, error) {
	a.dialed = append(a.dialed, address)
	return nil, errors.New("not today")
}

// FuzzWhateverTheAddressOnlyPublicOnesAreDialled checks that only public addresses at usual ports are dialled, whatever
// the text and whatever a name resolves to.
func FuzzWhateverTheAddressOnlyPublicOnesAreDialled(f *testing.F) {
	for _, seed := range []string{
		"http://nft.example/", "http://127.0.0.1/", "http://2130706433/", "http://0x7f.1/", "http://[::ffff:127.0.0.1]/", "http://1.1.1.1:80@10.0.0.1/", "http://1.1.1.1#@10.0.0.1/",
		"http://[fe80::1%25en0]/", "http://10.0.0.1:443\\@1.1.1.1/", "HTTP://LOCALHOST:80", "https://①.0.0.1/", "http://1.1.1.1:8080/", "http://[::]:80/", "http://1.1.1.1\t/",
	} {
		f.Add(seed, []byte{127, 0, 0, 1})
		f.Add(seed, netip.MustParseAddr("::ffff:10.0.0.1").AsSlice())
		f.Add(seed, []byte{1, 1, 1, 1})
	}
	f.Fuzz(func(t *testing.T, address string, resolved []byte) {
		world := &asIs{}
		world.resolved, _ = netip.AddrFromSlice(resolved)
		c := New(Options{Hosts: []string{AnyHost}, Resolver: world, Dialer: world})
		_, err := c.Get(t.Context(), address, Want{MaxBytes: 1})
		if err == nil {
			t.Fatal("a document came from nowhere")
		}
		for _, d := range world.dialed {
			to, err := netip.ParseAddrPort(d)
			if err != nil || !IsPublic(to.Addr()) || to.Port() != 80 && to.Port() != 443 {
				t.Fatalf("%q dialled %s", address, d)
			}
		}
	})
}
