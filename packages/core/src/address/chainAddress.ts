import type { CaipNetworkId, Namespace, Network } from '../types/network.ts'
import { addressKind } from './addressKind.ts'
import { interoperableChecksum } from './interoperable.ts'

/** A receiver with the chain that its text names. */
interface ChainAddress {
  /** An address or a name. */
  readonly receiver: string
  readonly namespace: Namespace
  /** Absent when the text names a namespace alone. */
  readonly caipNetworkId?: CaipNetworkId
  /** Reports whether the checksum of the text is that of an address: the receiver, or what the name resolves to. True without one. */
  isChecksumOf(address: string): boolean
}

/**
 * A receiver with its chain, or why it cannot be read.
 *
 * - `chain`: the chain is of no known namespace, or has a name that no network of the site has.
 * - `checksum`: the checksum is that of another address or chain.
 * - `receiver`: it is neither an address of the chain's namespace nor a name.
 */
export type ReadChainAddress =
  | { readonly status: 'read'; readonly value: ChainAddress }
  | { readonly status: 'chain'; readonly chain: string }
  | { readonly status: 'checksum' }
  | { readonly status: 'receiver' }

/** The namespace and the reference of a chain (CAIP-2); the reference may be as long as CAIP-350 has it, or absent. */
const chainForm = /^(eip155|solana|bip122|polkadot)(?::([-\w]{1,78}))?$/
const accountForm = /^([-a-z0-9]{3,8}):([-\w]{1,32}):([-.%a-zA-Z0-9]{1,128})$/
const interoperableForm = /^([^\s@#/:?]+)@([^\s@#/?]+)(?:#([\dA-F]{8}))?$/
const nameForm = /^[^.]+(?:\.[^.]+)+$/

/** A CAIP-2 reference has at most this many characters; of longer ones the first. */
const REFERENCE_LENGTH = 32

/** Genesis hashes of Solana's clusters, whose first 32 characters are their CAIP-2 references. */
const genesisHashes: readonly string[] = [
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
]

/**
 * Reads a receiver with its chain: an account of CAIP-10 (`eip155:8453:0x…`), or an interoperable name (ERC-7930, ERC-7828), an
 * address or a name with a chain and perhaps a checksum: `0x…@eip155:8453#4CA88C9C`, `alice.eth@base`. The chain is an
 * identifier of CAIP-2 or CAIP-350, or the short name of a network. The address itself is not verified: see
 * `Transfers.isAddress` for that.
 *
 * @param networks the networks whose short names are known.
 * @returns undefined for every other text.
 */
export function readChainAddress(text: string, networks: readonly Network[]): ReadChainAddress | undefined {
  const [, namespace, reference, account] = accountForm.exec(text) ?? []
  if (account?.includes('.')) return { status: 'receiver' }
  if (account) return read(account, `${namespace}:${reference}`, undefined, networks)
  const [, receiver, chain, checksum] = interoperableForm.exec(text) ?? []
  return receiver && chain ? read(receiver, chain, checksum, networks) : undefined
}

function read(
  receiver: string,
  chainText: string,
  checksum: string | undefined,
  networks: readonly Network[],
): ReadChainAddress {
  const kind = addressKind(receiver)
  if (!kind && !nameForm.test(receiver)) return { status: 'receiver' }
  const chain = namedChain(chainText, networks) ?? chainOf(chainText)
  if (!chain) return { status: 'chain', chain: chainText }
  const { namespace, reference } = chain
  if (kind && kind !== namespace) return { status: 'receiver' }
  const isChecksumOf = (address: string) =>
    checksum === undefined || checksum === interoperableChecksum(namespace, wholeReference(chain), address)
  if (kind && !isChecksumOf(receiver)) return { status: 'checksum' }
  const caipNetworkId = reference && (`${namespace}:${reference.slice(0, REFERENCE_LENGTH)}` as const)
  return {
    status: 'read',
    value: { receiver, namespace, ...(caipNetworkId && { caipNetworkId }), isChecksumOf },
  }
}

interface Chain {
  readonly namespace: Namespace
  /** Empty for a namespace alone. */
  readonly reference: string
}

function chainOf(text: string): Chain | undefined {
  const [, namespace, reference = ''] = chainForm.exec(text) ?? []
  if (!namespace || (namespace === 'eip155' && /^0|\D/.test(reference))) return undefined
  return { namespace: namespace as Namespace, reference }
}

/** Returns the network of a short name, which is that of one network alone. */
function namedChain(text: string, networks: readonly Network[]): Chain | undefined {
  const [found, ...others] = networks.filter(({ network }) => label(network) === label(text))
  if (!found || others.length > 0) return undefined
  return { namespace: found.chainNamespace, reference: String(found.id) }
}

/** Returns a short name in the form in which it is compared: `baseSepolia` and `base-sepolia` are one. */
function label(name: string): string {
  return name.toLowerCase().replaceAll('-', '')
}

/** Returns the reference as CAIP-350 writes it. */
function wholeReference({ namespace, reference }: Chain): string {
  if (namespace !== 'solana' || reference.length > REFERENCE_LENGTH) return reference
  return genesisHashes.find((hash) => hash.startsWith(reference)) ?? reference
}
