package chains

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/traces"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// The built-in networks: those that are kept by hand, and those that are made from viem's chains.
var (
	//go:embed networks.yaml
	keptNetworks []byte
	//go:embed networks.gen.yaml
	generatedNetworks []byte
)

// Network is one chain: its name, native token and explorers for wallets, and its nodes.
type Network struct {
	// ChainID is the CAIP-2 chain id.
	ChainID string `yaml:"chain_id"`
	// Key is the name of the network in code.
	Key string `yaml:"key"`
	// Name is the display name.
	Name string `yaml:"name"`
	// Native is the token that pays for gas.
	Native Currency `yaml:"native"`
	// Explorers are listed with the preferred one first.
	Explorers []Explorer `yaml:"explorers"`
	// Testnet marks a network whose tokens have no value.
	Testnet bool `yaml:"testnet"`
	// Dev marks a local development network. It is served only if Config.Dev is set.
	Dev bool `yaml:"dev"`
	// RPC lists node URLs in order of preference. ${NAME} is taken from the environment, so that keys stay out of files.
	RPC []string `yaml:"rpc"`
	// Esplora lists base URLs of servers with the HTTP API of Esplora. Networks of the namespace bip122 have them
	// instead of RPC.
	Esplora []string `yaml:"esplora"`
	// BlockTime is the usual time between two blocks.
	BlockTime time.Duration `yaml:"block_time"`
	// FinalAfter is how long it takes a block to become final; 20 minutes if not given.
	FinalAfter time.Duration `yaml:"final_after"`
	// public says that the nodes are the built-in table's, of third parties.
	public bool
}

// Currency is a native token.
type Currency struct {
	Name     string `yaml:"name"`
	Symbol   string `yaml:"symbol"`
	Decimals uint32 `yaml:"decimals"`
}

// Explorer is a site that shows the blocks of a network.
type Explorer struct {
	Name string `yaml:"name"`
	URL  string `yaml:"url"`
}

// Config selects networks and nodes.
type Config struct {
	// NetworksFile is a YAML file of networks that extend the built-in table; an entry with a known chain id replaces that entry.
	NetworksFile string `yaml:"networks_file" doc:"YAML file with a list of networks that extend the built-in table, or replace entries of it by chain id; their nodes are in rpc of the entry, or in nodes"`
	// Replace makes NetworksFile the whole table instead of an extension.
	Replace bool `yaml:"replace" doc:"whether networks_file is the whole table"`
	// DevnetFile is the file in which the local development networks describe their contracts. It may be absent.
	DevnetFile string `yaml:"devnet_file" doc:"file in which the local development networks describe their tokens, price feeds, exchanges and name service; absent: there are none"`
	// Dev serves the local development networks too.
	Dev bool `yaml:"dev" doc:"whether the local development networks are served too"`
	// PublicNodes serves the networks of the built-in table by the public nodes that it lists.
	PublicNodes bool `yaml:"public_nodes" doc:"whether built-in networks that nodes does not name are served too, by public nodes of third parties; each is used only while its network is in use"`
	// Nodes overrides the node URLs of a network, by CAIP-2 chain id. They may hold keys. For networks of the namespace
	// bip122 they replace Network.Esplora.
	Nodes map[string][]string `yaml:"nodes" doc:"node URLs by CAIP-2 chain id, the preferred first, instead of the table's; of bip122, base URLs of the HTTP API of Esplora; ${NAME} is taken from the environment" secret:"true"`
	// Cache is the database of final results. It is off by default.
	Cache finalcache.Config `yaml:"cache"`
	// Traces are optional. Without them the history of an account lacks native tokens that contracts paid out, except where the chain logs them.
	Traces map[string]string `yaml:"traces" doc:"method by which the nodes of a network trace a block, by CAIP-2 chain id: trace_block or debug_traceBlockByHash; histories then have the native tokens that contracts pay out"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config { return Config{Cache: finalcache.DefaultConfig()} }

// Check returns the faults of the configuration.
func (c Config) Check() (faults []config.Fault) {
	for chainID, method := range c.Traces {
		if !strings.HasPrefix(chainID, "eip155:") {
			faults = append(faults, config.Faultf("traces", "%s is not an EVM chain", chainID))
		}
		if method != traces.TraceBlock && method != traces.DebugTrace {
			faults = append(faults, config.Faultf("traces", "%s has %q, which is neither %s nor %s", chainID, method, traces.TraceBlock, traces.DebugTrace))
		}
	}
	return faults
}

// LoadNetworks returns the networks that cfg serves: those that have a node. Without PublicNodes it uses only the nodes
// that the operator named. The error joins every fault of the table.
func LoadNetworks(cfg Config) ([]Network, error) {
	builtIn, err := parseNetworks(append(append(slices.Clone(keptNetworks), '\n'), generatedNetworks...))
	if err != nil {
		return nil, fmt.Errorf("built-in networks: %w", err)
	}
	if !cfg.PublicNodes {
		builtIn = withoutPublicNodes(builtIn)
	}
	for i, n := range builtIn {
		builtIn[i].public = !n.Dev
	}
	own, err := readNetworks(cfg.NetworksFile)
	if err != nil {
		return nil, err
	}
	table := merge(builtIn, own, cfg.Replace && cfg.NetworksFile != "")
	kept, err := withNodes(table, cfg)
	for _, n := range kept {
		if listed(own, n.ChainID) && !n.Dev && len(n.servers()) == 0 {
			err = errors.Join(err, fmt.Errorf("%s: network %q: no rpc node, neither in rpc of this file nor in chains.nodes", cfg.NetworksFile, n.ChainID))
		}
	}
	return slices.DeleteFunc(kept, func(n Network) bool { return len(n.servers()) == 0 }), err
}

// readNetworks reads an operator's file; without one there are no networks.
func readNetworks(file string) ([]Network, error) {
	if file == "" {
		return nil, nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("chains.networks_file: %w", err)
	}
	own, err := parseNetworks(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return own, nil
}

func listed(table []Network, chainID string) bool {
	return slices.ContainsFunc(table, func(n Network) bool { return n.ChainID == chainID })
}

// withoutPublicNodes removes the nodes of all networks except development networks, which run on this machine.
func withoutPublicNodes(table []Network) []Network {
	for i := range table {
		if !table[i].Dev {
			table[i].RPC, table[i].Esplora = nil, nil
		}
	}
	return table
}

func parseNetworks(b []byte) ([]Network, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(b, &file); err == nil && len(file.Content) == 1 && file.Content[0].Kind != yaml.SequenceNode {
		return nil, errors.New(`the file has to be a list of networks: "- {chain_id: …, name: …, native: {…}}"`)
	}
	var table []Network
	dec := yaml.NewDecoder(bytes.NewReader(b))
	dec.KnownFields(true)
	if err := dec.Decode(&table); err != nil {
		return nil, err
	}
	var faults []error
	seen := map[string]bool{}
	for _, n := range table {
		if err := n.check(); err != nil {
			faults = append(faults, fmt.Errorf("network %q: %w", n.ChainID, err))
		}
		if seen[n.ChainID] {
			faults = append(faults, fmt.Errorf("network %q is listed twice", n.ChainID))
		}
		seen[n.ChainID] = true
	}
	return table, errors.Join(faults...)
}

func (n Network) check() error {
	if _, err := caip.ParseChain(n.ChainID); err != nil {
		return err
	}
	if n.Name == "" || n.Native.Symbol == "" {
		return errors.New("name and native.symbol are needed")
	}
	if n.Native.Decimals > 77 {
		return fmt.Errorf("native.decimals %d is over 77", n.Native.Decimals)
	}
	if n.BlockTime < 0 {
		return errors.New("block_time is negative")
	}
	if n.FinalAfter < 0 {
		return errors.New("final_after is negative")
	}
	if n.isBitcoin() && len(n.RPC) > 0 || !n.isBitcoin() && len(n.Esplora) > 0 {
		return errors.New("networks of bip122 have esplora, others rpc")
	}
	if len(n.servers()) == 0 {
		return nil // The nodes are named by Config.Nodes.
	}
	return checkNodes(n.servers())
}

// IsChosen reports whether the operator named the nodes of the network, or they are those of a local development network.
func (n Network) IsChosen() bool { return !n.public }

// isBitcoin reports whether the network is read through the HTTP API of Esplora instead of JSON-RPC.
func (n Network) isBitcoin() bool { return strings.HasPrefix(n.ChainID, "bip122:") }

// servers returns the URLs of the network's nodes or Esplora servers.
func (n Network) servers() []string {
	if n.isBitcoin() {
		return n.Esplora
	}
	return n.RPC
}

func checkNodes(urls []string) error {
	if len(urls) == 0 {
		return errors.New("no rpc node")
	}
	for i, raw := range urls {
		// The URL may hold a key, so the errors name it by its position.
		expanded, err := config.Expand(raw)
		if err != nil {
			return fmt.Errorf("rpc node %d: %w", i+1, err)
		}
		u, err := url.Parse(expanded)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("rpc node %d is not an http or https URL", i+1)
		}
	}
	return nil
}

func merge(builtIn, own []Network, replace bool) []Network {
	if replace {
		return own
	}
	index := map[string]int{}
	table := append([]Network(nil), builtIn...)
	for i, n := range table {
		index[n.ChainID] = i
	}
	for _, n := range own {
		if i, known := index[n.ChainID]; known {
			table[i] = n
			continue
		}
		table = append(table, n)
	}
	return table
}

func served(table []Network, dev bool) []Network {
	var kept []Network
	for _, n := range table {
		if dev || !n.Dev {
			kept = append(kept, n)
		}
	}
	return kept
}

// withNodes returns the networks of a table that cfg serves, with the nodes that it names.
func withNodes(all []Network, cfg Config) ([]Network, error) {
	table, left := served(all, cfg.Dev), maps.Clone(cfg.Nodes)
	var faults []error
	for i, n := range table {
		urls, ok := left[n.ChainID]
		if !ok {
			continue
		}
		delete(left, n.ChainID)
		if err := checkNodes(urls); err != nil {
			faults = append(faults, fmt.Errorf("chains.nodes[%s]: %w", n.ChainID, err))
		}
		table[i].public = false
		if n.isBitcoin() {
			table[i].Esplora = urls
		} else {
			table[i].RPC = urls
		}
	}
	for chain := range left {
		hint := "describe it in chains.networks_file"
		if listed(all, chain) {
			hint = "it is a local development network, which chains.dev serves"
		}
		faults = append(faults, fmt.Errorf("chains.nodes[%s]: no such network is served: %s", chain, hint))
	}
	return table, errors.Join(faults...)
}

// traceMethod returns the method by which the network's nodes trace a block; empty if they are not asked to.
func (n Network) traceMethod(cfg Config) string {
	if method := cfg.Traces[n.ChainID]; method != "" {
		return method
	}
	if n.Dev && n.chain().IsEVM() {
		return traces.TraceBlock
	}
	return ""
}

// chain returns the network as the configuration of a pool.
func (n Network) chain() pool.Chain {
	return pool.Chain{ID: n.ChainID, Nodes: n.RPC, BlockTime: n.BlockTime, FinalAfter: n.FinalAfter, Dev: n.Dev}
}

// finalAfter returns how long it takes a block to become final; 0 for a development network, whose owner may rewrite any block.
func (n Network) finalAfter() time.Duration {
	switch {
	case n.Dev:
		return 0
	case n.FinalAfter == 0:
		return pool.DefaultFinality
	}
	return n.FinalAfter
}
