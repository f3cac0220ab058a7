package classifier

import (
	"math"
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/calls"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// sequence masks a nonce's key, and the bit that no database has in an integer.
var sequence = big.NewInt(math.MaxInt64)

// operations is what the user operations of one account in a transaction did.
type operations struct {
	// failed is set if all of them failed.
	failed bool
	// fee is what the account paid for gas, in wei; nil if paymasters paid.
	fee *big.Int
	// shared is set if logs of other operations name the account too: what they state is not trusted.
	shared bool
	// nonce is that of the last one, without its key (ERC-4337).
	nonce uint64
	// intended is the operation of one that failed, and empty its transfer of nothing.
	intended index.Operation
	empty    index.Transfer
}

// beginsExecution reports whether a log ends the validation of all operations.
func beginsExecution(l node.Log) bool {
	return calls.IsEntryPoint(l.Contract) && len(l.Topics) > 0 && l.Topics[0] == userop.BeforeExecution
}

func orZero(n *big.Int) *big.Int {
	if n == nil {
		return new(big.Int)
	}
	return n
}
