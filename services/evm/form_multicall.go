package evm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/chainclient"
)

// Multicall3 is where the contract of that name lives on nearly every chain.
var Multicall3 = MustAddress("0xcA11bde05977b3631167028862bE2a173976CA11")

// zkSyncMulticall3 is where ZKsync Era, whose addresses come about in another way, has it.
var zkSyncMulticall3 = MustAddress("0xF9cda624FBC7e059355ce98a31693d299FACd963")

var (
	aggregate3   = Selector("aggregate3((address,bool,bytes)[])")
	getBalance   = Selector("getEthBalance(address)")
	getTimestamp = Selector("getCurrentBlockTimestamp()")
)

// multicall asks the Multicall3 contract. It gives its targets no share of the gas but all that is left, so that one that burns
// gas makes those after it fail: whoever failed is asked again alone.
type multicall struct{ at Address }

func (multicall) name() string { return "Multicall3" }
func (multicall) limit() int   { return programTargets }

func (m multicall) ask(ctx context.Context, send chainclient.Transport, block string, queries []Query) ([]Answer, time.Time, error) {
	input := m.encode(queries)
	raw, err := send.Call(ctx, "eth_call", map[string]string{"to": m.at.String(), "data": hexutil.Encode(input)}, block)
	if ranOutOfGas(err) {
		return m.askHalf(ctx, send, block, queries)
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	out, err := chainclient.DecodeBytes(raw)
	if err != nil {
		return nil, time.Time{}, err
	}
	answers, at, err := m.decode(queries, out)
	if err != nil {
		return nil, time.Time{}, err
	}
	return answers, at, askFailedAgain(ctx, send, block, queries, answers)
}

// askHalf asks only the first half, and the last one alone, when targets that burn gas left too little for the whole.
func (m multicall) askHalf(ctx context.Context, send chainclient.Transport, block string, queries []Query) ([]Answer, time.Time, error) {
	half := slice(queries, 0, count(queries)/2)
	if len(half) == 0 {
		return rpcBatch{}.ask(ctx, send, block, queries)
	}
	return m.ask(ctx, send, block, half)
}

func ranOutOfGas(err error) bool {
	var node *chainclient.NodeError
	return errors.As(err, &node) && node.Executed()
}

// askFailedAgain replaces the failed answers by those of calls that each have gas of their own.
func askFailedAgain(ctx context.Context, send chainclient.Transport, block string, queries []Query, answers []Answer) error {
	var again []Query
	var places []int
	place := 0
	for _, q := range queries {
		for _, t := range q.Targets {
			if !answers[place].OK {
				again = append(again, Query{Call: q.Call, Keep: q.Keep, Targets: []Address{t}})
				places = append(places, place)
			}
			place++
		}
	}
	for len(again) > 0 {
		n := min(len(again), rpcBatch{}.limit())
		sure, _, err := rpcBatch{}.ask(ctx, send, block, again[:n])
		if err != nil {
			return err
		}
		for i, a := range sure {
			answers[places[i]] = a
		}
		again, places = again[n:], places[n:]
	}
	return nil
}

// encode writes aggregate3((address target, bool allowFailure, bytes callData)[]); the first call asks for the block's time.
func (m multicall) encode(queries []Query) []byte {
	calls := [][]byte{tuple(m.at, getTimestamp)}
	for _, q := range queries {
		for _, t := range q.Targets {
			if len(q.Call) == 0 {
				calls = append(calls, tuple(m.at, append(getBalance[:4:4], Word(t)...)))
				continue
			}
			calls = append(calls, tuple(t, q.Call))
		}
	}
	b := append([]byte{}, aggregate3...)
	b = append(b, word(wordSize)...)
	b = append(b, word(len(calls))...)
	at := len(calls) * wordSize
	for _, c := range calls {
		b = append(b, word(at)...)
		at += len(c)
	}
	for _, c := range calls {
		b = append(b, c...)
	}
	return b
}

// tuple writes one Call3 with allowFailure set.
func tuple(target Address, data []byte) []byte {
	b := Word(target)
	b = append(b, word(1)...)
	b = append(b, word(3*wordSize)...)
	b = append(b, word(len(data))...)
	b = append(b, data...)
	if rest := len(data) % wordSize; rest != 0 {
		b = append(b, make([]byte, wordSize-rest)...)
	}
	return b
}

func word(n int) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, wordSize-8, wordSize), uint64(n))
}

var errAggregate = errors.New("the node's answer is not Multicall3's output")

// decode reads (bool success, bytes returnData)[].
func (multicall) decode(queries []Query, out []byte) ([]Answer, time.Time, error) {
	results, err := wordsAt(out, 0, 1)
	if err != nil {
		return nil, time.Time{}, err
	}
	asked := count(queries) + 1
	if n, err := wordsAt(out, results, 1); err != nil || n != asked {
		return nil, time.Time{}, fmt.Errorf("%w: %d answers to %d calls", errAggregate, n, asked)
	}
	array := results + wordSize
	clock, err := resultAt(out, array, 0)
	if err != nil {
		return nil, time.Time{}, err
	}
	if !clock.OK || len(clock.Data) != wordSize {
		return nil, time.Time{}, fmt.Errorf("%w: no block time", errAggregate)
	}
	seconds, ok := wordUint64(clock.Data)
	if !ok || seconds > maxTime {
		return nil, time.Time{}, fmt.Errorf("%w: no block time", errAggregate)
	}
	var answers []Answer
	for _, q := range queries {
		for range q.Targets {
			a, err := resultAt(out, array, len(answers)+1)
			if err != nil {
				return nil, time.Time{}, err
			}
			if a.OK {
				a = q.kept(a.Data)
			}
			answers = append(answers, a)
		}
	}
	return answers, time.Unix(int64(seconds), 0), nil
}

// resultAt reads the i-th tuple of the array whose offsets begin at array.
func resultAt(out []byte, array, i int) (Answer, error) {
	offset, err := wordsAt(out, array+i*wordSize, 1)
	if err != nil {
		return Answer{}, err
	}
	at := array + offset
	success, err := wordsAt(out, at, 2)
	if err != nil {
		return Answer{}, err
	}
	tail, err := wordsAt(out, at+wordSize, 1)
	if err != nil {
		return Answer{}, err
	}
	length, err := wordsAt(out, at+tail, 1)
	if err != nil {
		return Answer{}, err
	}
	from := at + tail + wordSize
	if success > 1 || length > len(out)-from {
		return Answer{}, fmt.Errorf("%w: a result of %d bytes", errAggregate, length)
	}
	if success == 0 {
		return Answer{}, nil
	}
	return Answer{OK: true, Data: out[from : from+length : from+length]}, nil
}

// wordsAt reads the small number in the word at offset, which must have room for words words.
func wordsAt(out []byte, offset, words int) (int, error) {
	if offset < 0 || offset > len(out)-words*wordSize {
		return 0, fmt.Errorf("%w: it ends early", errAggregate)
	}
	n, ok := wordUint64(out[offset : offset+wordSize])
	if !ok || n > uint64(len(out)) {
		return 0, fmt.Errorf("%w: an offset out of bounds", errAggregate)
	}
	return int(n), nil
}
