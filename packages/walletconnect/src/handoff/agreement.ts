import { x25519 } from '@noble/curves/ed25519'
import { hkdf } from '@noble/hashes/hkdf'
import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils'
import { utf8ToBytes } from '../crypto/encoding.ts'

const DIGITS = 6
const ID_BYTES = 16

/** What both pages of a hand-off know when they have agreed. Keys and hashes are 64 hex digits. */
export interface Transcript {
  readonly id: string
  readonly projectId: string
  /** Origin of the site's page. */
  readonly origin: string
  readonly commitment: string
  readonly walletKey: string
  readonly siteKey: string
  readonly opening: string
}

/** What two pages agree on. */
export interface Agreement {
  /** Six decimal digits, which both screens show. */
  readonly digits: string
  /** Key of the pairing, 64 hex digits. */
  readonly symKey: string
}

/** Returns the commitment of a site's page to its public key; `opening` is random. 64 hex digits each. */
export function commitmentOf(siteKey: string, opening: string): string {
  return hashOf('hawser handoff commitment 1', hexToBytes(siteKey), hexToBytes(opening))
}

/** Returns the id of the hand-off with a commitment: its first 128 bits in base64url, so that a link is valid for one commitment. */
export function idOf(commitment: string): string {
  const bytes = hexToBytes(commitment).subarray(0, ID_BYTES)
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}

/** Returns the key of the topic where both pages of a hand-off exchange messages, 64 hex digits. It is derived from the id alone, so it is no secret. */
export function meetingKeyOf(id: string): string {
  return hashOf('hawser handoff topic 1', utf8ToBytes(id))
}

/**
 * Derives what both pages agree on, from the private key of one and the public key of the other.
 *
 * @throws Error for a public key of low order.
 */
export function agree(privateKey: string, peerKey: string, transcript: Transcript): Agreement {
  const shared = x25519.getSharedSecret(hexToBytes(privateKey), hexToBytes(peerKey))
  const { id, projectId, origin, commitment, walletKey, siteKey, opening } = transcript
  const texts = [id, projectId, origin].map(utf8ToBytes)
  const keys = [commitment, walletKey, siteKey, opening].map(hexToBytes)
  const salt = sha256(
    concatBytes(utf8ToBytes('hawser handoff 1'), ...[...texts, ...keys].flatMap(withLength)),
  )
  const number = hkdf(sha256, shared, salt, 'digits', 8)
  const digits = BigInt(`0x${bytesToHex(number)}`) % 10n ** BigInt(DIGITS)
  return {
    digits: digits.toString().padStart(DIGITS, '0'),
    symKey: bytesToHex(hkdf(sha256, shared, salt, 'pairing', 32)),
  }
}

function hashOf(label: string, ...parts: readonly Uint8Array[]): string {
  return bytesToHex(sha256(concatBytes(utf8ToBytes(label), ...parts)))
}

/** Returns bytes after their length in two bytes, so that no two lists of parts give the same bytes. */
function withLength(bytes: Uint8Array): readonly Uint8Array[] {
  return [Uint8Array.of(bytes.length >> 8, bytes.length & 0xff), bytes]
}
