import { keccak256 } from 'viem/utils'
import type { Namespace } from '../types/network.ts'
import { readBase58 } from './base58.ts'

/** Keys of the namespaces in an interoperable address; Polkadot has none (CAIP-350). */
const chainTypes: Readonly<Partial<Record<Namespace, number>>> = { eip155: 0, bip122: 1, solana: 2 }

/** Types of Bitcoin addresses (CAIP-350 of bip122). Those of a public key's hash are not among them. */
const P2SH = 1
const WITNESS = 2
const P2SH_VERSIONS = [5, 196]

/** A segwit address: its version and its program; six digits of checksum follow (BIP-173). */
const segwit = /^(?:bc|tb|bcrt)1([02-9ac-hj-np-z])([02-9ac-hj-np-z]+)[02-9ac-hj-np-z]{6}$/i
const BECH32_DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/**
 * Returns the checksum of an address on a chain (ERC-7930): the first four bytes of the keccak256 hash of its binary form
 * without the version, as eight digits of hex in capital letters.
 *
 * @param reference the chain, as CAIP-350 writes it: of Solana the whole genesis hash. Empty for an address on no certain chain.
 * @returns undefined where CAIP-350 defines no binary form.
 */
export function interoperableChecksum(
  namespace: Namespace,
  reference: string,
  address: string,
): string | undefined {
  const type = chainTypes[namespace]
  const chain = reference === '' ? [] : referenceBytes(namespace, reference)
  const account = addressBytes(namespace, address)
  if (type === undefined || !chain || !account) return undefined
  const binary = [0, type, chain.length, ...chain, account.length, ...account]
  return keccak256(Uint8Array.from(binary)).slice(2, 10).toUpperCase()
}

function referenceBytes(namespace: Namespace, reference: string): readonly number[] | undefined {
  if (namespace === 'eip155')
    return /^[1-9]\d*$/.test(reference) ? hexBytes(hexOf(BigInt(reference))) : undefined
  if (namespace === 'bip122') return /^[\da-f]{32}$/.test(reference) ? hexBytes(reference) : undefined
  return base58Bytes(reference)
}

function addressBytes(namespace: Namespace, address: string): readonly number[] | undefined {
  if (namespace === 'eip155') return /^0x[\da-f]{40}$/i.test(address) ? hexBytes(address.slice(2)) : undefined
  if (namespace === 'bip122') return bitcoinBytes(address)
  return base58Bytes(address)
}

function bitcoinBytes(address: string): readonly number[] | undefined {
  const [, version, program] = segwit.exec(address.toLowerCase()) ?? []
  if (version && program) return [WITNESS, BECH32_DIGITS.indexOf(version), ...programBytes(program)]
  // The last four bytes are a checksum of Bitcoin's own.
  const bytes = base58Bytes(address)?.slice(0, -4)
  return bytes && P2SH_VERSIONS.includes(bytes[0] ?? 0) ? [P2SH, ...bytes] : undefined
}

/** Returns the bytes of bech32 digits of 5 bits; what is left at the end is padding. */
function programBytes(program: string): readonly number[] {
  const bits = Array.from(program, (digit) => BECH32_DIGITS.indexOf(digit).toString(2).padStart(5, '0')).join(
    '',
  )
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}

function base58Bytes(text: string): readonly number[] | undefined {
  const read = readBase58(text)
  return read && hexBytes(hexOf(read.value).padStart(2 * read.size, '0')).slice(-read.size)
}

/** Returns a number in as many whole bytes as it needs. */
function hexOf(value: bigint): string {
  const hex = value.toString(16)
  return hex.padStart(hex.length + (hex.length % 2), '0')
}

function hexBytes(hex: string): readonly number[] {
  return (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))
}
