import '../connected.ts'
import { blake2b } from '@noble/hashes/blake2.js'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The longest address: one with a prefix of two bytes. */
const LONGEST = 50
const KEY_SIZE = 32
const CHECKSUM_SIZE = 2
const CHECKSUM_PREFIX = new TextEncoder().encode('SS58PRE')

/** Returns the 32 bytes of an account's address (SS58), whichever network's prefix it has; undefined for other texts. */
export function accountId(address: string): Uint8Array | undefined {
  const raw = decodeBase58(address)
  // Two bits of the first byte say that the prefix has a second one.
  const prefix = ((raw?.[0] ?? 0) & 0x40) === 0 ? 1 : 2
  if (raw?.length !== prefix + KEY_SIZE + CHECKSUM_SIZE || (raw[0] ?? 0) >= 0x80) return undefined
  const body = raw.subarray(0, prefix + KEY_SIZE)
  const checksum = blake2b(new Uint8Array([...CHECKSUM_PREFIX, ...body]), { dkLen: 64 })
  const isValid = raw.subarray(body.length).every((byte, index) => byte === checksum[index])
  return isValid ? body.subarray(prefix) : undefined
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
