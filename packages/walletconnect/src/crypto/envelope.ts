import { chacha20poly1305 } from '@noble/ciphers/chacha'
import { bytesToHex, concatBytes, hexToBytes, randomBytes } from '@noble/hashes/utils'
import { base64ToBytes, bytesToBase64, bytesToUtf8, utf8ToBytes } from './encoding.ts'
import { deriveSymKey } from './keys.ts'

const SYMMETRIC = 0
const WITH_SENDER = 1
const IV_LENGTH = 12
const KEY_LENGTH = 32
const TAG_LENGTH = 16

/** The key that opens the messages of a topic: shared, or an X25519 key that the sender's public key is combined with. */
export type TopicKey = { readonly symKey: string } | { readonly privateKey: string }

export interface SealOptions {
  /** Prepended, for a receiver that does not know the shared key yet (an envelope of type 1). */
  readonly senderPublicKey?: string
  /** 12 bytes; random unless a test gives it. */
  readonly iv?: Uint8Array
}

/** Encrypts a text with ChaCha20-Poly1305 as a WalletConnect envelope of type 0 or 1, in base64. */
export function sealEnvelope(text: string, symKey: string, options: SealOptions = {}): string {
  const { senderPublicKey, iv = randomBytes(IV_LENGTH) } = options
  const sealed = chacha20poly1305(hexToBytes(symKey), iv).encrypt(utf8ToBytes(text))
  const head = senderPublicKey
    ? concatBytes(Uint8Array.of(WITH_SENDER), hexToBytes(senderPublicKey))
    : Uint8Array.of(SYMMETRIC)
  return bytesToBase64(concatBytes(head, iv, sealed))
}

/**
 * Decrypts an envelope of type 0 or 1.
 *
 * @throws Error for text that is no envelope, and for one that was sealed with another key.
 */
export function openEnvelope(message: string, key: TopicKey): string {
  const bytes = base64ToBytes(message)
  const [type] = bytes
  if (type !== SYMMETRIC && type !== WITH_SENDER) throw new Error(`envelope of type ${type}`)
  const start = type === SYMMETRIC ? 1 : 1 + KEY_LENGTH
  if (bytes.length < start + IV_LENGTH + TAG_LENGTH) throw new Error('envelope is too short')
  const symKey = symKeyOf(key, type === WITH_SENDER ? bytes.subarray(1, start) : undefined)
  const iv = bytes.subarray(start, start + IV_LENGTH)
  return bytesToUtf8(chacha20poly1305(hexToBytes(symKey), iv).decrypt(bytes.subarray(start + IV_LENGTH)))
}

function symKeyOf(key: TopicKey, senderPublicKey: Uint8Array | undefined): string {
  if ('symKey' in key) return key.symKey
  if (!senderPublicKey) throw new Error('envelope without a sender')
  return deriveSymKey(key.privateKey, bytesToHex(senderPublicKey))
}
