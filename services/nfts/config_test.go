package nfts

import (
	"slices"
	"testing"
)

func TestInvalidGatewayIsRefused(t *testing.T) {
	if faults := DefaultConfig().Check(); len(faults) != 0 {
		t.Fatalf("the default: %v", faults)
	}
	for _, gateway := range []string{"ipfs.io", "https://ipfs.io/ipfs", "ftp://ipfs.io/", "https:///"} {
		c := DefaultConfig()
		c.IPFSGateway = gateway
		if len(c.Check()) != 1 {
			t.Errorf("%q passed", gateway)
		}
	}
}

func TestNoHostIsAllowedByDefault(t *testing.T) {
	c := DefaultConfig()
	if hosts := c.hosts(); len(hosts) != 0 {
		t.Errorf("asked are %v", hosts)
	}
	c.IPFSGateway, c.Hosts = "https://ipfs.example.org:8443/ipfs/", []string{"nft.example.org"}
	if hosts := c.hosts(); !slices.Equal(hosts, []string{"nft.example.org", "ipfs.example.org"}) {
		t.Errorf("asked are %v", hosts)
	}
}

func TestInvalidHostIsRefused(t *testing.T) {
	for host, sound := range map[string]bool{
		"*": true, "example.org": true, "a.example.org": true, "": false, "https://example.org": false, "example.org:443": false, "example.org/": false,
		"127.0.0.1": false, "*.example.org": false, "a b": false, "1.1.1.1": true,
	} {
		c := DefaultConfig()
		c.Hosts = []string{host}
		if (len(c.Check()) == 0) != sound {
			t.Errorf("%q: %v", host, c.Check())
		}
	}
}
