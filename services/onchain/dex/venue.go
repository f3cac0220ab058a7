package dex

import (
	"bytes"
	"encoding/binary"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Kind is the interface of a router.
type Kind string

// The kinds of routers.
const (
	// SwapRouter02 is Uniswap's router for both versions: multicall(uint256,bytes[]) with the deadline, exactInput without one.
	SwapRouter02 Kind = "swap-router-02"
	// V2Router is UniswapV2Router02 and its copies.
	V2Router Kind = "v2-router"
	// V3Router is Uniswap's first SwapRouter, whose exactInput has the deadline among its parameters, and its copies.
	V3Router Kind = "v3-router"
	// AlgebraRouter is the SwapRouter of Algebra V1, which is called like the first SwapRouter, without fees in paths.
	AlgebraRouter Kind = "algebra-router"
)

// Venue is one router and the factories whose pools it can trade.
type Venue struct {
	Name   string
	Kind   Kind
	Router evm.Address
	// Native is the native currency in the names of the router's functions: ETH, as in swapExactETHForTokens, or AVAX.
	Native string
	// V2, V3 and Algebra are the factories; nil if the router trades no such pools.
	V2      *V2
	V3      *V3
	Algebra *Algebra
}

// V2 is a factory of constant-product pools, after Uniswap v2.
type V2 struct {
	Factory evm.Address
	// FeeNumerator / FeeDenominator of an input is left after the pool's fee, such as 997 / 1000.
	FeeNumerator, FeeDenominator uint64
	// InitCodeHash is the hash of the pools' creation code, from which their addresses follow (EIP-1014); nil if it is unknown.
	InitCodeHash *[32]byte
}

// V3 is a factory of concentrated-liquidity pools, after Uniswap v3.
type V3 struct {
	Factory evm.Address
	// Deployer is the contract that creates the pools, usually the factory.
	Deployer evm.Address
	// Quoter is a QuoterV2; zero if it is unknown.
	Quoter evm.Address
	// Fees are the fees that pools may have, in hundredths of a basis point.
	Fees []uint32
	// Spacing is the tick spacing by fee.
	Spacing map[uint32]int32
	// InitCodeHash is the hash of the pools' creation code, from which their addresses follow (EIP-1014); nil if it is unknown.
	InitCodeHash *[32]byte
}

// Algebra is a factory of Algebra V1: one pool for each pair of tokens, with the arithmetic of Uniswap v3 at a spacing
// of 60 and a fee that the first swap of a block updates. Later versions of Algebra store ticks or fees differently.
type Algebra struct {
	Factory evm.Address
}

// Chain holds the venues of one chain.
type Chain struct {
	// ID is the CAIP-2 id.
	ID string
	// Wrapped is the ERC-20 token of the wrapped native currency.
	Wrapped evm.Address
	// Hubs are the tokens against which most other tokens are traded; the wrapped currency is the first.
	Hubs []evm.Address
	// Venues are in order of preference; the router of the first is the default spender.
	Venues []Venue
	// Universal is the chain's UniversalRouter, or nil.
	Universal *Universal
	// BlockTime is the expected time between blocks.
	BlockTime time.Duration
}

// Universal is Uniswap's UniversalRouter: one call of it trades the pools of several venues, between which a path may change. It takes sold tokens through
// Permit2.
type Universal struct {
	// Name is the router's name in quote ids.
	Name   string
	Router evm.Address
	// Venues are the indexes in [Chain.Venues] of the venues whose pools it trades.
	Venues []int
}

// Pair returns the address of the pool of two tokens, in any order. It panics without an InitCodeHash.
func (f *V2) Pair(a, b evm.Address) evm.Address {
	low, high := Sort(a, b)
	return create2(f.Factory, crypto.Keccak256Hash(append(low[:], high[:]...)), *f.InitCodeHash)
}

// Pool returns the address of the pool of two tokens, in any order, with a fee. It panics without an InitCodeHash.
func (f *V3) Pool(a, b evm.Address, fee uint32) evm.Address {
	low, high := Sort(a, b)
	key := append(evm.Word(low), evm.Word(high)...)
	key = append(key, binary.BigEndian.AppendUint32(make([]byte, 28, 32), fee)...)
	return create2(f.Deployer, crypto.Keccak256Hash(key), *f.InitCodeHash)
}

// Sort returns two tokens in the order of their addresses, as in pools.
func Sort(a, b evm.Address) (token0, token1 evm.Address) {
	if bytes.Compare(a[:], b[:]) > 0 {
		return b, a
	}
	return a, b
}

// create2 returns the address of a contract that is created with a salt (EIP-1014).
func create2(creator evm.Address, salt, initCodeHash [32]byte) evm.Address {
	preimage := append([]byte{0xff}, creator[:]...)
	preimage = append(preimage, salt[:]...)
	preimage = append(preimage, initCodeHash[:]...)
	hash := crypto.Keccak256Hash(preimage)
	return evm.Address(hash[12:])
}
