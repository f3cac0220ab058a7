package execution

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
)

const (
	// knownTokens bounds how many tokens are cached.
	knownTokens = 10_000
	// unknownLifetime is how long a failed search is cached.
	unknownLifetime = time.Hour
	// guessedSlots is how many storage slots are tried for the mapping: upgradeable tokens leave gaps of 50.
	guessedSlots = 120
	// touchedSlots bounds how many slots of an access list are tried.
	touchedSlots = 24
)

// layout returns the slot that holds an owner's balance.
type layout func(owner evm.Address) slot

// place is a slot of a contract, which may be another than the token.
type place struct {
	contract evm.Address
	slot     slot
}

// storage is the known storage of a token: a layout, or the place of one owner only; neither if the search failed.
type storage struct {
	layout layout
	place  *place
}

type storageKey struct {
	chainID string
	token   evm.Address
	owner   evm.Address // zero where a layout is known
}

// slotFinder finds the storage slots of balances, so that a state override can give an account a balance.
type slotFinder struct {
	known *cache.Cache[storageKey, storage]
}

func newSlotFinder() *slotFinder {
	return &slotFinder{cache.New(cache.Options[storageKey, storage]{
		MaxEntries: knownTokens,
		Lifetime:   unknownLifetime,
	})}
}

// cached returns the cached place of an owner's balance; false if it was not searched.
func (l *slotFinder) cached(chainID string, token, owner evm.Address) (*place, bool) {
	if s, ok := l.known.Get(storageKey{chainID: chainID, token: token}); ok {
		return &place{token, s.layout(owner)}, true
	}
	s, ok := l.known.Get(storageKey{chainID, token, owner})
	return s.place, ok
}

// find searches the place of an owner's balance: first the layouts of compilers, all in one call, then the slots of the access list of balanceOf. A place
// counts only if an override there changes the balance as expected. It returns nil if there is none.
func (l *slotFinder) find(ctx context.Context, send chainclient.Transport, chainID string, token, owner evm.Address, block uint64) (*place, error) {
	found, err := guess(ctx, send, token, owner, block)
	if err != nil {
		return nil, err
	}
	if found != nil {
		l.known.Set(storageKey{chainID: chainID, token: token}, storage{layout: found})
		return &place{token, found(owner)}, nil
	}
	at, err := trace(ctx, send, token, owner, block)
	if err != nil {
		return nil, err
	}
	l.known.Set(storageKey{chainID, token, owner}, storage{place: at})
	return at, nil
}

// layouts returns the layouts of compilers and libraries.
var layouts = knownLayouts()

func knownLayouts() []layout {
	var all []layout
	for n := range uint64(guessedSlots) {
		all = append(all, solidityMapping(wordOf(n)), vyperMapping(wordOf(n)))
	}
	// the mapping of OpenZeppelin's upgradeable tokens since 5.0 (ERC-7201, `openzeppelin.storage.ERC20`)
	namespaced := slot(uint256.MustFromHex("0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00").Bytes32())
	return append(all, solidityMapping(namespaced), soladyBalance)
}

func wordOf(n uint64) slot { return slot(uint256.NewInt(n).Bytes32()) }

func solidityMapping(at slot) layout {
	return func(owner evm.Address) slot { return slot(crypto.Keccak256Hash(append(evm.Word(owner), at[:]...))) }
}

func vyperMapping(at slot) layout {
	return func(owner evm.Address) slot {
		return slot(crypto.Keccak256Hash(append(bytes.Clone(at[:]), evm.Word(owner)...)))
	}
}

// soladyBalance is the slot that Solady's ERC20 hashes without a mapping: the owner, then a seed.
func soladyBalance(owner evm.Address) slot {
	return slot(crypto.Keccak256Hash(append(bytes.Clone(owner[:]), 0, 0, 0, 0, 0, 0, 0, 0, 0x87, 0xa2, 0x11, 0xa2)))
}

// guess overrides the slot of every layout with a different number and reads the balance, which identifies the layout.
func guess(ctx context.Context, send chainclient.Transport, token, owner evm.Address, block uint64) (layout, error) {
	const first = 1 << 40 // no balance by chance
	marks := make(map[string]string, len(layouts))
	for i, l := range layouts {
		marks[l(owner).String()] = wordHex(uint256.NewInt(first + uint64(i)))
	}
	results, err := send.Batch(ctx, balanceWith(token, owner, block, overrides{token.String(): {StateDiff: marks}}))
	if err != nil {
		return nil, err
	}
	balance, ok := balanceOf(results[0])
	if !ok || !balance.IsUint64() || balance.Uint64()-first >= uint64(len(layouts)) {
		return nil, nil
	}
	return layouts[balance.Uint64()-first], nil
}

// trace reads the access list of balanceOf and tries each of its slots.
func trace(ctx context.Context, send chainclient.Transport, token, owner evm.Address, block uint64) (*place, error) {
	call := balanceCall(token, owner)
	results, err := send.Batch(ctx, chainclient.Call{Method: "eth_createAccessList", Params: []any{call, blockTag(block)}})
	if err != nil {
		return nil, err
	}
	places := touched(results[0])
	if len(places) == 0 {
		return nil, nil
	}
	mark, most := uint256.NewInt(1<<40), uint256.NewInt(1<<43) // a token that pays interest returns more than is stored
	questions := make([]chainclient.Call, len(places))
	for i, p := range places {
		questions[i] = balanceWith(token, owner, block, p.holding(mark))
	}
	results, err = send.Batch(ctx, questions...)
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		if balance, ok := balanceOf(r); ok && !balance.Lt(mark) && balance.Lt(most) {
			return &places[i], nil
		}
	}
	return nil, nil
}

// touched decodes an access list; a node without eth_createAccessList gives no places.
func touched(r chainclient.Result) []place {
	raw, err := r.JSON()
	if err != nil {
		return nil
	}
	var answer struct {
		AccessList []struct {
			Address     evm.Address `json:"address"`
			StorageKeys []string    `json:"storageKeys"`
		} `json:"accessList"`
	}
	if json.Unmarshal(raw, &answer) != nil {
		return nil
	}
	var places []place
	for _, entry := range answer.AccessList {
		for _, key := range entry.StorageKeys {
			n := new(uint256.Int)
			if len(places) < touchedSlots && n.UnmarshalText([]byte(trimZeros(key))) == nil {
				places = append(places, place{entry.Address, slot(n.Bytes32())})
			}
		}
	}
	return places
}

// trimZeros returns a word as a quantity.
func trimZeros(word string) string {
	digits := bytes.TrimLeft([]byte(word)[min(2, len(word)):], "0")
	if len(digits) == 0 {
		return "0x0"
	}
	return "0x" + string(digits)
}

// holding returns the overrides that give the place's owner a balance.
func (p place) holding(units *uint256.Int) overrides {
	return overrides{p.contract.String(): {StateDiff: map[string]string{p.slot.String(): wordHex(units)}}}
}

func balanceCall(token, owner evm.Address) transaction {
	return transaction{To: token.String(), Data: hexutil.Encode(encodeCall("balanceOf(address)", owner))}
}

func balanceWith(token, owner evm.Address, block uint64, o overrides) chainclient.Call {
	return callAt(balanceCall(token, owner), block, o)
}

// balanceOf decodes a balance; false if the call failed.
func balanceOf(r chainclient.Result) (*uint256.Int, bool) {
	data, err := r.Bytes()
	if err != nil || len(data) < wordSize {
		return nil, false
	}
	return new(uint256.Int).SetBytes32(data[:wordSize]), true
}
