package chains

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/caip"
)

//go:embed networks.yaml
var embeddedNetworks []byte

// Network is one chain: what a wallet needs to know of it, and the nodes that answer for it.
type Network struct {
	// ChainID is the CAIP-2 chain id.
	ChainID string `yaml:"chain_id"`
	// Key is how code names the network.
	Key string `yaml:"key"`
	// Name is for people.
	Name string `yaml:"name"`
	// Native is the currency that pays for gas.
	Native Currency `yaml:"native"`
	// Explorers show the chain's blocks, the preferred one first.
	Explorers []Explorer `yaml:"explorers"`
	// Testnet says that coins here have no value.
	Testnet bool `yaml:"testnet"`
	// Dev networks are served only where the configuration asks for them.
	Dev bool `yaml:"dev"`
	// RPC holds node URLs in order of preference; ${NAME} is taken from the environment, so that keys stay out of files.
	RPC []string `yaml:"rpc"`
	// BlockTime is how often a new block is to be expected.
	BlockTime time.Duration `yaml:"block_time"`
	// FinalAfter is after how long a block cannot leave the chain any more; 20 minutes where it is not given. It is counted in BlockTime.
	FinalAfter time.Duration `yaml:"final_after"`
}

// Currency is what gas is paid in.
type Currency struct {
	Name     string `yaml:"name"`
	Symbol   string `yaml:"symbol"`
	Decimals uint32 `yaml:"decimals"`
}

// Explorer is a site that shows blocks.
type Explorer struct {
	Name string `yaml:"name"`
	URL  string `yaml:"url"`
}

// Config chooses networks and nodes.
type Config struct {
	// NetworksFile is a YAML file of networks that extend the built-in table; an entry with a known chain id replaces that entry.
	NetworksFile string `yaml:"networks_file" doc:"YAML file of networks that extend the built-in table, or replace entries of it by chain id"`
	// Replace makes NetworksFile the whole table.
	Replace bool `yaml:"replace" doc:"whether networks_file is the whole table"`
	// DevnetFile is where the local development networks describe their contracts; empty or absent: they describe none.
	DevnetFile string `yaml:"devnet_file" doc:"file in which the local development networks describe their tokens, price feeds, exchanges and name service; absent: there are none"`
	// Dev serves the local development networks too.
	Dev bool `yaml:"dev" doc:"whether the local development networks are served too"`
	// PublicNodes serves the networks of the built-in table at the public nodes that it names.
	PublicNodes bool `yaml:"public_nodes" doc:"whether built-in networks that nodes does not name are served too, by public nodes of third parties; each is asked only while somebody asks for its network"`
	// Nodes overrides the node URLs of a chain, by CAIP-2 chain id. They may hold keys.
	Nodes map[string][]string `yaml:"nodes" doc:"node URLs by CAIP-2 chain id, the preferred first, instead of the table's; ${NAME} is taken from the environment" secret:"true"`
}

// LoadNetworks returns the networks that cfg serves: those that have a node, and no node but those that the operator named where PublicNodes is
// not set. Every fault of the table is reported, not only the first.
func LoadNetworks(cfg Config) ([]Network, error) {
	builtIn, err := parseNetworks(embeddedNetworks)
	if err != nil {
		return nil, fmt.Errorf("built-in networks: %w", err)
	}
	if !cfg.PublicNodes {
		builtIn = withoutPublicNodes(builtIn)
	}
	table := builtIn
	if cfg.NetworksFile != "" {
		b, err := os.ReadFile(cfg.NetworksFile)
		if err != nil {
			return nil, fmt.Errorf("chains.networks_file: %w", err)
		}
		own, err := parseNetworks(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cfg.NetworksFile, err)
		}
		table = merge(builtIn, own, cfg.Replace)
	}
	table, err = withNodes(served(table, cfg.Dev), cfg.Nodes)
	return slices.DeleteFunc(table, func(n Network) bool { return len(n.RPC) == 0 }), err
}

// withoutPublicNodes leaves only the nodes of development networks, which are at this machine.
func withoutPublicNodes(table []Network) []Network {
	for i := range table {
		if !table[i].Dev {
			table[i].RPC = nil
		}
	}
	return table
}

func parseNetworks(b []byte) ([]Network, error) {
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
			faults = append(faults, fmt.Errorf("network %q stands twice", n.ChainID))
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
	return checkNodes(n.RPC)
}

func checkNodes(urls []string) error {
	if len(urls) == 0 {
		return errors.New("no rpc node")
	}
	for i, raw := range urls {
		u, err := url.Parse(os.ExpandEnv(raw))
		// The URL may hold a key, so it is named by its place.
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
	place := map[string]int{}
	table := append([]Network(nil), builtIn...)
	for i, n := range table {
		place[n.ChainID] = i
	}
	for _, n := range own {
		if i, known := place[n.ChainID]; known {
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

func withNodes(table []Network, nodes map[string][]string) ([]Network, error) {
	left := map[string][]string{}
	for chain, urls := range nodes {
		left[chain] = urls
	}
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
		table[i].RPC = urls
	}
	for chain := range left {
		faults = append(faults, fmt.Errorf("chains.nodes[%s]: no such network is served", chain))
	}
	return table, errors.Join(faults...)
}

// Reference is the part of the chain id after the colon: the EIP-155 chain number on EVM chains.
func (n Network) Reference() string {
	_, reference, _ := strings.Cut(n.ChainID, ":")
	return reference
}

// isEVM reports whether the chain speaks the JSON-RPC of EIP-1474.
func (n Network) isEVM() bool { return strings.HasPrefix(n.ChainID, "eip155:") }
