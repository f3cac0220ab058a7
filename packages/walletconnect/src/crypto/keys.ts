import { x25519 } from '@noble/curves/ed25519'
import { hkdf } from '@noble/hashes/hkdf'
import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils'
import { utf8ToBytes } from './encoding.ts'

/** An X25519 key pair, 64 hex digits each. */
export interface KeyPair {
  readonly privateKey: string
  readonly publicKey: string
}

export function generateKeyPair(privateKey: string = randomHex(32)): KeyPair {
  return { privateKey, publicKey: bytesToHex(x25519.getPublicKey(hexToBytes(privateKey))) }
}

/**
 * Derives the key that two key pairs share: X25519, then HKDF with SHA-256, without salt and info. 64 hex digits.
 *
 * @throws Error for a public key that is invalid or of low order.
 */
export function deriveSymKey(privateKey: string, peerPublicKey: string): string {
  const shared = x25519.getSharedSecret(hexToBytes(privateKey), hexToBytes(peerPublicKey))
  return bytesToHex(hkdf(sha256, shared, undefined, undefined, 32))
}

/** Returns the topic of a key: the SHA-256 of its bytes, 64 hex digits. */
export function topicOf(key: string): string {
  return bytesToHex(sha256(hexToBytes(key)))
}

/** Returns the SHA-256 of a text in UTF-8, 64 hex digits. */
export function hashText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** Returns random bytes in hex. */
export function randomHex(bytes: number): string {
  return bytesToHex(randomBytes(bytes))
}
