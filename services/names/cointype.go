package names

import "strconv"

// CoinType is the number of a chain in name services (SLIP-44; ENSIP-9, ENSIP-11).
type CoinType uint32

const (
	// ether is that of Ethereum, which predates the rule for EVM chains.
	ether CoinType = 60
	// evmChain is the bit of every EVM chain; the other bits are the chain id.
	evmChain CoinType = 0x8000_0000
)

// canonical returns the one coin type of its chain: 0x80000001 becomes 60.
func (c CoinType) canonical() CoinType {
	if c == evmChain|1 {
		return ether
	}
	return c
}

// chainID returns the CAIP-2 id of the EVM chain; false if the coin type is of no EVM chain.
func (c CoinType) chainID() (string, bool) {
	switch {
	case c == ether:
		return "eip155:1", true
	case c > evmChain:
		return "eip155:" + strconv.FormatUint(uint64(c&^evmChain), 10), true
	}
	return "", false
}

// String returns decimal digits.
func (c CoinType) String() string { return strconv.FormatUint(uint64(c), 10) }
