package account

import (
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/calldata"
	"github.com/hawser-dev/hawser/services/wallet/factor"
)

var ownerTypes, ownerDomainTypes = calldata.Types("(bytes32,bytes32,address)"), calldata.Types("(bytes32,bytes32,bytes32)")

// OwnerHash returns the hash that the key of an address signs (EIP-712) to prove that the key belongs to the user.
func OwnerHash(user string, address evm.Address) common.Hash {
	domain := ownerDomainTypes.Write(hashOf("EIP712Domain(string name,string version)"), hashOf("Hawser Wallet"), hashOf("1"))
	inner := ownerTypes.Write(hashOf("WalletOwner(string user,address account)"), hashOf(user), address)
	return crypto.Keccak256Hash([]byte{0x19, 0x01}, crypto.Keccak256(domain), crypto.Keccak256(inner))
}

func hashOf(text string) [32]byte { return crypto.Keccak256Hash([]byte(text)) }

// proveOwner marks the account of eip155 as proven by a signature of its key. A wallet with such an account must have
// the signature. It fails with [factor.ErrUnproven], also if there are several such accounts.
func proveOwner(accounts []factor.Account, user, proof string) error {
	isOwn := func(a factor.Account) bool { return a.Namespace == "eip155" }
	at := slices.IndexFunc(accounts, isOwn)
	if at < 0 {
		return nil
	}
	address, err := evm.ParseAddress(accounts[at].Address)
	if err != nil || slices.ContainsFunc(accounts[at+1:], isOwn) {
		return factor.ErrUnproven
	}
	signature, err := hexutil.Decode(proof)
	if err != nil || !signed(OwnerHash(user, address), signature, address) {
		return factor.ErrUnproven
	}
	accounts[at].Proven = true
	return nil
}

// signed reports whether the key of an address signed a hash, with s in the lower half (EIP-2).
func signed(hash common.Hash, signature []byte, address evm.Address) bool {
	if len(signature) != crypto.SignatureLength {
		return false
	}
	if v := &signature[crypto.RecoveryIDOffset]; *v >= 27 {
		*v -= 27
	}
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:64])
	if !crypto.ValidateSignatureValues(signature[crypto.RecoveryIDOffset], r, s, true) {
		return false
	}
	key, err := crypto.SigToPub(hash[:], signature)
	return err == nil && crypto.PubkeyToAddress(*key) == address
}
