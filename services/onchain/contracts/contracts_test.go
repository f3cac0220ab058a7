package contracts

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/devnet"
)

// local is a description of development chains.
type local devnet.Description

func (l *local) Describe() *devnet.Description { return (*devnet.Description)(l) }

func TestContractsAreNamedOnTheirChains(t *testing.T) {
	registry, router, factory, delegate := common.HexToAddress("0x01"), common.HexToAddress("0x02"), common.HexToAddress("0x03"), common.HexToAddress("0x04")
	names := New(&local{Chains: []devnet.Chain{{
		CAIP2: "eip155:31337", ENS: &devnet.NameService{Registry: registry}, SmartAccounts: &devnet.SmartAccounts{Delegate: delegate},
		Venues: []devnet.Venue{{Name: "Harbour", Router: router, V2: &devnet.FactoryV2{Factory: factory}}},
	}}})
	for _, tt := range []struct {
		chain    string
		contract common.Address
		want     string
	}{
		{"eip155:1", common.HexToAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3"), "Permit2"},
		{"eip155:4242", common.HexToAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3"), "Permit2"},
		{"eip155:1", common.HexToAddress("0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"), "ENS registry"},
		{"eip155:10", common.HexToAddress("0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"), ""},
		{"eip155:1", common.HexToAddress("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"), "Wrapped ETH"},
		{"eip155:1", common.HexToAddress("0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"), "Uniswap"},
		{"eip155:1", common.HexToAddress("0x1F98431c8aD98523631AE4a59f267346ea31F984"), "Uniswap factory"},
		{"eip155:1", common.HexToAddress("0x111111125421cA6dc452d289314280a0f8842A65"), "1inch"},
		{"eip155:10", common.HexToAddress("0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B"), "MetaMask smart account"},
		{"eip155:31337", delegate, "MetaMask smart account"},
		{"eip155:31337", registry, "ENS registry"},
		{"eip155:31337", router, "Harbour"},
		{"eip155:31337", factory, "Harbour factory"},
		{"eip155:31338", router, ""},
		{"eip155:1", common.Address{}, ""},
	} {
		if got, ok := names.Name(tt.chain, tt.contract); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s on %s: got %q, %t; want %q", tt.contract, tt.chain, got, ok, tt.want)
		}
	}
}

func TestAddressesOfTheTableHaveTheirChecksums(t *testing.T) {
	var table map[string]map[string]string
	if err := json.Unmarshal(generated, &table); err != nil {
		t.Fatal(err)
	}
	for chain, contracts := range table {
		for address, name := range contracts {
			if common.HexToAddress(address).String() != address || name == "" {
				t.Errorf("%s on %s (%s): the checksum is wrong", address, chain, name)
			}
		}
	}
}

func TestANameIsNoTrust(t *testing.T) {
	router, factory := common.HexToAddress("0x02"), common.HexToAddress("0x03")
	names := New(&local{Chains: []devnet.Chain{{
		CAIP2: "eip155:31337", Venues: []devnet.Venue{{Name: "Harbour", Router: router, V2: &devnet.FactoryV2{Factory: factory}}},
	}}})
	for _, tt := range []struct {
		chain, contract string
		want            Trust
	}{
		{"eip155:1", "0x000000000022D473030F116dDEE9F6B43aC78BA3", Trusted},              // Permit2
		{"eip155:4242", "0x000000000022D473030F116dDEE9F6B43aC78BA3", Trusted},           // Permit2
		{"eip155:1", "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45", Trusted},              // Uniswap's router
		{"eip155:4242", "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45", Unknown},           // on a chain of which nothing is known
		{"eip155:1", "0x111111125421cA6dc452d289314280a0f8842A65", Trusted},              // 1inch
		{"eip155:1", "0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af", Trusted},              // Uniswap's UniversalRouter
		{"eip155:1", "0x00000011F84B9aa48e5f8aA8B9897600006289Be", Trusted},              // UniswapX
		{"eip155:1", "0xcA11bde05977b3631167028862bE2a173976CA11", Public},               // Multicall3
		{"eip155:1", "0x0000000071727De22E5E9d8BAf0edAc6f37da032", Public},               // EntryPoint
		{"eip155:1", "0x4e59b44847b379578588920cA78FbF26c0B4956C", Public},               // CREATE2 deployer
		{"eip155:1", "0x1F98431c8aD98523631AE4a59f267346ea31F984", Public},               // Uniswap's factory
		{"eip155:1", "0x00000000000004533Fe15556B1E086BB1A72cEae", Unknown},              // 0x registry
		{"eip155:1", "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e", Unknown},              // ENS registry
		{"eip155:1", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", Unknown},              // Wrapped ETH
		{"eip155:31337", router.Hex(), Trusted}, {"eip155:31337", factory.Hex(), Public}, // of the local chain
		{"eip155:1", router.Hex(), Unknown},
	} {
		if got := names.Spender(tt.chain, common.HexToAddress(tt.contract)); got != tt.want {
			t.Errorf("%s on %s: got %d, want %d", tt.contract, tt.chain, got, tt.want)
		}
	}
}

func TestVaultsAndWrappedTokensAreOfTheirChains(t *testing.T) {
	router, weth := common.HexToAddress("0x02"), common.HexToAddress("0x04")
	names := New(&local{Chains: []devnet.Chain{{CAIP2: "eip155:31337", Wrapped: &weth, Venues: []devnet.Venue{{Name: "Harbour", Router: router}}}}})
	for _, tt := range []struct {
		chain, contract    string
		isWrapped, isVault bool
	}{
		{"eip155:1", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", true, false},
		{"eip155:10", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", false, false},
		{"eip155:31337", weth.Hex(), true, false}, {"eip155:1", weth.Hex(), false, false},
		{"eip155:1", "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2", false, true},
		{"eip155:10", "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2", false, false},
		{"eip155:31337", router.Hex(), false, false},
	} {
		contract := common.HexToAddress(tt.contract)
		if names.IsWrapped(tt.chain, contract) != tt.isWrapped || names.IsVault(tt.chain, contract) != tt.isVault {
			t.Errorf("%s on %s: wrapped is not %t, or vault not %t", tt.contract, tt.chain, tt.isWrapped, tt.isVault)
		}
	}
}

func TestSpendersHaveTheirChecksums(t *testing.T) {
	var tables map[string]map[string][]string
	if err := json.Unmarshal(generatedSpenders, &tables); err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		for chain, list := range table {
			for _, address := range list {
				if common.HexToAddress(address).String() != address {
					t.Errorf("%s on %s: the checksum is wrong", address, chain)
				}
			}
		}
	}
}
