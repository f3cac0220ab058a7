import type { Namespace } from '../types/network.ts'
import { readBase58 } from './base58.ts'

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
  const size = readBase58(text)?.size
  return size === undefined ? undefined : namespaceOfSize[size]
}
