import { ed25519 } from '@noble/curves/ed25519'
import { concatBytes, hexToBytes } from '@noble/hashes/utils'
import { bytesToBase58, bytesToBase64Url, utf8ToBytes } from './encoding.ts'

const DAY_SECONDS = 86_400
/** Multicodec prefix of an Ed25519 public key. */
const ED25519_PREFIX = Uint8Array.of(0xed, 0x01)

export interface TokenClaims {
  /** The relay's URL that the socket is opened with. */
  readonly audience: string
  /** 64 hex digits. */
  readonly nonce: string
  /** Unix seconds. */
  readonly issuedAt: number
}

/** Returns the client id of an Ed25519 seed of 64 hex digits: a `did:key`. */
export function clientIdOf(seed: string): string {
  return `did:key:z${bytesToBase58(concatBytes(ED25519_PREFIX, ed25519.getPublicKey(hexToBytes(seed))))}`
}

/** Signs the token that identifies a client to a relay: a JWT with EdDSA, valid for a day. */
export function signClientToken(seed: string, { audience, nonce, issuedAt }: TokenClaims): string {
  const header = { alg: 'EdDSA', typ: 'JWT' }
  const claims = {
    iss: clientIdOf(seed),
    sub: nonce,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + DAY_SECONDS,
  }
  const content = `${encodeJson(header)}.${encodeJson(claims)}`
  return `${content}.${bytesToBase64Url(ed25519.sign(utf8ToBytes(content), hexToBytes(seed)))}`
}

function encodeJson(value: unknown): string {
  return bytesToBase64Url(utf8ToBytes(JSON.stringify(value)))
}
