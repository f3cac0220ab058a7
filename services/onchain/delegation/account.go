package delegation

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/proxy"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

var (
	initialize     = calldata.Parse("initialize(address[],uint256)")
	deploy         = calldata.Parse("deploy(bytes,bytes32)")
	redeem         = calldata.Parse("redeemDelegations(bytes[],bytes32[],bytes[])")
	operationTypes = calldata.Types("(bytes32,address,uint256,bytes32,bytes32,bytes32,uint256,bytes32,bytes32,address)")
)

const operationType = "PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas," +
	"bytes32 gasFees,bytes paymasterAndData,address entryPoint)"

// Account is a MultiSigDeleGator that needs the signatures of all its owners. It is deployed by its first user operation.
type Account struct {
	// Factory is SimpleFactory, and Implementation MultiSigDeleGator.
	Factory, Implementation evm.Address
	// Owners are one or two accounts of keys.
	Owners []evm.Address
}

// initCode returns the creation code of the account's proxy.
func (a Account) initCode() []byte {
	owners := slices.Clone(a.Owners)
	slices.SortFunc(owners, evm.Address.Cmp)
	return proxy.Creation(a.Implementation, initialize.Write(owners, len(owners)))
}

// FactoryData returns the call of the factory that deploys the account.
func (a Account) FactoryData() []byte { return deploy.Write(a.initCode(), [32]byte{}) }

// Address returns the address of the account, deployed or not.
func (a Account) Address() evm.Address {
	return crypto.CreateAddress2(a.Factory, [32]byte{}, crypto.Keccak256(a.initCode()))
}

// SigningHash returns the hash of a user operation that the owners of the account sign without a prefix (EIP-712).
func SigningHash(o *userop.Operation, chainID *big.Int) common.Hash {
	inner := operationTypes.Write(hashOf(operationType), o.Sender, o.Nonce.ToBig(), word(o.InitCode()), word(o.CallData), o.GasLimits(),
		o.PreVerificationGas.ToBig(), o.GasFees(), word(o.PaymasterAndData()), userop.EntryPoint07)
	return typedHash("MultiSigDeleGator", o.Sender, chainID, crypto.Keccak256Hash(inner))
}

// Signer returns the account whose key signed a hash without a prefix, and false if the signature is not one of a key
// with s in the lower half (EIP-2).
func Signer(hash common.Hash, signature []byte) (evm.Address, bool) {
	if len(signature) != crypto.SignatureLength {
		return evm.Address{}, false
	}
	rsv := slices.Clone(signature)
	if v := &rsv[crypto.RecoveryIDOffset]; *v >= 27 {
		*v -= 27
	}
	r, s := new(big.Int).SetBytes(rsv[:32]), new(big.Int).SetBytes(rsv[32:64])
	if !crypto.ValidateSignatureValues(rsv[crypto.RecoveryIDOffset], r, s, true) {
		return evm.Address{}, false
	}
	key, err := crypto.SigToPub(hash[:], rsv)
	if err != nil {
		return evm.Address{}, false
	}
	return crypto.PubkeyToAddress(*key), true
}

// Signature returns a signature of a key in the form that contracts expect: with the recovery id 27 or 28.
func Signature(signature []byte) []byte {
	signature = slices.Clone(signature)
	if v := &signature[crypto.RecoveryIDOffset]; *v < 27 {
		*v += 27
	}
	return signature
}

// CoSign returns the signatures of a hash by two owners in the order that the account expects, by address. other is the
// signature of the other owner.
func CoSign(key account.Key, hash common.Hash, other evm.Address, signature []byte) []byte {
	own, signature := Signature(key.Sign(hash)), Signature(signature)
	if key.Address().Cmp(other) < 0 {
		return append(own, signature...)
	}
	return append(signature, own...)
}

// Call is one call on behalf of the delegator.
type Call struct {
	To    evm.Address
	Value *big.Int
	Data  []byte
}

// Use is a call and the delegation that allows it.
type Use struct {
	Delegation Delegation
	Call       Call
}

// Redeem returns the call with which an account makes calls on behalf of the delegators. Either all calls succeed or
// none.
func Redeem(uses []Use) []byte {
	contexts, modes, executions := make([][]byte, len(uses)), make([][32]byte, len(uses)), make([][]byte, len(uses))
	for i, u := range uses {
		contexts[i] = u.Delegation.Context()
		executions[i] = slices.Concat(u.Call.To[:], common.LeftPadBytes(u.Call.Value.Bytes(), 32), u.Call.Data)
	}
	return redeem.Write(contexts, modes, executions)
}

// ErrCall is returned for data that is not a call of [Redeem].
var ErrCall = errors.New("the call is not redeemDelegations with single calls")

// ParseRedeem returns the uses of [Redeem]. It fails with [ErrCall] or [ErrContext].
func ParseRedeem(data []byte) ([]Use, error) {
	v, ok := redeem.Read(data)
	if !ok || v.At(0).Len() == 0 || v.At(0).Len() != v.At(1).Len() || v.At(0).Len() != v.At(2).Len() {
		return nil, ErrCall
	}
	uses := make([]Use, v.At(0).Len())
	for i := range uses {
		execution := v.At(2).At(i).Bytes()
		if v.At(1).At(i).Word() != [32]byte{} || len(execution) < common.AddressLength+32 {
			return nil, ErrCall
		}
		d, err := Parse(v.At(0).At(i).Bytes())
		if err != nil {
			return nil, err
		}
		uses[i] = Use{d, Call{
			To: evm.Address(execution[:20]), Value: new(big.Int).SetBytes(execution[20:52]), Data: bytes.Clone(execution[52:]),
		}}
	}
	// Data that decodes to the same uses but is encoded differently is refused, because the contracts could decode it
	// differently.
	if !bytes.Equal(Redeem(uses), data) {
		return nil, ErrCall
	}
	return uses, nil
}

// PublicKey returns the account of an uncompressed or compressed public key in hex.
func PublicKey(text string) (evm.Address, error) {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err == nil && len(raw) > 65 {
		// AppKit sends the hex encoding of the text of the digits.
		raw, err = hex.DecodeString(strings.TrimPrefix(string(raw), "0x"))
	}
	if err != nil {
		return evm.Address{}, errors.New("the public key is not hex digits")
	}
	if len(raw) == 33 {
		key, err := crypto.DecompressPubkey(raw)
		if err != nil {
			return evm.Address{}, errors.New("the public key is not on the curve secp256k1")
		}
		return crypto.PubkeyToAddress(*key), nil
	}
	key, err := crypto.UnmarshalPubkey(raw)
	if err != nil {
		return evm.Address{}, errors.New("the public key is not on the curve secp256k1")
	}
	return crypto.PubkeyToAddress(*key), nil
}
