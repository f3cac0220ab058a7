package pools

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hawser-dev/hawser/services/evm"
)

// Permit is how a token's owner signs an approval instead of sending it (ERC-2612): the EIP-712 domain beside chain and contract.
type Permit struct {
	Name, Version string
}

// permitsAtMost bounds how many tokens are remembered; the answer for a token never changes, and is cheap to ask for again.
const permitsAtMost = 10_000

// permitText bounds a name and a version, in bytes of the contract's answer.
const permitText = 512

var (
	separatorCall = evm.Selector("DOMAIN_SEPARATOR()")
	noncesCall    = append(evm.Selector("nonces(address)"), make([]byte, wordSize)...)
	nameCall      = evm.Selector("name()")
	versionCall   = evm.Selector("version()")
	domainType    = evm.Keccak([]byte("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"))
)

// permits remembers which tokens take permits.
type permits struct {
	reader *evm.Reader

	mu    sync.Mutex
	known map[chainToken]*Permit
}

type chainToken struct {
	chainID string
	token   evm.Address
}

func newPermits(reader *evm.Reader) *permits {
	return &permits{reader: reader, known: map[chainToken]*Permit{}}
}

// Permit says whether a token takes permits (ERC-2612), and under which domain; nil when it does not. A token counts when it has nonces and when
// its DOMAIN_SEPARATOR follows from its name, its version or else "1", the chain and its address. The error is for when nobody could
// be asked.
func (k *Keeper) Permit(ctx context.Context, chainID string, token evm.Address) (*Permit, error) {
	if token == evm.Native {
		return nil, nil
	}
	return k.permits.of(ctx, chainID, token)
}

func (p *permits) of(ctx context.Context, chainID string, token evm.Address) (*Permit, error) {
	key := chainToken{chainID, token}
	p.mu.Lock()
	permit, ok := p.known[key]
	p.mu.Unlock()
	if ok {
		return permit, nil
	}
	at := []evm.Address{token}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	reading, err := p.reader.Read(ctx, chainID, []evm.Query{
		{Call: separatorCall, Keep: wordSize, Targets: at},
		{Call: noncesCall, Keep: wordSize, Targets: at},
		{Call: nameCall, Keep: permitText, Targets: at},
		{Call: versionCall, Keep: permitText, Targets: at},
	})
	if err != nil {
		return nil, err
	}
	permit = readPermit(chainID, token, reading.Answers)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) >= permitsAtMost {
		clear(p.known)
	}
	p.known[key] = permit
	return permit, nil
}

func readPermit(chainID string, token evm.Address, answers [][]evm.Answer) *Permit {
	separator, nonces := answers[0][0], answers[1][0]
	name := answers[2][0].Bytes()
	_, counted := nonces.Amount()
	if !separator.OK || len(separator.Data) != wordSize || !counted || name == nil {
		return nil
	}
	for _, version := range []string{string(answers[3][0].Bytes()), "1"} {
		if version != "" && slices.Equal(domainSeparator(chainID, token, string(name), version), separator.Data) {
			return &Permit{Name: string(name), Version: version}
		}
	}
	return nil
}

// domainSeparator is that of EIP-712 for the four fields that ERC-2612 names.
func domainSeparator(chainID string, token evm.Address, name, version string) []byte {
	_, reference, _ := strings.Cut(chainID, ":")
	number, err := strconv.ParseUint(reference, 10, 63)
	if err != nil {
		return nil
	}
	nameHash, versionHash := evm.Keccak([]byte(name)), evm.Keccak([]byte(version))
	id := make([]byte, wordSize)
	for i := range 8 {
		id[wordSize-1-i] = byte(number >> (8 * i))
	}
	hash := evm.Keccak(slices.Concat(domainType[:], nameHash[:], versionHash[:], id, token.Word()))
	return hash[:]
}
