package evm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
)

// Multicall3 is the address of the contract of that name on nearly every chain.
var Multicall3 = MustAddress("0xcA11bde05977b3631167028862bE2a173976CA11")

// zkSyncMulticall3 is its address on ZKsync, where addresses of contracts are computed differently.
var zkSyncMulticall3 = MustAddress("0xF9cda624FBC7e059355ce98a31693d299FACd963")

// abstractMulticall3 is its address on Abstract, which has the VM of ZKsync.
var abstractMulticall3 = MustAddress("0xAa4De41dba0Ca5dCBb288b7cC6b708F3aaC759E7")

var (
	aggregate3   = Selector("aggregate3((address,bool,bytes)[])")
	getBalance   = Selector("getEthBalance(address)")
	getTimestamp = Selector("getCurrentBlockTimestamp()")
)

// multicall calls the Multicall3 contract. A target may use all remaining gas, which makes later targets fail. Failed
// calls are repeated separately.
//
// It encodes and decodes the ABI itself, because reading balances is a hot path and accounts/abi takes 2 to 3 times as
// long to encode 460 calls, and 3 to 5 times as long to decode their results (BenchmarkMulticall).
type multicall struct{ at Address }

func (multicall) name() string { return "Multicall3" }
func (multicall) limit() int   { return programTargets }

func (m multicall) send(ctx context.Context, t chainclient.Transport, block string, queries []Query) ([]Answer, time.Time, error) {
	input := m.encode(queries)
	raw, err := t.Call(ctx, "eth_call", map[string]string{"to": m.at.String(), "data": hexutil.Encode(input)}, block)
	if ranOutOfGas(err) {
		return m.sendHalf(ctx, t, block, queries)
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
	return answers, at, retryFailed(ctx, t, block, queries, answers)
}

// sendHalf sends the first half only, after some targets used up the gas for the whole. A single target is sent as a batch.
func (m multicall) sendHalf(ctx context.Context, t chainclient.Transport, block string, queries []Query) ([]Answer, time.Time, error) {
	half := slice(queries, 0, count(queries)/2)
	if len(half) == 0 {
		return rpcBatch{}.send(ctx, t, block, queries)
	}
	return m.send(ctx, t, block, half)
}

func ranOutOfGas(err error) bool {
	var node *chainclient.NodeError
	return errors.As(err, &node) && node.Executed()
}

// retryFailed replaces the failed answers by those of separate calls.
func retryFailed(ctx context.Context, t chainclient.Transport, block string, queries []Query, answers []Answer) error {
	var again []Query
	var positions []int
	position := 0
	for _, q := range queries {
		for _, target := range q.Targets {
			if !answers[position].OK {
				again = append(again, Query{Call: q.Call, Keep: q.Keep, Targets: []Address{target}})
				positions = append(positions, position)
			}
			position++
		}
	}
	for len(again) > 0 {
		n := min(len(again), rpcBatch{}.limit())
		separate, _, err := rpcBatch{}.send(ctx, t, block, again[:n])
		if err != nil {
			return err
		}
		for i, a := range separate {
			answers[positions[i]] = a
		}
		again, positions = again[n:], positions[n:]
	}
	return nil
}

// encode writes a call of aggregate3((address target, bool allowFailure, bytes callData)[]). Its first call reads the time of the block.
func (m multicall) encode(queries []Query) []byte {
	calls := [][]byte{tuple(m.at, getTimestamp)}
	for _, q := range queries {
		for _, target := range q.Targets {
			if len(q.Call) == 0 {
				calls = append(calls, tuple(m.at, append(getBalance[:4:4], Word(target)...)))
				continue
			}
			calls = append(calls, tuple(target, q.Call))
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

// errAggregate is returned for a result that is not encoded as Multicall3 does.
var errAggregate = errors.New("the node's answer is not Multicall3's output")

// decode reads (bool success, bytes returnData)[].
func (multicall) decode(queries []Query, out []byte) ([]Answer, time.Time, error) {
	results, err := wordsAt(out, 0, 1)
	if err != nil {
		return nil, time.Time{}, err
	}
	want := count(queries) + 1
	if n, err := wordsAt(out, results, 1); err != nil || n != want {
		return nil, time.Time{}, fmt.Errorf("%w: %d answers to %d calls", errAggregate, n, want)
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

// resultAt reads the i-th tuple of an array whose offsets start at array.
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

// wordsAt reads the small number at offset, which must be followed by at least that many words.
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
