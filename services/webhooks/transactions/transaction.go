package transactions

import (
	"errors"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// ErrFull is returned if as many transactions are followed as may be, for the project or for all.
var ErrFull = errors.New("as many transactions are followed as may be")

// Rules bound what is followed.
type Rules struct {
	// OfProject bounds the transactions that are followed for one project, and Total those for all.
	OfProject, Total int
}

const (
	// followedFor is how long a transaction is followed that is in no block, and keptFor how long one is that is in a block, which becomes final within
	// half a day on every network unless its nodes are away.
	followedFor = 24 * time.Hour
	keptFor     = 3 * 24 * time.Hour
	// yieldsAfter is when a transaction that is in no block makes room for a new one, if there is none.
	yieldsAfter = time.Hour
	// leastConfirmations is how many blocks must follow one whose finality the node does not tell.
	leastConfirmations = 64
)

// Followed is a transaction that a site named.
type Followed struct {
	// Project is the id of the project.
	Project string
	// ChainID is a CAIP-2 id of eip155.
	ChainID string
	Hash    common.Hash
	// Reference is a text of the site, or empty.
	Reference  string
	FollowedAt time.Time
	// Block is the number of the block that it is in, BlockHash that block's hash, which is zero without one, and IncludedAt when it was found there.
	Block      uint64
	BlockHash  common.Hash
	IncludedAt time.Time
}

// pause returns how long it takes until a transaction that is in no block is read again: at first until the next block, which one replica reads.
func (f Followed) pause(now time.Time) time.Duration {
	switch age := now.Sub(f.FollowedAt); {
	case age < 2*time.Minute:
		return checkPause
	case age < 10*time.Minute:
		return 30 * time.Second
	case age < time.Hour:
		return 2 * time.Minute
	}
	return 10 * time.Minute
}

// Result is a transaction in a final block, as the chain has it.
type Result struct {
	From evm.Address
	// To is nil for a transaction that creates a contract, which is then Created.
	To, Created *evm.Address
	// Value is in wei.
	Value *big.Int
	// Succeeded is false for one that reverted.
	Succeeded bool
	Block     uint64
	BlockHash common.Hash
	BlockTime time.Time
	// Confirmations is how many blocks the chain has from its block on.
	Confirmations uint64
}
