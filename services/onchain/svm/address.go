package svm

import (
	"errors"

	solana "github.com/gagliardetto/solana-go"
)

// Address is an account, a mint or a program. Its String method encodes it in base 58.
type Address = solana.PublicKey

// The addresses of well-known accounts.
var (
	// Native represents SOL in place of a mint: it has 43 characters, and no account has this address.
	Native = solana.MustPublicKeyFromBase58("So11111111111111111111111111111111111111111")
	// WrappedSOL is the mint of SOL as a token.
	WrappedSOL = solana.SolMint

	SystemProgram    = solana.SystemProgramID
	TokenProgram     = solana.TokenProgramID
	Token2022Program = solana.Token2022ProgramID
	MetadataProgram  = solana.TokenMetadataProgramID

	// AssociatedTokenProgram creates token accounts at derived addresses.
	AssociatedTokenProgram = solana.SPLAssociatedTokenAccountProgramID
	StakeProgram           = solana.StakeProgramID
	ComputeBudgetProgram   = solana.ComputeBudget
	LookupTableProgram     = MustAddress("AddressLookupTab1e1111111111111111111111111")
	// MemoProgram writes texts into the log, as does MemoProgramV1.
	MemoProgram   = solana.MemoProgramID
	MemoProgramV1 = MustAddress("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")
)

// Decimals is the number of decimals of SOL: amounts are in lamports.
const Decimals = 9

// ErrAddress is returned for text that is not 32 bytes in base 58.
var ErrAddress = errors.New("not an address: want 32 bytes in base 58")

// The lengths of 32 bytes in base 58, in characters.
const minAddressText, maxAddressText = 32, 44

// ParseAddress parses 32 bytes in base 58, with a "1" for each leading zero byte.
func ParseAddress(text string) (Address, error) {
	if len(text) < minAddressText || len(text) > maxAddressText {
		return Address{}, ErrAddress
	}
	a, err := solana.PublicKeyFromBase58(text)
	if err != nil {
		return Address{}, ErrAddress
	}
	return a, nil
}

// MustAddress is [ParseAddress] for constants. It panics on an error.
func MustAddress(text string) Address {
	a, err := ParseAddress(text)
	if err != nil {
		panic(text + ": " + err.Error())
	}
	return a
}

// Derive returns the address that a program owns for some seeds (a program derived address). It panics for a seed of more than 32 bytes.
func Derive(program Address, seeds ...[]byte) Address {
	a, _, err := solana.FindProgramAddress(seeds, program)
	if err != nil {
		panic(err)
	}
	return a
}

// AssociatedAccount returns the default account in which an owner holds a token. program is the token program of the
// mint.
func AssociatedAccount(owner, mint, program Address) Address {
	return Derive(AssociatedTokenProgram, owner[:], program[:], mint[:])
}

// MetadataAccount returns the account of the Metaplex metadata of a mint.
func MetadataAccount(mint Address) Address {
	return Derive(MetadataProgram, []byte("metadata"), MetadataProgram[:], mint[:])
}

// Signature identifies a transaction: the first of its signatures. Its String method encodes it in base 58.
type Signature = solana.Signature

// The lengths of 64 bytes in base 58, in characters.
const minSignatureText, maxSignatureText = 64, 88

// ErrSignature is returned for text that is not 64 bytes in base 58.
var ErrSignature = errors.New("not a signature: want 64 bytes in base 58")

// ParseSignature parses 64 bytes in base 58.
func ParseSignature(text string) (Signature, error) {
	if len(text) < minSignatureText || len(text) > maxSignatureText {
		return Signature{}, ErrSignature
	}
	s, err := solana.SignatureFromBase58(text)
	if err != nil {
		return Signature{}, ErrSignature
	}
	return s, nil
}
