package classifier

import (
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	word = common.HashLength
	// itemsPerLog bounds the tokens of one TransferBatch.
	itemsPerLog = 256
)

// nativeLogs is the address that transfers of the native token are logged at on chains with EIP-7708.
var nativeLogs = common.HexToAddress("0xfffffffffffffffffffffffffffffffffffffffe")

// move is a transfer of an asset as a log states it.
type move struct {
	index.Asset
	from, to evm.Address
	units    *big.Int
}

// equal reports whether both move the same units of an asset between the same accounts.
func (m move) equal(other move) bool {
	return m.Asset == other.Asset && m.from == other.from && m.to == other.to && m.units.Cmp(other.units) == 0
}

// allowance is an approval as a log states it.
type allowance struct {
	index.Asset
	kind           index.ApprovalKind
	owner, spender evm.Address
	units          *big.Int
	// position is that of the log in its transaction.
	position int
}

// approval returns the allowance as the store keeps it.
func (a allowance) approval() index.Approval {
	approval := index.Approval{Kind: a.kind, Contract: a.Contract, Spender: a.spender, TokenID: a.TokenID, Units: a.units, Position: uint64(a.position)}
	if a.kind == index.NFTApproval && a.spender == (evm.Address{}) {
		approval.Units = new(big.Int)
	}
	return approval
}

// moves returns the transfers of a log; none if it is another event, or does not have the form of its standard.
func moves(l node.Log) []move {
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

// parties returns the sender and the recipient of a token's log; false if it is another event.
func parties(l node.Log) (from, to evm.Address, ok bool) {
	if len(l.Topics) < 3 {
		return from, to, false
	}
	switch l.Topics[0] {
	case node.Transfer:
		return address(l.Topics[1]), address(l.Topics[2]), true
	case node.TransferSingle, node.TransferBatch:
		if len(l.Topics) == 4 {
			return address(l.Topics[2]), address(l.Topics[3]), true
		}
	}
	return from, to, false
}

// isNativeMove reports whether a log at nativeLogs has the form of EIP-7708, which is that of ERC-20.
func isNativeMove(l node.Log) bool {
	return len(l.Topics) == 3 && l.Topics[0] == node.Transfer && len(l.Data) == word
}

// tokenMove distinguishes ERC-20 and ERC-721, which share the event Transfer: the token id of ERC-721 is a topic.
func tokenMove(l node.Log) []move {
	switch {
	case l.Contract == nativeLogs && !isNativeMove(l):
		return nil
	case l.Contract == nativeLogs:
		return []move{{index.Asset{Standard: index.Native}, address(l.Topics[1]), address(l.Topics[2]), number(l.Data)}}
	case len(l.Topics) == 3 && len(l.Data) >= word:
		asset := index.Asset{Standard: index.ERC20, Contract: l.Contract}
		return []move{{asset, address(l.Topics[1]), address(l.Topics[2]), number(l.Data[:word])}}
	case len(l.Topics) == 4:
		asset := index.Asset{Standard: index.ERC721, Contract: l.Contract, TokenID: l.Topics[3].Big().String()}
		return []move{{asset, address(l.Topics[1]), address(l.Topics[2]), big.NewInt(1)}}
	default:
		return nil
	}
}

func singleMove(l node.Log) []move {
	if len(l.Topics) != 4 || len(l.Data) < 2*word {
		return nil
	}
	asset := index.Asset{Standard: index.ERC1155, Contract: l.Contract, TokenID: number(l.Data[:word]).String()}
	return []move{{asset, address(l.Topics[2]), address(l.Topics[3]), number(l.Data[word : 2*word])}}
}

// batchData is the data of TransferBatch: token ids, and the units of each.
var batchData = func() abi.Arguments {
	numbers, err := abi.NewType("uint256[]", "", nil)
	if err != nil {
		panic(err)
	}
	return abi.Arguments{{Type: numbers}, {Type: numbers}}
}()

func batchMoves(l node.Log) []move {
	if len(l.Topics) != 4 || !isShort(l.Data, 0) || !isShort(l.Data, 1) {
		return nil
	}
	values, err := batchData.Unpack(l.Data)
	if err != nil {
		return nil
	}
	ids, _ := values[0].([]*big.Int)
	units, _ := values[1].([]*big.Int)
	if len(ids) != len(units) {
		return nil
	}
	moves := make([]move, len(ids))
	for i, id := range ids {
		asset := index.Asset{Standard: index.ERC1155, Contract: l.Contract, TokenID: id.String()}
		moves[i] = move{asset, address(l.Topics[2]), address(l.Topics[3]), units[i]}
	}
	return moves
}

// isShort reports whether the array at a position of the arguments has at most itemsPerLog items. It reads the length only.
func isShort(data []byte, position uint64) bool {
	offset, ok := size(data, position*word)
	if !ok {
		return false
	}
	items, ok := size(data, offset)
	return ok && items <= itemsPerLog
}

// size reads the number at an offset of data; false if it is outside, or larger than data.
func size(data []byte, offset uint64) (uint64, bool) {
	all := uint64(len(data))
	if all < word || offset > all-word {
		return 0, false
	}
	n := number(data[offset : offset+word])
	return n.Uint64(), n.IsUint64() && n.Uint64() <= all
}

// approver returns the account that an approval is of; false if the log is another event.
func approver(l node.Log) (evm.Address, bool) {
	if len(l.Topics) < 2 {
		return evm.Address{}, false
	}
	switch l.Topics[0] {
	case node.Approval, node.ApprovalForAll:
		return address(l.Topics[1]), len(l.Topics) >= 3
	case node.Permit2Approval, node.Permit2Permit, node.Permit2Lockdown:
		return address(l.Topics[1]), l.Contract == contracts.Permit2
	default:
		return evm.Address{}, false
	}
}

// allowanceOf returns the approval of a log, and false if it is another event.
func allowanceOf(l node.Log) (allowance, bool) {
	owner, ok := approver(l)
	if !ok {
		return allowance{}, false
	}
	switch l.Topics[0] {
	case node.Permit2Approval, node.Permit2Permit, node.Permit2Lockdown:
		return permit2Allowance(owner, l)
	}
	a := allowance{Asset: index.Asset{Contract: l.Contract}, owner: owner, spender: address(l.Topics[2])}
	switch {
	case l.Topics[0] == node.Approval && len(l.Topics) == 3 && len(l.Data) >= word:
		a.kind, a.Standard, a.units = index.AllowanceApproval, index.ERC20, number(l.Data[:word])
	case l.Topics[0] == node.Approval && len(l.Topics) == 4:
		a.kind, a.Standard, a.units, a.TokenID = index.NFTApproval, index.ERC721, big.NewInt(1), l.Topics[3].Big().String()
	case l.Topics[0] == node.ApprovalForAll && len(l.Topics) == 3 && len(l.Data) >= word:
		// An approval of all tokens has no token id. ERC-721 and ERC-1155 share the event.
		a.kind, a.Standard, a.units = index.OperatorApproval, index.ERC721, number(l.Data[:word])
	default:
		return allowance{}, false
	}
	return a, true
}

// permit2Allowance returns the allowance of a token that a log of Permit2 states: what was approved or signed for, or none after a lockdown.
func permit2Allowance(owner evm.Address, l node.Log) (allowance, bool) {
	a := allowance{kind: index.Permit2Approval, Asset: index.Asset{Standard: index.ERC20}, owner: owner}
	addressAt := func(i int) evm.Address { return evm.Address(l.Data[(i+1)*word-common.AddressLength : (i+1)*word]) }
	isLockdown := l.Topics[0] == node.Permit2Lockdown
	switch {
	case isLockdown && len(l.Topics) == 2 && len(l.Data) >= 2*word:
		a.Contract, a.spender, a.units = addressAt(0), addressAt(1), new(big.Int)
	case !isLockdown && len(l.Topics) == 4 && len(l.Data) >= word:
		a.Contract, a.spender, a.units = address(l.Topics[2]), address(l.Topics[3]), number(l.Data[:word])
	default:
		return allowance{}, false
	}
	return a, true
}

func address(topic node.Hash) evm.Address { return evm.Address(topic[word-common.AddressLength:]) }

func number(b []byte) *big.Int { return new(big.Int).SetBytes(b) }
