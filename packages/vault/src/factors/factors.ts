import type { FactorJson, GetSealedWalletResponseJson, NewFactorJson } from '@hawser/client/wallet'
import {
  fromBase64,
  newPasswordParameters,
  type PasswordParameters,
  type PasswordSecrets,
  passkeyKey,
  passwordKey,
  passwordSecrets,
  toBase64,
} from './factorKey.ts'
import { importKey, join, randomBytes, type Sealed, seal, split, unseal, wipe } from './seal.ts'

/** Version of the encryption of the entropy. */
export const BLOB_VERSION = 1

/** The wallet that a factor belongs to. */
export interface Owner {
  readonly userId: string
  readonly walletId: string
}

/** What opens a wallet besides the device: the secret that the user has. */
export type Secret =
  /** `credentialId` in base 64; `prf` is the 32 bytes of the PRF extension. */
  | { readonly kind: 'passkey'; readonly credentialId: string; readonly prf: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'password'; readonly password: string }

/** What a passkey or a password factor stores on the server, as JSON: its half of the key, encrypted by the secret. */
interface SecretRecord {
  readonly half: string
  readonly credentialId?: string
  /** Of a password of an earlier release; others have their parameters beside the record. */
  readonly password?: PasswordParameters
}

/** A passkey or a password that the wallet can be opened by. */
export interface BackupFactor {
  readonly id: string
  readonly kind: 'passkey' | 'password' | 'login'
  readonly label: string
  /** Base 64; of a passkey alone. */
  readonly credentialId?: string
}

/** Returns a random id of a wallet or a factor: 32 hex digits. */
export function newId(): string {
  return [...randomBytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Encrypts the entropy of a wallet. */
export async function sealEntropy(
  dek: Uint8Array<ArrayBuffer>,
  entropy: Uint8Array<ArrayBuffer>,
  owner: Owner,
): Promise<Sealed> {
  return seal(await importKey(dek), entropy, entropyPurpose(owner, BLOB_VERSION))
}

/** Decrypts the entropy of a wallet. @throws Error unless both halves are those of one factor of this wallet. */
export async function openEntropy(
  dek: Uint8Array<ArrayBuffer>,
  { blob = '', version = BLOB_VERSION }: GetSealedWalletResponseJson,
  owner: Owner,
): Promise<Uint8Array<ArrayBuffer>> {
  return unseal(await importKey(dek), fromBase64(blob), entropyPurpose(owner, version))
}

/** Returns a factor for the storage of a device, and the half that stays there, encrypted by the device's key. */
export async function newDeviceFactor(
  dek: Uint8Array,
  owner: Owner,
  storageKey: CryptoKey,
  label: string,
): Promise<{ readonly factor: NewFactorJson; readonly half: Sealed }> {
  const { client, server } = split(dek)
  const id = newId()
  const half = await seal(storageKey, client, halfPurpose(owner, id))
  const factor = { id, kind: 'FACTOR_KIND_DEVICE', label, serverHalf: toBase64(server) } as const
  wipe(client, server)
  return { factor, half }
}

/** Decrypts the half that a device stored. */
export function openDeviceHalf(
  half: Sealed,
  owner: Owner,
  factorId: string,
  storageKey: CryptoKey,
): Promise<Uint8Array<ArrayBuffer>> {
  return unseal(storageKey, half, halfPurpose(owner, factorId))
}

/** Returns a factor that a passkey or a password opens. */
export async function newSecretFactor(
  dek: Uint8Array,
  owner: Owner,
  secret: Secret,
  label: string,
): Promise<NewFactorJson> {
  const { client, server } = split(dek)
  const id = newId()
  const parameters = newPasswordParameters()
  const password = secret.kind === 'password' ? await passwordSecrets(secret.password, parameters) : undefined
  const key = secret.kind === 'passkey' ? await passkeyKey(secret.prf) : password?.key
  if (!key) throw new Error('factor needs a secret')
  const record: SecretRecord = {
    half: toBase64(await seal(key, client, halfPurpose(owner, id))),
    ...(secret.kind === 'passkey' ? { credentialId: secret.credentialId } : {}),
  }
  const factor: NewFactorJson = {
    id,
    kind: password ? 'FACTOR_KIND_PASSWORD' : 'FACTOR_KIND_PASSKEY',
    label,
    serverHalf: toBase64(server),
    record: encode(record),
    ...(password ? { parameters: encode(parameters), check: password.check } : {}),
  }
  wipe(client, server)
  return factor
}

/**
 * Derives the secrets of a password factor from what the server lists of it; undefined for a factor of an earlier release, whose
 * parameters are in its record.
 */
export async function secretsOfPassword(
  { parameters = '' }: FactorJson,
  password: string,
): Promise<PasswordSecrets | undefined> {
  return parameters ? passwordSecrets(password, JSON.parse(atob(parameters))) : undefined
}

/** Returns a factor whose two halves the server keeps, so that a login alone opens the wallet. */
export function newLoginFactor(dek: Uint8Array, label: string): NewFactorJson {
  const { client, server } = split(dek)
  return {
    id: newId(),
    kind: 'FACTOR_KIND_LOGIN',
    label,
    serverHalf: toBase64(server),
    record: toBase64(client),
  }
}

/**
 * Decrypts the half of a factor that is not the device's; the login factor needs no secret.
 *
 * @param derived secrets of a password, unless it is of an earlier release
 */
export async function openSecretHalf(
  { record = '', kind }: GetSealedWalletResponseJson,
  owner: Owner,
  factorId: string,
  secret: Secret | undefined,
  derived: PasswordSecrets | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (kind === 'FACTOR_KIND_LOGIN') return fromBase64(record)
  if (!secret) throw new Error('factor needs a secret')
  const { half, password } = recordOf(record)
  const key = derived?.key ?? (await secretKey(secret, password))
  return unseal(key, fromBase64(half), halfPurpose(owner, factorId))
}

/** Joins the half of a factor with the server's. */
export function dekOf(
  half: Uint8Array,
  { serverHalf = '' }: GetSealedWalletResponseJson,
): Uint8Array<ArrayBuffer> {
  const server = fromBase64(serverHalf)
  const dek = join(half, server)
  wipe(half, server)
  return dek
}

/** Returns the factors that open a wallet on a device which has none, without passkeys whose record cannot be read. */
export function backupFactors(factors: readonly FactorJson[] = []): BackupFactor[] {
  return factors.flatMap(({ id = '', kind, label = '', record = '' }): BackupFactor[] => {
    if (kind === 'FACTOR_KIND_LOGIN') return [{ id, kind: 'login', label }]
    if (kind === 'FACTOR_KIND_PASSWORD') return [{ id, kind: 'password', label }]
    if (kind !== 'FACTOR_KIND_PASSKEY') return []
    const credentialId = credentialOf(record)
    return credentialId ? [{ id, kind: 'passkey', label, credentialId }] : []
  })
}

function credentialOf(record: string): string | undefined {
  try {
    const { credentialId } = recordOf(record)
    return typeof credentialId === 'string' ? credentialId : undefined
  } catch {
    return undefined
  }
}

async function secretKey(secret: Secret, parameters: PasswordParameters | undefined): Promise<CryptoKey> {
  if (secret.kind === 'passkey') return passkeyKey(secret.prf)
  if (!parameters) throw new Error('factor is no password')
  return passwordKey(secret.password, parameters)
}

const encode = (value: object) => btoa(JSON.stringify(value))
const recordOf = (record: string) => JSON.parse(atob(record)) as SecretRecord
const entropyPurpose = ({ userId, walletId }: Owner, version: number) =>
  `${userId}|${walletId}|seed|${version}`
const halfPurpose = ({ userId, walletId }: Owner, factorId: string) =>
  `${userId}|${walletId}|${factorId}|half`
