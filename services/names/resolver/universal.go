package resolver

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/ensip15"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// maxName bounds a name, in bytes, as in DNS.
const maxName = 253

var plainForm = regexp.MustCompile(`^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$`)

// Plain reports whether a name is normalized (ENSIP-15) and cannot imitate another name: it has only lower-case ASCII
// letters, digits and hyphens, and no label with hyphens in third and fourth place, which encode other scripts
// (punycode).
func Plain(name string) bool {
	return len(name) <= maxName && plainForm.MatchString(name) && !slices.ContainsFunc(strings.Split(name, "."), isEncoded)
}

func isEncoded(label string) bool { return len(label) >= 4 && label[2:4] == "--" }

// dns encodes a name in DNS wire format: each label preceded by its length in bytes, and a zero at the end. Names have at most maxName bytes, so a length
// fits in a byte.
func dns(name string) (encoded []byte) {
	for label := range strings.SplitSeq(name, ".") {
		encoded = append(append(encoded, byte(len(label))), label...)
	}
	return append(encoded, 0)
}

// Errors of a resolution whose result is unknown.
var (
	// ErrUnavailable: no node of the chain answers.
	ErrUnavailable = errors.New("no node of the name service's chain answers")
	// ErrResolver: the contract is not a universal resolver.
	ErrResolver = errors.New("the universal resolver does not answer as one")
	// ErrGateway: an off-chain server of the name does not answer.
	ErrGateway = errors.New("a server that the name's resolver sends its callers to does not answer")
)

// Ether is Ethereum's coin type (ENSIP-9).
const Ether = 60

// Universal is the universal resolver contract of a chain.
type Universal struct {
	// Chain sends requests to the chain's nodes.
	Chain chainclient.Transport
	// Address is the address of the contract.
	Address evm.Address
	// Gateways sends off-chain lookups.
	Gateways Gateways
}

// PrimaryName returns the primary name of an account on Ethereum, which resolves back to it. It returns an empty name if the account has no primary name, or
// one that is not in its normal form (ENSIP-15). It fails with [ErrUnavailable], [ErrResolver] or [ErrGateway].
func (r Universal) PrimaryName(ctx context.Context, account evm.Address) (string, error) {
	results, err := r.call(ctx, calldata.Parse("reverse(bytes,uint256)").Write(account[:], Ether))
	if err != nil || results == nil {
		return "", err
	}
	name, ok := results.Bytes(0)
	if !ok {
		return "", ErrResolver
	}
	if text := string(name); Plain(text) || strings.Contains(text, ".") && ensip15.IsNormal(text) {
		return text, nil
	}
	return "", nil
}

// Text returns a text record (ENSIP-5); empty if there is none. It returns the errors of PrimaryName.
func (r Universal) Text(ctx context.Context, name, key string) (string, error) {
	record, err := r.resolve(ctx, name, calldata.Parse("text(bytes32,string)").Write(ens.Node(name), []byte(key)))
	// A malformed record of a name's own resolver counts as none.
	text, _ := record.Bytes(0)
	return string(text), err
}

// AddressOf returns the address of a name in its normal form for the coin type of an EVM chain (ENSIP-9, ENSIP-11); false if it has
// none. It returns the errors of PrimaryName.
func (r Universal) AddressOf(ctx context.Context, name string, coinType uint32) (account evm.Address, ok bool, err error) {
	if coinType == Ether {
		record, err := r.resolve(ctx, name, calldata.Parse("addr(bytes32)").Write(ens.Node(name)))
		word, _ := record.Word(0)
		account = evm.Address(word[len(word)-len(account):])
		return account, account != evm.Address{}, err
	}
	record, err := r.resolve(ctx, name, calldata.Parse("addr(bytes32,uint256)").Write(ens.Node(name), big.NewInt(int64(coinType))))
	encoded, _ := record.Bytes(0)
	if len(encoded) != len(account) {
		return account, false, err
	}
	account = evm.Address(encoded)
	return account, account != evm.Address{}, err
}

// resolve returns the result of the name's resolver; nil if it returns nothing.
func (r Universal) resolve(ctx context.Context, name string, data []byte) (calldata.View, error) {
	results, err := r.call(ctx, calldata.Parse("resolve(bytes,bytes)").Write(dns(name), data))
	if err != nil || results == nil {
		return nil, err
	}
	record, ok := results.Bytes(0)
	if !ok {
		return nil, ErrResolver
	}
	return record, nil
}

// call calls the contract and follows its off-chain lookups. It returns nil if the contract finally reverts, which
// means that there is no record, or if a server answers that there is none.
func (r Universal) call(ctx context.Context, data []byte) (calldata.View, error) {
	lookup := lookups{gateways: r.Gateways, left: maxLookups, batches: maxLookups}
	for range maxLookups + 1 {
		returned, reverted, err := r.execute(ctx, data)
		if err != nil {
			return nil, err
		}
		if !reverted {
			return returned, nil
		}
		redirect, ok := readRedirect(returned)
		if !ok {
			return nil, lookup.failed
		}
		if redirect.sender != r.Address {
			return nil, ErrResolver
		}
		response, err := lookup.request(ctx, redirect.lookup)
		if isAbsent(err) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		data = redirect.callback(response)
	}
	return nil, fmt.Errorf("%w: it sends its callers around without end", ErrGateway)
}

// execute runs a call on the chain. It returns the returned data, or the revert data.
func (r Universal) execute(ctx context.Context, data []byte) (returned []byte, reverted bool, err error) {
	transaction := map[string]string{"to": r.Address.String(), "data": hexutil.Encode(data)}
	results, err := r.Chain.Batch(ctx, chainclient.Call{Method: "eth_call", Params: []any{transaction, "latest"}})
	if err != nil {
		return nil, false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if why, reverted := results[0].Executed(); reverted {
		return why, true, nil
	}
	returned, err = results[0].Bytes()
	if err != nil {
		return nil, false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if len(returned) == 0 {
		return nil, false, ErrResolver
	}
	return returned, false, nil
}
