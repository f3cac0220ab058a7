package venues

import (
	"bytes"
	"encoding/binary"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/evm"
)

// Kind is how a router wants to be called.
type Kind string

// The kinds of routers that swaps are sent to.
const (
	// SwapRouter02 is Uniswap's router for both versions: multicall(uint256,bytes[]) with the deadline, exactInput without one.
	SwapRouter02 Kind = "swap-router-02"
	// V2Router is UniswapV2Router02 and what was copied from it.
	V2Router Kind = "v2-router"
	// V3Router is Uniswap's first SwapRouter, whose exactInput has the deadline among its parameters, and what was copied from it.
	V3Router Kind = "v3-router"
	// AlgebraRouter is the SwapRouter of Algebra V1, which is called as the first SwapRouter is, but for fees in paths.
	AlgebraRouter Kind = "algebra-router"
)

// Venue is one router and the factories whose pools it can trade.
type Venue struct {
	Name   string
	Kind   Kind
	Router evm.Address
	// Native is how the names of the router's functions spell the native currency: ETH, as in swapExactETHForTokens, or AVAX.
	Native string
	// V2, V3 and Algebra are the factories; nil where the router trades no such pools.
	V2      *V2
	V3      *V3
	Algebra *Algebra
}

// V2 is a factory of constant-product pools, after Uniswap v2.
type V2 struct {
	Factory evm.Address
	// FeeNumerator over FeeDenominator is what is left of an input after the pool's fee: 997 over 1000.
	FeeNumerator, FeeDenominator uint64
	// InitCodeHash tells the pools' addresses without asking (EIP-1014); nil where it is not known.
	InitCodeHash *[32]byte
}

// V3 is a factory of concentrated-liquidity pools, after Uniswap v3.
type V3 struct {
	Factory evm.Address
	// Deployer is what creates the pools: the factory, unless it has somebody for it.
	Deployer evm.Address
	// Quoter is a QuoterV2; zero where none is known.
	Quoter evm.Address
	// Fees are those that pools may have, in hundredths of a basis point.
	Fees []uint32
	// Spacing is the distance of usable ticks, by fee.
	Spacing map[uint32]int32
	// InitCodeHash tells the pools' addresses without asking (EIP-1014); nil where it is not known.
	InitCodeHash *[32]byte
}

// Algebra is a factory of Algebra V1: one pool for each two tokens, with the arithmetic of Uniswap v3 at a spacing of 60 and a fee that the
// first swap of a block sets anew. Later versions of Algebra keep their ticks or fees in other ways.
type Algebra struct {
	Factory evm.Address
}

// Chain is where the tokens of one chain are traded.
type Chain struct {
	// ID is the CAIP-2 id.
	ID string
	// Wrapped is the ERC-20 that the native currency is inside pools.
	Wrapped evm.Address
	// Hubs are the tokens that most others are traded against; the wrapped currency is the first.
	Hubs []evm.Address
	// Venues are in order of preference; the first is the primary one, whose router allowances are spoken of.
	Venues []Venue
	// Universal is the chain's UniversalRouter; nil where there is none.
	Universal *Universal
	// BlockTime is how often a new block is to be expected.
	BlockTime time.Duration
}

// Universal is Uniswap's UniversalRouter: one call of it trades the pools of several venues, between which a path may change. It takes sold tokens through
// Permit2.
type Universal struct {
	// Name tells the router from the venues in quote ids.
	Name   string
	Router evm.Address
	// Venues are the places in [Chain.Venues] whose pools it trades.
	Venues []int
}

// Pair is where the factory puts the pool of two tokens, in any order. It must not be asked of a factory without an InitCodeHash.
func (f *V2) Pair(a, b evm.Address) evm.Address {
	low, high := Sort(a, b)
	return create2(f.Factory, crypto.Keccak256Hash(append(low[:], high[:]...)), *f.InitCodeHash)
}

// Pool is where the factory puts the pool of two tokens, in any order, with a fee. It must not be asked of a factory without an
// InitCodeHash.
func (f *V3) Pool(a, b evm.Address, fee uint32) evm.Address {
	low, high := Sort(a, b)
	key := append(evm.Word(low), evm.Word(high)...)
	key = append(key, binary.BigEndian.AppendUint32(make([]byte, 28, 32), fee)...)
	return create2(f.Deployer, crypto.Keccak256Hash(key), *f.InitCodeHash)
}

// Sort puts two tokens in the order in which pools have them.
func Sort(a, b evm.Address) (token0, token1 evm.Address) {
	if bytes.Compare(a[:], b[:]) > 0 {
		return b, a
	}
	return a, b
}

// create2 is where a contract that is created with a salt comes to stand (EIP-1014).
func create2(creator evm.Address, salt, initCodeHash [32]byte) evm.Address {
	preimage := append([]byte{0xff}, creator[:]...)
	preimage = append(preimage, salt[:]...)
	preimage = append(preimage, initCodeHash[:]...)
	hash := crypto.Keccak256Hash(preimage)
	return evm.Address(hash[12:])
}
