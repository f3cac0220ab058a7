package execution

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
)

// ErrNoPermit is returned for a token that does not support permits of EIP-2612.
var ErrNoPermit = errors.New("the token takes no permits")

var permitType = [32]byte((&apitypes.TypedData{Types: permitTypes}).TypeHash("Permit"))

// permitsLifetime is how long it is cached whether a token supports permits, because proxies can be upgraded.
const permitsLifetime = time.Hour

// Permits builds the typed data of permits (EIP-2612). It is safe for concurrent use.
type Permits struct {
	connect func(chainID string) chainclient.Transport
	reader  *evm.Reader
	known   *cache.Cache[permitKey, *domain]
}

type permitKey struct {
	chainID string
	token   evm.Address
}

// domain is the domain of a token's signatures (EIP-712).
type domain struct {
	name, version string
	chainID       uint64
	token         evm.Address
}

// NewPermits returns a builder that reaches the nodes of a CAIP-2 chain through connect.
func NewPermits(connect func(chainID string) chainclient.Transport) *Permits {
	return &Permits{connect: connect, reader: evm.NewReader(connect), known: cache.New(cache.Options[permitKey, *domain]{
		MaxEntries: knownTokens, Lifetime: permitsLifetime,
	})}
}

// Among reports which tokens of the chain with a CAIP-2 id support permits. A token that cannot be read now is reported
// as not supporting them.
func (p *Permits) Among(ctx context.Context, chainID string, tokens []evm.Address) map[evm.Address]bool {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	domains, _ := p.domains(ctx, chainID, tokens)
	taken := make(map[evm.Address]bool, len(domains))
	for token, d := range domains {
		taken[token] = d != nil
	}
	return taken
}

// TypedData returns the permit for a spender to take an amount in base units until a deadline, as JSON for
// eth_signTypedData_v4. It fails with [ErrNoPermit] for a token that does not support them.
func (p *Permits) TypedData(ctx context.Context, chainID string, token, owner, spender evm.Address, amount *uint256.Int, deadline time.Time) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	domains, err := p.domains(ctx, chainID, []evm.Address{token})
	if err != nil {
		return "", err
	}
	d := domains[token]
	if d == nil {
		return "", ErrNoPermit
	}
	nonce := transaction{To: token.String(), Data: hexutil.Encode(encodeCall("nonces(address)", owner))}
	results, err := p.connect(chainID).Batch(ctx, callAt(nonce, 0, nil))
	if err != nil {
		return "", err
	}
	used, err := word(results[0])
	if err != nil {
		return "", err
	}
	return d.typedData(owner, spender, amount, used, deadline)
}

// domains returns the domains of tokens; nil for a token that does not support permits. With an error it returns the
// cached domains.
func (p *Permits) domains(ctx context.Context, chainID string, tokens []evm.Address) (map[evm.Address]*domain, error) {
	all := make(map[evm.Address]*domain, len(tokens))
	var unknown []evm.Address
	for _, token := range tokens {
		if d, ok := p.known.Get(permitKey{chainID, token}); ok {
			all[token] = d
		} else if token != evm.Native {
			unknown = append(unknown, token)
		}
	}
	if len(unknown) == 0 {
		return all, nil
	}
	number, err := chainNumber(chainID)
	if err != nil {
		return all, err
	}
	reading, err := p.reader.Read(ctx, chainID, domainQueries(unknown))
	if err != nil {
		return all, err
	}
	for i, token := range unknown {
		all[token] = domainOf(token, number, reading.Answers, i)
		p.known.Set(permitKey{chainID, token}, all[token])
	}
	return all, nil
}

// chainNumber returns the number of an EVM chain with a CAIP-2 id.
func chainNumber(chainID string) (uint64, error) {
	_, reference, _ := strings.Cut(chainID, ":")
	return strconv.ParseUint(reference, 10, 64)
}

// Indexes of the queries of domainQueries.
const (
	separatorAnswer = iota
	nameAnswer
	versionAnswer
	typeAnswer
	nonceAnswer
)

// nameLimit bounds a token's name and version, in bytes of the contract's answer.
const nameLimit = 512

func domainQueries(tokens []evm.Address) []evm.Query {
	zeroAddress := evm.Address{}
	return []evm.Query{
		separatorAnswer: {Call: encodeCall("DOMAIN_SEPARATOR()"), Keep: wordSize, Targets: tokens},
		nameAnswer:      {Call: encodeCall("name()"), Keep: nameLimit, Targets: tokens},
		versionAnswer:   {Call: encodeCall("version()"), Keep: nameLimit, Targets: tokens},
		typeAnswer:      {Call: encodeCall("PERMIT_TYPEHASH()"), Keep: wordSize, Targets: tokens},
		nonceAnswer:     {Call: encodeCall("nonces(address)", zeroAddress), Keep: wordSize, Targets: tokens},
	}
}

// domainOf returns the domain whose separator is the token's: with its name, and its version or a common one. It returns nil for tokens with another type of
// permit, such as Dai.
func domainOf(token evm.Address, chainID uint64, answers [][]evm.Answer, i int) *domain {
	separator, kind, nonce := answers[separatorAnswer][i], answers[typeAnswer][i], answers[nonceAnswer][i]
	if len(separator.Data) != wordSize || len(nonce.Data) != wordSize || len(kind.Data) == wordSize && [wordSize]byte(kind.Data) != permitType {
		return nil
	}
	name := string(answers[nameAnswer][i].Bytes())
	for _, version := range []string{string(answers[versionAnswer][i].Bytes()), "1", "2"} {
		d := &domain{name: name, version: version, chainID: chainID, token: token}
		if hash, err := d.separator(); err == nil && bytes.Equal(hash, separator.Data) {
			return d
		}
	}
	return nil
}

// separator returns the hash of the domain (EIP-712).
func (d *domain) separator() ([]byte, error) {
	chainID := new(big.Int).SetUint64(d.chainID)
	data := apitypes.TypedData{Types: permitTypes, Domain: apitypes.TypedDataDomain{ChainId: (*math.HexOrDecimal256)(chainID)}}
	return data.HashStruct("EIP712Domain", apitypes.TypedDataMessage{
		"name": d.name, "version": d.version, "chainId": chainID, "verifyingContract": d.token.String(),
	})
}

// permitTypes are the structs of a permit (EIP-2612).
var permitTypes = apitypes.Types{
	"EIP712Domain": {{Name: "name", Type: "string"}, {Name: "version", Type: "string"}, {Name: "chainId", Type: "uint256"}, {Name: "verifyingContract", Type: "address"}},
	"Permit": {
		{Name: "owner", Type: "address"}, {Name: "spender", Type: "address"}, {Name: "value", Type: "uint256"}, {Name: "nonce", Type: "uint256"},
		{Name: "deadline", Type: "uint256"},
	},
}

func (d *domain) typedData(owner, spender evm.Address, amount, nonce *uint256.Int, deadline time.Time) (string, error) {
	data, err := json.Marshal(map[string]any{
		"types":       permitTypes,
		"primaryType": "Permit",
		"domain":      map[string]any{"name": d.name, "version": d.version, "chainId": d.chainID, "verifyingContract": d.token.String()},
		"message": map[string]string{
			"owner": owner.String(), "spender": spender.String(), "value": amount.Dec(), "nonce": nonce.Dec(),
			"deadline": strconv.FormatInt(deadline.Unix(), 10),
		},
	})
	return string(data), err
}
