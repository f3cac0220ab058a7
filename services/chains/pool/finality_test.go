package pool

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// finalizing is nodes at block 1000 with a finalized block each; nil for a node that knows none.
type finalizing struct {
	mu     sync.Mutex
	blocks map[string]*uint64
	asked  int
}

func (f *finalizing) set(url string, number *uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.blocks[url] = number
}

// node returns the node with that URL.
func (f *finalizing) node(url string) chainstest.Handler {
	return func(body string) (int, string, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if !strings.Contains(body, `"finalized"`) {
			return 200, `{"jsonrpc":"2.0","id":1,"result":"0x1"}`, nil
		}
		f.asked++
		number := f.blocks[url]
		if number == nil {
			return 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-39001,"message":"there is no finalized block"}}`, nil
		}
		return 200, chainstest.BlockAt(int(*number)), nil
	}
}

func TestAFinalBlockIsOneThatTwoNodesNameAndThatIsConfirmed(t *testing.T) {
	number := func(n uint64) *uint64 { return &n }
	for name, c := range map[string]struct {
		chain Chain
		nodes []*uint64
		want  uint64
		known bool
	}{
		"two nodes agree":                 {nodes: []*uint64{number(900), number(900)}, want: 900, known: true},
		"two nodes do not agree":          {nodes: []*uint64{number(900), number(899)}},
		"two of three agree":              {nodes: []*uint64{number(950), number(899), number(899)}, want: 899, known: true},
		"the only node":                   {nodes: []*uint64{number(900)}, want: 900, known: true},
		"a finalized block that is newer": {nodes: []*uint64{number(990), number(990)}, want: 936, known: true},
		"no node knows one":               {nodes: []*uint64{nil, nil}, want: 936, known: true},
		"one of two nodes knows one":      {nodes: []*uint64{number(900), nil}},
		"fewer blocks than confirmations": {chain: Chain{FinalAfter: time.Hour}, nodes: []*uint64{number(900), number(900)}},
		"a development chain":             {chain: Chain{Dev: true}, nodes: []*uint64{number(900), number(900)}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &finalizing{blocks: map[string]*uint64{}}
			script := chainstest.Script{"probe": chainstest.Responds(200, chainstest.BlockAt(1000))}
			chain := c.chain
			chain.ID, chain.BlockTime = "eip155:31337", time.Second
			if chain.FinalAfter == 0 {
				chain.FinalAfter = time.Minute
			}
			for i, n := range c.nodes {
				url := fmt.Sprintf("http://%d", i)
				f.blocks[url], script[url] = n, f.node(url)
				chain.Nodes = append(chain.Nodes, url)
			}
			clock := clocktest.StoppedAt(time.Unix(5, 0))
			p := New(chain, script, clock, slog.New(slog.DiscardHandler))
			defer p.Close()
			p.EnsureProbed(t.Context())
			if got, known := p.Finalized(); known {
				t.Errorf("block %d is final before a node was asked", got)
			}
			p.probes.running.Wait()
			if got, known := p.Finalized(); got != c.want || known != c.known {
				t.Errorf("block %d is final: %t; want %d, %t", got, known, c.want, c.known)
			}
			p.probes.running.Wait()
			if !c.known {
				return
			}
			asked := f.asked
			p.Finalized()
			p.probes.running.Wait()
			if f.asked != asked {
				t.Error("the nodes are asked at each call")
			}
			// Nodes that restart, or do not agree any more, take nothing back and add nothing.
			for url := range f.blocks {
				f.set(url, nil)
			}
			clock.Pass(finalizedInterval)
			p.Finalized()
			p.probes.running.Wait()
			if got, known := p.Finalized(); got != c.want || !known {
				t.Errorf("block %d is final when no node knows: %t", got, known)
			}
		})
	}
}
