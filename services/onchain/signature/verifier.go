package signature

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// MaxSize bounds a signature, in bytes: with the validator, it must stay below the limit of init code (EIP-3860).
	MaxSize = 32 << 10
	// callTimeout bounds one call of a contract.
	callTimeout = 5 * time.Second
	// callGas bounds the gas of a verification, including the deployment of the account.
	callGas = 10_000_000
)

// Errors of a verification.
var (
	// ErrMalformed: the bytes are not a signature.
	ErrMalformed = errors.New("the signature is none")
	// ErrWrong: the account did not sign the text.
	ErrWrong = errors.New("the account did not sign this text")
	// ErrUnavailable: no node of the chain answers.
	ErrUnavailable = errors.New("no node of the chain answers")
)

// Kind is the way in which an account signed.
type Kind string

const (
	// Key means that the account's own key signed, which is the same on every chain.
	Key Kind = "key"
	// Contract means that the account's contract on the requested chain verified the signature.
	Contract Kind = "contract"
)

//go:embed validator.hex
var validatorHex string

// validator is init code with the arguments account, hash and signature. It returns one byte: whether the signature is
// valid.
var validator = mustHex(strings.TrimSpace(validatorHex))

// Verifier verifies signatures.
type Verifier struct {
	connect func(chainID string) chainclient.Transport
}

// Parse parses a signature: 0x and hex digits. It fails with [ErrMalformed].
func Parse(text string) ([]byte, error) {
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok || len(digits) > 2*MaxSize {
		return nil, ErrMalformed
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, ErrMalformed
	}
	return b, nil
}

// NewVerifier returns a verifier that sends requests to nodes of a CAIP-2 chain through connect. Because a contract's
// answer authorizes changes, connect should require that several nodes agree.
func NewVerifier(connect func(chainID string) chainclient.Transport) *Verifier {
	return &Verifier{connect: connect}
}

// Verify returns how the account signed the text. It fails with [ErrMalformed], [ErrWrong], or, if the chain is needed
// and does not answer, [ErrUnavailable]. If the chain id is empty, only the account's key is verified.
func (v *Verifier) Verify(ctx context.Context, chainID string, account evm.Address, message, signature []byte) (Kind, error) {
	return v.VerifyHash(ctx, chainID, account, [32]byte(accounts.TextHash(message)), signature) // ERC-191, version 0x45
}

// VerifyHash is [Verifier.Verify] for a hash, such as that of typed data (EIP-712).
func (v *Verifier) VerifyHash(ctx context.Context, chainID string, account evm.Address, hash [32]byte, signature []byte) (Kind, error) {
	if len(signature) == 0 || len(signature) > MaxSize {
		return "", ErrMalformed
	}
	if signer, low, ok := recovered(hash, signature); ok && signer == account {
		if !low {
			return "", fmt.Errorf("%w: s is in the upper half", ErrMalformed)
		}
		return Key, nil
	}
	if chainID == "" {
		return "", ErrWrong
	}
	if err := v.callValidator(ctx, chainID, account, hash, signature); err != nil {
		return "", err
	}
	return Contract, nil
}

func (v *Verifier) callValidator(ctx context.Context, chainID string, account evm.Address, hash [32]byte, signature []byte) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	call := map[string]string{"data": hexutil.Encode(validatorCall(account, hash, signature)), "gas": fmt.Sprintf("0x%x", callGas)}
	results, err := v.connect(chainID).Batch(ctx, chainclient.Call{Method: "eth_call", Params: []any{call, "latest"}})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if _, failed := results[0].Executed(); failed {
		return fmt.Errorf("%w: the contract failed", ErrWrong)
	}
	answer, err := results[0].Bytes()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if !bytes.Equal(answer, []byte{1}) {
		return ErrWrong
	}
	return nil
}

// validatorCall returns the validator with its arguments (address, bytes32, bytes).
func validatorCall(account evm.Address, hash [32]byte, signature []byte) []byte {
	const word, signatureAt = 32, 3 * 32
	data := append(bytes.Clone(validator), evm.Word(account)...)
	data = append(data, hash[:]...)
	data = append(data, number(signatureAt)...)
	data = append(data, number(len(signature))...)
	data = append(data, signature...)
	return append(data, make([]byte, (word-len(signature)%word)%word)...)
}

// number encodes one word of call data.
func number(n int) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 24, 32), uint64(n))
}

func mustHex(text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

// recovered returns the account whose key made the signature, and whether s is in the lower half of the curve's order. Anyone can compute the same
// signature with s in the upper half (EIP-2). ok is false if it is not the signature of a key.
func recovered(hash [32]byte, signature []byte) (signer evm.Address, low, ok bool) {
	if len(signature) != crypto.SignatureLength {
		return signer, false, false
	}
	rsv := append([]byte{}, signature...)
	v := &rsv[crypto.RecoveryIDOffset]
	if *v >= 27 {
		*v -= 27
	}
	if *v > 1 {
		return signer, false, false
	}
	key, err := crypto.SigToPub(hash[:], rsv)
	if err != nil {
		return signer, false, false
	}
	r, s := new(big.Int).SetBytes(rsv[:32]), new(big.Int).SetBytes(rsv[32:64])
	return crypto.PubkeyToAddress(*key), crypto.ValidateSignatureValues(*v, r, s, true), true
}
