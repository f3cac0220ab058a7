import type { Namespace } from '../types/network.ts'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The longest base58 address: that of an ecdsa account with a prefix of two bytes. */
const LONGEST_BASE58 = 50

/** Segwit addresses of the main, test and regtest networks (BIP-173). */
const segwit = /^(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{11,71}$/i

/** Base58 addresses by their size in bytes: a version and a checksum (Bitcoin), a key (Solana), or both (SS58). */
const namespaceOfSize: Readonly<Partial<Record<number, Namespace>>> = {
  25: 'bip122',
  32: 'solana',
  35: 'polkadot',
  36: 'polkadot',
}

/**
 * Returns the namespace whose addresses look like a text, so that the page can say what was pasted; undefined
 * for any other text. Checksums are not verified: see `Transfers.isAddress` for that.
 */
export function addressKind(text: string): Namespace | undefined {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return 'eip155'
  if (segwit.test(text)) return 'bip122'
  const size = base58Size(text)
  return size === undefined ? undefined : namespaceOfSize[size]
}

/** Returns how many bytes a base58 text encodes; undefined if it is not one. */
function base58Size(text: string): number | undefined {
  if (text === '' || text.length > LONGEST_BASE58) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = BASE58.indexOf(letter)
    if (digit === -1) return undefined
    value = value * 58n + BigInt(digit)
  }
  const leadingZeros = text.length - text.replace(/^1+/, '').length
  return leadingZeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2))
}
