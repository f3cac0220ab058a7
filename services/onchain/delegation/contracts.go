package delegation

import (
	"maps"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// Contracts are the framework's contracts on a chain that sessions use.
type Contracts struct {
	// Manager is DelegationManager, Factory SimpleFactory and MultiSig MultiSigDeleGator.
	Manager, Factory, MultiSig evm.Address
	// Enforcers are the contracts of caveats, by contract name.
	Enforcers map[string]evm.Address
}

// Includes reports whether an address is one of the contracts, or the EntryPoint. An account that calls them for a site could give the site more than
// a session allows.
func (c Contracts) Includes(a evm.Address) bool {
	return slices.Contains([]evm.Address{c.Manager, c.Factory, c.MultiSig, userop.EntryPoint07}, a) || slices.Contains(slices.Collect(maps.Values(c.Enforcers)), a)
}

// Names of the enforcers that sessions use.
const (
	AllowedCalldata = "AllowedCalldataEnforcer"
	AllowedMethods  = "AllowedMethodsEnforcer"
	AllowedTargets  = "AllowedTargetsEnforcer"
	ERC20Period     = "ERC20PeriodTransferEnforcer"
	ExactCalldata   = "ExactCalldataEnforcer"
	LimitedCalls    = "LimitedCallsEnforcer"
	LogicalOr       = "LogicalOrWrapperEnforcer"
	NativePeriod    = "NativeTokenPeriodTransferEnforcer"
	Nonce           = "NonceEnforcer"
	Redeemer        = "RedeemerEnforcer"
	Timestamp       = "TimestampEnforcer"
	ValueLte        = "ValueLteEnforcer"
)

// Public are the contracts of version 1.3.0, whose addresses are the same on every public chain.
var Public = Contracts{
	Manager:  evm.MustAddress("0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3"),
	Factory:  evm.MustAddress("0x69Aa2f9fe1572F1B640E1bbc512f5c3a734fc77c"),
	MultiSig: evm.MustAddress("0x56a9EdB16a0105eb5a4C54f4C062e2868844f3A7"),
	Enforcers: map[string]evm.Address{
		AllowedCalldata: evm.MustAddress("0xc2b0d624c1c4319760C96503BA27C347F3260f55"),
		AllowedMethods:  evm.MustAddress("0x2c21fD0Cb9DC8445CB3fb0DC5E7Bb0Aca01842B5"),
		AllowedTargets:  evm.MustAddress("0x7F20f61b1f09b08D970938F6fa563634d65c4EeB"),
		ERC20Period:     evm.MustAddress("0x474e3Ae7E169e940607cC624Da8A15Eb120139aB"),
		ExactCalldata:   evm.MustAddress("0x99F2e9bF15ce5eC84685604836F71aB835DBBdED"),
		LimitedCalls:    evm.MustAddress("0x04658B29F6b82ed55274221a06Fc97D318E25416"),
		LogicalOr:       evm.MustAddress("0xE1302607a3251AF54c3a6e69318d6aa07F5eB46c"),
		NativePeriod:    evm.MustAddress("0x9BC0FAf4Aca5AE429F4c06aEEaC517520CB16BD9"),
		Nonce:           evm.MustAddress("0xDE4f2FAC4B3D87A1d9953Ca5FC09FCa7F366254f"),
		Redeemer:        evm.MustAddress("0xE144b0b2618071B4E56f746313528a669c7E65c5"),
		Timestamp:       evm.MustAddress("0x1046bb45C8d673d4ea75321280DB34899413c069"),
		ValueLte:        evm.MustAddress("0x92Bf12322527cAA612fd31a0e810472BBB106A8F"),
	},
}
