import { base58, readBase58 } from './base58.ts'
import { shortenAddress } from './shortenAddress.ts'

/** Digits at each end that are compared: 4 × 4 bits of hex, 4 × 5 bits of bech32. */
const CASELESS_DIGITS = 4
/** Digits of base58 at each end that are compared: 3 × 5.86 bits. */
const BASE58_DIGITS = 3

/** How most wallets and explorers shorten an address. */
const usualShort = { start: 6, end: 4 }

/** Bytes in front of a base58 address by its size: none of Solana, the version of Bitcoin, the prefix of SS58. */
const prefixSizes: Readonly<Partial<Record<number, number>>> = { 25: 1, 32: 0, 35: 1, 36: 2 }

/** What all addresses of a kind begin with, in lower case: of hex, and of segwit with its version (BIP-173). */
const caselessPrefix = /^(?:0x(?=[0-9a-f]{40}$)|(?:bc|tb|bcrt)1[qp](?=[02-9ac-hj-np-z]+$))/

/**
 * Returns the first of the known addresses that an address looks like; undefined if there is none. People compare
 * a few characters at each end of an address, and attackers make keys whose addresses agree there.
 *
 * Two different addresses look alike when at least 16 bits agree at each end: four digits of hex (16 bits) or bech32 (20
 * bits), three of base58 (17.6 bits), counted after what all addresses of the kind begin with. The first digit of a base58
 * number takes fewer values than the others, so that three of them are 14 bits at least in front. By chance, one pair of
 * addresses in 2^31 looks alike. They also look alike when a page that shows the first six and the last four characters
 * writes them in the same way; of a regtest address that is 20 bits.
 *
 * @param known addresses of the same namespace.
 */
export function lookAlike(address: string, known: Iterable<string>): string | undefined {
  const own = comparableAddress(address)
  const ends = endsOf(own)
  if (!ends) return undefined
  const short = shortenAddress(own, usualShort)
  for (const other of known) {
    const compared = comparableAddress(other)
    if (compared === own || !compared.endsWith(ends.end)) continue
    if (compared.startsWith(ends.start) || shortenAddress(compared, usualShort) === short) return other
  }
  return undefined
}

/** Returns an address as its other spellings are compared: hex, and bech32 in capital letters, in lower case. */
export function comparableAddress(address: string): string {
  const isCaseless = address.startsWith('0x') || address === address.toUpperCase()
  return isCaseless ? address.toLowerCase() : address
}

interface Ends {
  /** With what all addresses of the kind begin with. */
  readonly start: string
  readonly end: string
}

function endsOf(address: string): Ends | undefined {
  const prefix = caselessPrefix.exec(address)?.[0].length
  if (prefix !== undefined) return ends(address, prefix, CASELESS_DIGITS)
  const fixed = fixedDigits(address)
  return fixed === undefined ? undefined : ends(address, fixed, BASE58_DIGITS)
}

function ends(address: string, prefix: number, digits: number): Ends {
  return { start: address.slice(0, prefix + digits), end: address.slice(-digits) }
}

/** Returns how many digits every base58 address with the same bytes in front begins with; undefined for another text. */
function fixedDigits(address: string): number | undefined {
  const bytes = readBase58(address)
  const prefixSize = bytes && prefixSizes[bytes.size]
  if (prefixSize === undefined) return undefined
  const { value, size } = bytes as NonNullable<typeof bytes>
  const free = BigInt(8 * (size - prefixSize))
  const first = (value >> free) << free
  const [lowest, highest] = [first, first + (1n << free) - 1n].map((each) => base58({ value: each, size }))
  const digits = [...(lowest ?? '')]
  const differing = digits.findIndex((digit, index) => digit !== highest?.[index])
  return differing === -1 ? digits.length : differing
}
