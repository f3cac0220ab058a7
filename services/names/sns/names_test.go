package sns

import (
	"context"
	"errors"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const mainnet = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"

// described is the description of the local chains.
type described struct{ solana *devnet.Solana }

func (d described) Describe() *devnet.Description { return &devnet.Description{Solana: d.solana} }

// names returns the names of a world on one chain, and none on any other.
func (w *world) names(chainID, configured string, local *devnet.Solana) *Names {
	return New(Deps{
		Chain: configured, Local: described{local}, Clock: clock.System{},
		Serves: func(_ context.Context, requested string) (bool, error) { return requested == chainID, nil },
		Connect: func(requested string) chainclient.Transport {
			if requested != chainID {
				return func(context.Context, []byte) ([]byte, error) { return nil, errors.New("not served") }
			}
			return w.send
		},
	})
}

func TestNamesAreThoseOfTheLocalChainOrElseOfTheConfiguredOne(t *testing.T) {
	w := newWorld()
	w.prefer(alice, w.register(t, "harbor.sns", alice))
	named := &devnet.Solana{CAIP2: "solana:local", Names: []devnet.SolanaName{{Name: "harbor.sns"}}}
	for behaviour, c := range map[string]struct {
		names *Names
		want  svm.Address
	}{
		"the configured chain":                  {w.names(mainnet, mainnet, nil), alice},
		"a local chain without names":           {w.names(mainnet, mainnet, &devnet.Solana{CAIP2: "solana:local"}), alice},
		"a local chain with names":              {w.names("solana:local", mainnet, named), alice},
		"a configured chain that is not served": {w.names("solana:other", mainnet, nil), none},
		"no chain":                              {w.names(mainnet, "", nil), none},
	} {
		got, ok, err := c.names.AddressOf(t.Context(), name(t, "harbor.sns"))
		if err != nil || got != c.want || ok != (c.want != none) {
			t.Errorf("%s: got %s %v %v", behaviour, got, ok, err)
		}
		primary, err := c.names.PrimaryOf(t.Context(), alice)
		if err != nil || (primary != "") != (c.want != none) {
			t.Errorf("%s: got primary name %q %v", behaviour, primary, err)
		}
	}
}

func TestANameThatLeadsToAProgramHasNoAddress(t *testing.T) {
	w := newWorld()
	w.wrap(w.register(t, "harbor.sns", alice), escrow)
	if got, ok, err := w.names(mainnet, mainnet, nil).AddressOf(t.Context(), name(t, "harbor.sns")); ok || got != none || err != nil {
		t.Errorf("got %s %v %v", got, ok, err)
	}
}

func TestAFailedLookUpIsNotKept(t *testing.T) {
	w := newWorld()
	w.register(t, "harbor.sns", alice)
	names := w.names(mainnet, mainnet, nil)
	w.down = true
	if _, _, err := names.AddressOf(t.Context(), name(t, "harbor.sns")); err == nil {
		t.Error("no error while the nodes are down")
	}
	w.down = false
	if got, _, err := names.AddressOf(t.Context(), name(t, "harbor.sns")); got != alice || err != nil {
		t.Errorf("got %s %v", got, err)
	}
	w.down = true
	if got, _, err := names.AddressOf(t.Context(), name(t, "harbor.sns")); got != alice || err != nil {
		t.Errorf("a kept address: got %s %v", got, err)
	}
}
