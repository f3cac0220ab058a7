package convert

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/convert/venues"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// The creation code of Uniswap's pools, as the UniversalRouter knows it.
const (
	pairCodeHash = "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f"
	poolCodeHash = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"
)

// universal trades on two of the local exchanges only: on one's v2 pools and on another's v3 pools. A UniversalRouter joins them, or a contract that is
// none.
func universal(tb testing.TB, works bool) func(*Config) {
	return func(cfg *Config) {
		d := devnettest.Start(tb)
		var local devnet.Chain
		if err := json.Unmarshal(d.Describe(d.Chains[0].CAIP2), &local); err != nil {
			tb.Fatal(err)
		}
		chain := venues.ChainConfig{Wrapped: local.Wrapped.String(), Universal: &venues.UniversalConfig{Name: "UniversalRouter"}}
		for _, hub := range local.Hubs {
			chain.Hubs = append(chain.Hubs, hub.String())
		}
		var v2, v3 evm.Address
		for _, v := range local.Venues {
			venue := venues.VenueConfig{Name: v.Name, Kind: venues.Kind(v.Kind), Router: v.Router.String()}
			switch venue.Kind {
			case venues.V2Router:
				v2, venue.V2 = v.V2.Factory, &venues.V2Config{Factory: v.V2.Factory.String(), Fee: []uint64{997, 1000}}
			case venues.V3Router:
				v3, venue.V3 = v.V3.Factory, &venues.V3Config{Factory: v.V3.Factory.String(), Fees: v.V3.Fees}
			default:
				continue
			}
			chain.Venues = append(chain.Venues, venue)
			chain.Universal.Venues = append(chain.Universal.Venues, v.Name)
		}
		chain.Universal.Router = local.Wrapped.String()
		if works {
			nothing, word := new(big.Int), func(a evm.Address) *big.Int { return new(big.Int).SetBytes(a[:]) }
			chain.Universal.Router = exchangetest.Deploy(tb, d.Chains[0]).Contract(tb,
				"universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json",
				nothing, word(*local.Wrapped), word(v2), word(v3), number(tb, pairCodeHash), number(tb, poolCodeHash), nothing, nothing, nothing, nothing)
		}
		cfg.Venues.Chains = map[string]venues.ChainConfig{local.CAIP2: chain}
	}
}

func TestOneCallOfTheUniversalRouterSellsOnSeveralVenues(t *testing.T) {
	w := open(t, universal(t, true))
	for _, amount := range []string{"60000000000000000000", "100000000000000000000"} {
		r := w.asked(t, amount, "ETH", "tUSD")
		q := w.quote(t, r)
		routers := map[string]bool{}
		for _, path := range q.GetRoute() {
			for _, hop := range path.GetHops() {
				routers[hop.GetVenue()] = true
			}
		}
		if q.GetId() != "onchain/UniversalRouter" || !q.GetConfirmed() || q.Spender != nil || q.GetCalls() != 1 || len(routers) != 2 {
			t.Fatalf("got %v", q)
		}
		tx, paid := w.swap(t, r, "tUSD")
		if paid.String() != tx.GetAmount() {
			t.Errorf("paid %s, the transaction said %s", paid, tx.GetAmount())
		}
	}
}

func TestATokenIsNotSoldToTheUniversalRouter(t *testing.T) {
	w := open(t, universal(t, true))
	r := w.asked(t, "1000000000", "tUSD", "tDAI")
	q := w.quote(t, r)
	if q.GetId() == "onchain/UniversalRouter" {
		t.Fatalf("got %v", q)
	}
	q.Id = "onchain/UniversalRouter"
	if _, err := w.BuildTransaction(t.Context(), w.order(r, q)); err == nil {
		t.Error("a quote of the UniversalRouter that sells a token was built")
	}
}

// The router cannot be asked what it trades: one that is none is found out by the simulation, and its pools stay in use.
func TestAWrongUniversalRouterLeavesTheVenuesInUse(t *testing.T) {
	w := open(t, universal(t, false))
	q := w.quote(t, w.asked(t, "100000000000000000000", "ETH", "tUSD"))
	if q.GetId() == "onchain/UniversalRouter" || !q.GetConfirmed() {
		t.Errorf("got %v", q)
	}
}
