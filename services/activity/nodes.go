package activity

import (
	"context"
	"sync"
	"time"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// callTimeout bounds one body to a chain's nodes.
	callTimeout = 10 * time.Second
	// networksLifetime is how long the network table is kept; it changes only when its service starts anew.
	networksLifetime = time.Minute
)

// nodes reaches nodes through the chains service, which holds their keys and retries.
type nodes struct{ client chainsv1.NodeServiceClient }

func (n nodes) send(ctx context.Context, chainID string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	res, err := n.client.Forward(ctx, &chainsv1.ForwardRequest{ChainId: chainID, Body: body})
	return res.GetBody(), err
}

// describer is [Contracts] by calls to the contracts.
type describer struct{ reader *evm.Reader }

// Describe asks for name, symbol and decimals in one round trip.
func (d describer) Describe(ctx context.Context, chainID string, contracts []evm.Address) ([]Token, error) {
	reading, err := d.reader.Read(ctx, chainID, evm.TokenFacts(contracts))
	if err != nil {
		return nil, err
	}
	facts := evm.ReadTokenFacts(reading.Answers)
	tokens := make([]Token, len(contracts))
	for i, c := range contracts {
		tokens[i] = Token{Contract: c, Symbol: reading.Answers[0][i].Text(), Name: reading.Answers[1][i].Text()}
		// A contract without decimals counts whole tokens, as NFTs are counted.
		if facts[i] != nil {
			tokens[i].Decimals = facts[i].Decimals
		}
	}
	return tokens, nil
}

// networkTable is [Networks] of the chains service, kept for a while.
type networkTable struct {
	client chainsv1.ChainsServiceClient
	clock  clock.Clock

	mu   sync.Mutex
	list []*chainsv1.Network
	read time.Time
}

// Native finds the currency of a chain; while the table's service is down, in the last table read.
func (t *networkTable) Native(ctx context.Context, chainID string) (Token, bool, error) {
	list, err := t.networks(ctx)
	for _, n := range list {
		if n.GetChainId() == chainID {
			currency := n.GetNativeCurrency()
			return Token{Name: currency.GetName(), Symbol: currency.GetSymbol(), Decimals: uint8(min(currency.GetDecimals(), 255))}, true, nil
		}
	}
	return Token{}, false, err
}

func (t *networkTable) networks(ctx context.Context) ([]*chainsv1.Network, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.list != nil && t.clock.Now().Sub(t.read) < networksLifetime {
		return t.list, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	res, err := t.client.ListNetworks(ctx, &chainsv1.ListNetworksRequest{})
	if err == nil {
		t.list, t.read = res.GetNetworks(), t.clock.Now()
	}
	if t.list != nil {
		return t.list, nil
	}
	return nil, err
}
