import { toBase64Url } from '../factors/factorKey.ts'
import type { DeviceStore } from './deviceStore.ts'

const DEVICE_KEYS = 'deviceKeys'
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' }

/** Keys of this browser for one project and site. None can be exported. */
export interface DeviceKeys {
  /** P-256: signs the proof of every call. Its thumbprint is the identity of the device. */
  readonly proof: CryptoKeyPair
  /** AES-256-GCM: encrypts what the device stores. */
  readonly storage: CryptoKey
}

/** A P-256 public key (RFC 7517). */
export interface PublicJwk {
  readonly crv: string
  readonly kty: string
  readonly x: string
  readonly y: string
}

/** Returns the device's keys, created on first use. */
export async function loadDeviceKeys(store: DeviceStore): Promise<DeviceKeys> {
  const stored = await store.get<DeviceKeys>(DEVICE_KEYS)
  if (stored) return stored
  const keys = {
    proof: await crypto.subtle.generateKey(CURVE, false, ['sign']),
    storage: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
  }
  await store.put(DEVICE_KEYS, keys)
  return keys
}

/** Returns the public half of the proof key. */
export async function publicJwk({ proof }: DeviceKeys): Promise<PublicJwk> {
  const { crv = '', kty = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', proof.publicKey)
  return { crv, kty, x, y }
}

/** Returns the thumbprint of a public key (RFC 7638), in base 64 of the URL alphabet. */
export async function thumbprint({ crv, kty, x, y }: PublicJwk): Promise<string> {
  return sha256(JSON.stringify({ crv, kty, x, y }))
}

/** Returns the SHA-256 of a text, in base 64 of the URL alphabet. */
export async function sha256(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
