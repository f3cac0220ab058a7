import { ed25519 } from '@noble/curves/ed25519'
import { secp256k1 } from '@noble/curves/secp256k1'
import { hexToBytes } from '@noble/hashes/utils'
import { base58 } from '@scure/base'
import {
  type AuthorizationRequest,
  type Hex,
  hashMessage,
  hashTypedData,
  keccak256,
  type Signature,
  serializeSignature,
  serializeTransaction,
  type TransactionSerializable,
  type TypedDataDefinition,
} from 'viem'
import { hashAuthorization } from 'viem/utils'
import type { Keys } from './derive.ts'

/** What can be signed: data whose meaning the frame has shown, never a bare hash. */
export type SignRequest =
  /** EIP-191, over the bytes of a hexadecimal message. */
  | { readonly kind: 'message'; readonly message: Hex }
  /** EIP-712. */
  | { readonly kind: 'typedData'; readonly data: TypedDataDefinition }
  | { readonly kind: 'transaction'; readonly transaction: TransactionSerializable }
  /** EIP-7702; a chain id of 0, which is valid on every chain, is refused. */
  | { readonly kind: 'authorization'; readonly authorization: AuthorizationRequest }
  /** Ed25519 over the bytes of a text, or of a serialized message of a transaction. */
  | { readonly kind: 'solana'; readonly message: Uint8Array }

/** Signs with the key of the user, as `signWith` does. */
export type Sign = (request: SignRequest) => Promise<string>

/** Signs with the keys of an open wallet. Returns a signature in hex, a serialized transaction, or base 58 for Solana. */
export function signWith(keys: Keys, request: SignRequest): string {
  switch (request.kind) {
    case 'message':
      return serializeSignature(signHash(keys, hashMessage({ raw: request.message })))
    case 'typedData':
      return serializeSignature(signHash(keys, hashTypedData(request.data)))
    case 'transaction': {
      const { transaction } = request
      return serializeTransaction(transaction, signHash(keys, keccak256(serializeTransaction(transaction))))
    }
    case 'authorization':
      if (!request.authorization.chainId) throw new Error('an authorization must name its chain')
      return serializeSignature(signHash(keys, hashAuthorization(request.authorization)))
    case 'solana':
      return base58.encode(ed25519.sign(request.message, keys.solana))
  }
}

function signHash({ eip155 }: Keys, hash: Hex): Signature {
  const { r, s, recovery } = secp256k1.sign(hexToBytes(hash.slice(2)), eip155, { lowS: true })
  const hex = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
  // Transactions without a type have v in place of the parity.
  return { r: hex(r), s: hex(s), yParity: recovery, v: BigInt(27 + recovery) }
}
