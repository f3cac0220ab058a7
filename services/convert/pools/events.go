package pools

import (
	"errors"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// The events that change the state of pools or create them.
var (
	syncTopic = topic("Sync(uint112,uint112)")
	swapTopic = topic("Swap(address,address,int256,int256,uint160,uint128,int24)")
	// pancakeSwapTopic is Swap followed by the protocol's fees.
	pancakeSwapTopic = topic("Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)")
	mintTopic        = topic("Mint(address,address,int24,int24,uint128,uint256,uint256)")
	burnTopic        = topic("Burn(address,int24,int24,uint128,uint256,uint256)")
	initializeTopic  = topic("Initialize(uint160,int24)")
	pairTopic        = topic("PairCreated(address,address,address,uint256)")
	poolTopic        = topic("PoolCreated(address,address,uint24,int24,address)")
	algebraPoolTopic = topic("Pool(address,address,address)")
)

// everyTopic lists the topics of a block's log filter.
var everyTopic = []string{
	syncTopic.String(), swapTopic.String(), pancakeSwapTopic.String(), mintTopic.String(), burnTopic.String(), initializeTopic.String(),
	pairTopic.String(), poolTopic.String(), algebraPoolTopic.String(),
}

// rareTopics are the events whose effect cannot be read from a pool in a word or two.
var rareTopics = []string{mintTopic.String(), burnTopic.String(), initializeTopic.String(), pairTopic.String(), poolTopic.String(), algebraPoolTopic.String()}

// errMisfit is the error of an event that contradicts the state of its pool, which must then be read again.
var errMisfit = errors.New("the event does not fit the pool")

const wordSize = 32

func topic(signature string) hash { return crypto.Keccak256Hash([]byte(signature)) }

// after returns the state of a pool after an event: the same state if the event does not change it.
func after(s state, e event) (state, error) {
	if len(e.topics) == 0 {
		return s, nil
	}
	switch s := s.(type) {
	case *reserves:
		return s.after(e)
	case *position:
		return s.after(e)
	default:
		return nil, errMisfit
	}
}

func (r *reserves) after(e event) (state, error) {
	if e.topics[0] != syncTopic {
		return r, nil
	}
	if len(e.data) != 2*wordSize {
		return nil, errMisfit
	}
	return &reserves{e.word(0), e.word(1)}, nil
}

func (s *position) after(e event) (state, error) {
	switch e.topics[0] {
	case swapTopic, pancakeSwapTopic:
		if len(e.data) < 5*wordSize || s.sqrtPrice.IsZero() {
			return nil, errMisfit
		}
		at := e.word(4)
		return s.swapped(e.word(2), e.word(3), int24(&at)), nil
	case mintTopic:
		if len(e.data) != 4*wordSize {
			return nil, errMisfit
		}
		return s.turned(e, e.word(1), true)
	case burnTopic:
		if len(e.data) != 3*wordSize {
			return nil, errMisfit
		}
		return s.turned(e, e.word(0), false)
	case initializeTopic:
		return nil, errMisfit
	default:
		return s, nil
	}
}

// turned returns the state after an event that names the ends of a position.
func (s *position) turned(e event, amount uint256.Int, added bool) (state, error) {
	if len(e.topics) != 4 || s.sqrtPrice.IsZero() {
		return nil, errMisfit
	}
	if amount.IsZero() {
		return s, nil
	}
	lower, upper := new(uint256.Int).SetBytes32(e.topics[2][:]), new(uint256.Int).SetBytes32(e.topics[3][:])
	next, err := s.moved(int24(lower), int24(upper), &amount, added)
	if err != nil {
		return nil, errors.Join(errMisfit, err)
	}
	return next, nil
}

// created decodes the tokens of a pool that a factory created.
func (e event) created() (pair, bool) {
	if len(e.topics) < 3 || e.topics[0] != pairTopic && e.topics[0] != poolTopic && e.topics[0] != algebraPoolTopic {
		return pair{}, false
	}
	return pairOf(evm.Address(e.topics[1][12:]), evm.Address(e.topics[2][12:])), true
}

// word returns the i-th word of the event's data.
func (e event) word(i int) (w uint256.Int) {
	w.SetBytes32(e.data[i*wordSize : (i+1)*wordSize])
	return w
}

// int24 decodes a tick from a word in two's complement.
func int24(w *uint256.Int) int32 { return int32(uint32(w.Uint64())) }
