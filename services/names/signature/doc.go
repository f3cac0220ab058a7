// Package signature says whether an account of an EVM chain signed a text (ERC-191 `personal_sign`).
//
// A key's signature is told here, without asking anyone. What is not one is shown to the account's own contract (ERC-1271), also to one that
// is not deployed yet (ERC-6492), in one eth_call that creates nothing: the call runs the init code of a validator contract, whose code is
// validator.hex, as viem 2.57.1 ships it (`erc6492SignatureValidatorByteCode`, MIT).
package signature
