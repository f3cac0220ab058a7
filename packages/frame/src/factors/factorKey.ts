import { importKey, randomBytes, wipe } from './seal.ts'

/** Cost of Argon2id; stored with each password factor, so that it can be raised. */
export interface PasswordParameters {
  /** Base 64 of 16 bytes. */
  readonly salt: string
  /** KiB. */
  readonly memory: number
  readonly passes: number
}

type Cost = Pick<PasswordParameters, 'memory' | 'passes'>

/** The second recommended choice of OWASP: 19 MiB, two passes, one lane. The half of the server limits guesses. */
const FACTOR_COST: Cost = { memory: 19 * 1024, passes: 2 }
/**
 * Argon2id cost for what can be guessed without the server: the memory and passes of the second recommended
 * choice of RFC 9106.
 */
export const FILE_COST: Cost = { memory: 64 * 1024, passes: 3 }
const SALT_LENGTH = 16
/** What parameters from the server may cost at most. */
const MAX_MEMORY_KIB = 256 * 1024
const MAX_PASSES = 10

/** Input of the PRF extension of WebAuthn, the same for every passkey of a wallet. */
export const PRF_INPUT = new TextEncoder().encode('hawser wallet factor v1')

const PASSKEY_INFO = new TextEncoder().encode('hawser wallet passkey half v1')

/** Returns new parameters with a random salt. */
export function newPasswordParameters(cost: Cost = FACTOR_COST): PasswordParameters {
  return { salt: toBase64(randomBytes(SALT_LENGTH)), ...cost }
}

/** Derives the key of a password factor by Argon2id, which takes half a second, and seconds with `FILE_COST`: call it in a worker. */
export async function passwordKey(
  password: string,
  { salt, memory, passes }: PasswordParameters,
): Promise<CryptoKey> {
  const isEnough = memory >= FACTOR_COST.memory && passes >= FACTOR_COST.passes
  if (!(isEnough && memory <= MAX_MEMORY_KIB && passes <= MAX_PASSES))
    throw new Error('parameters of the password are out of range')
  const { argon2idAsync } = await import('@noble/hashes/argon2')
  const text = new TextEncoder().encode(password.normalize('NFKC'))
  const derived = await argon2idAsync(text, fromBase64(salt), { t: passes, m: memory, p: 1, dkLen: 32 })
  const key = await importKey(new Uint8Array(derived))
  wipe(text, derived)
  return key
}

/** Derives the key of a passkey factor from the 32 bytes of the PRF extension. */
export async function passkeyKey(prf: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', prf, 'HKDF', false, ['deriveKey'])
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: PASSKEY_INFO }
  return crypto.subtle.deriveKey(parameters, secret, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
}

/** Encodes bytes by the standard alphabet, padded. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Decodes the standard or the URL alphabet, padded or not. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
}

/** Encodes bytes by the URL alphabet without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
