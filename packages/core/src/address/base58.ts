const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The longest base58 address: that of an ecdsa account with a prefix of two bytes. */
const LONGEST = 50

/** Bytes as a number, the first byte the highest, and how many they are. */
export interface Base58Bytes {
  readonly value: bigint
  readonly size: number
}

/** Returns the bytes that a base58 text encodes; undefined if it is not one, or longer than any address. */
export function readBase58(text: string): Base58Bytes | undefined {
  if (text === '' || text.length > LONGEST) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter)
    if (digit === -1) return undefined
    value = value * 58n + BigInt(digit)
  }
  const leadingZeros = text.length - text.replace(/^1+/, '').length
  return { value, size: leadingZeros + bytesOf(value) }
}

/** Returns bytes as base58 text, in which each leading byte of zero is a digit of its own. */
export function base58({ value, size }: Base58Bytes): string {
  let digits = ''
  for (let rest = value; rest > 0n; rest /= 58n) digits = DIGITS.charAt(Number(rest % 58n)) + digits
  return '1'.repeat(size - bytesOf(value)) + digits
}

function bytesOf(value: bigint): number {
  return value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
}
