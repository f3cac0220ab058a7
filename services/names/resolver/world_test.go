package resolver_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// contract is a universal resolver that a test defines: it gets a call, and returns or reverts.
type contract func(call []byte) (data []byte, reverts bool)

// self is the address of the contract, and other an address without it.
var self, other = evm.MustAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"), evm.MustAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")

// Forward implements a node of the contract's chain.
func (c contract) Forward(_ context.Context, body []byte) ([]byte, error) {
	var requested []struct {
		Params []json.RawMessage `json:"params"`
	}
	var transaction struct{ To, Data string }
	if err := json.Unmarshal(body, &requested); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(requested[0].Params[0], &transaction); err != nil {
		return nil, err
	}
	call, err := hex.DecodeString(transaction.Data[2:])
	if err != nil {
		return nil, err
	}
	if transaction.To != self.String() {
		return nil, fmt.Errorf("%s was called", transaction.To)
	}
	data, reverts := c(call)
	if reverts {
		return fmt.Appendf(nil, `[{"jsonrpc":"2.0","id":0,"error":{"code":3,"message":"execution reverted","data":"%s"}}]`, hexutil.Encode(data)), nil
	}
	return fmt.Appendf(nil, `[{"jsonrpc":"2.0","id":0,"result":"%s"}]`, hexutil.Encode(data)), nil
}

// back is the callback function of the contracts in these tests.
var back = [4]byte{0xba, 0xcc, 0xba, 0xcc}

// wants reverts with an off-chain lookup.
func wants(sender evm.Address, data []byte, urls ...string) ([]byte, bool) {
	return calldata.Parse("OffchainLookup(address,string[],bytes,bytes4,bytes)").Write(sender, urls, data, back, []byte("extra")), true
}

// leadsTo returns the result of resolve for a name that resolves to an account.
func leadsTo(account evm.Address) ([]byte, bool) {
	return calldata.Types("(bytes,address)").Write(evm.Word(account), other), false
}

// request returns a request of a batch.
func request(data []byte, urls ...string) any {
	return []any{other, urls, data}
}

// batch returns a call of a batch gateway.
func batch(requests ...any) []byte {
	return calldata.Parse("query((address,string[],bytes)[])").Write(requests)
}

// lookupTypes are the types of a request of a batch.
var lookupTypes = calldata.Types("(address,string[],bytes)")

// once returns a contract that requests a lookup when it is called, and resolves to the account in the response.
func once(sender evm.Address, data []byte, urls ...string) contract {
	return func(call []byte) ([]byte, bool) {
		if [4]byte(call) != back {
			return wants(sender, data, urls...)
		}
		response, _ := calldata.View(call[4:]).Bytes(0)
		return leadsTo(evm.Address(response))
	}
}

// internet is a network in which *.example are servers at a public address, except for inside.example.
type internet struct {
	server *httptest.Server

	mu     sync.Mutex
	visits []string
}

// serve starts the servers. The returned resolver sends requests to them as in production, and its chain is that of the
// contract.
func serve(t *testing.T, c contract, answer http.HandlerFunc) (*internet, resolver.Universal) {
	t.Helper()
	world := &internet{}
	world.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		world.mu.Lock()
		world.visits = append(world.visits, r.Method+" "+r.Host+r.URL.Path)
		world.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		answer(w, r)
	}))
	client := fetch.New(fetch.Options{Hosts: []string{fetch.AnyHost}, Resolver: world, Dialer: world, Timeout: 5 * time.Second})
	t.Cleanup(func() {
		client.Close()
		world.server.Close()
	})
	return world, resolver.Universal{Chain: c.Forward, Address: self, Gateways: client}
}

func (n *internet) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if strings.HasPrefix(host, "inside.") {
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
}

func (n *internet) DialContext(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, n.server.Listener.Addr().String())
}

func (n *internet) wantVisits(t *testing.T, want ...string) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if strings.Join(n.visits, "\n") != strings.Join(want, "\n") {
		t.Errorf("visited %q, want %q", n.visits, want)
	}
}

// says returns a handler that answers with data.
func says(data []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"data":"%s"}`, hexutil.Encode(data)) }
}

// unreachable makes all servers unreachable.
type unreachable struct{}

func (unreachable) Get(context.Context, string, fetch.Want) ([]byte, error) {
	return nil, fetch.ErrRefused
}

func (unreachable) PostJSON(context.Context, string, []byte, fetch.Want) ([]byte, error) {
	return nil, fetch.ErrRefused
}
