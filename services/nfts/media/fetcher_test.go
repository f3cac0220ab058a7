package media

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// TestOnlyOwnGatewaysMayHavePrivateAddresses fetches from a local server through configured gateways and from untrusted URLs.
func TestOnlyOwnGatewaysMayHavePrivateAddresses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{}`)
	}))
	defer server.Close()
	fetcher := fetch.New(fetch.Options{Hosts: []string{fetch.AnyHost}})
	defer fetcher.Close()
	gateways := metadata.Gateways{IPFS: server.URL + "/ipfs/", Arweave: server.URL + "/"}
	for uri, allowed := range map[string]map[bool]bool{
		"ipfs://QmHash/1.json":           {false: false, true: true},
		"ar://Id/1":                      {false: false, true: true},
		server.URL + "/ipfs/QmHash/1":    {false: false, true: false},
		"http://127.0.0.1/ipfs/QmHash/1": {false: false, true: false},
	} {
		for own, want := range allowed {
			err := newDocumentFetcher(fetcher, Gateways{Gateways: gateways, Own: own}, nil, 1).Open(t.Context(), newParty(turn{}), uri, documents, func([]byte) error { return nil })
			if want && err != nil || !want && !errors.Is(err, fetch.ErrRefused) {
				t.Errorf("%s, the operator's own %v: got %v", uri, own, err)
			}
		}
	}
}
