// Package request parses the request parameters that several services share: chains, accounts, addresses and amounts. Every error is a
// [fault.Error] of code InvalidArgument with the public text of the API.
package request

import (
	"math/big"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Account is an account or a contract on one chain.
type Account struct {
	// ChainID is a CAIP-2 id, such as `eip155:8453`.
	ChainID string
	Address evm.Address
}

// Invalid returns the error of a parameter that is not valid.
func Invalid(reason faultv1.Reason, field, format string, args ...any) *fault.Error {
	return fault.New(codes.InvalidArgument, reason, field, format, args...)
}

// Missing returns the error of a query parameter that is required and absent.
func Missing(field string) *fault.Error {
	return Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, field, "Failed to deserialize query string: missing field `%s`", field)
}

// UnsupportedChain returns the error of a chain that is not in the network table.
func UnsupportedChain(chainID string) *fault.Error {
	return Invalid(faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId",
		"We don't support the chainId you provided: %s. See the list of supported chains here: /v1/supported-chains", chainID)
}

// The namespaces of chains whose accounts are read.
const (
	EIP155 = "eip155"
	Solana = "solana"
)

// Chain parses the CAIP-2 id of a chain of eip155, or its bare reference; the error of another namespace names field.
func Chain(field, text string) (chainID string, err error) {
	chain, err := parseChain(text)
	if err != nil {
		return "", err
	}
	return chain.String(), supported(field, EIP155, chain.Namespace)
}

// parseChain parses a CAIP-2 id, or the bare reference that older clients send: a number is on eip155, anything else on Solana.
func parseChain(text string) (caip.ChainID, error) {
	if !strings.Contains(text, ":") {
		namespace := Solana
		if strings.Trim(text, "0123456789") == "" {
			namespace = EIP155
		}
		text = namespace + ":" + text
	}
	chain, err := caip.ParseChain(text)
	if err != nil {
		return chain, malformed(err)
	}
	return chain, nil
}

// ChainOfAny parses the CAIP-2 id of a chain of EIP155 or Solana, or its bare reference, and returns its namespace; the error of another one names field.
func ChainOfAny(field, text string) (namespace, chainID string, err error) {
	chain, err := parseChain(text)
	if err != nil {
		return "", "", err
	}
	if chain.Namespace == Solana {
		return Solana, chain.String(), nil
	}
	return EIP155, chain.String(), supported(field, EIP155, chain.Namespace)
}

// Owner is the account that a request is about.
type Owner struct {
	// Namespace is EIP155 or Solana: that of the chain, or without one that of the address's form.
	Namespace string
	// ChainID is a CAIP-2 id; empty if the request names no chain.
	ChainID string
	// EVM is the address on EIP155, and SVM that on Solana.
	EVM evm.Address
	SVM svm.Address
}

// IsSolana reports whether the account is on Solana.
func (o Owner) IsSolana() bool { return o.Namespace == Solana }

// Address returns the address as it is compared and printed, see [Canonical].
func (o Owner) Address() string {
	if o.IsSolana() {
		return o.SVM.String()
	}
	return o.EVM.String()
}

// ParseOwner parses a chain, which may be empty, and an address on it. Errors name chainField or "address".
func ParseOwner(chainField, chainID, address string) (o Owner, err error) {
	if chainID == "" {
		if o.SVM, err = svm.ParseAddress(address); err == nil {
			o.Namespace = Solana
			return o, nil
		}
		o.Namespace = EIP155
	} else if o.Namespace, o.ChainID, err = ChainOfAny(chainField, chainID); err != nil {
		return Owner{}, err
	}
	if o.IsSolana() {
		o.SVM, err = SolanaAddress("address", address)
	} else {
		o.EVM, err = Address("address", address)
	}
	return o, err
}

// SolanaAddress parses 32 bytes in base 58.
func SolanaAddress(field, text string) (svm.Address, error) {
	a, err := svm.ParseAddress(text)
	if err != nil {
		return a, Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, field, "The address provided is invalid")
	}
	return a, nil
}

// SolanaToken parses the CAIP-10 id of a mint, or of SOL; the error of another namespace names field.
func SolanaToken(field, text string) (chainID string, mint svm.Address, err error) {
	id, err := caip.ParseAccount(text)
	if err != nil {
		return "", mint, malformed(err)
	}
	if err := supported(field, Solana, id.Chain.Namespace); err != nil {
		return "", mint, err
	}
	mint, err = SolanaAddress(field, id.Address)
	return id.Chain.String(), mint, err
}

// Canonical returns an address as it is compared and printed: with a checksum on eip155, in base 58 on Solana. It returns false for any other text.
func Canonical(address string) (string, bool) {
	if a, err := evm.ParseAddress(address); err == nil {
		return a.String(), true
	}
	return address, caip.IsSolanaAddress(address)
}

// AccountID parses a CAIP-10 id on eip155; the error of another namespace names field.
func AccountID(field, text string) (Account, error) {
	id, err := caip.ParseAccount(text)
	if err != nil {
		return Account{}, malformed(err)
	}
	if err := supported(field, EIP155, id.Chain.Namespace); err != nil {
		return Account{}, err
	}
	address, err := Address(field, id.Address)
	return Account{ChainID: id.Chain.String(), Address: address}, err
}

// Address parses 0x and 40 hex digits of any case.
func Address(field, text string) (evm.Address, error) {
	a, err := evm.ParseAddress(text)
	if err != nil {
		return a, Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, field, "The address provided is invalid")
	}
	return a, nil
}

// Currencies are the currencies of prices and values.
var Currencies = []string{"btc", "eth", "usd", "eur", "gbp", "aud", "cad", "inr", "jpy"}

// Currency checks that a parameter is one of [Currencies].
func Currency(field, text string) error {
	if text == "" {
		return Missing(field)
	}
	if !slices.Contains(Currencies, text) {
		return Invalid(faultv1.Reason_REASON_CURRENCY_UNSUPPORTED, field, "Unsupported currency: %s", text)
	}
	return nil
}

// maxAmount is 2^256-1.
var maxAmount = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))

// Amount parses base units: the decimal digits of a whole number from 1 to 2^256-1.
func Amount(field, text string) (*big.Int, error) {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || strings.Trim(text, "0123456789") != "" || n.Sign() == 0 || n.Cmp(maxAmount) > 0 {
		return nil, Invalid(faultv1.Reason_REASON_AMOUNT_INVALID, field, "Invalid parameter: `%s` must be a whole number of base units from 1 to 2^256-1", field)
	}
	return n, nil
}

func supported(field, want, namespace string) error {
	if namespace == want {
		return nil
	}
	return Invalid(faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED, field, "Unsupported namespace: %s", namespace)
}

func malformed(err error) error {
	return Invalid(faultv1.Reason_REASON_IDENTIFIER_INVALID, "", "Crypto utils error: %s", err)
}
