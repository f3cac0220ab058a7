const CHUNK = 0x8000
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function utf8ToBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/**
 * Decodes UTF-8.
 *
 * @throws TypeError for bytes that are not UTF-8.
 */
export function bytesToUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** Encodes as base64 with padding (RFC 4648). */
export function bytesToBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  }
  return btoa(binary)
}

/**
 * Decodes base64, its URL-safe alphabet and missing padding included.
 *
 * @throws DOMException for another character.
 */
export function base64ToBytes(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** Encodes as base64url without padding (RFC 4648). */
export function bytesToBase64Url(bytes: Uint8Array): string {
  return bytesToBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Encodes as base58 with Bitcoin's alphabet. */
export function bytesToBase58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; number > 0n; number /= 58n) text = BASE58[Number(number % 58n)] + text
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text
}
