import { importKey, randomBytes, wipe } from './seal.ts'

/** Cost of Argon2id; stored with each password, so that it can be raised. */
export interface PasswordParameters {
  /** Base 64 of 16 bytes. */
  readonly salt: string
  /** KiB. */
  readonly memory: number
  readonly passes: number
}

type Cost = Pick<PasswordParameters, 'memory' | 'passes'>

/**
 * The second recommended choice of RFC 9106: 64 MiB, three passes. Who has a recovery kit, or the server, can guess its password; who has a
 * session of the user cannot guess that of a factor, since the server counts before it releases what a guess is compared with.
 */
const PASSWORD_COST: Cost = { memory: 64 * 1024, passes: 3 }
/** The least cost of factors of earlier releases. */
const OLD_COST: Cost = { memory: 19 * 1024, passes: 2 }
const SALT_LENGTH = 16
const KEY_LENGTH = 32
/** What parameters from the server may cost at most. */
const MAX_MEMORY_KIB = 256 * 1024
const MAX_PASSES = 10

/** Input of the PRF extension of WebAuthn, the same for every passkey of a wallet. */
export const PRF_INPUT = new TextEncoder().encode('hawser wallet factor v1')

const PASSKEY_INFO = 'hawser wallet passkey half v1'

/** Returns new parameters with a random salt. */
export function newPasswordParameters(): PasswordParameters {
  return { salt: toBase64(randomBytes(SALT_LENGTH)), ...PASSWORD_COST }
}

/** Derives the key of a recovery kit, or of a password factor of an earlier release, which takes seconds: call it in a worker. */
export async function passwordKey(password: string, parameters: PasswordParameters): Promise<CryptoKey> {
  const derived = await derive(password, parameters, OLD_COST, KEY_LENGTH)
  const key = await importKey(derived)
  wipe(derived)
  return key
}

/** What is derived from the password of a factor: the key of its half, and what proves the password to the server (base 64). */
export interface PasswordSecrets {
  readonly key: CryptoKey
  readonly check: string
}

/** Derives the secrets of a password factor, which takes seconds: call it in a worker. */
export async function passwordSecrets(
  password: string,
  parameters: PasswordParameters,
): Promise<PasswordSecrets> {
  const derived = await derive(password, parameters, PASSWORD_COST, 2 * KEY_LENGTH)
  const [half, check] = [derived.slice(0, KEY_LENGTH), derived.slice(KEY_LENGTH)]
  const secrets = { key: await importKey(half), check: toBase64(check) }
  wipe(derived, half, check)
  return secrets
}

/** @throws Error for a cost that is lower than the least one, or too high. */
async function derive(
  password: string,
  { salt, memory, passes }: PasswordParameters,
  least: Cost,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const isEnough = memory >= least.memory && passes >= least.passes
  if (!(isEnough && memory <= MAX_MEMORY_KIB && passes <= MAX_PASSES))
    throw new Error('parameters of the password are out of range')
  const { argon2idAsync } = await import('@noble/hashes/argon2')
  const text = new TextEncoder().encode(password.normalize('NFKC'))
  const derived = await argon2idAsync(text, fromBase64(salt), { t: passes, m: memory, p: 1, dkLen: length })
  const copy = new Uint8Array(derived)
  wipe(text, derived)
  return copy
}

/** Derives the key of a passkey factor from the 32 bytes of the PRF extension. */
export function passkeyKey(prf: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return hkdfKey(prf, PASSKEY_INFO)
}

/** Derives an AES key that cannot be read back from a random secret, by HKDF-SHA-256 without a salt. */
export async function hkdfKey(bytes: Uint8Array<ArrayBuffer>, info: string): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  const parameters = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: new TextEncoder().encode(info),
  }
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
