import { ed25519 } from '@noble/curves/ed25519'
import { secp256k1 } from '@noble/curves/secp256k1'
import { blake2b } from '@noble/hashes/blake2.js'
import { secretFromSeed, sign as signSr25519 } from '@scure/sr25519'
import type { DevnetPolkadot } from '../config.ts'

/** Kinds of signatures by the byte that they begin with. */
const kinds = { ed25519: 0, sr25519: 1, ecdsa: 2 } as const

/** Signs bytes with an account's key; returns the signature after the byte of its kind. */
export async function sign(
  { type, seed }: DevnetPolkadot['accounts'][number],
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const secret = Uint8Array.from(seed.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return Uint8Array.of(kinds[type], ...signatureOf(type, secret, bytes))
}

function signatureOf(type: keyof typeof kinds, secret: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (type === 'sr25519') return signSr25519(secretFromSeed(secret), bytes)
  if (type === 'ed25519') return ed25519.sign(bytes, secret)
  const signature = secp256k1.sign(blake2b(bytes, { dkLen: 32 }), secret)
  return Uint8Array.of(...signature.toCompactRawBytes(), signature.recovery)
}

export function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
