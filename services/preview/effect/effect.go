// Package effect determines the effects of calls on an account: from the events of a simulation, and from the calls
// themselves.
package effect

import (
	"maps"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

// Kind is the standard of an asset.
type Kind int

// The standards of assets.
const (
	Native Kind = iota + 1
	ERC20
	ERC721
	ERC1155
)

// Asset identifies a token. Contract is the zero address for the native token; ID is nil for fungible tokens, and for all tokens of a contract.
type Asset struct {
	Kind     Kind
	Contract evm.Address
	ID       *big.Int
}

// Same reports whether two assets are the same.
func (a Asset) Same(b Asset) bool {
	return a.Kind == b.Kind && a.Contract == b.Contract && (a.ID == nil) == (b.ID == nil) && (a.ID == nil || a.ID.Cmp(b.ID) == 0)
}

// Change is an amount that moves, in base units.
type Change struct {
	Asset    Asset
	Outgoing bool
	Amount   *big.Int
	Other    evm.Address
}

// Approval is a right to take tokens. Amount is nil if it has no limit, and for all tokens of a contract; Expires is in seconds since 1970, 0 for
// never. Permit2 is set if the right is one of Permit2, which is not the token's own; Once if it is for one transfer of the whole amount.
type Approval struct {
	Asset   Asset
	Spender evm.Address
	Amount  *big.Int
	Expires int64
	Revoked bool
	Permit2 bool
	Once    bool
}

// Control is a change of who controls a contract.
type Control struct {
	Contract evm.Address
	// To is the new owner or the new code.
	To evm.Address
	// Upgrade reports whether the code changes, not the owner.
	Upgrade bool
}

// RightKind says what a right allows.
type RightKind int

const (
	// Acts lets another account do all that the account can do at a contract, such as withdraw.
	Acts RightKind = iota + 1
	// Borrows lets another account make debts of the account.
	Borrows
)

// Right lets another account act at a contract in the name of the account.
type Right struct {
	Kind         RightKind
	Contract, To evm.Address
	Revoked      bool
}

// Effects are the effects of calls on an account.
type Effects struct {
	Changes   []Change
	Approvals []Approval
	Controls  []Control
	Rights    []Right
	// IsCut reports whether some effects are left out, as there are too many.
	IsCut bool
}

// Add adds the effects of a later call. An approval for the same asset and spender replaces the earlier one.
func (e *Effects) Add(later Effects) {
	e.Changes, e.Controls, e.Rights = append(e.Changes, later.Changes...), append(e.Controls, later.Controls...), append(e.Rights, later.Rights...)
	for _, a := range later.Approvals {
		isSame := func(k Approval) bool {
			return k.Asset.Same(a.Asset) && k.Spender == a.Spender && k.Permit2 == a.Permit2
		}
		if i := slices.IndexFunc(e.Approvals, isSame); i >= 0 {
			e.Approvals[i] = a
		} else {
			e.Approvals = append(e.Approvals, a)
		}
	}
}

// unlimited is the least amount that counts as unlimited.
var unlimited = new(big.Int).Lsh(big.NewInt(1), 128)

// Limit returns an amount, or nil if it counts as unlimited.
func Limit(amount *big.Int) *big.Int {
	if amount.Cmp(unlimited) >= 0 {
		return nil
	}
	return amount
}

// limit160 is [Limit] for the 160-bit amounts of Permit2, whose largest value means unlimited.
func limit160(amount *big.Int) *big.Int {
	if amount.BitLen() >= 128 {
		return nil
	}
	return amount
}

func topic(signature string) common.Hash { return crypto.Keccak256Hash([]byte(signature)) }

// Topics of the events that are read.
var (
	transfer         = topic("Transfer(address,address,uint256)")
	transferSingle   = topic("TransferSingle(address,address,address,uint256,uint256)")
	transferBatch    = topic("TransferBatch(address,address,address,uint256[],uint256[])")
	approval         = topic("Approval(address,address,uint256)")
	approvalForAll   = topic("ApprovalForAll(address,address,bool)")
	permit2Approval  = topic("Approval(address,address,address,uint160,uint48)")
	ownershipChanged = topic("OwnershipTransferred(address,address)")
	upgraded         = topic("Upgraded(address)")

	singleData  = calldata.Types("(uint256,uint256)")
	batchData   = calldata.Types("(uint256[],uint256[])")
	amountData  = calldata.Types("(uint256)")
	permit2Data = calldata.Types("(uint160,uint48)")
)

// Of returns the effects on an account according to the logs of a simulation. Approvals that a later log replaces are
// left out.
func Of(account evm.Address, logs []chainclient.LogJSON) Effects {
	collected := newCollector()
	for _, l := range logs {
		if len(l.Topics) > 0 {
			collected.read(account, l)
		}
	}
	return collected.Effects
}

// collector collects effects. Contracts can log so many changes that a search through them for each takes too long.
type collector struct {
	Effects

	// at are the places of the changes, and approved those of the approvals.
	at       map[movement]int
	approved map[grant]int
}

// grant identifies an approval by its asset, with the spender as the other account.
type grant struct {
	of        movement
	isPermit2 bool
}

// movement identifies a change. Its id is empty for fungible tokens; otherwise it is # and the hex digits.
type movement struct {
	kind            Kind
	contract, other evm.Address
	outgoing        bool
	id              string
}

func movementOf(c Change) movement {
	m := movement{kind: c.Asset.Kind, contract: c.Asset.Contract, other: c.Other, outgoing: c.Outgoing}
	if c.Asset.ID != nil {
		m.id = "#" + c.Asset.ID.Text(16)
	}
	return m
}

func newCollector() *collector {
	return &collector{at: map[movement]int{}, approved: map[grant]int{}}
}

func (e *collector) read(account evm.Address, l chainclient.LogJSON) {
	party := func(i int) evm.Address { return evm.Address(l.Topics[i][12:]) }
	switch n := len(l.Topics); {
	case l.Topics[0] == transfer && n == 3:
		if v, ok := amountData.Read(l.Data); ok {
			asset := Asset{Kind: ERC20, Contract: l.Contract}
			if l.Contract == simulation.NativeToken {
				asset = Asset{Kind: Native}
			}
			e.move(account, asset, party(1), party(2), v.At(0).Int())
		}
	case l.Topics[0] == transfer && n == 4:
		e.move(account, Asset{ERC721, l.Contract, l.Topics[3].Big()}, party(1), party(2), big.NewInt(1))
	case l.Topics[0] == transferSingle && n == 4:
		if v, ok := singleData.Read(l.Data); ok {
			e.move(account, Asset{ERC1155, l.Contract, v.At(0).Int()}, party(2), party(3), v.At(1).Int())
		}
	case l.Topics[0] == transferBatch && n == 4:
		if v, ok := batchData.Read(l.Data); ok && v.At(0).Len() == v.At(1).Len() {
			for i := range v.At(0).Len() {
				e.move(account, Asset{ERC1155, l.Contract, v.At(0).At(i).Int()}, party(2), party(3), v.At(1).At(i).Int())
			}
		}
	case l.Topics[0] == approval && n == 3 && party(1) == account:
		if v, ok := amountData.Read(l.Data); ok {
			e.allow(Approval{Asset: Asset{Kind: ERC20, Contract: l.Contract}, Spender: party(2), Amount: Limit(v.At(0).Int()), Revoked: v.At(0).Int().Sign() == 0})
		}
	case l.Topics[0] == approval && n == 4 && party(1) == account:
		e.allow(Approval{Asset: Asset{ERC721, l.Contract, l.Topics[3].Big()}, Spender: party(2), Amount: big.NewInt(1)})
	case l.Topics[0] == approvalForAll && n == 3 && party(1) == account:
		if v, ok := amountData.Read(l.Data); ok {
			e.allow(Approval{Asset: Asset{Kind: ERC721, Contract: l.Contract}, Spender: party(2), Revoked: v.At(0).Int().Sign() == 0})
		}
	case l.Topics[0] == permit2Approval && n == 4 && party(1) == account:
		if v, ok := permit2Data.Read(l.Data); ok {
			e.allow(Approval{
				Asset: Asset{Kind: ERC20, Contract: party(2)}, Spender: party(3), Amount: limit160(v.At(0).Int()), Expires: v.At(1).Int().Int64(),
				Revoked: v.At(0).Int().Sign() == 0, Permit2: true,
			})
		}
	case l.Topics[0] == ownershipChanged && n == 3 && party(1) == account:
		e.Controls = append(e.Controls, Control{Contract: l.Contract, To: party(2)})
	case l.Topics[0] == upgraded && n == 2:
		e.Controls = append(e.Controls, Control{Contract: l.Contract, To: party(1), Upgrade: true})
	}
}

// move adds an amount to the change of the same asset, direction and other account.
func (e *collector) move(account evm.Address, asset Asset, from, to evm.Address, amount *big.Int) {
	if from == to || amount.Sign() == 0 || from != account && to != account {
		return
	}
	c := Change{Asset: asset, Outgoing: from == account, Amount: amount, Other: from}
	if c.Outgoing {
		c.Other = to
	}
	m := movementOf(c)
	if i, ok := e.at[m]; ok {
		e.Changes[i].Amount = new(big.Int).Add(e.Changes[i].Amount, amount)
		return
	}
	e.at[m] = len(e.Changes)
	e.Changes = append(e.Changes, c)
}

// allow adds an approval in place of an earlier one for the same asset and spender. The zero address, by which the approval of a token with an id ends, is no spender.
func (e *collector) allow(a Approval) {
	if a.Spender == (evm.Address{}) {
		return
	}
	key := grant{movementOf(Change{Asset: a.Asset, Other: a.Spender}), a.Permit2}
	if i, ok := e.approved[key]; ok {
		e.Approvals[i] = a
		return
	}
	e.approved[key] = len(e.Approvals)
	e.Approvals = append(e.Approvals, a)
}

// Complete adds what the arguments of the calls state and no event shows: not every token has events.
func (e *Effects) Complete(stated Effects) {
	for _, c := range stated.Controls {
		if !slices.ContainsFunc(e.Controls, func(k Control) bool { return k.Contract == c.Contract && k.Upgrade == c.Upgrade }) {
			e.Controls = append(e.Controls, c)
		}
	}
	for _, a := range stated.Approvals {
		isSame := func(k Approval) bool {
			return k.Asset.Contract == a.Asset.Contract && k.Spender == a.Spender && k.Permit2 == a.Permit2
		}
		// The arguments alone do not say whether an amount is one or an id.
		if !slices.ContainsFunc(e.Approvals, isSame) {
			e.Approvals = append(e.Approvals, a)
		}
	}
	e.Rights = append(e.Rights, stated.Rights...)
}

// rounding is the tolerated difference, in base units, between the balances of rebasing tokens and their events.
const rounding = 2

// Correct corrects the changes of fungible tokens by the balances, because a token's events may be wrong. moved is the
// increase of each balance. A change whose other account is not known has the zero address.
func (e *Effects) Correct(moved map[evm.Address]*big.Int) {
	for _, token := range slices.SortedFunc(maps.Keys(moved), evm.Address.Cmp) {
		e.correct(token, moved[token])
	}
}

func (e *Effects) correct(token evm.Address, moved *big.Int) {
	said := new(big.Int)
	var of []int
	for i, c := range e.Changes {
		switch {
		case c.Asset.Contract != token || c.Asset.Kind == Native:
			continue
		case c.Asset.Kind != ERC20:
			return
		case c.Outgoing:
			said.Sub(said, c.Amount)
		default:
			said.Add(said, c.Amount)
		}
		of = append(of, i)
	}
	difference := new(big.Int).Sub(moved, said)
	if difference.CmpAbs(big.NewInt(rounding)) <= 0 {
		return
	}
	if moved.Sign() == 0 {
		e.Changes = slices.DeleteFunc(e.Changes, func(c Change) bool { return c.Asset.Kind == ERC20 && c.Asset.Contract == token })
		return
	}
	if len(of) == 1 && e.Changes[of[0]].Outgoing == (moved.Sign() < 0) {
		e.Changes[of[0]].Amount = new(big.Int).Abs(moved)
		return
	}
	e.Changes = append(e.Changes, Change{
		Asset: Asset{Kind: ERC20, Contract: token}, Outgoing: difference.Sign() < 0, Amount: new(big.Int).Abs(difference),
	})
}
