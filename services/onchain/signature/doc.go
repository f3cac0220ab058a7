// Package signature verifies signatures of texts by accounts: of EVM chains (ERC-191 `personal_sign`), of Solana
// (Ed25519), of Bitcoin (BIP-322, signmessage), and of Polkadot (sr25519, Ed25519, ECDSA).
//
// The signature of an EVM key is verified without a request. Other signatures are verified by the account's contract
// (ERC-1271), even if that is not deployed yet (ERC-6492), in one eth_call that deploys nothing: it runs the init code
// of a validator contract, validator.hex, from viem 2.57.1 (`erc6492SignatureValidatorByteCode`, MIT).
package signature
