package contracts

import "github.com/ethereum/go-ethereum/common"

// Permit2 is the address of Uniswap's Permit2 on every EVM chain that has it. An owner approves it for a token, and it then moves the token for the spenders
// that the owner names to it.
var Permit2 = common.HexToAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3")
