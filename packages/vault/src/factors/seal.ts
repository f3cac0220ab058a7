/** AES-256-GCM: 12 bytes of nonce, the ciphertext, 16 bytes of tag. */
export type Sealed = Uint8Array<ArrayBuffer>

const NONCE_LENGTH = 12
const KEY_LENGTH = 32

/** Returns random bytes. */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** Imports 32 bytes as an AES key that cannot be read back. */
export function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Encrypts; `purpose` is the associated data, which the same call of `unseal` must repeat. */
export async function seal(key: CryptoKey, plain: Uint8Array<ArrayBuffer>, purpose: string): Promise<Sealed> {
  const iv = randomBytes(NONCE_LENGTH)
  const encrypted = await crypto.subtle.encrypt(parameters(iv, purpose), key, plain)
  const sealed = new Uint8Array(NONCE_LENGTH + encrypted.byteLength)
  sealed.set(iv)
  sealed.set(new Uint8Array(encrypted), NONCE_LENGTH)
  return sealed
}

/** Decrypts what `seal` returned. @throws Error for a wrong key, a wrong purpose or changed bytes. */
export async function unseal(
  key: CryptoKey,
  sealed: Sealed,
  purpose: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const iv = sealed.subarray(0, NONCE_LENGTH)
  const plain = await crypto.subtle.decrypt(parameters(iv, purpose), key, sealed.subarray(NONCE_LENGTH))
  return new Uint8Array(plain)
}

/** The two halves of a key: neither says anything about it alone. */
export interface Halves {
  /** Stays with the factor. */
  readonly client: Uint8Array<ArrayBuffer>
  /** Is sealed by the server, and released to a proven login. */
  readonly server: Uint8Array<ArrayBuffer>
}

/** Splits 32 bytes into two halves at random. Every factor has a pair of its own. */
export function split(key: Uint8Array): Halves {
  const client = randomBytes(KEY_LENGTH)
  return { client, server: join(client, key) }
}

/** Joins two halves. @throws Error when one has not 32 bytes. */
export function join(client: Uint8Array, server: Uint8Array): Uint8Array<ArrayBuffer> {
  if (client.length !== KEY_LENGTH || server.length !== KEY_LENGTH)
    throw new Error('half of a key has a wrong length')
  return Uint8Array.from(client, (byte, at) => byte ^ (server[at] ?? 0))
}

/** Overwrites bytes with zeros. */
export function wipe(...buffers: readonly (Uint8Array | undefined)[]): void {
  for (const buffer of buffers) buffer?.fill(0)
}

function parameters(iv: Uint8Array<ArrayBuffer>, purpose: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(purpose) }
}
