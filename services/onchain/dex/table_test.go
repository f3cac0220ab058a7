package dex

import (
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// served are the networks on which swaps are offered.
var served = []string{
	"eip155:1", "eip155:10", "eip155:56", "eip155:100", "eip155:137", "eip155:250",
	"eip155:324", "eip155:8217", "eip155:8453", "eip155:42161", "eip155:43114", "eip155:1313161554",
}

func load(t *testing.T, cfg Config, local string) (*Table, error) {
	t.Helper()
	path := ""
	if local != "" {
		path = filepath.Join(t.TempDir(), "devnet.json")
		if err := os.WriteFile(path, []byte(local), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log := slog.New(slog.DiscardHandler)
	return Load(cfg, devnet.Open(path, log), log)
}

func TestEveryNetworkHasAVenueAndHubs(t *testing.T) {
	table, err := load(t, Config{}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, chainID := range served {
		chain, ok := table.On(chainID)
		if !ok || len(chain.Venues) == 0 {
			t.Fatalf("%s has no venue", chainID)
		}
		if chain.Hubs[0] != chain.Wrapped || len(chain.Hubs) < 3 {
			t.Errorf("%s: hubs %v", chainID, chain.Hubs)
		}
		for _, v := range chain.Venues {
			if v.V3 == nil {
				continue
			}
			for _, fee := range v.V3.Fees {
				if v.V3.Spacing[fee] == 0 {
					t.Errorf("%s %s: fee %d has no spacing", chainID, v.Name, fee)
				}
			}
		}
	}
	if all := table.Chains(); len(all) != len(served) {
		t.Errorf("chains with venues: %v", all)
	}
	if _, ok := table.On("eip155:5"); ok {
		t.Error("a chain that is unknown has venues")
	}
}

func TestAddressesHaveTheirChecksum(t *testing.T) {
	for _, spelt := range regexp.MustCompile(`0x[0-9a-fA-F]{40}\b`).FindAllString(string(builtIn), -1) {
		if right := evm.MustAddress(spelt).String(); right != spelt {
			t.Errorf("%s should be %s", spelt, right)
		}
	}
}

// TestPoolAddressesEqualThoseOfTheFactories compares addresses that follow from the hashes in the table with those of
// well-known pools.
func TestPoolAddressesEqualThoseOfTheFactories(t *testing.T) {
	table, err := load(t, Config{}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		chain, venue string
		hub          int
		fee          uint32 // 0 for v2
		want         string
	}{
		{"eip155:1", "Uniswap", 1, 0, "0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc"},
		{"eip155:1", "Uniswap", 1, 500, "0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640"},
		{"eip155:1", "SushiSwap", 1, 0, "0x397FF1542f962076d0BFE58eA045FfA2d347ACa0"},
		{"eip155:56", "PancakeSwap", 1, 0, "0x16b9a82891338f9bA80E2D6970FddA79D1eb0daE"},
		{"eip155:56", "PancakeSwap v3", 1, 500, "0x36696169C63e42cd08ce11f5deeBbCeBae652050"},
	} {
		chain, _ := table.On(c.chain)
		v := chain.Venues[slices.IndexFunc(chain.Venues, func(v Venue) bool { return v.Name == c.venue })]
		pool := func(a, b evm.Address) evm.Address {
			if c.fee == 0 {
				return v.V2.Pair(a, b)
			}
			return v.V3.Pool(a, b, c.fee)
		}
		a, b := chain.Wrapped, chain.Hubs[c.hub]
		if got := pool(a, b); got.String() != c.want {
			t.Errorf("%s %s %d: got %s, want %s", c.chain, c.venue, c.fee, got, c.want)
		}
		if pool(a, b) != pool(b, a) {
			t.Errorf("%s %s %d: the order of the tokens matters", c.chain, c.venue, c.fee)
		}
	}
}

const (
	oneAddress   = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	otherAddress = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
)

func custom(change func(*ChainConfig)) Config {
	c := ChainConfig{Wrapped: oneAddress, Venues: []VenueConfig{
		{Name: "Ours", Kind: SwapRouter02, Router: otherAddress, V3: &V3Config{Factory: otherAddress, Fees: []uint32{500}}},
	}}
	change(&c)
	return Config{Chains: map[string]ChainConfig{"eip155:1": c}}
}

func universal(name string, venues ...string) *UniversalConfig {
	return &UniversalConfig{Name: name, Router: oneAddress, Venues: venues}
}

func TestAUniversalRouterJoinsVenues(t *testing.T) {
	table, err := load(t, custom(func(c *ChainConfig) {
		c.Venues = append(c.Venues, VenueConfig{Name: "Pairs", Kind: V2Router, Router: oneAddress, V2: &V2Config{Factory: oneAddress, Fee: []uint64{997, 1000}}})
		c.Universal = universal("All", "Pairs", "Ours")
	}), "")
	if err != nil {
		t.Fatal(err)
	}
	chain, _ := table.On("eip155:1")
	if u := chain.Universal; u == nil || u.Name != "All" || u.Router.String() != oneAddress || !slices.Equal(u.Venues, []int{1, 0}) {
		t.Errorf("got %+v", chain.Universal)
	}
	for _, chainID := range []string{"eip155:10", "eip155:42161"} {
		chain, _ := table.On(chainID)
		if u := chain.Universal; u == nil || !slices.Equal(u.Venues, []int{0, 1}) {
			t.Errorf("%s: got %+v", chainID, u)
		}
	}
}

func TestConfigurationReplacesAChain(t *testing.T) {
	table, err := load(t, custom(func(c *ChainConfig) { c.Venues[0].V3.Spacing = map[uint32]int32{500: 7} }), "")
	if err != nil {
		t.Fatal(err)
	}
	chain, _ := table.On("eip155:1")
	if len(chain.Venues) != 1 || chain.Venues[0].Name != "Ours" || chain.BlockTime != usualBlockTime {
		t.Errorf("got %+v", chain)
	}
	if f := chain.Venues[0].V3; f.Deployer != f.Factory || f.Spacing[500] != 7 || f.InitCodeHash != nil {
		t.Errorf("factory: got %+v", f)
	}
}

func TestAWrongEntryIsNamed(t *testing.T) {
	for want, change := range map[string]func(*ChainConfig){
		"wrapped":         func(c *ChainConfig) { c.Wrapped = "0x12" },
		`hub "weth"`:      func(c *ChainConfig) { c.Hubs = []string{"weth"} },
		"no venue":        func(c *ChainConfig) { c.Venues = nil },
		"no name":         func(c *ChainConfig) { c.Venues[0].Name = "" },
		"no factory":      func(c *ChainConfig) { c.Venues[0].V3 = nil },
		"router":          func(c *ChainConfig) { c.Venues[0].Router = "" },
		`kind "curve"`:    func(c *ChainConfig) { c.Venues[0].Kind = "curve" },
		"its own version": func(c *ChainConfig) { c.Venues[0].Kind = V2Router },
		"kind v3-router": func(c *ChainConfig) {
			c.Venues[0].Kind, c.Venues[0].Algebra = V3Router, &AlgebraConfig{Factory: oneAddress}
		},
		"kind algebra-rou":  func(c *ChainConfig) { c.Venues[0].Kind = AlgebraRouter },
		"algebra: factory":  func(c *ChainConfig) { c.Venues[0].Algebra = &AlgebraConfig{Factory: "nobody"} },
		"fee [1000 997]":    func(c *ChainConfig) { c.Venues[0].V2 = &V2Config{Factory: oneAddress, Fee: []uint64{1000, 997}} },
		"fee []":            func(c *ChainConfig) { c.Venues[0].V2 = &V2Config{Factory: oneAddress} },
		"fee 700":           func(c *ChainConfig) { c.Venues[0].V3.Fees = []uint32{700} },
		"no fees":           func(c *ChainConfig) { c.Venues[0].V3.Fees = nil },
		"init_code_hash":    func(c *ChainConfig) { c.Venues[0].V3.InitCodeHash = "0x1234" },
		"v3: deployer":      func(c *ChainConfig) { c.Venues[0].V3.Deployer = "nobody" },
		"v3: quoter":        func(c *ChainConfig) { c.Venues[0].V3.Quoter = "nobody" },
		`venue "Ours": v3`:  func(c *ChainConfig) { c.Venues[0].V3.Factory = "" },
		"universal: router": func(c *ChainConfig) { c.Universal = &UniversalConfig{Name: "All", Router: "nobody"} },
		`name "Ours"`:       func(c *ChainConfig) { c.Universal = universal("Ours", "Ours", "Pairs") },
		`name ""`:           func(c *ChainConfig) { c.Universal = universal("", "Ours", "Pairs") },
		`venue "Theirs"`:    func(c *ChainConfig) { c.Universal = universal("All", "Ours", "Theirs") },
		"named twice":       func(c *ChainConfig) { c.Universal = universal("All", "Ours", "Ours") },
		"less than two":     func(c *ChainConfig) { c.Universal = universal("All", "Ours") },
		"another factory": func(c *ChainConfig) {
			c.Venues = append(c.Venues, VenueConfig{Name: "Fork", Kind: V3Router, Router: oneAddress, V3: &V3Config{Factory: oneAddress, Fees: []uint32{500}}})
			c.Universal = universal("All", "Ours", "Fork")
		},
		"none of Uniswap": func(c *ChainConfig) {
			c.Venues = append(c.Venues, VenueConfig{Name: "Dear", Kind: V2Router, Router: oneAddress, V2: &V2Config{Factory: oneAddress, Fee: []uint64{9975, 10000}}})
			c.Universal = universal("All", "Ours", "Dear")
		},
	} {
		if _, err := load(t, custom(change), ""); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "eip155:1") {
			t.Errorf("%s: got %v", want, err)
		}
	}
	if _, err := load(t, Config{Chains: map[string]ChainConfig{"mainnet": {}}}, ""); err == nil {
		t.Error("a chain that is no CAIP-2 id was taken")
	}
}

func TestLocalChainsDescribeTheirVenues(t *testing.T) {
	local := `{"chains":[{"caip2":"eip155:31337","wrapped":"` + oneAddress + `","tokens":[{"address":"` + otherAddress + `"}],
		"venues":[{"name":"Uniswap","kind":"swap-router-02","router":"` + otherAddress + `",
			"v2":{"factory":"` + oneAddress + `","feeNumerator":997,"feeDenominator":1000,
				"initCodeHash":"0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f"},
			"v3":{"factory":"` + oneAddress + `","quoter":"` + otherAddress + `","fees":[500,3000]}}]},
		{"caip2":"eip155:31338"},
		{"caip2":"eip155:31339","wrapped":"` + oneAddress + `","venues":[{"name":"Odd","kind":"odd","router":"` + otherAddress + `"}]}]}`
	table, err := load(t, Config{}, local)
	if err != nil {
		t.Fatal(err)
	}
	chain, ok := table.On("eip155:31337")
	if !ok || chain.Wrapped != evm.MustAddress(oneAddress) || !slices.Equal(chain.Hubs, []evm.Address{evm.MustAddress(oneAddress), evm.MustAddress(otherAddress)}) {
		t.Fatalf("got %+v %v", chain, ok)
	}
	v := chain.Venues[0]
	if v.Kind != SwapRouter02 || v.Native != "ETH" || v.V2.InitCodeHash == nil || v.V3.Spacing[3000] != 60 || v.V3.Quoter != evm.MustAddress(otherAddress) {
		t.Errorf("got %+v %+v %+v", v, v.V2, v.V3)
	}
	for _, chainID := range []string{"eip155:31338", "eip155:31339"} {
		if _, ok := table.On(chainID); ok {
			t.Errorf("%s has venues", chainID)
		}
	}
	if all := table.Chains(); len(all) != len(served)+1 {
		t.Errorf("chains with venues: %v", all)
	}
}
