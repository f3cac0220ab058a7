package chains

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "networks.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func find(table []Network, id string) (Network, bool) {
	for _, n := range table {
		if n.ChainID == id {
			return n, true
		}
	}
	return Network{}, false
}

func TestTheTwelveSwapNetworksAreBuiltIn(t *testing.T) {
	table, err := LoadNetworks(Config{PublicNodes: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, reference := range []string{"1", "42161", "10", "324", "8453", "56", "137", "100", "43114", "250", "8217", "1313161554"} {
		n, ok := find(table, "eip155:"+reference)
		if !ok || n.Testnet {
			t.Errorf("eip155:%s is not a mainnet of the table", reference)
		}
	}
}

// The list of viem has nodes of third parties, none of which is taken over.
func TestFortyEVMNetworksAreBuiltInAndServedByNodesOfTheOperator(t *testing.T) {
	all, err := parseNetworks(append(append(slices.Clone(keptNetworks), '\n'), generatedNetworks...))
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[string][]string{}
	for _, n := range all {
		if n.chain().IsEVM() && !n.Testnet {
			nodes[n.ChainID] = []string{"https://node.example"}
		}
	}
	if len(nodes) != 40 {
		t.Errorf("%d EVM networks are built in", len(nodes))
	}
	if table, err := LoadNetworks(Config{Nodes: nodes}); err != nil || len(table) != len(nodes) {
		t.Errorf("%d networks are served: %v", len(table), err)
	}
	table, err := LoadNetworks(Config{PublicNodes: true})
	if _, served := find(table, "eip155:59144"); served || err != nil {
		t.Errorf("Linea is served without a node: %v", err)
	}
	generated, err := parseNetworks(generatedNetworks)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range generated {
		if len(n.servers()) > 0 || len(n.Explorers) == 0 || n.Key == "" || n.Native.Name == "" {
			t.Errorf("%+v", n)
		}
	}
}

func TestNoNodeIsUsedThatTheOperatorDidNotName(t *testing.T) {
	table, err := LoadNetworks(Config{Dev: true, Nodes: map[string][]string{"eip155:10": {"https://node.example"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range table {
		for _, node := range n.servers() {
			if !strings.HasPrefix(node, "http://127.0.0.1:") && node != "https://node.example" {
				t.Errorf("%s uses %s", n.ChainID, node)
			}
		}
	}
	if _, ok := find(table, "eip155:10"); !ok {
		t.Error("a network with a node that the operator named is not served")
	}
	for _, id := range []string{"eip155:1", "bip122:000000000019d6689c085ae165831e93"} {
		if n, ok := find(table, id); ok {
			t.Errorf("a network without a node is served: %+v", n)
		}
	}
}

func TestDevelopmentNetworksAreServedOnlyIfConfigured(t *testing.T) {
	table, _ := LoadNetworks(Config{})
	if _, ok := find(table, "eip155:31337"); ok {
		t.Error("the devnet is served by default")
	}
	table, _ = LoadNetworks(Config{Dev: true})
	if _, ok := find(table, "eip155:31337"); !ok {
		t.Error("the devnet is not served although configured")
	}
}

const own = `- {chain_id: "eip155:99", name: Ours, native: {name: Our Coin, symbol: OUR, decimals: 9}, rpc: ["http://node.internal:8545"], block_time: 1s}
- {chain_id: "eip155:1", name: Fork, native: {name: Ether, symbol: ETH, decimals: 18}, rpc: ["http://node.internal:8546"]}
`

func TestAnOperatorsFileExtendsTheTable(t *testing.T) {
	table, err := LoadNetworks(Config{NetworksFile: write(t, own), PublicNodes: true})
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := find(table, "eip155:99"); !ok || n.Native.Decimals != 9 {
		t.Error("the operator's network is missing")
	}
	if n, _ := find(table, "eip155:1"); n.Name != "Fork" {
		t.Error("the operator's entry did not replace the built-in one")
	}
	if _, ok := find(table, "eip155:10"); !ok {
		t.Error("a built-in network is gone")
	}
}

func TestAnOperatorsFileMayReplaceTheTable(t *testing.T) {
	table, err := LoadNetworks(Config{NetworksFile: write(t, own), Replace: true})
	if err != nil || len(table) != 2 {
		t.Errorf("%d networks, %v", len(table), err)
	}
}

func TestAnOperatorsNetworkMayHaveItsNodesInTheConfiguration(t *testing.T) {
	t.Setenv("NODE_KEY", "s3cret")
	file := write(t, `- {chain_id: "eip155:59144", name: Linea, native: {symbol: ETH, decimals: 18}}`)
	nodes := map[string][]string{"eip155:59144": {"https://linea.example/${NODE_KEY}"}}
	table, err := LoadNetworks(Config{NetworksFile: file, Nodes: nodes})
	if n, ok := find(table, "eip155:59144"); err != nil || !ok || n.RPC[0] != "https://linea.example/${NODE_KEY}" {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestTheNetworksOfTheDocumentationAreServed(t *testing.T) {
	page, err := os.ReadFile("../../docs/configure/overview.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```yaml\n- chain_id")
	block, _, _ = strings.Cut(block, "```")
	nodes := map[string][]string{"eip155:88": {"https://viction.example"}}
	table, err := LoadNetworks(Config{NetworksFile: write(t, "- chain_id"+block), Replace: true, Nodes: nodes})
	if err != nil || len(table) != 2 {
		t.Errorf("%d networks, %v", len(table), err)
	}
}

// recorder is an unreachable node that records its URL.
type recorder struct{ url string }

func (r *recorder) PostJSON(_ context.Context, url string, _ []byte) (int, []byte, error) {
	r.url = url
	return 0, nil, errors.New("connection refused")
}

func TestNodesOfOneChainCanBeOverridden(t *testing.T) {
	t.Setenv("NODE_KEY", "s3cret")
	table, err := LoadNetworks(Config{Nodes: map[string][]string{"eip155:10": {"https://node.example/${NODE_KEY}"}}})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := find(table, "eip155:10")
	var got recorder
	p := pool.New(n.chain(), &got, clock.System{}, slog.New(slog.DiscardHandler))
	defer p.Close()
	if _, err := p.Probe(t.Context()); err == nil || got.url != "https://node.example/s3cret" {
		t.Errorf("node is %q, %v", got.url, err)
	}
}

func TestAVariableOfANodeHasToBeSet(t *testing.T) {
	for _, id := range []string{"eip155:10", "bip122:000000000019d6689c085ae165831e93"} {
		_, err := LoadNetworks(Config{Nodes: map[string][]string{id: {"https://node.example", "https://node.example/${HAWSER_NO_SUCH}"}}})
		if want := "chains.nodes[" + id + "]: rpc node 2: HAWSER_NO_SUCH is not set in the environment"; err == nil || err.Error() != want {
			t.Errorf("received %v\nwant %s", err, want)
		}
	}
}

func TestNodesOfBitcoinAreServersOfEsplora(t *testing.T) {
	const id = "bip122:000000000019d6689c085ae165831e93"
	table, err := LoadNetworks(Config{Nodes: map[string][]string{id: {"https://esplora.example/api"}}})
	if n, ok := find(table, id); err != nil || !ok || len(n.RPC) > 0 || len(n.Esplora) != 1 || n.Esplora[0] != "https://esplora.example/api" {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestErrorsOfATableDoNotContainKeys(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  Config
		want string
	}{
		"unknown field":             {Config{NetworksFile: write(t, `- {chain_id: "eip155:5", colour: x}`)}, "colour"},
		"bad chain id":              {Config{NetworksFile: write(t, `- {chain_id: "five", name: x, native: {symbol: x}, rpc: ["http://a"]}`)}, "CAIP-2"},
		"no node":                   {Config{NetworksFile: write(t, `- {chain_id: "eip155:5", name: x, native: {symbol: x}}`)}, "network \"eip155:5\": no rpc node, neither in rpc of this file nor in chains.nodes"},
		"a node of Bitcoin":         {Config{NetworksFile: write(t, `- {chain_id: "bip122:00", name: x, native: {symbol: x}, rpc: ["http://a"]}`)}, "esplora"},
		"twice":                     {Config{NetworksFile: write(t, strings.Repeat(`- {chain_id: "eip155:5", name: x, native: {symbol: x}, rpc: ["http://a"]}`+"\n", 2))}, "is listed twice"},
		"node is not a URL":         {Config{Nodes: map[string][]string{"eip155:1": {"ftp://key-4711"}}}, "rpc node 1"},
		"nodes of an unknown chain": {Config{Nodes: map[string][]string{"eip155:424242": {"http://a"}}}, "chains.nodes[eip155:424242]: no such network is served: describe it in chains.networks_file"},
		"nodes of a local chain":    {Config{Nodes: map[string][]string{"eip155:31337": {"http://a"}}}, "chains.nodes[eip155:31337]: no such network is served: it is a local development network, which chains.dev serves"},
		"no list":                   {Config{NetworksFile: write(t, "networks:\n"+own)}, "the file has to be a list of networks"},
		"missing file":              {Config{NetworksFile: "/nowhere.yaml"}, "networks_file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LoadNetworks(c.cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want a word of %q", err, c.want)
			}
			if strings.Contains(err.Error(), "key-4711") {
				t.Error("the error contains the URL of the node")
			}
		})
	}
}

func TestHowLongABlockTakesToBecomeFinal(t *testing.T) {
	for name, c := range map[string]struct {
		network Network
		want    time.Duration
	}{
		"as the table says":      {Network{FinalAfter: 30 * time.Minute}, 30 * time.Minute},
		"as most networks":       {Network{}, 20 * time.Minute},
		"at once on a local one": {Network{Dev: true, FinalAfter: time.Minute}, 0},
	} {
		if got := c.network.finalAfter(); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func FuzzNetworks(f *testing.F) {
	f.Add([]byte(own))
	f.Add([]byte("- {}"))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, b []byte) {
		table, err := parseNetworks(b)
		if err != nil {
			return
		}
		for _, n := range table {
			if n.Name == "" || n.Native.Symbol == "" {
				t.Errorf("an incomplete network got through: %+v", n)
			}
		}
	})
}
