// Package userop encodes and hashes user operations (ERC-4337) for EntryPoint v0.7 and v0.8.
package userop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// EntryPoints have the same address on every chain.
var (
	EntryPoint07 = evm.MustAddress("0x0000000071727De22E5E9d8BAf0edAc6f37da032")
	EntryPoint08 = evm.MustAddress("0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108")
)

// maxData bounds each data member of an operation, in bytes.
const maxData = 128 << 10

// ErrInvalid is returned for an operation whose members are malformed or too large.
var ErrInvalid = errors.New("invalid user operation")

// Quantity is a JSON-RPC QUANTITY; leading zeros, an empty string, null and an absent member are accepted. The zero value is 0.
type Quantity struct{ uint256.Int }

// NewQuantity returns n as a quantity.
func NewQuantity(n uint64) Quantity { return Quantity{*uint256.NewInt(n)} }

// UnmarshalJSON parses 0x and up to 64 hex digits.
func (q *Quantity) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return fmt.Errorf("%w: a quantity is not a string", ErrInvalid)
	}
	if text == "" || text == "0x" {
		q.Clear()
		return nil
	}
	if len(text) < 3 || text[:2] != "0x" || len(text) > 66 {
		return fmt.Errorf("%w: a quantity is not 0x and up to 64 hex digits", ErrInvalid)
	}
	n, ok := new(big.Int).SetString(text[2:], 16)
	if !ok || n.Sign() < 0 {
		return fmt.Errorf("%w: a quantity is not hex digits", ErrInvalid)
	}
	q.SetFromBig(n)
	return nil
}

// MarshalJSON writes 0x and hex digits without leading zeros.
func (q Quantity) MarshalJSON() ([]byte, error) { return []byte(`"` + q.Hex() + `"`), nil }

// Data is hex data; an empty string, null and an absent member are accepted.
type Data []byte

// UnmarshalJSON parses 0x and an even number of hex digits.
func (d *Data) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return fmt.Errorf("%w: data is not a string", ErrInvalid)
	}
	if text == "" {
		*d = nil
		return nil
	}
	b, err := hexutil.Decode(text)
	if err != nil && !errors.Is(err, hexutil.ErrEmptyString) || len(b) > maxData {
		return fmt.Errorf("%w: data is not hex digits, or over %d bytes", ErrInvalid, maxData)
	}
	*d = b
	return nil
}

// MarshalJSON writes 0x and hex digits.
func (d Data) MarshalJSON() ([]byte, error) { return []byte(`"` + hexutil.Encode(d) + `"`), nil }

// Operation is an unpacked user operation in the JSON of ERC-7769.
type Operation struct {
	Sender common.Address `json:"sender"`
	Nonce  Quantity       `json:"nonce"`
	// Factory is 20 bytes, or 0x7702 for an account that delegates; empty for none.
	Factory                       Data           `json:"factory,omitempty"`
	FactoryData                   Data           `json:"factoryData,omitempty"`
	CallData                      Data           `json:"callData"`
	CallGasLimit                  Quantity       `json:"callGasLimit"`
	VerificationGasLimit          Quantity       `json:"verificationGasLimit"`
	PreVerificationGas            Quantity       `json:"preVerificationGas"`
	MaxFeePerGas                  Quantity       `json:"maxFeePerGas"`
	MaxPriorityFeePerGas          Quantity       `json:"maxPriorityFeePerGas"`
	Paymaster                     Data           `json:"paymaster,omitempty"`
	PaymasterVerificationGasLimit Quantity       `json:"paymasterVerificationGasLimit,omitzero"`
	PaymasterPostOpGasLimit       Quantity       `json:"paymasterPostOpGasLimit,omitzero"`
	PaymasterData                 Data           `json:"paymasterData,omitempty"`
	Signature                     Data           `json:"signature"`
	Authorization                 *Authorization `json:"eip7702Auth,omitempty"`
}

// Authorization makes an account delegate to the code at an address (EIP-7702).
type Authorization struct {
	ChainID Quantity       `json:"chainId"`
	Address common.Address `json:"address"`
	Nonce   Quantity       `json:"nonce"`
	YParity Quantity       `json:"yParity"`
	R       Quantity       `json:"r"`
	S       Quantity       `json:"s"`
}

// SetCode returns the authorization for a transaction.
func (a Authorization) SetCode() types.SetCodeAuthorization {
	return types.SetCodeAuthorization{
		ChainID: a.ChainID.Int, Address: a.Address, Nonce: a.Nonce.Uint64(), V: uint8(a.YParity.Uint64()), R: a.R.Int, S: a.S.Int,
	}
}

// Check reports whether an account signed the authorization for a chain. An authorization for every chain (id 0) is not accepted.
func (a Authorization) Check(account evm.Address, chainID *big.Int) error {
	if a.ChainID.IsZero() || a.ChainID.ToBig().Cmp(chainID) != 0 {
		return fmt.Errorf("%w: the authorization is not for this chain", ErrInvalid)
	}
	if !a.Nonce.IsUint64() || !a.YParity.IsUint64() || a.YParity.Uint64() > 1 {
		return fmt.Errorf("%w: the authorization is malformed", ErrInvalid)
	}
	signed := a.SetCode()
	if signer, err := signed.Authority(); err != nil || signer != account {
		return fmt.Errorf("%w: the authorization is not signed by the account", ErrInvalid)
	}
	return nil
}

// marker is the factory of an account that delegates (EntryPoint v0.8).
var marker = []byte{0x77, 0x02}

// Parse parses the JSON of an operation and checks the sizes of its members.
func Parse(raw json.RawMessage) (*Operation, error) {
	var o Operation
	if err := json.Unmarshal(raw, &o); err != nil {
		if errors.Is(err, ErrInvalid) {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return &o, o.check()
}

func (o *Operation) check() error {
	if o.Sender == (common.Address{}) {
		return fmt.Errorf("%w: sender is missing", ErrInvalid)
	}
	if n := len(o.Factory); n != 0 && n != common.AddressLength && !o.Delegates() {
		return fmt.Errorf("%w: factory is not an address", ErrInvalid)
	}
	if o.Delegates() && o.Authorization == nil {
		return fmt.Errorf("%w: factory 0x7702 needs eip7702Auth", ErrInvalid)
	}
	if n := len(o.Paymaster); n != 0 && n != common.AddressLength {
		return fmt.Errorf("%w: paymaster is not an address", ErrInvalid)
	}
	for _, limit := range []Quantity{
		o.CallGasLimit, o.VerificationGasLimit, o.PreVerificationGas, o.PaymasterVerificationGasLimit, o.PaymasterPostOpGasLimit, o.MaxFeePerGas,
		o.MaxPriorityFeePerGas,
	} {
		if limit.BitLen() > 120 {
			return fmt.Errorf("%w: a gas limit or fee is too large", ErrInvalid)
		}
	}
	return nil
}

// Delegates reports whether the operation has the factory 0x7702.
func (o *Operation) Delegates() bool {
	return len(o.Factory) >= 2 && bytes.HasPrefix(o.Factory, marker) && len(bytes.TrimRight(o.Factory[2:], "\x00")) == 0
}

// GasLimit returns the gas that the EntryPoint may use for the operation, without preVerificationGas.
func (o *Operation) GasLimit() *big.Int {
	sum := new(big.Int)
	for _, limit := range []Quantity{o.CallGasLimit, o.VerificationGasLimit, o.PaymasterVerificationGasLimit, o.PaymasterPostOpGasLimit} {
		sum.Add(sum, limit.ToBig())
	}
	return sum
}

// MaxCost returns the maximum cost of the operation for its payer, in wei.
func (o *Operation) MaxCost() *big.Int {
	gas := new(big.Int).Add(o.GasLimit(), o.PreVerificationGas.ToBig())
	return gas.Mul(gas, o.MaxFeePerGas.ToBig())
}
