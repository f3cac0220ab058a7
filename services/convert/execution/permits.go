package execution

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/holiman/uint256"
	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/evm"
)

// ErrNoPermit says that a token takes no signed approvals, or not as EIP-2612 has them.
var ErrNoPermit = errors.New("the token takes no permits")

var (
	domainType = evm.Keccak([]byte("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"))
	permitType = evm.Keccak([]byte("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"))
)

// permitsLifetime is how long it is known whether a token takes permits: proxies change.
const permitsLifetime = time.Hour

// Permits writes what an owner signs in place of an approval (EIP-2612). It is safe for concurrent use.
type Permits struct {
	connect func(chainID string) evm.Transport
	known   *otter.Cache[permitKey, *domain]
}

type permitKey struct {
	chainID string
	token   evm.Address
}

// domain is what a token's signatures are bound to (EIP-712).
type domain struct {
	name, version string
	chainID       uint64
	token         evm.Address
}

// NewPermits returns a writer that reaches the nodes of a CAIP-2 chain through connect.
func NewPermits(connect func(chainID string) evm.Transport) *Permits {
	return &Permits{connect: connect, known: otter.Must(&otter.Options[permitKey, *domain]{
		MaximumSize: knownTokens, ExpiryCalculator: otter.ExpiryWriting[permitKey, *domain](permitsLifetime),
	})}
}

// Supported says whether a token of the chain with a CAIP-2 id takes permits.
func (p *Permits) Supported(ctx context.Context, chainID string, token evm.Address) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	d, err := p.domain(ctx, chainID, token)
	return d != nil, err
}

// TypedData is the permit for a spender to take an amount in base units until a deadline, as JSON for eth_signTypedData_v4. It fails with
// ErrNoPermit for a token that takes none.
func (p *Permits) TypedData(ctx context.Context, chainID string, token, owner, spender evm.Address, amount *uint256.Int, deadline time.Time) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	d, err := p.domain(ctx, chainID, token)
	if err != nil {
		return "", err
	}
	if d == nil {
		return "", ErrNoPermit
	}
	nonce := transaction{To: token.String(), Data: evm.Hex(encodeCall("nonces(address)", address(owner)))}
	results, err := evm.Ask(ctx, p.connect(chainID), callAt(nonce, 0, nil))
	if err != nil {
		return "", err
	}
	used, err := word(results[0])
	if err != nil {
		return "", err
	}
	return d.typedData(owner, spender, amount, used, deadline)
}

// domain reads what a token's signatures are bound to; nil for one that takes no permits.
func (p *Permits) domain(ctx context.Context, chainID string, token evm.Address) (*domain, error) {
	if token == evm.Native {
		return nil, nil
	}
	key := permitKey{chainID, token}
	if d, ok := p.known.GetIfPresent(key); ok {
		return d, nil
	}
	_, reference, _ := strings.Cut(chainID, ":")
	number, err := strconv.ParseUint(reference, 10, 64)
	if err != nil {
		return nil, err
	}
	d, err := readDomain(ctx, p.connect(chainID), number, token)
	if err == nil {
		p.known.Set(key, d)
	}
	return d, err
}

// readDomain takes a token by its word: the separator that it tells must be that of its name, and of the version that it tells or one in use.
// Tokens that tell another type of permit, as Dai does, are none of EIP-2612.
func readDomain(ctx context.Context, send evm.Transport, chainID uint64, token evm.Address) (*domain, error) {
	var questions []evm.Question
	for _, signature := range []string{"DOMAIN_SEPARATOR()", "name()", "version()", "PERMIT_TYPEHASH()", "nonces(address)"} {
		data := encodeCall(signature)
		if signature == "nonces(address)" {
			data = encodeCall(signature, address(token))
		}
		questions = append(questions, callAt(transaction{To: token.String(), Data: evm.Hex(data)}, 0, nil))
	}
	results, err := evm.Ask(ctx, send, questions...)
	if err != nil {
		return nil, err
	}
	separator, err := word(results[0])
	if err != nil {
		return nil, refusal(results[0])
	}
	if _, err := word(results[4]); err != nil {
		return nil, refusal(results[4])
	}
	if kind, err := word(results[3]); err == nil && kind.Bytes32() != permitType {
		return nil, nil
	}
	name, _ := results[1].Bytes()
	version, _ := results[2].Bytes()
	for _, version := range []string{text(version), "1", "2"} {
		d := &domain{name: text(name), version: version, chainID: chainID, token: token}
		if d.separator() == separator.Bytes32() {
			return d, nil
		}
	}
	return nil, nil
}

// refusal is nothing when a contract failed, or answered with less than a word; a node's own failure is an error.
func refusal(r evm.Result) error {
	if _, failed := r.Executed(); failed {
		return nil
	}
	return r.Err()
}

// text is an ABI-encoded string, to the letter.
func text(data []byte) string { return string(evm.Answer{OK: true, Data: data}.Bytes()) }

func (d *domain) separator() [32]byte {
	return evm.Keccak(tuple(
		fixed(domainType), fixed(evm.Keccak([]byte(d.name))), fixed(evm.Keccak([]byte(d.version))), integer(d.chainID), address(d.token),
	).encoded)
}

// field is one member of a struct of EIP-712.
type field struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

func (d *domain) typedData(owner, spender evm.Address, amount, nonce *uint256.Int, deadline time.Time) (string, error) {
	data, err := json.Marshal(map[string]any{
		"types": map[string][]field{
			"EIP712Domain": {{"name", "string"}, {"version", "string"}, {"chainId", "uint256"}, {"verifyingContract", "address"}},
			"Permit":       {{"owner", "address"}, {"spender", "address"}, {"value", "uint256"}, {"nonce", "uint256"}, {"deadline", "uint256"}},
		},
		"primaryType": "Permit",
		"domain":      map[string]any{"name": d.name, "version": d.version, "chainId": d.chainID, "verifyingContract": d.token.String()},
		"message": map[string]string{
			"owner": owner.String(), "spender": spender.String(), "value": amount.Dec(), "nonce": nonce.Dec(),
			"deadline": strconv.FormatInt(deadline.Unix(), 10),
		},
	})
	return string(data), err
}
