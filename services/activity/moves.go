package activity

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

const (
	word = 32
	// itemsPerLog bounds how many tokens one TransferBatch is read for.
	itemsPerLog = 256
)

// move is an asset that changed hands, as a log tells it.
type move struct {
	Asset
	from, to evm.Address
	units    *big.Int
}

// allowance is a permission that an owner gave, as a log tells it.
type allowance struct {
	Asset
	owner, spender evm.Address
	units          *big.Int
}

// movesOf reads a log of a transfer; nothing where it is none, or not of the form that its standard says.
func movesOf(l node.Log) []move {
	if len(l.Topics) == 0 {
		return nil
	}
	switch l.Topics[0] {
	case node.Transfer:
		return tokenMove(l)
	case node.TransferSingle:
		return singleMove(l)
	case node.TransferBatch:
		return batchMoves(l)
	default:
		return nil
	}
}

// tokenMove tells ERC-20 and ERC-721 apart, whose Transfer has one name: the token id of ERC-721 is a topic.
func tokenMove(l node.Log) []move {
	switch {
	case len(l.Topics) == 3 && len(l.Data) >= word:
		asset := Asset{Standard: ERC20, Contract: l.Contract}
		return []move{{asset, address(l.Topics[1]), address(l.Topics[2]), number(l.Data[:word])}}
	case len(l.Topics) == 4:
		asset := Asset{Standard: ERC721, Contract: l.Contract, TokenID: number(l.Topics[3][:]).String()}
		return []move{{asset, address(l.Topics[1]), address(l.Topics[2]), big.NewInt(1)}}
	default:
		return nil
	}
}

func singleMove(l node.Log) []move {
	if len(l.Topics) != 4 || len(l.Data) < 2*word {
		return nil
	}
	asset := Asset{Standard: ERC1155, Contract: l.Contract, TokenID: number(l.Data[:word]).String()}
	return []move{{asset, address(l.Topics[2]), address(l.Topics[3]), number(l.Data[word : 2*word])}}
}

func batchMoves(l node.Log) []move {
	if len(l.Topics) != 4 {
		return nil
	}
	ids, units := list(l.Data, 0), list(l.Data, 1)
	if len(ids) != len(units) {
		return nil
	}
	moves := make([]move, len(ids))
	for i, id := range ids {
		asset := Asset{Standard: ERC1155, Contract: l.Contract, TokenID: id.String()}
		moves[i] = move{asset, address(l.Topics[2]), address(l.Topics[3]), units[i]}
	}
	return moves
}

// allowanceOf reads a log of an approval.
func allowanceOf(l node.Log) (allowance, bool) {
	if len(l.Topics) < 3 {
		return allowance{}, false
	}
	a := allowance{Asset: Asset{Contract: l.Contract}, owner: address(l.Topics[1]), spender: address(l.Topics[2])}
	switch {
	case l.Topics[0] == node.Approval && len(l.Topics) == 3 && len(l.Data) >= word:
		a.Standard, a.units = ERC20, number(l.Data[:word])
	case l.Topics[0] == node.Approval && len(l.Topics) == 4:
		a.Standard, a.units, a.TokenID = ERC721, big.NewInt(1), number(l.Topics[3][:]).String()
	case l.Topics[0] == node.ApprovalForAll && len(l.Topics) == 3 && len(l.Data) >= word:
		// Of all tokens, so of none in particular; ERC-721 and ERC-1155 tell it alike.
		a.Standard, a.units = ERC721, number(l.Data[:word])
	default:
		return allowance{}, false
	}
	return a, true
}

// list reads the ABI-encoded uint256[] that the n-th word of data points at; nothing where it is cut, or longer than is read.
func list(data []byte, n int) []*big.Int {
	if len(data) < (n+1)*word {
		return nil
	}
	offset := number(data[n*word : (n+1)*word])
	if !offset.IsUint64() || offset.Uint64() > uint64(len(data)-word) {
		return nil
	}
	rest := data[offset.Uint64():]
	length := number(rest[:word])
	rest = rest[word:]
	if !length.IsUint64() || length.Uint64() > uint64(min(len(rest)/word, itemsPerLog)) {
		return nil
	}
	items := make([]*big.Int, length.Uint64())
	for i := range items {
		items[i] = number(rest[i*word : (i+1)*word])
	}
	return items
}

func address(topic node.Hash) (a evm.Address) {
	copy(a[:], topic[word-len(a):])
	return a
}

func number(b []byte) *big.Int { return new(big.Int).SetBytes(b) }
