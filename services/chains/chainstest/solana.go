package chainstest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// SolanaGenesis is the genesis hash of the chain of [SolanaNode].
const SolanaGenesis = "HawserScripted11111111111111111111111111111"

// SolanaChain is the CAIP-2 id of that chain.
var SolanaChain = "solana:" + SolanaGenesis[:32]

// SolanaNode is a scripted node of Solana.
type SolanaNode struct {
	// Slot is its newest slot; 0 means that the node cannot be reached.
	Slot uint64
	// Genesis is its genesis hash if it is on another chain.
	Genesis string
	// Answer is the result or the error of calls other than probes, as JSON members.
	Answer string
	// Down makes calls other than probes fail.
	Down bool
}

// SolanaNodes are the nodes of a chain by URL. They implement pool.Poster.
type SolanaNodes struct {
	mu    sync.Mutex
	nodes map[string]SolanaNode
	calls map[string]int
}

// NewSolanaNodes returns nodes by URL.
func NewSolanaNodes(nodes map[string]SolanaNode) *SolanaNodes {
	return &SolanaNodes{nodes: nodes, calls: map[string]int{}}
}

// Calls returns how many bodies other than probes have reached a node.
func (s *SolanaNodes) Calls(url string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[url]
}

// PostJSON implements pool.Poster.
func (s *SolanaNodes) PostJSON(_ context.Context, url string, body []byte) (int, []byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.nodes[url]
	if !ok || n.Slot == 0 {
		return 0, nil, errors.New("connection refused")
	}
	respond := func(members string) (int, []byte, error) {
		return 200, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,%s}`, members), nil
	}
	switch {
	case strings.Contains(string(body), "getGenesisHash"):
		genesis := SolanaGenesis
		if n.Genesis != "" {
			genesis = n.Genesis
		}
		return respond(fmt.Sprintf(`"result":%q`, genesis))
	case strings.Contains(string(body), `"getLatestBlockhash","params":[{"commitment":"confirmed"}]`):
		return respond(fmt.Sprintf(`"result":{"context":{"slot":%d},"value":{"blockhash":"hash%d","lastValidBlockHeight":1}}`, n.Slot, n.Slot))
	}
	s.calls[url]++
	if n.Down {
		return 0, nil, errors.New("connection reset")
	}
	return respond(n.Answer)
}
