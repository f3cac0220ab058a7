package names

import "strconv"

// CoinType names a chain as name services do (ENSIP-9, ENSIP-11).
type CoinType uint32

const (
	// ether is Ethereum's, which is older than the rule for EVM chains.
	ether CoinType = 60
	// evmChain marks the coin type of the EVM chain whose number are the other bits.
	evmChain CoinType = 0x8000_0000
)

// canonical is the one coin type of its chain: 0x80000001 is 60.
func (c CoinType) canonical() CoinType {
	if c == evmChain|1 {
		return ether
	}
	return c
}

// chainID is the CAIP-2 id of the EVM chain; false where the coin is of none.
func (c CoinType) chainID() (string, bool) {
	switch {
	case c == ether:
		return "eip155:1", true
	case c > evmChain:
		return "eip155:" + strconv.FormatUint(uint64(c&^evmChain), 10), true
	}
	return "", false
}

// String is the number in decimal digits.
func (c CoinType) String() string { return strconv.FormatUint(uint64(c), 10) }
