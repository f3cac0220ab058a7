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

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/abi"
	"github.com/hawser-dev/hawser/services/names/ens"
)

// maxName is how long a name may be, in bytes, as DNS has it.
const maxName = 253

var plainForm = regexp.MustCompile(`^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$`)

// Plain reports whether a name is normal (ENSIP-15) and cannot pass for another: it has lower-case letters of ASCII, digits and hyphens only,
// and no label of which the third and fourth are hyphens, as those have that stand for other scripts.
func Plain(name string) bool {
	return len(name) <= maxName && plainForm.MatchString(name) && !slices.ContainsFunc(strings.Split(name, "."), isEncoded)
}

func isEncoded(label string) bool { return len(label) >= 4 && label[2:4] == "--" }

// dns spells a plain name as DNS does: each label after its length, and a zero at the end.
func dns(name string) (spelled []byte) {
	for label := range strings.SplitSeq(name, ".") {
		spelled = append(append(spelled, byte(len(label))), label...)
	}
	return append(spelled, 0)
}

// Why nobody knows what a name says.
var (
	// ErrUnavailable: no node of the chain could be asked.
	ErrUnavailable = errors.New("no node of the name service's chain answers")
	// ErrResolver: what was asked is no universal resolver.
	ErrResolver = errors.New("the universal resolver does not answer as one")
	// ErrGateway: a server that knows of the name did not say it.
	ErrGateway = errors.New("a server that the name's resolver sends its callers to does not answer")
)

// Ether is Ethereum's coin type (ENSIP-9).
const Ether = 60

// Universal is the universal resolver of a chain.
type Universal struct {
	// Chain reaches the chain's nodes.
	Chain chainclient.Transport
	// Address is the contract's.
	Address evm.Address
	// Gateways ask the servers that resolvers send their callers to.
	Gateways Gateways
}

// PrimaryName is the name that an account says it has and that leads back to it, on Ethereum; empty where there is none, or none that can be
// shown safely. It fails with [ErrUnavailable], [ErrResolver] or [ErrGateway].
func (r Universal) PrimaryName(ctx context.Context, account evm.Address) (string, error) {
	results, err := r.call(ctx, abi.Call("reverse(bytes,uint256)", abi.Bytes(account[:]), abi.Number(Ether)))
	if err != nil || results == nil {
		return "", err
	}
	name, ok := results.Bytes(0)
	if !ok {
		return "", ErrResolver
	}
	if !Plain(string(name)) {
		return "", nil
	}
	return string(name), nil
}

// Text is what a name says under a key (ENSIP-5); empty where it says nothing. It fails as PrimaryName does.
func (r Universal) Text(ctx context.Context, name, key string) (string, error) {
	record, err := r.resolve(ctx, name, abi.Call("text(bytes32,string)", abi.Word(ens.Node(name)), abi.Bytes([]byte(key))))
	// What a name's own resolver says badly is said of that name only.
	text, _ := record.Bytes(0)
	return string(text), err
}

// LeadsTo is the account that a plain name leads to for a coin type of an EVM chain (ENSIP-9, ENSIP-11); false where it leads to none. It fails
// as PrimaryName does.
func (r Universal) LeadsTo(ctx context.Context, name string, coinType uint32) (account evm.Address, ok bool, err error) {
	if coinType == Ether {
		record, err := r.resolve(ctx, name, abi.Call("addr(bytes32)", abi.Word(ens.Node(name))))
		word, _ := record.Word(0)
		account = evm.Address(word[len(word)-len(account):])
		return account, account != evm.Address{}, err
	}
	record, err := r.resolve(ctx, name, abi.Call("addr(bytes32,uint256)", abi.Word(ens.Node(name)), abi.BigNumber(big.NewInt(int64(coinType)))))
	spelled, _ := record.Bytes(0)
	if len(spelled) != len(account) {
		return account, false, err
	}
	account = evm.Address(spelled)
	return account, account != evm.Address{}, err
}

// resolve is what a name's resolver returns; nil where it returns nothing.
func (r Universal) resolve(ctx context.Context, name string, data []byte) (abi.Values, error) {
	results, err := r.call(ctx, abi.Call("resolve(bytes,bytes)", abi.Bytes(dns(name)), abi.Bytes(data)))
	if err != nil || results == nil {
		return nil, err
	}
	record, ok := results.Bytes(0)
	if !ok {
		return nil, ErrResolver
	}
	return record, nil
}

// call follows the contract wherever it sends its callers. It returns nil where the contract reverts in the end, as it does for whatever has no
// answer, and where the server that it sends us to knows none.
func (r Universal) call(ctx context.Context, data []byte) (abi.Values, error) {
	asked := lookups{gateways: r.Gateways, left: maxLookups, batches: maxLookups}
	for range maxLookups + 1 {
		returned, reverted, err := r.execute(ctx, data)
		if err != nil {
			return nil, err
		}
		if !reverted {
			return returned, nil
		}
		wish, ok := readRedirect(returned)
		if !ok {
			return nil, asked.failed
		}
		if wish.sender != r.Address {
			return nil, ErrResolver
		}
		response, err := asked.request(ctx, wish.lookup)
		if isAbsent(err) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		data = wish.callback(response)
	}
	return nil, fmt.Errorf("%w: it sends its callers around without end", ErrGateway)
}

// execute runs a call on the chain, and returns what it returned, or what it reverted with.
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
