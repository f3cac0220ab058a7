package primary

import (
	"context"
	"errors"
	"fmt"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/ens"
)

// Why nobody knows whether an account has a name.
var (
	// ErrUnavailable: no node of the chain could be asked.
	ErrUnavailable = errors.New("no node of the name service's chain answers")
	// ErrResolver: what was asked is no universal resolver.
	ErrResolver = errors.New("the universal resolver does not answer as one")
)

// ether is Ethereum's coin type (ENSIP-9).
const ether = 60

// Name is how an account wants to be shown.
type Name struct {
	// Name is empty where the account has none that counts.
	Name string
	// Avatar is the name's text of that key (ENSIP-12), as somebody wrote it; empty where it has none.
	Avatar string
}

// Read asks the universal resolver, through a chain's nodes, for an account's name and avatar. An account without a name, with one that does
// not lead back to it, or with one that cannot be shown safely, has an empty one. It fails with [ErrUnavailable] or [ErrResolver], and returns
// what it knows by then: a name whose avatar could not be asked for is still the account's.
func Read(ctx context.Context, send evm.Transport, resolver, account evm.Address) (Name, error) {
	answer, err := call(ctx, send, resolver, reverseCall(account))
	if err != nil || answer == nil {
		return Name{}, err
	}
	text, ok := arguments(answer).bytes()
	if !ok {
		return Name{}, ErrResolver
	}
	if !plain(string(text)) {
		return Name{}, nil
	}
	found := Name{Name: string(text)}
	found.Avatar, err = readAvatar(ctx, send, resolver, found.Name)
	return found, err
}

func readAvatar(ctx context.Context, send evm.Transport, resolver evm.Address, name string) (string, error) {
	answer, err := call(ctx, send, resolver, avatarCall(name))
	if err != nil || answer == nil {
		return "", err
	}
	record, ok := arguments(answer).bytes()
	if !ok {
		return "", ErrResolver
	}
	// What a name's own resolver says badly is said of that name only.
	text, _ := arguments(record).bytes()
	return string(text), nil
}

// call returns nil where the contract reverts: it does so for whatever has no answer.
func call(ctx context.Context, send evm.Transport, resolver evm.Address, data []byte) ([]byte, error) {
	transaction := map[string]string{"to": resolver.String(), "data": evm.Hex(data)}
	results, err := evm.Ask(ctx, send, evm.Question{Method: "eth_call", Params: []any{transaction, "latest"}})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if _, reverted := results[0].Executed(); reverted {
		return nil, nil
	}
	answer, err := results[0].Bytes()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if len(answer) == 0 {
		return nil, ErrResolver
	}
	return answer, nil
}

// reverseCall spells `reverse(bytes account, uint256 coinType)`, which returns the name first.
func reverseCall(account evm.Address) []byte {
	data := append(evm.Selector("reverse(bytes,uint256)"), number(2*wordSize)...)
	data = append(data, number(ether)...)
	return append(data, tail(account[:])...)
}

// avatarCall spells `resolve(bytes name, bytes data)`, which returns first what `text(bytes32 node, string key)` does.
func avatarCall(name string) []byte {
	node := nodeOf(name)
	text := append(evm.Selector("text(bytes32,string)"), node[:]...)
	text = append(text, number(2*wordSize)...)
	text = append(text, tail([]byte("avatar"))...)

	named, wanted := tail(dns(name)), tail(text)
	data := append(evm.Selector("resolve(bytes,bytes)"), number(2*wordSize)...)
	data = append(data, number(2*wordSize+len(named))...)
	data = append(data, named...)
	return append(data, wanted...)
}

// tail spells what has any length, without the place that a record has before it.
func tail(b []byte) []byte { return ens.BytesRecord(b)[wordSize:] }
