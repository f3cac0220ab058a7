package node

import (
	"golang.org/x/crypto/sha3"

	"github.com/hawser-dev/hawser/services/evm"
)

// Events that name an account: ERC-20 and ERC-721 share Transfer and Approval.
var (
	Transfer       = event("Transfer(address,address,uint256)")
	Approval       = event("Approval(address,address,uint256)")
	ApprovalForAll = event("ApprovalForAll(address,address,bool)")
	TransferSingle = event("TransferSingle(address,address,address,uint256,uint256)")
	TransferBatch  = event("TransferBatch(address,address,address,uint256[],uint256[])")
)

// accountsPerFilter bounds how many accounts one log query names.
const accountsPerFilter = 250

func event(signature string) (h Hash) {
	k := sha3.NewLegacyKeccak256()
	k.Write([]byte(signature))
	k.Sum(h[:0])
	return h
}

// span says which blocks a log query is about.
type span map[string]any

func ofBlock(h Hash) span { return span{"blockHash": h.String()} }

func between(from, to uint64) span {
	return span{"fromBlock": quantity(from).String(), "toBlock": quantity(to).String()}
}

// queries are the log queries that find every log naming one of the accounts where a token's owner, sender or recipient stands.
func (s span) queries(accounts []evm.Address) (filters []map[string]any) {
	for len(accounts) > 0 {
		n := min(len(accounts), accountsPerFilter)
		some := topics(accounts[:n])
		filters = append(filters,
			s.with([]Hash{Transfer, Approval, ApprovalForAll}, some),
			s.with([]Hash{Transfer, TransferSingle, TransferBatch}, nil, some),
			s.with([]Hash{TransferSingle, TransferBatch}, nil, nil, some),
		)
		accounts = accounts[n:]
	}
	return filters
}

func (s span) with(topics ...any) map[string]any {
	filter := map[string]any{"topics": topics}
	for key, value := range s {
		filter[key] = value
	}
	return filter
}

func topics(accounts []evm.Address) []Hash {
	words := make([]Hash, len(accounts))
	for i, a := range accounts {
		copy(words[i][:], a.Word())
	}
	return words
}
