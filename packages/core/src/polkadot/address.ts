import { blake2b } from '@noble/hashes/blake2.js'
import { concat } from './bytes.ts'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The longest address: one with a prefix of two bytes. */
const LONGEST = 50
const KEY_SIZE = 32
const CHECKSUM_SIZE = 2
const CHECKSUM_PREFIX = new TextEncoder().encode('SS58PRE')
/** Prefixes below this one take one byte. */
const TWO_BYTE_PREFIX = 64

/**
 * Returns the 32 bytes of an account's address (SS58) with any network's prefix; undefined for any other
 * text.
 */
export function accountId(address: string): Uint8Array | undefined {
  const raw = decodeBase58(address)
  // Two bits of the first byte say that the prefix has a second one.
  const prefix = ((raw?.[0] ?? 0) & 0x40) === 0 ? 1 : 2
  if (raw?.length !== prefix + KEY_SIZE + CHECKSUM_SIZE || (raw[0] ?? 0) >= 0x80) return undefined
  const body = raw.subarray(0, prefix + KEY_SIZE)
  const isValid = raw.subarray(body.length).every((byte, index) => byte === checksum(body)[index])
  return isValid ? body.subarray(prefix) : undefined
}

/**
 * Returns an account's address with the prefix of a network (SS58).
 *
 * @param id 32 bytes.
 * @param prefix below 16,384.
 */
export function addressOf(id: Uint8Array, prefix: number): string {
  const body = concat(prefixBytes(prefix), id)
  return encodeBase58(concat(body, checksum(body).subarray(0, CHECKSUM_SIZE)))
}

function prefixBytes(prefix: number): Uint8Array {
  if (prefix < TWO_BYTE_PREFIX) return Uint8Array.of(prefix)
  return Uint8Array.of(((prefix & 0xfc) >> 2) | 0x40, (prefix >> 8) | ((prefix & 3) << 6))
}

function checksum(body: Uint8Array): Uint8Array {
  return blake2b(concat(CHECKSUM_PREFIX, body), { dkLen: 64 })
}

function decodeBase58(text: string): Uint8Array | undefined {
  if (text === '' || text.length > LONGEST) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = BASE58.indexOf(letter)
    if (digit === -1) return undefined
    value = value * 58n + BigInt(digit)
  }
  const bytes: number[] = []
  for (; value > 0n; value /= 256n) bytes.unshift(Number(value % 256n))
  const zeros = text.length - text.replace(/^1+/, '').length
  return new Uint8Array([...new Array<number>(zeros).fill(0), ...bytes])
}

function encodeBase58(bytes: Uint8Array): string {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; value > 0n; value /= 58n) text = BASE58.charAt(Number(value % 58n)) + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text
}
