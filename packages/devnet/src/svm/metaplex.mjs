import { getProgramDerivedAddress } from '@solana/kit'
import { bytesOf, text, u16 } from './instructions.mjs'
import { metadataProgram } from './programs.mjs'

/** Size of a metadata account. */
const size = 679

/**
 * Returns the account with the metadata of an SPL mint, in the layout of Metaplex's token metadata program.
 * The chain has the account and not the program: nothing on it changes metadata.
 *
 * @param {{ mint: import('@solana/kit').Address, authority: import('@solana/kit').Address, name: string, symbol: string, uri: string }} options
 */
export async function metadataAccount({ mint, authority, name, symbol, uri }) {
  const seeds = ['metadata', bytesOf(metadataProgram), bytesOf(mint)]
  const [address, bump] = await getProgramDerivedAddress({ programAddress: metadataProgram, seeds })
  const metadataV1 = 4
  const fungible = 2
  const content = Buffer.concat([
    Buffer.from([metadataV1]),
    bytesOf(authority),
    bytesOf(mint),
    text(padded(name, 32)),
    text(padded(symbol, 10)),
    text(padded(uri, 200)),
    u16(0), // seller's fee
    Buffer.from([0, 0, 1]), // no creators, no primary sale, mutable
    Buffer.from([1, bump, 1, fungible]), // edition nonce, token standard
  ])
  const data = Buffer.alloc(size)
  content.copy(data)
  return { address, data }
}

/**
 * @param {string} value
 * @param {number} length in bytes
 */
function padded(value, length) {
  const bytes = Buffer.from(value)
  if (bytes.length > length) throw new Error(`${value} is longer than ${length} bytes`)
  return value + '\0'.repeat(length - bytes.length)
}
