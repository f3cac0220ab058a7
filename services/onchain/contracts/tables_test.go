package contracts

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"go.yaml.in/yaml/v3"
)

// place is where an address stands in the tables of the services.
type place struct {
	file string
	line int
}

// TestNoAddressStandsTwice fails if two tables, or two rows of one, have the same contract of the same chain: two copies come to differ.
func TestNoAddressStandsTwice(t *testing.T) {
	found := map[string]place{}
	services := os.DirFS("../..")
	err := fs.WalkDir(services, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") || strings.Contains(path, "testdata") {
			return err
		}
		raw, err := fs.ReadFile(services, path)
		if err != nil {
			return err
		}
		var table yaml.Node
		if err := yaml.Unmarshal(raw, &table); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		collect(&table, nil, func(chain string, n *yaml.Node) {
			key := chain + ":" + strings.ToLower(n.Value)
			if first, ok := found[key]; ok {
				t.Errorf("%s of %s stands in %s:%d and %s:%d", n.Value, chain, first.file, first.line, path, n.Line)
			}
			found[key] = place{path, n.Line}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 150 {
		t.Errorf("%d addresses were found", len(found))
	}
}

// collect reports the addresses below a node with their chains: those of the nearest list or key that names chains. An alias is no second copy.
func collect(n *yaml.Node, chains []string, report func(chain string, n *yaml.Node)) {
	switch n.Kind {
	case yaml.ScalarNode:
		if common.IsHexAddress(n.Value) && len(n.Value) == 42 && !strings.EqualFold(n.Value, native) {
			for _, chain := range chains {
				report(chain, n)
			}
		}
	case yaml.MappingNode:
		for i := 1; i < len(n.Content); i += 2 {
			if list := n.Content[i]; list.Kind == yaml.SequenceNode && n.Content[i-1].Value == "chains" {
				chains = namesOf(list)
			}
		}
		for i := 1; i < len(n.Content); i += 2 {
			key, value := n.Content[i-1], n.Content[i]
			switch {
			case strings.HasPrefix(key.Value, "eip155:"):
				collect(value, []string{key.Value}, report)
			case value.Kind == yaml.SequenceNode && common.IsHexAddress(key.Value):
				collect(key, namesOf(value), report)
			default:
				collect(key, chains, report)
				collect(value, chains, report)
			}
		}
	case yaml.DocumentNode, yaml.SequenceNode:
		for _, child := range n.Content {
			collect(child, chains, report)
		}
	}
}

// native stands for the native token, and is no contract.
const native = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

func namesOf(list *yaml.Node) (names []string) {
	for _, n := range list.Content {
		names = append(names, n.Value)
	}
	return names
}
