// Package delegation encodes, hashes and uses delegations of the Delegation Framework 1.3.0 (ERC-7710). A delegation
// permits another account to act on behalf of an account, within caveats that contracts enforce.
package delegation

import (
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// ErrContext is returned for a context that is not one delegation.
var ErrContext = errors.New("the context is not the encoding of one delegation")

// root is the authority of a delegation that is not derived from another one.
var root = [32]byte(common.MaxHash)

// Caveat is a limit of a delegation.
type Caveat struct {
	// Enforcer is the contract that enforces the limit.
	Enforcer evm.Address
	// Terms are part of what the account signed, in the encoding of the enforcer.
	Terms []byte
	// Args are added by the user of the delegation. They are not signed.
	Args []byte
}

// Delegation permits Delegate to act on behalf of Delegator.
type Delegation struct {
	Delegate, Delegator evm.Address
	Caveats             []Caveat
	Salt                *big.Int
	// Signature is the Delegator's signature of [Delegation.SigningHash].
	Signature []byte
}

const (
	caveatType     = "Caveat(address enforcer,bytes terms)"
	delegationType = "Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)" + caveatType
	domainType     = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
)

var (
	contextTypes    = calldata.Types("((address,address,bytes32,(address,bytes,bytes)[],uint256,bytes)[])")
	caveatTypes     = calldata.Types("(bytes32,address,bytes32)")
	delegationTypes = calldata.Types("(bytes32,address,address,bytes32,bytes32,uint256)")
	domainTypes     = calldata.Types("(bytes32,bytes32,bytes32,uint256,address)")
)

// Hash returns the hash by which the DelegationManager identifies the delegation. It does not depend on the chain.
func (d Delegation) Hash() common.Hash {
	var caveats []byte
	for _, c := range d.Caveats {
		caveats = append(caveats, crypto.Keccak256(caveatTypes.Write(hashOf(caveatType), c.Enforcer, word(c.Terms)))...)
	}
	return crypto.Keccak256Hash(delegationTypes.Write(hashOf(delegationType), d.Delegate, d.Delegator, root, word(caveats), d.Salt))
}

// SigningHash returns the hash that the delegator signs (EIP-712).
func (d Delegation) SigningHash(manager evm.Address, chainID *big.Int) common.Hash {
	return typedHash("DelegationManager", manager, chainID, d.Hash())
}

// Context returns the ABI encoding of a list that contains only the delegation.
func (d Delegation) Context() []byte {
	caveats := make([]any, len(d.Caveats))
	for i, c := range d.Caveats {
		caveats[i] = []any{c.Enforcer, c.Terms, c.Args}
	}
	return contextTypes.Write([]any{[]any{d.Delegate, d.Delegator, root, caveats, d.Salt, d.Signature}})
}

// Parse returns the delegation of a context. It fails with [ErrContext] for anything that is not the encoding of one delegation without parents.
func Parse(context []byte) (Delegation, error) {
	v, ok := contextTypes.Read(context)
	if !ok || v.At(0).Len() != 1 {
		return Delegation{}, ErrContext
	}
	v = v.At(0).At(0)
	if v.At(2).Word() != root {
		return Delegation{}, ErrContext
	}
	d := Delegation{Delegate: v.At(0).Address(), Delegator: v.At(1).Address(), Salt: v.At(4).Int(), Signature: v.At(5).Bytes()}
	for i := range v.At(3).Len() {
		c := v.At(3).At(i)
		d.Caveats = append(d.Caveats, Caveat{c.At(0).Address(), c.At(1).Bytes(), c.At(2).Bytes()})
	}
	return d, nil
}

// typedHash returns the EIP-712 hash of a struct in the domain of a contract of the framework.
func typedHash(name string, contract evm.Address, chainID *big.Int, structHash [32]byte) common.Hash {
	separator := domainTypes.Write(hashOf(domainType), hashOf(name), hashOf("1"), chainID, contract)
	return crypto.Keccak256Hash([]byte{0x19, 0x01}, crypto.Keccak256(separator), structHash[:])
}

func hashOf(text string) [32]byte { return word([]byte(text)) }

func word(data []byte) [32]byte { return [32]byte(crypto.Keccak256(data)) }
