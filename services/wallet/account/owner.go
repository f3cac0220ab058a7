package account

import (
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/wallet/factor"
)

var (
	domainTypes = calldata.Types("(bytes32,bytes32,bytes32)")
	ownerTypes  = calldata.Types("(bytes32,bytes32,address)")
	changeTypes = calldata.Types("(bytes32,bytes32,address,bytes32,bytes32,uint64)")
)

// OwnerHash returns the hash that the key of an address signs (EIP-712) to prove that the key belongs to the user.
// origin is that of the wallet's pages: a proof for another installation is not accepted.
func OwnerHash(origin, user string, address evm.Address) common.Hash {
	return typedHash(origin, ownerTypes.Write(hashOf("WalletOwner(string user,address account)"), hashOf(user), address))
}

// Change is a change that the key of a wallet signs.
type Change struct {
	// Call is the name of the call, and Subject what it is about, as the proto describes.
	Call, Subject string
	// Deadline is the Unix time in seconds until which the signature is valid.
	Deadline int64
}

// Hash returns the hash that the key of an address signs (EIP-712) to prove that its user makes the change. origin is that
// of the wallet's pages.
func (c Change) Hash(origin, user string, address evm.Address) common.Hash {
	const kind = "WalletOwner(string user,address account,string change,string subject,uint64 deadline)"
	return typedHash(origin, changeTypes.Write(hashOf(kind), hashOf(user), address, hashOf(c.Call), hashOf(c.Subject), uint64(c.Deadline)))
}

func typedHash(origin string, inner []byte) common.Hash {
	domain := domainTypes.Write(hashOf("EIP712Domain(string name,string version)"), hashOf("Hawser Wallet at "+origin), hashOf("1"))
	return crypto.Keccak256Hash([]byte{0x19, 0x01}, crypto.Keccak256(domain), crypto.Keccak256(inner))
}

func hashOf(text string) [32]byte { return crypto.Keccak256Hash([]byte(text)) }

// proveOwner marks the account of eip155 as proven by a signature of its key. A wallet with such an account must have
// the signature. It fails with [factor.ErrUnproven], also if there are several such accounts.
func proveOwner(accounts []factor.Account, origin, user, proof string) error {
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
	if err != nil || !signed(OwnerHash(origin, user, address), signature, address) {
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
