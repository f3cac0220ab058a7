package node

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// Hashes of the events that name an account. ERC-20 and ERC-721 share Transfer and Approval.
var (
	Transfer       = event("Transfer(address,address,uint256)")
	Approval       = event("Approval(address,address,uint256)")
	ApprovalForAll = event("ApprovalForAll(address,address,bool)")
	TransferSingle = event("TransferSingle(address,address,address,uint256,uint256)")
	TransferBatch  = event("TransferBatch(address,address,address,uint256[],uint256[])")
	// Permit2Approval, Permit2Permit and Permit2Lockdown are those by which Permit2 changes an allowance. Their second topic is the owner.
	Permit2Approval = event("Approval(address,address,address,uint160,uint48)")
	Permit2Permit   = event("Permit(address,address,address,uint160,uint48,uint48)")
	Permit2Lockdown = event("Lockdown(address,address,address)")
	// UserOperation is the result of a user operation. Its second topic is the sender.
	UserOperation = userop.EventTopic
)

const (
	// accountsPerFilter bounds the accounts of one log query.
	accountsPerFilter = 250
	// filteredAccounts is up to how many accounts the logs of a block are filtered. For more, one query reads the logs of all accounts, whose number does
	// not grow with those that are followed.
	filteredAccounts = 500
)

func event(signature string) Hash { return crypto.Keccak256Hash([]byte(signature)) }

// position is a topic that names an account, counted from 0, which is the event; and the events in which it does.
type position struct {
	events []Hash
	topic  int
}

// positions are those of an owner, sender or recipient of a token, and of the sender of a user operation. Contracts are not filtered: any of them may emit the
// events of Permit2 too.
var positions = []position{
	{[]Hash{Transfer, Approval, ApprovalForAll, Permit2Approval, Permit2Permit, Permit2Lockdown}, 1},
	{[]Hash{Transfer, TransferSingle, TransferBatch, UserOperation}, 2},
	{[]Hash{TransferSingle, TransferBatch}, 3},
}

// filter returns a filter for the logs that name one of the accounts in the position.
func (p position) filter(accounts []evm.Address) chainclient.LogFilter {
	filter := make([]any, p.topic+1)
	filter[0], filter[p.topic] = p.events, topics(accounts)
	return chainclient.LogFilter{"topics": filter}
}

// names reports whether a log names one of the accounts in the position.
func (p position) names(l chainclient.LogJSON, accounts Accounts) bool {
	return len(l.Topics) > p.topic && slices.Contains(p.events, l.Topics[0]) && accounts.Has(evm.Address(l.Topics[p.topic][common.HashLength-common.AddressLength:]))
}

// allEvents is the filter for the logs that name any account.
var allEvents = func() chainclient.LogFilter {
	var events []Hash
	for _, p := range positions {
		for _, e := range p.events {
			if !slices.Contains(events, e) {
				events = append(events, e)
			}
		}
	}
	return chainclient.LogFilter{"topics": []any{events}}
}()

// filters returns filters for every log that names one of the accounts.
func filters(accounts []evm.Address) (filters []chainclient.LogFilter) {
	for some := range slices.Chunk(accounts, accountsPerFilter) {
		for _, p := range positions {
			filters = append(filters, p.filter(some))
		}
	}
	return filters
}

func topics(accounts []evm.Address) []Hash {
	words := make([]Hash, len(accounts))
	for i, a := range accounts {
		words[i] = common.BytesToHash(a[:])
	}
	return words
}
