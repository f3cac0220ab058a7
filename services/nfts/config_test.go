package nfts

import "testing"

func TestAGatewayUnderWhichNothingCouldBeFoundIsRefused(t *testing.T) {
	if faults := DefaultConfig().Check(); len(faults) != 0 {
		t.Fatalf("the default: %v", faults)
	}
	for _, gateway := range []string{"", "ipfs.io", "https://ipfs.io/ipfs", "ftp://ipfs.io/", "https:///"} {
		c := DefaultConfig()
		c.IPFSGateway = gateway
		if len(c.Check()) != 1 {
			t.Errorf("%q passed", gateway)
		}
	}
}
